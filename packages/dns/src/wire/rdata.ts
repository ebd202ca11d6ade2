import type { DnsType } from '@fairway/contract'
import { rdataBytes } from '@fairway/domain/lean'
import { parseAddress } from './address.ts'
import { ByteWriter } from './bytes.ts'
import { lowerName, nameToWire } from './name.ts'
import { PresentationError, tokens, type Token } from './presentation.ts'

const STRING_BYTES = 255

/**
 * Wire form of rdata in presentation form; names stay uncompressed.
 * @throws PresentationError saying what does not fit the type.
 */
export function rdataToWire(type: DnsType, text: string): Uint8Array<ArrayBuffer> {
  const form = FORMS[type]
  if (!form) return otherRdata(type, text)
  const fields = new Fields(type, form.split(text))
  const out = new ByteWriter()
  form.write(fields, out)
  fields.end()
  if (out.length > 65535) throw new PresentationError(`${type}: more than 65535 bytes`)
  return out.done()
}

/**
 * The less common types are read by the domain's one reader of rdata; here stand those that large zones are full of.
 */
function otherRdata(type: string, text: string): Uint8Array<ArrayBuffer> {
  const bytes = rdataBytes(type, text)
  if (bytes === null) throw new PresentationError(`${type}: ${JSON.stringify(text.slice(0, 80))} does not fit the type`)
  return bytes
}

/** What a zone's negative answers need of its SOA: `minimum` caps their lifetime (RFC 2308 5). */
export function soaMinimum(rdata: Uint8Array): number {
  return new DataView(rdata.buffer, rdata.byteOffset, rdata.byteLength).getUint32(rdata.byteLength - 4)
}

type Form = { split: (text: string) => Token[]; write: (fields: Fields, out: ByteWriter) => void }

/** A name alone keeps its own escapes, which the splitting into tokens would resolve. */
const nameOnly: Form = {
  split: (text) => [{ bytes: new TextEncoder().encode(text.trim()), quoted: false }],
  write: (fields, out) => fields.name(out),
}
const form = (write: Form['write']): Form => ({ split: tokensKeepingNames, write })

const FORMS: Partial<Record<string, Form>> = {
  A: form((fields, out) => fields.address(4, out)),
  AAAA: form((fields, out) => fields.address(6, out)),
  CNAME: nameOnly,
  NS: nameOnly,
  PTR: nameOnly,
  MX: form((fields, out) => {
    out.u16(fields.number(65535))
    fields.name(out)
  }),
  SRV: form((fields, out) => {
    for (let i = 0; i < 3; i++) out.u16(fields.number(65535))
    fields.name(out)
  }),
  SOA: form((fields, out) => {
    fields.name(out)
    fields.name(out)
    for (let i = 0; i < 5; i++) out.u32(fields.number(4294967295))
  }),
  TXT: {
    split: tokens,
    write(fields, out) {
      do fields.string(out)
      while (fields.more())
    },
  },
  CAA: {
    split: tokens,
    write(fields, out) {
      out.u8(fields.number(255))
      fields.tag(out)
      out.put(fields.bytes())
    },
  },
}

/** Splits at blanks only; escapes are left for the name reader. */
function tokensKeepingNames(text: string): Token[] {
  return text
    .trim()
    .split(/[ \t\r\n]+/)
    .map((part) => ({ bytes: new TextEncoder().encode(part), quoted: false }))
}

/** Reads the fields of one rdata in order; every method refuses what does not fit. */
class Fields {
  readonly #type: string
  readonly #tokens: Token[]
  #at = 0

  constructor(type: string, found: Token[]) {
    this.#type = type
    this.#tokens = found
  }

  more(): boolean {
    return this.#at < this.#tokens.length
  }

  end(): void {
    if (this.more()) this.#refuse('too many fields')
  }

  bytes(): Uint8Array {
    return this.#tokens[this.#at++]?.bytes ?? this.#refuse('a field is missing')
  }

  number(max: number): number {
    const text = this.#text()
    if (!/^\d{1,10}$/.test(text) || Number(text) > max)
      this.#refuse(`${JSON.stringify(text)} is no number up to ${max}`)
    return Number(text)
  }

  address(family: 4 | 6, out: ByteWriter): void {
    const into = new Uint8Array(16)
    const text = this.#text()
    if (text.includes('%') || parseAddress(text, into) !== family)
      this.#refuse(`${JSON.stringify(text)} is no IPv${family} address`)
    out.put(into.subarray(0, family === 4 ? 4 : 16))
  }

  name(out: ByteWriter): void {
    // Lower case is the form that is signed (RFC 4034 6.2).
    out.put(lowerName(nameToWire(this.#text())))
  }

  string(out: ByteWriter): void {
    const bytes = this.bytes()
    if (bytes.length > STRING_BYTES) this.#refuse(`a string has more than ${STRING_BYTES} bytes`)
    out.u8(bytes.length)
    out.put(bytes)
  }

  tag(out: ByteWriter): void {
    const text = this.#text()
    if (!/^[A-Za-z0-9]{1,255}$/.test(text)) this.#refuse(`${JSON.stringify(text)} is no tag`)
    out.u8(text.length)
    out.put(new TextEncoder().encode(text))
  }

  #text(): string {
    return new TextDecoder().decode(this.bytes())
  }

  #refuse(why: string): never {
    throw new PresentationError(`${this.#type}: ${why}`)
  }
}

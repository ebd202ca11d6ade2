import { parseAddress } from '../wire/address.ts'
import { CLASS_IN, TYPE } from '../wire/codes.ts'
import { ByteWriter } from '../wire/bytes.ts'
import { nameToWire } from '../wire/name.ts'
import type { FlatName } from '../store/json-files.ts'
import type { FlatRecords } from './steerer.ts'

/** What is told of addresses whose time is over while nobody can be asked for new ones (RFC 8767 5). */
const STALE_TTL_SECONDS = 30
const MOST_TTL_SECONDS = 3600

type Known = { expiresAt: number; ttlSeconds: number; a: FlatRecords; aaaa: FlatRecords }

/**
 * Address records of names outside our zones, for names that answer them as their own. Lifetimes count down as in any
 * cache.
 */
export class FlatTable {
  readonly #clock: () => number
  readonly #byName = new Map<string, Known>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** What is new, and names of which nothing is known any more. */
  merge(names: readonly FlatName[], gone: readonly string[] = []): void {
    for (const { name, expiresAt, ttlSeconds = MOST_TTL_SECONDS, a, aaaa } of names) {
      const known = { expiresAt, ttlSeconds, a: records('A', a), aaaa: records('AAAA', aaaa) }
      this.#byName.set(keyOfText(name), known)
    }
    for (const name of gone) this.#byName.delete(keyOfText(name))
  }

  /** Null while nothing is known of the name; no records when it has none of the type. */
  find(name: Uint8Array, type: number): FlatRecords | null {
    const known = this.#byName.get(keyOf(name))
    if (!known) return null
    const found = type === TYPE.A ? known.a : known.aaaa
    // More than is ever kept is of a clock that was put back since.
    const leftSeconds = Math.min(MOST_TTL_SECONDS, Math.ceil((known.expiresAt - this.#clock()) / 1000))
    found.stale = leftSeconds <= 0
    setLifetime(found.bytes, found.stale ? STALE_TTL_SECONDS : Math.min(leftSeconds, known.ttlSeconds))
    return found
  }
}

const keyOfText = (name: string): string => keyOf(nameToWire(name.toLowerCase()))

function keyOf(name: Uint8Array): string {
  return Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('latin1')
}

function setLifetime(bytes: Uint8Array, ttlSeconds: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length; at += 12 + view.getUint16(at + 10)) view.setUint32(at + 6, ttlSeconds)
}

function records(type: 'A' | 'AAAA', addresses: string[]): FlatRecords {
  const out = new ByteWriter()
  const address = new Uint8Array(16)
  for (const text of addresses) {
    // What the resolver answered, in its own writing.
    const rdata = address.subarray(0, 4 * (parseAddress(text, address) === 4 ? 1 : 4))
    out.u16(0xc00c)
    out.u16(TYPE[type])
    out.u16(CLASS_IN)
    out.u32(0)
    out.u16(rdata.length)
    out.put(rdata)
  }
  return { bytes: out.done(), count: addresses.length, stale: false }
}

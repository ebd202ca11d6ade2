import { LIMITS, type ZoneFileError, type ZoneFileFault } from '@fairway/contract'
import { readEntries, type Entry, type Token } from '../rdata/entries.ts'
import { labelsOf, nameText, readName, readNameText, type Labels, type Origin } from '../rdata/name-text.ts'
import { readRdata } from '../rdata/rdata.ts'
import { readTtl } from '../rdata/ttl.ts'
import { isMetaType, typeCode, typeName } from '../rdata/type-codes.ts'
import { readRange, substitute } from './generate.ts'

/**
 * A record of a master file. `name` is absolute with the last dot, `rdata` in the one form of its type; `ttlSeconds` is
 * null when the file says nothing about it.
 */
export type ZoneFileRecord = {
  line: number
  name: string
  ttlSeconds: number | null
  type: string
  rdata: string
  /** Behind the record, as it stands. */
  comment?: string
}

export type ZoneFile = { records: ZoneFileRecord[]; errors: ZoneFileError[] }

/**
 * Reads a master file (RFC 1035 5, RFC 2308 4, RFC 3597 5) whose names are below `origin` until it says otherwise.
 * Every record of every type is answered, whether
 * or not a site may hold it; with errors the records are those that could be read. No more than `LIMITS.zoneFile`
 * allows.
 */
export function readZoneFile(text: string, origin: string): ZoneFile {
  const reading = readInTurns(text, origin, LIMITS.zoneFile.records)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return value
  }
}

/** Entries of one turn: some milliseconds. */
const TURN = 2_000

/** The same of a file of any length, for whoever has other things to do in between; tells how many records it has read. */
export function* readInTurns(text: string, origin: string, most: number): Generator<number, ZoneFile> {
  const reader = new Reader(origin, most)
  let entries = 0
  for (const entry of readEntries(text, (fault, at, piece) => reader.refuse(fault, at, piece))) {
    if (reader.isFull()) break
    reader.entry(entry)
    if (++entries % TURN === 0) yield reader.records.length
  }
  return { records: reader.records, errors: reader.errors }
}

const TEXT_LENGTH = 80

const originOf = (labels: Labels): Origin => ({ labels, text: nameText(labels) })

class Reader {
  readonly records: ZoneFileRecord[] = []
  readonly errors: ZoneFileError[] = []
  #origin: Origin
  /** In its text, which nothing but a record is made of. */
  #owner: string | null = null
  #defaultTtl: number | null = null
  /** What the record before said: what counts where there is no $TTL (RFC 1035 5.1). */
  #lastTtl: number | null = null
  #hasTooMany = false

  readonly #most: number

  constructor(origin: string, most: number) {
    this.#origin = originOf(labelsOf(`${origin}.`))
    this.#most = most
  }

  isFull(): boolean {
    return this.#hasTooMany || this.errors.length >= LIMITS.zoneFile.errors
  }

  refuse(fault: ZoneFileFault, { line, column }: { line: number; column: number }, text: string): void {
    if (!this.isFull()) this.errors.push({ line, column, fault, text: text.slice(0, TEXT_LENGTH) })
  }

  entry(entry: Entry): void {
    const [first] = entry.tokens
    if (first === undefined) return
    if (!entry.indented && !first.quoted && first.text.startsWith('$')) this.#directive(first, entry.tokens.slice(1))
    else this.#owned(first, entry)
  }

  #owned(first: Token, { tokens, indented, line, comment }: Entry): void {
    const owner = indented ? (this.#owner ?? this.#refuse('noOwner', first)) : this.#name(first)
    if (owner === null) return
    this.#owner = owner
    const rest = indented ? tokens : tokens.slice(1)
    const head = this.#head(rest, first)
    if (head !== null)
      this.#record(owner, head, rest.slice(head.length), { line, last: rest[head.length - 1] ?? first, comment })
  }

  #directive(directive: Token, rest: readonly Token[]): void {
    const [value, extra] = rest
    const keyword = directive.text.toUpperCase()
    if (keyword === '$INCLUDE') return void this.#refuse('include', directive)
    if (keyword !== '$ORIGIN' && keyword !== '$TTL' && keyword !== '$GENERATE')
      return void this.#refuse('unknownDirective', directive)
    if (value === undefined) return void this.#refuse('missingField', directive)
    if (keyword === '$GENERATE') return this.#generate(value, rest.slice(1))
    if (extra !== undefined) return void this.#refuse('extraText', extra)
    if (keyword === '$ORIGIN') this.#setOrigin(value)
    else {
      const seconds = readTtl(value.text)
      if (seconds === null) this.#refuse('badTtl', value)
      this.#defaultTtl = seconds ?? this.#defaultTtl
    }
  }

  /** The TTL and the class, in either order, and the type: how many tokens they take. */
  #head(tokens: readonly Token[], at: Token): { length: number; type: string; ttlSeconds: number | null } | null {
    let ttlSeconds: number | null = null
    let hasClass = false
    for (const [index, token] of tokens.entries()) {
      const seconds: number | null = ttlSeconds === null ? readTtl(token.text) : null
      if (seconds !== null) ttlSeconds = seconds
      else if (!hasClass && CLASS.test(token.text)) {
        if (!OUR_CLASS.test(token.text)) return this.#refuse('wrongClass', token)
        hasClass = true
      } else {
        const type = token.quoted ? null : typeName(token.text)
        if (type === null) return this.#refuse(/^\d/.test(token.text) ? 'badTtl' : 'unknownType', token)
        return isMetaType(typeCode(type)) ? this.#refuse('metaType', token) : { length: index + 1, type, ttlSeconds }
      }
    }
    return this.#refuse('noType', tokens.at(-1) ?? at)
  }

  #record(
    owner: string,
    { type, ttlSeconds }: { type: string; ttlSeconds: number | null },
    tokens: readonly Token[],
    { line, last, comment = null }: { line: number; last: Token; comment?: string | null },
  ): void {
    const read = readRdata(type, tokens, this.#origin.labels)
    if ('fault' in read) return void this.#refuse(read.fault, read.token ?? tokens.at(-1) ?? last)
    if (this.records.length >= this.#most) {
      this.#refuse('tooManyRecords', last)
      this.#hasTooMany = true
      return
    }
    this.#lastTtl = ttlSeconds ?? this.#lastTtl
    // An SOA without any TTL lends its minimum, as BIND does, since that is what the field meant once (RFC 2308 4).
    if (type === 'SOA' && this.#lastTtl === null) this.#defaultTtl ??= Number(read.rdata.split(' ').at(-1))
    this.records.push({
      line,
      name: owner,
      ttlSeconds: ttlSeconds ?? this.#defaultTtl ?? this.#lastTtl,
      type,
      rdata: read.rdata,
      ...(comment === null ? {} : { comment }),
    })
  }

  /** `$GENERATE range owner [ttl] [class] type rdata`: rdata of several words is in quotes. */
  #generate(range: Token, rest: readonly Token[]): void {
    const numbers = readRange(range.text)
    const [owner, ...more] = rest
    if (numbers === null) return void this.#refuse('badGenerate', range)
    const head = owner === undefined ? this.#refuse('missingField', range) : this.#head(more, owner)
    if (owner === undefined || head === null) return
    const [rdata, extra] = more.slice(head.length)
    if (rdata === undefined || extra !== undefined)
      return void this.#refuse(rdata === undefined ? 'missingField' : 'extraText', extra ?? owner)
    for (let number = numbers.start; number <= numbers.stop && !this.isFull(); number += numbers.step) {
      const name = substitute(owner.text, number)
      const text = substitute(rdata.text, number)
      const named =
        name === null || text === null
          ? this.#refuse('badGenerate', name === null ? owner : rdata)
          : this.#name({ ...owner, text: name })
      if (named === null || text === null) return
      const [entry] = readEntries(text, (fault) => void this.#refuse(fault, rdata))
      const tokens = (entry?.tokens ?? []).map((token) => ({ ...token, line: rdata.line, column: rdata.column }))
      this.#record(named, head, tokens, { line: range.line, last: rdata })
    }
  }

  #name(token: Token): string | null {
    const read = readNameText(token.text, this.#origin)
    return 'name' in read ? read.name : this.#refuse(read.fault, token)
  }

  #setOrigin(token: Token): void {
    const read = readName(token.text, this.#origin.labels)
    if ('labels' in read) this.#origin = originOf(read.labels)
    else this.#refuse(read.fault, token)
  }

  #refuse(fault: ZoneFileFault, token: Token): null {
    this.refuse(fault, token, token.text)
    return null
  }
}

const CLASS = /^(?:IN|CH|CHAOS|HS|HESIOD|ANY|NONE|CLASS\d{1,5})$/i
const OUR_CLASS = /^(?:IN|CLASS1)$/i

import { LIMITS, type ZoneFileError, type ZoneFileFormat } from '@fairway/contract'
import { AUTO_TTL_SECONDS } from '../to-rrsets.ts'
import { writeCsv } from './csv.ts'
import { readInTurns } from './read-zone-file.ts'
import { readTableRows } from './record-table.ts'

/** A part that one call takes. `lines` are where the records of its lines stand in the file as a whole. */
type ZoneFilePart = { text: string; lines: number[]; records: number }
/** With errors there are no parts. */
export type SplitZoneFile = { parts: ZoneFilePart[]; records: number; errors: ZoneFileError[] }

/** A record on its way into a part; `ttlSeconds` is left out where its text has it. */
type Row = { name: string; line: number; text: string; ttlSeconds?: number | null }

const MOST_RECORDS = LIMITS.zoneFile.part.records * LIMITS.zoneFile.parts
const TURN = 2_000

/**
 * A file of any length in parts that mean the same one after the other, in either format: each stands for itself, and
 * all that a name has is in one of them, for a later part would take it for all that the name is to have. In turns of
 * some milliseconds; tells how many records it has read.
 */
export function* splitZoneFile(
  format: ZoneFileFormat,
  text: string,
  siteName: string,
  { characters, records }: { characters: number; records: number } = LIMITS.zoneFile.part,
): Generator<number, SplitZoneFile> {
  const { head, rows, errors } = yield* format === 'csv' ? tableRows(text, siteName) : fileRows(text, siteName)
  if (errors.length > 0) return { parts: [], records: 0, errors }
  const parts: ZoneFilePart[] = []
  let part = new PartWriter(head)
  for (const own of groups(byName(rows))) {
    if (part.records > 0 && (part.records + own.length > records || part.characters > characters)) {
      parts.push(part.done())
      part = new PartWriter(head)
      yield rows.length
    }
    for (const row of own) part.add(row)
  }
  if (part.records > 0) parts.push(part.done())
  return { parts, records: rows.length, errors }
}

type Rows = { head: string; rows: Row[]; errors: ZoneFileError[] }

function* fileRows(text: string, siteName: string): Generator<number, Rows> {
  const { records, errors } = yield* readInTurns(text, siteName, MOST_RECORDS)
  const rows: Row[] = []
  for (const { line, name, ttlSeconds, type, rdata, comment } of records) {
    const behind = comment === undefined ? '' : ` ;${comment}`
    rows.push({ name, line, ttlSeconds, text: `IN ${type} ${rdata}${behind}\n` })
    if (rows.length % TURN === 0) yield records.length
  }
  return { head: '', rows, errors }
}

function* tableRows(text: string, siteName: string): Generator<number, Rows> {
  const rows: Row[] = []
  let head = ''
  const reading = readTableRows(text, siteName, MOST_RECORDS)
  for (;;) {
    const { done, value } = reading.next()
    if (done) return { head, rows, errors: value }
    const { cells, record } = value
    const written = writeCsv([cells.map((cell) => cell.text)])
    if (record === null) head = written
    else rows.push({ name: record.name, line: record.line, text: written })
    if (rows.length % TURN === 0) yield rows.length
  }
}

/** All rows of a name behind its first one; most files have them so. */
function byName(rows: readonly Row[]): readonly Row[] {
  const firsts = new Map<string, number>()
  let isScattered = false
  for (const [index, { name }] of rows.entries()) {
    if (rows[index - 1]?.name === name) continue
    isScattered ||= firsts.has(name)
    if (!firsts.has(name)) firsts.set(name, index)
  }
  const first = ({ name }: Row): number => firsts.get(name) ?? 0
  return isScattered ? rows.toSorted((a, b) => first(a) - first(b)) : rows
}

function* groups(rows: readonly Row[]): Generator<Row[]> {
  let own: Row[] = []
  for (const row of rows) {
    if (own[0] !== undefined && own[0].name !== row.name) {
      yield own
      own = []
    }
    own.push(row)
  }
  if (own.length > 0) yield own
}

class PartWriter {
  readonly #head: string
  readonly #texts: string[] = []
  readonly #lines: number[] = []
  #hasTtl = false
  characters = 0
  records = 0

  constructor(head: string) {
    this.#head = head
    if (head !== '') this.#write(head, 1)
  }

  add({ name, line, text, ttlSeconds }: Row): void {
    this.#write(ttlSeconds === undefined ? text : `${name} ${this.#ttl(ttlSeconds)}${text}`, line)
    this.records++
  }

  done(): ZoneFilePart {
    return { text: this.#texts.join(''), lines: this.#lines, records: this.records }
  }

  /** Nothing would mean the TTL of the record before (RFC 1035 5.1), so it says its own as soon as another has one. */
  #ttl(ttlSeconds: number | null): string {
    this.#hasTtl ||= ttlSeconds !== null
    return ttlSeconds === null && !this.#hasTtl ? '' : `${ttlSeconds ?? AUTO_TTL_SECONDS} `
  }

  /** A cell of a table may go over several lines. */
  #write(text: string, line: number): void {
    this.#texts.push(text)
    this.characters += text.length
    const lines = this.#head === '' ? 1 : text.split(/\r\n|\r|\n/).length - 1
    for (let count = 0; count < lines; count++) this.#lines.push(line)
  }
}

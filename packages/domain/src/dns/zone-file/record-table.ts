import { LIMITS, type ZoneFileError, type ZoneFileFault } from '@fairway/contract'
import { relativeName } from '../names.ts'
import { readTtl } from '../rdata/ttl.ts'
import { typeName } from '../rdata/type-codes.ts'
import { clean, readTags } from './record-note.ts'
import { readCsv, type Cell } from './csv.ts'
import type { FileRecord, FileRecords } from './file-records.ts'

/** Columns of the table, and what else they are called in the tables of others. */
export const COLUMNS = ['name', 'type', 'ttl', 'preference', 'value', 'multi_cdn', 'weight', 'comment', 'tags'] as const
type Column = (typeof COLUMNS)[number]
const ALIASES: Readonly<Record<string, Column>> = {
  host: 'name',
  priority: 'preference',
  content: 'value',
  data: 'value',
}
const NEEDED: readonly Column[] = ['name', 'type', 'value']

/**
 * Reads records from a table whose first line names the columns, parted by commas, semicolons or tabs. Names are
 * relative to the site, or end with it; a TTL is in seconds
 * or with units, nothing or `auto` is Auto. Whether a value fits its type is not asked here.
 */
export function readRecordTable(text: string, siteName: string): FileRecords {
  const records: FileRecord[] = []
  const reading = readTableRows(text, siteName, LIMITS.zoneFile.records)
  for (;;) {
    const { done, value } = reading.next()
    // A table whose quotes are wrong was cut at the wrong places.
    if (done) return { records: value.some(({ fault }) => fault === 'csvQuote') ? [] : records, errors: value }
    if (value.record) records.push(value.record)
  }
}

/** A row of a table, and its record; null for the header. */
type TableRow = { cells: readonly Cell[]; record: FileRecord | null }

/** The rows of a table, the header first, and at the end what is wrong with it. */
export function* readTableRows(text: string, siteName: string, most: number): Generator<TableRow, ZoneFileError[]> {
  const rows = readCsv(text, separatorOf(text))
  const head = rows.next()
  if (head.done && head.value !== null) return [head.value]
  const header = head.done ? [] : head.value
  const { columns, errors } = readHeader(header)
  if (errors.length > 0) return errors
  yield { cells: header, record: null }
  for (let read = 0; errors.length < LIMITS.zoneFile.errors;) {
    const { done, value: cells } = rows.next()
    if (done) return cells === null ? errors : [cells]
    const first = cells[0] ?? { text: '', line: 1, column: 1 }
    if (read >= most) {
      errors.push(wrong('tooManyRecords', first))
      break
    }
    if (cells.length !== columns.length) errors.push(wrong('csvCells', first))
    else {
      read++
      yield { cells, record: readLine(new Line(columns, cells, first, errors), siteName) }
    }
  }
  return errors
}

/** The first line says what parts the cells; a comma unless there is none. */
function separatorOf(text: string): string {
  const [head = ''] = text.split(/[\r\n]/, 1)
  return head.includes(',') ? ',' : ([';', '\t'].find((separator) => head.includes(separator)) ?? ',')
}

function readHeader(header: readonly Cell[]): { columns: (Column | null)[]; errors: ZoneFileError[] } {
  const columns = header.map(({ text }) => {
    const name = text.trim().toLowerCase()
    return COLUMNS.find((column) => column === name) ?? ALIASES[name] ?? null
  })
  const [first] = header
  if (first === undefined || columns.every((column) => column === null))
    return { columns, errors: [wrong('csvHeader', first ?? { text: '', line: 1, column: 1 })] }
  const unknown = header
    .filter((_, index) => columns[index] === null || columns.indexOf(columns[index] ?? null) < index)
    .map((cell) => wrong('csvUnknownColumn', cell))
  const missing = NEEDED.filter((column) => !columns.includes(column)).map((column) =>
    wrong('csvMissingColumn', { ...first, text: column }),
  )
  return { columns, errors: [...unknown, ...missing] }
}

/** The cells of one line by their columns; what cannot be read is noted and counts as empty. */
class Line {
  readonly first: Cell
  readonly #cells: ReadonlyMap<Column, Cell>
  readonly #errors: ZoneFileError[]

  constructor(columns: readonly (Column | null)[], cells: readonly Cell[], first: Cell, errors: ZoneFileError[]) {
    this.first = first
    this.#errors = errors
    this.#cells = new Map(
      columns.flatMap((column, index) =>
        column !== null && cells[index] !== undefined ? [[column, cells[index]]] : [],
      ),
    )
  }

  has(column: Column): boolean {
    return this.#cells.has(column)
  }

  text(column: Column): string {
    return this.#cells.get(column)?.text.trim() ?? ''
  }

  /** What `read` makes of a cell that is not empty. */
  value<T>(column: Column, fault: ZoneFileFault, read: (text: string) => T | null): T | null {
    const text = this.text(column)
    if (text === '') return null
    const value = read(text)
    if (value === null) this.#errors.push(wrong(fault, this.#cells.get(column) ?? this.first))
    return value
  }
}

/** A spreadsheet takes what begins so for a formula; the sign before it is taken away by `readRecordTable`. */
export const tamed = (text: string): string => (/^[=+\-@']/.test(text) ? `'${text}` : text)

const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
}
const AUTO = -1

function readLine(line: Line, siteName: string): FileRecord {
  const written = line.text('type').toUpperCase()
  const type = typeName(written) ?? written
  const ttlSeconds = line.value('ttl', 'badTtl', (text) => (text.toLowerCase() === 'auto' ? AUTO : readTtl(text)))
  const preference = line.value('preference', 'badNumber', (text) => (/^\d{1,5}$/.test(text) ? Number(text) : null))
  const multiCdn = line.value('multi_cdn', 'csvFlag', (text) => FLAGS[text.toLowerCase()] ?? null)
  const weight = line.has('weight')
    ? {
        weight: line.value('weight', 'badNumber', (text) =>
          /^\d{1,4}$/.test(text) && Number(text) <= LIMITS.recordWeight ? Number(text) : null,
        ),
      }
    : {}
  const mail = type === 'MX' && preference === null ? /^(\d{1,5})\s+(\S+)$/.exec(line.text('value')) : null
  return {
    line: line.first.line,
    name: siteRelative(line.text('name'), siteName),
    type,
    ttlSeconds: ttlSeconds === AUTO ? null : ttlSeconds,
    value: mail?.[2] ?? line.text('value'),
    preference: mail ? Number(mail[1]) : preference,
    multiCdn: multiCdn ?? false,
    ...weight,
    ...(line.has('comment') ? { comment: clean(line.text('comment').replace(/^'/, '')) } : {}),
    ...(line.has('tags') ? { tags: readTags(line.text('tags')) } : {}),
  }
}

/** Nobody who writes `www.example.com` into a table of example.com means `www.example.com.example.com`. */
const siteRelative = (text: string, siteName: string): string => (text === '' ? '@' : relativeName(text, siteName))

const TEXT_LENGTH = 80
const wrong = (fault: ZoneFileFault, { line, column, text }: Cell): ZoneFileError => ({
  line,
  column,
  fault,
  text: text.slice(0, TEXT_LENGTH),
})

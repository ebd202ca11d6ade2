import { z } from 'zod'
import { BackupError } from './backup-error.ts'

export const RowFigures = z.object({ rows: z.int().min(0), digest: z.string() })
const Head = z.object({
  kind: z.literal('head'),
  at: z.iso.datetime(),
  version: z.string(),
  /** Names of the migrations that the database has. */
  schema: z.array(z.string().regex(/^[\w-]+\.sql$/)).min(1),
  events: z.boolean(),
})
export const ArchiveFileData = z.object({
  kind: z.literal('file'),
  // Within the home, in one of its folders at most: no way out.
  path: z.string().regex(/^(?:[a-z-]+\/)?\w[\w.-]*$/),
  data: z.base64(),
})
const Table = z.object({
  kind: z.literal('table'),
  engine: z.enum(['database', 'events']),
  name: z.string().regex(/^[a-z_0-9]+$/),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
})
const End = z.object({
  kind: z.literal('end'),
  tables: z.record(z.string(), RowFigures),
  sequences: z.array(z.object({ name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() })),
  /** Digest of every zone's published document by its key. */
  zones: z.record(z.string(), z.string()),
})
const Line = z.discriminatedUnion('kind', [Head, ArchiveFileData, Table, End])

export type ArchiveHead = z.infer<typeof Head>
export type ArchiveFile = z.infer<typeof ArchiveFileData>
export type ArchiveTable = z.infer<typeof Table>
export type ArchiveEnd = z.infer<typeof End>
export type TableFigures = z.infer<typeof RowFigures>
export type ArchiveEntry = z.infer<typeof Line> | { kind: 'rows'; rows: Buffer[] }

const NEWLINE = 10
const ROW = 0x52
const OTHER = 0x4a
/** A row may hold a picture or a document of megabytes; more than this is none of ours. */
const LONGEST_LINE = 256 << 20
const WRITE_BYTES = 256 << 10

/** One line each, `R` before a row as its engine writes it and `J` before all else, in pieces of some size. */
export async function* writeLines(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let bytes = 0
  const add = (mark: number, line: Buffer) => {
    parts.push(Buffer.from([mark]), line, Buffer.from([NEWLINE]))
    bytes += line.length + 2
  }
  for await (const entry of entries) {
    if (entry.kind === 'rows') for (const row of entry.rows) add(ROW, row)
    else add(OTHER, Buffer.from(JSON.stringify(entry)))
    if (bytes < WRITE_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

/** @throws BackupError when it is not what `writeLines` writes, or does not end as it must. */
export async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  let isOver = false
  for await (const lines of splitLines(bytes)) {
    let rows: Buffer[] = []
    for (const line of lines) {
      if (isOver) throw new BackupError('The backup is damaged: something comes after its end.')
      if (line[0] === ROW) {
        rows.push(line.subarray(1))
        continue
      }
      if (rows.length > 0) yield { kind: 'rows', rows }
      rows = []
      const entry = readEntry(line)
      isOver = entry.kind === 'end'
      yield entry
    }
    if (rows.length > 0) yield { kind: 'rows', rows }
  }
  if (!isOver) throw new BackupError('The backup is cut short: it has no end.')
}

function readEntry(line: Buffer) {
  try {
    if (line[0] === OTHER) return Line.parse(JSON.parse(line.subarray(1).toString('utf8')))
  } catch {
    // Told below.
  }
  throw new BackupError('The backup is damaged, or was written by another version: a line in it is not understood.')
}

/** Whole lines as pieces end; a last one without a newline counts too. */
export async function* splitLines(
  bytes: AsyncIterable<Buffer | Uint8Array> | Iterable<Buffer>,
): AsyncGenerator<Buffer[]> {
  let open: Buffer[] = []
  let openBytes = 0
  for await (const part of bytes) {
    const piece = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    const last = piece.lastIndexOf(NEWLINE)
    if (last === -1) {
      open.push(piece)
      openBytes += piece.length
      if (openBytes > LONGEST_LINE) throw new BackupError('The backup is damaged: a line in it has no end.')
      continue
    }
    const whole = Buffer.concat([...open, piece.subarray(0, last)])
    open = [piece.subarray(last + 1)]
    openBytes = piece.length - last - 1
    yield linesOf(whole)
  }
  if (openBytes > 0) yield linesOf(Buffer.concat(open))
}

function linesOf(whole: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at <= whole.length;) {
    const next = whole.indexOf(NEWLINE, at)
    const end = next === -1 ? whole.length : next
    lines.push(whole.subarray(at, end))
    at = end + 1
  }
  return lines
}

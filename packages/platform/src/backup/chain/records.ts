import { z } from 'zod'
import { BackupError } from '../backup-error.ts'
import { ArchiveFileData, RowFigures } from '../archive-lines.ts'

const PART = z.string().regex(/^part-[0-9a-f]{64}$/)
const LSN = z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/)
/** Below the folder of the database, and no way out of it. */
const INNER = z.string().regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/)

const Base = z.object({
  at: z.iso.datetime(),
  version: z.string(),
  schema: z.array(z.string()),
  timeline: z.int().min(1),
  /** Where its log begins, and where its files are true. */
  start: LSN,
  stop: LSN,
  /** The moment whose rows were counted, and its name in the log. */
  point: z.object({ name: z.string().regex(/^[\w-]{1,63}$/), at: LSN }),
  events: z.boolean(),
  rows: z.int().min(0),
  /** What it added to the chain, sealed; and what all of it weighs, before it is packed. */
  addedBytes: z.int().min(0),
  wholeBytes: z.int().min(0),
  /** Parts that are its listing when they are put together. */
  listing: z.array(PART).min(1),
})
/** One backup of a chain: small, as all of them are read to know what can be restored. */
export type Base = z.infer<typeof Base>

const Parts = z.array(PART)
const Listing = z.object({
  label: z.string(),
  folders: z.array(INNER),
  files: z.array(z.object({ path: INNER, parts: Parts })),
  home: z.array(ArchiveFileData),
  events: z.record(z.string().regex(/^[a-z_0-9]+$/), Parts),
  /** Of both engines. */
  tables: z.record(z.string(), RowFigures),
  zones: z.record(z.string(), z.string()),
})
/** What a backup of a chain consists of. */
export type Listing = z.infer<typeof Listing>

/** How far the log goes: everything acknowledged before `until` is in it. */
const Head = z.object({ until: z.iso.datetime(), to: LSN, timeline: z.int() })
export type LogHead = z.infer<typeof Head>

const Home = z.array(ArchiveFileData)

const reader =
  <T>(schema: z.ZodType<T>, what: string) =>
  (plain: Buffer): T => {
    try {
      return schema.parse(JSON.parse(plain.toString('utf8')))
    } catch (error) {
      throw new BackupError(`${what} of the chain was written by another version of Fairway, or is damaged.`, {
        cause: error,
      })
    }
  }

export const readBase = reader(Base, 'A backup')
export const readListing = reader(Listing, 'The listing of a backup')
export const readLogHead = reader(Head, 'The head of the log')
export const readHomeFiles = reader(Home, 'The files of the home')
export const written = (record: unknown): Buffer => Buffer.from(JSON.stringify(record))

const BASE = /^base-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)$/
export const baseKey = (at: string): string => `base-${at.replaceAll(':', '-')}`

/** The moment in the name of a base; null for other names. */
export function momentOfBase(key: string): string | null {
  const text = BASE.exec(key)?.[1]
  return text === undefined ? null : text.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')
}

import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { readLsn } from './wal-parts.ts'

/** What the home remembers of its chain: figures are wanted often, and while the place is away. Times in epoch ms. */
const Notes = z.object({
  place: z.string(),
  id: z.string(),
  bases: z.array(
    z.object({
      file: z.string(),
      at: z.number(),
      writtenAt: z.number(),
      provenAt: z.number().nullable(),
      addedBytes: z.number(),
      wholeBytes: z.number(),
      /** Where in the log it begins; null was noted by an earlier version. */
      start: z.string().nullable().default(null),
    }),
  ),
  /** From when to when it can be restored, oldest first; how far the last one goes since then says the state. */
  ranges: z.array(z.object({ from: z.number(), until: z.number() })),
  bytes: z.number(),
})
export type ChainNotes = z.infer<typeof Notes>

const State = z.object({
  place: z.string(),
  id: z.string().nullable(),
  /** Everything acknowledged before this is in the chain. */
  until: z.number().nullable(),
  waitingBytes: z.number(),
  /** Since when the place, or the database, does not take part. */
  stoppedAt: z.number().nullable(),
  problem: z.string().nullable(),
  /** Where the log was torn after the newest backup: the seconds since cannot be restored before the next one. */
  tornAt: z.number().nullable(),
  /** From where in the log on there is no gap again: a backup that begins there mends it. */
  wholeFrom: z.string().nullable().default(null),
  writtenAt: z.number(),
})
export type LogState = z.infer<typeof State>

const notesFile = (home: string): string => path.join(home, 'backup-chain.json')
const stateFile = (home: string): string => path.join(home, 'backup-log.json')

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

function write(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(value), { mode: 0o600 })
  fs.renameSync(draft, file)
}

/** Null where none was begun in this place. */
export function chainNotes(home: string, place: string): ChainNotes | null {
  const notes = read(notesFile(home), Notes)
  return notes?.place === place ? notes : null
}

export function logState(home: string, place: string): LogState | null {
  const state = read(stateFile(home), State)
  return state?.place === place ? state : null
}

/** Whether a backup begins where the log has no gap any more. Clocks go back; the log does not. */
export function isMended(
  { tornAt, wholeFrom }: LogState,
  bases: readonly { start: string | null; writtenAt: number }[],
): boolean {
  if (tornAt === null) return true
  return bases.some(({ start, writtenAt }) =>
    wholeFrom !== null && start !== null ? readLsn(start) >= readLsn(wholeFrom) : writtenAt > tornAt,
  )
}

export const noteChain = (home: string, notes: ChainNotes): void => write(notesFile(home), notes)
export const noteLogState = (home: string, state: LogState): void => write(stateFile(home), state)

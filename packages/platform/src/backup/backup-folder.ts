import fs from 'node:fs'
import path from 'node:path'
import { isS3Place } from '../storage/open-storage.ts'
import type { Storage } from '../storage/storage.ts'
import { chainNotes, logState } from './chain/chain-notes.ts'

const NAME = /^fairway-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z\.backup$/

export const isBackupName = (name: string): boolean => NAME.test(name)

/** Where backups go without a word on it: a folder, or a place in a bucket. */
export function backupFolderOf({ backupFolder, home }: Settings): string {
  return isS3Place(backupFolder) ? backupFolder : path.resolve(backupFolder || path.join(home, 'backups'))
}

/** `provenAt` is when it was last restored elsewhere and found whole; all times in epoch ms. */
export type KeptBackup = { file: string; writtenAt: number; provenAt: number | null }

/** The complete backups of a place, newest first. */
export async function keptBackups(storage: Storage): Promise<KeptBackup[]> {
  const found = new Map<string, number>()
  for await (const { key, changedAt } of storage.list('fairway-')) found.set(key, changedAt)
  return [...found]
    .filter(([key]) => isBackupName(key))
    .map(([key, writtenAt]) => ({ file: storage.address(key), writtenAt, provenAt: found.get(proofOf(key)) ?? null }))
    .sort((a, b) => b.writtenAt - a.writtenAt)
}

/** Whether the log of the embedded database is carried away all the time, and the schedule adds to a chain. */
export const followsLog = (config: {
  backupEveryHours: number
  backupLogSeconds: number
  databaseUrl: string
}): boolean => config.backupEveryHours > 0 && config.backupLogSeconds > 0 && config.databaseUrl === ''

export type LogTrouble = { kind: 'stopped' | 'torn'; sinceMs: number; problem: string | null }

/** So long a place may be away before somebody is told: a restart of it is no news. */
const TOLD_AFTER_MS = 5 * 60_000

/** Whether the newest seconds are at risk for longer than the settings say; null while all is well. */
export function logTrouble(config: Settings & Parameters<typeof followsLog>[0], now = Date.now()): LogTrouble | null {
  const state = followsLog(config) ? logState(config.home, backupFolderOf(config)) : null
  if (state === null) return null
  if (state.tornAt !== null) return { kind: 'torn', sinceMs: state.tornAt, problem: state.problem }
  // One that does not write down how it is has ended, or did so under another clock.
  const isSilent = Math.abs(now - state.writtenAt) > TOLD_AFTER_MS
  const heardAt = state.stoppedAt ?? (isSilent ? state.writtenAt : null)
  if (heardAt === null || Math.abs(now - heardAt) < TOLD_AFTER_MS) return null
  return { kind: 'stopped', sinceMs: state.until ?? heardAt, problem: state.problem }
}

type Settings = { backupFolder: string; home: string }

/** `problem` is why the folder cannot be looked into; null when it can. */
type NewestBackups = { newest: KeptBackup | null; proven: KeptBackup | null; problem: string | null }

/**
 * The newest complete backup, and the newest that was proven; null where there is none. One that says it was written
 * later than now counts for neither: its clock was wrong, and by it nothing newer would be made.
 */
export function newestBackups(config: Settings, now = Date.now()): NewestBackups {
  const place = backupFolderOf(config)
  const { kept: whole, problem } = isS3Place(place) ? { kept: notedBackups(config), problem: null } : backupsIn(place)
  const kept = whole
    .filter(({ writtenAt }) => !isAhead(writtenAt, now))
    .map(doubted(config))
    .concat(chainBackups(config, now))
    .sort((a, b) => b.writtenAt - a.writtenAt)
  return { newest: kept[0] ?? null, proven: kept.find((one) => one.provenAt !== null) ?? null, problem }
}

/** Those of the chain of this home, as it remembers them; in a folder it is seen whether they are still there. */
export function chainBackups(config: Settings, now = Date.now()): (KeptBackup & { start: string | null })[] {
  const place = backupFolderOf(config)
  return (chainNotes(config.home, place)?.bases ?? [])
    .map(({ file, writtenAt, provenAt, start }) => ({ file, writtenAt, provenAt, start }))
    .filter(({ file, writtenAt }) => !isAhead(writtenAt, now) && (isS3Place(place) || fs.existsSync(file)))
    .map(doubted(config))
    .sort((a, b) => b.writtenAt - a.writtenAt)
}

/** Clocks of two machines differ by less. */
const AHEAD_MS = 3_600_000
export const isAhead = (at: number, now: number): boolean => at > now + AHEAD_MS

/** A proof that failed later goes before one that was right once. */
function doubted(config: Settings): <T extends KeptBackup>(one: T) => T {
  const failed = failedProof(config)?.file
  return (one) => (one.file === failed ? { ...one, provenAt: null } : one)
}

/** What was found when a backup of this place was proven last, and was not as it had been. Time in epoch ms. */
type FailedProof = { place: string; file: string; at: number; problem: string }

const proofFile = (home: string): string => path.join(home, 'backup-proof.json')

export function failedProof(config: Settings): FailedProof | null {
  try {
    // Our own file, replaced whole.
    const found = JSON.parse(fs.readFileSync(proofFile(config.home), 'utf8')) as FailedProof
    return found.place === backupFolderOf(config) ? found : null
  } catch {
    return null
  }
}

/** Has the home remember that a backup is not what it was; of other places it need not know. */
export function noteFailedProof(config: Settings, file: string, problem: string): void {
  const place = backupFolderOf(config)
  if (!fs.existsSync(config.home) || !file.startsWith(`${place.replace(/\/+$/, '')}/`)) return
  replace(proofFile(config.home), { place, file, at: Date.now(), problem } satisfies FailedProof)
}

/** A backup of a moment was proven: what failed before that is of no matter any more. */
export function notePassedProof(config: Settings, file: string, momentMs: number): void {
  const failed = failedProof(config)
  if (failed && (failed.file === file || failed.at < momentMs)) fs.rmSync(proofFile(config.home), { force: true })
}

type ProofTrouble = {
  /** When the newest proven one was written; null when there is none. */
  provenAt: number | null
  /** Of a proof that failed. */
  failed: FailedProof | null
}

/** Between a backup and the end of its proof. */
const PROVING_MS = 6 * 3_600_000

/** Whether backups are written and none of the last ones was proven; null while all is well, or nobody proves any. */
export function proofTrouble(config: Settings & { backupEveryHours: number }, now = Date.now()): ProofTrouble | null {
  const { newest, proven, problem } = newestBackups(config, now)
  const place = backupFolderOf(config)
  // What cannot be looked at is not known to be good.
  const failed = failedProof(config) ?? (problem === null ? null : { place, file: place, at: now, problem })
  const trouble = { provenAt: proven?.writtenAt ?? null, failed }
  if (failed) return trouble
  if (config.backupEveryHours === 0 || newest === null || newest === proven) return null
  const limitMs = proven ? backupOldAfterMs(config) : PROVING_MS
  return now - (proven ?? newest).writtenAt >= limitMs ? trouble : null
}

/** A folder that belongs to another account must not end whoever only wants figures of it. */
function backupsIn(folder: string): { kept: KeptBackup[]; problem: string | null } {
  try {
    const kept = fs
      .readdirSync(folder)
      .filter(isBackupName)
      .map((name): KeptBackup => {
        const file = path.join(folder, name)
        return { file, writtenAt: timeOf(file) ?? 0, provenAt: timeOf(proofOf(file)) }
      })
    return { kept: kept.sort((a, b) => b.writtenAt - a.writtenAt), problem: null }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { kept: [], problem: code === 'ENOENT' ? null : message }
  }
}

const notesOf = (home: string): string => path.join(home, 'backups.json')

/** What a bucket held when it was last asked: figures are wanted more often than that, and while it is away. */
function notedBackups(config: Settings): KeptBackup[] {
  try {
    const noted = JSON.parse(fs.readFileSync(notesOf(config.home), 'utf8')) as { place: string; kept: KeptBackup[] }
    return noted.place === config.backupFolder ? noted.kept : []
  } catch {
    return []
  }
}

/** Writes down what the bucket of the settings holds now. */
export function noteKept(config: Settings, kept: readonly KeptBackup[]): void {
  replace(notesOf(config.home), { place: config.backupFolder, kept })
}

function replace(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify(value), { mode: 0o600 })
  fs.renameSync(draft, file)
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From this age of the newest on, ms: two that a schedule should have taken are missing; without one, a week and a day. */
export const backupOldAfterMs = ({ backupEveryHours }: { backupEveryHours: number }): number =>
  backupEveryHours === 0 ? 8 * DAY_MS : Math.max(DAY_MS, backupEveryHours * 2 * HOUR_MS)

/** What is remembered of a backup that was restored elsewhere and found whole lies beside it. */
export const proofOf = (key: string): string => `${key}.proven`
const timeOf = (file: string): number | null => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null

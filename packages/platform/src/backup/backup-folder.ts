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
  // One that does not write down how it is has ended.
  const heardAt = state.stoppedAt ?? (now - state.writtenAt > TOLD_AFTER_MS ? state.writtenAt : null)
  if (heardAt === null || now - heardAt < TOLD_AFTER_MS) return null
  return { kind: 'stopped', sinceMs: state.until ?? heardAt, problem: state.problem }
}

type Settings = { backupFolder: string; home: string }

/** The newest complete backup, and the newest that was proven; null where there is none. */
export function newestBackups(config: Settings): { newest: KeptBackup | null; proven: KeptBackup | null } {
  const place = backupFolderOf(config)
  const whole = isS3Place(place) ? notedBackups(config) : backupsIn(place)
  const kept = [...whole, ...chainBackups(config)].sort((a, b) => b.writtenAt - a.writtenAt)
  return { newest: kept[0] ?? null, proven: kept.find((one) => one.provenAt !== null) ?? null }
}

/** Those of the chain of this home, as it remembers them; in a folder it is seen whether they are still there. */
export function chainBackups(config: Settings): KeptBackup[] {
  const place = backupFolderOf(config)
  return (chainNotes(config.home, place)?.bases ?? [])
    .map(({ file, writtenAt, provenAt }) => ({ file, writtenAt, provenAt }))
    .filter(({ file }) => isS3Place(place) || fs.existsSync(file))
    .sort((a, b) => b.writtenAt - a.writtenAt)
}

function backupsIn(folder: string): KeptBackup[] {
  return (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
    .filter(isBackupName)
    .map((name): KeptBackup => {
      const file = path.join(folder, name)
      return { file, writtenAt: timeOf(file) ?? 0, provenAt: timeOf(proofOf(file)) }
    })
    .sort((a, b) => b.writtenAt - a.writtenAt)
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
  const draft = `${notesOf(config.home)}.${process.pid}`
  fs.writeFileSync(draft, JSON.stringify({ place: config.backupFolder, kept }), { mode: 0o600 })
  fs.renameSync(draft, notesOf(config.home))
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From this age of the newest on, ms: two that a schedule should have taken are missing; without one, a week and a day. */
export const backupOldAfterMs = ({ backupEveryHours }: { backupEveryHours: number }): number =>
  backupEveryHours === 0 ? 8 * DAY_MS : Math.max(DAY_MS, backupEveryHours * 2 * HOUR_MS)

/** What is remembered of a backup that was restored elsewhere and found whole lies beside it. */
export const proofOf = (key: string): string => `${key}.proven`
const timeOf = (file: string): number | null => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null

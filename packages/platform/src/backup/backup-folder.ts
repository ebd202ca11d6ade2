import fs from 'node:fs'
import path from 'node:path'

const NAME = /^fairway-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z\.backup$/

export const isBackupName = (name: string): boolean => NAME.test(name)

/** Where backups go without a word on it. */
export function backupFolderOf({ backupFolder, home }: { backupFolder: string; home: string }): string {
  return path.resolve(backupFolder || path.join(home, 'backups'))
}

/** `provenAt` is when it was last restored elsewhere and found whole; all times in epoch ms. */
export type KeptBackup = { file: string; writtenAt: number; provenAt: number | null }

/** The newest complete backup there, and the newest that was proven; null where there is none. */
export function newestBackups(config: { backupFolder: string; home: string }): {
  newest: KeptBackup | null
  proven: KeptBackup | null
} {
  const folder = backupFolderOf(config)
  const kept = (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
    .filter(isBackupName)
    .map((name): KeptBackup => {
      const file = path.join(folder, name)
      return { file, writtenAt: timeOf(file) ?? 0, provenAt: timeOf(proofOf(file)) }
    })
    .sort((a, b) => b.writtenAt - a.writtenAt)
  return { newest: kept[0] ?? null, proven: kept.find((one) => one.provenAt !== null) ?? null }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From this age of the newest on, ms: two that a schedule should have taken are missing; without one, a week and a day. */
export const backupOldAfterMs = ({ backupEveryHours }: { backupEveryHours: number }): number =>
  backupEveryHours === 0 ? 8 * DAY_MS : Math.max(DAY_MS, backupEveryHours * 2 * HOUR_MS)

/** Remembers that a backup was restored elsewhere and found whole. */
export function noteProof(file: string, said: object): void {
  fs.writeFileSync(proofOf(file), `${JSON.stringify(said)}\n`, { mode: 0o600 })
}

/** Removes a backup, and what is remembered of it. */
export function removeBackup(file: string): void {
  for (const one of [file, proofOf(file)]) fs.rmSync(one, { force: true })
}

const proofOf = (file: string): string => `${file}.proven`
const timeOf = (file: string): number | null => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null

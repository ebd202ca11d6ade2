import fs from 'node:fs'
import path from 'node:path'

const NAME = /^fairway-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z\.backup$/

export const isBackupName = (name: string): boolean => NAME.test(name)

/** Where backups go without a word on it. */
export function backupFolderOf({ backupFolder, home }: { backupFolder: string; home: string }): string {
  return path.resolve(backupFolder || path.join(home, 'backups'))
}

/** When the newest complete one there was written, epoch ms; null without one. */
export function newestBackupAt(config: { backupFolder: string; home: string }): number | null {
  const folder = backupFolderOf(config)
  if (!fs.existsSync(folder)) return null
  const times = fs
    .readdirSync(folder)
    .filter(isBackupName)
    .map((name) => fs.statSync(path.join(folder, name)).mtimeMs)
  return times.length > 0 ? Math.max(...times) : null
}

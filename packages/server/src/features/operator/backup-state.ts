import type { BackupState } from '@fairway/contract'
import {
  type Config,
  backupFolderOf,
  backupOldAfterMs,
  chainNotes,
  followsLog,
  logState,
  logTrouble,
  newestBackups,
} from '@fairway/platform'

const isoOf = (ms: number | null | undefined): string | null =>
  typeof ms === 'number' ? new Date(ms).toISOString() : null

/** What this machine knows of the backups, without asking the place they are in. */
export function backupState(config: Config, now: number): BackupState {
  const { newest, proven } = newestBackups(config, now)
  return {
    newestAt: isoOf(newest?.writtenAt),
    provenAt: isoOf(proven?.writtenAt),
    isOld: newest !== null && now - newest.writtenAt >= backupOldAfterMs(config),
    log: followsLog(config) ? logOf(config, now) : null,
  }
}

function logOf(config: Config, now: number): BackupState['log'] {
  const place = backupFolderOf(config)
  const [notes, state] = [chainNotes(config.home, place), logState(config.home, place)]
  const last = notes?.ranges.at(-1)
  // What was carried since the notes were written joins the last seconds, unless the log was torn meanwhile.
  const isWhole = state !== null && state.id === notes?.id && state.tornAt === null
  const until = last && Math.max(last.until, isWhole ? (state?.until ?? 0) : 0)
  return {
    from: isoOf(last?.from),
    until: isoOf(until),
    bytes: notes?.bytes ?? null,
    waitingBytes: state?.waitingBytes ?? 0,
    trouble: logTrouble(config, now)?.kind ?? null,
  }
}

import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { BackupError } from '../backup/backup-error.ts'
import { spawnPostgres } from './cluster.ts'
import { connectionOf, databaseFolder } from './connection.ts'
import { databaseRefusal } from './refusal.ts'

/** `end` is all of the log that is there. */
export type RecoveryTarget = { time: string } | { name: string } | 'end'

const LOOK_MS = 50
const STOP_MS = 30_000
/** All that can be known in advance of the log going further than the target is that nothing happened after it. */
const NOTHING_AFTER = /recovery ended before configured recovery target was reached/

/**
 * Brings copied files, with their log in `pg_wal`, to a moment, and leaves the database stopped.
 * @throws BackupError with what PostgreSQL said
 */
export async function recoverDatabase(config: Config, target: RecoveryTarget): Promise<void> {
  const folder = databaseFolder(config)
  fs.writeFileSync(path.join(folder, 'recovery.signal'), '', { mode: 0o600 })
  const said = await run(config, target)
  if (said === null) return
  const isTime = target !== 'end' && 'time' in target
  const last = isTime && NOTHING_AFTER.test(said) ? await run(config, 'end') : said
  if (last !== null) throw new BackupError(`The database could not be brought to that moment. ${last}`)
}

/** Null when it went well, else the last words of the server. */
async function run(config: Config, target: RecoveryTarget): Promise<string | null> {
  const logFile = path.join(config.home, 'log', 'postgresql.log')
  const before = fs.existsSync(logFile) ? fs.statSync(logFile).size : 0
  const child = await spawnPostgres(config, {
    hot_standby: 'off',
    // Everything lies where the server looks next.
    restore_command: 'false',
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    log_min_messages: 'warning',
    ...settingsOf(target),
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  try {
    while (!isOver()) {
      if ((await databaseRefusal({ ...connectionOf(config), database: 'postgres' })) === null) return null
      await Promise.race([ended, delay(LOOK_MS)])
    }
    return fs.readFileSync(logFile).subarray(before).toString('utf8').trimEnd().split('\n').slice(-4).join('\n')
  } finally {
    if (!isOver()) {
      child.kill('SIGINT')
      await Promise.race([ended, delay(STOP_MS, undefined, { ref: false })])
      if (!isOver()) child.kill('SIGQUIT')
      await ended
    }
  }
}

function settingsOf(target: RecoveryTarget): Record<string, string> {
  if (target === 'end') return {}
  if ('name' in target) return { recovery_target_name: target.name }
  return { recovery_target_time: target.time, recovery_target_inclusive: 'on' }
}

import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import {
  type Config,
  type Log,
  backupFolderOf,
  chainBackups,
  configEnvironment,
  followsLog,
  logState,
  newestBackups,
  systemEnvironment,
} from '@fairway/platform'

const HOUR_MS = 3_600_000
const FIRST_LOOK_MS = 120_000
const LOOK_MS = 300_000
/** After one that failed; the reason is in the log, and operators hear of it when the newest is old. */
const AGAIN_MS = 1_800_000
const LOWEST_PRIORITY = 19

/** Runs `./fairway <words>` and answers what it wrote. @throws Error with what it complained of */
export type RunCommand = (words: string[], signal: AbortSignal) => Promise<string>

export type BackupSchedule = {
  config: Config
  log: Log
  run?: RunCommand
  now?: () => number
  firstLookMs?: number
  lookMs?: number
}

/**
 * Takes a backup whenever the newest is as old as the settings say, also one taken by hand, and proves it at once by
 * restoring it elsewhere. Without a schedule it does nothing.
 */
export function keepBackups({
  config,
  log,
  run = (words, signal) => runCommand(config, words, signal),
  now = Date.now,
  firstLookMs = FIRST_LOOK_MS,
  lookMs = LOOK_MS,
}: BackupSchedule): AsyncDisposable {
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let notBefore = 0
  const look = async () => {
    if (!isDue(config, now()) || now() < notBefore) return
    try {
      await take(followsLog(config) ? ['--incremental'] : [])
    } catch (error) {
      if (ending.signal.aborted) return
      notBefore = now() + AGAIN_MS
      log.error({ event: 'backup.failed', err: error })
      if (followsLog(config)) await takeWhole()
    }
  }
  const take = async (kind: string[]) => {
    const wrote = /^wrote (.+): \d+ rows/m.exec(
      await run(['backup', ...kind, '--keep', `${config.backupKeep}`], ending.signal),
    )?.[1]
    if (wrote === undefined) throw new Error('the backup did not say where it is')
    log.info({ event: 'backup.written', file: wrote })
    await run(['backup', 'verify', wrote], ending.signal)
    log.info({ event: 'backup.proven', file: wrote })
  }
  // A database that outlived an upgrade writes too little of a log until it is started anew, and others may fail too: a
  // whole backup is better than none.
  const takeWhole = async () => {
    const { newest } = newestBackups(config)
    if (newest !== null && now() - newest.writtenAt < config.backupEveryHours * HOUR_MS) return
    await take([]).catch((error: unknown) => log.error({ event: 'backup.failed', err: error }))
  }
  let looking = Promise.resolve()
  const next = (waitMs: number) => {
    timer = setTimeout(() => {
      looking = look().finally(() => {
        if (!ending.signal.aborted) next(lookMs)
      })
    }, waitMs).unref()
  }
  if (config.backupEveryHours > 0) next(firstLookMs)
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      clearTimeout(timer)
      await looking
    },
  }
}

function isDue(config: Config, now: number): boolean {
  const newest = followsLog(config) ? chainBackups(config)[0] : newestBackups(config).newest
  if (!newest || now - newest.writtenAt >= config.backupEveryHours * HOUR_MS) return true
  // A log that was torn is of use again after the next one.
  const torn = followsLog(config) ? logState(config.home, backupFolderOf(config))?.tornAt : null
  return torn !== null && torn !== undefined && newest.writtenAt < torn
}

async function runCommand(config: Config, words: string[], signal: AbortSignal): Promise<string> {
  const main = path.join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [...process.execArgv, main, ...words], {
    env: { ...systemEnvironment(), ...configEnvironment(config) },
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // What serves comes first.
  if (child.pid !== undefined) os.setPriority(child.pid, LOWEST_PRIORITY)
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err = (said.err + text).slice(-2_000)))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(said.err.trim() || `ended with ${code}`)
  return said.out
}

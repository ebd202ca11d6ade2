import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import {
  type Config,
  type Log,
  backupFolderOf,
  chainBackups,
  configEnvironment,
  diskGauge,
  failedProof,
  followsLog,
  isMended,
  isS3Place,
  logState,
  newestBackups,
  sharesDisk,
  systemEnvironment,
} from '@fairway/platform'

const HOUR_MS = 3_600_000
const FIRST_LOOK_MS = 120_000
const LOOK_MS = 300_000
/** After one that failed, then twice as long each time: the reason is in the log, and operators hear of it. */
const AGAIN_MS = 1_800_000
const AGAIN_MOST_MS = 6 * HOUR_MS
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
 * restoring it elsewhere; then removes those that are too many. One that was never proven is proven; where that failed
 * another one is taken. Without a schedule it does nothing.
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
  const disk = diskGauge(config)
  let [notBefore, failures, isWaiting] = [0, 0, false]
  const look = async () => {
    const due = dueOf(config, now())
    if (due === null || now() < notBefore) return
    // What is served goes before the way back, which would only stop half way.
    if (!hasRoom(due.kind)) {
      if (isWaiting) return
      isWaiting = true
      log.warn({ event: 'backup.waits-for-room' })
      // Old ones may be what takes the room.
      return prune()
    }
    isWaiting = false
    try {
      if (due.kind === 'prove') await prove(due.file)
      else await take(followsLog(config) ? ['--incremental'] : [])
      failures = 0
    } catch (error) {
      if (ending.signal.aborted) return
      notBefore = now() + Math.min(AGAIN_MS * 2 ** failures++, AGAIN_MOST_MS)
      log.error({ event: 'backup.failed', err: error })
      if (due.kind === 'take' && followsLog(config)) await takeWhole()
    }
  }
  const hasRoom = (kind: Due['kind']) => disk.level() === 'enough' || !fillsHome(config, kind)
  const take = async (kind: string[]) => {
    const wrote = /^wrote (.+): \d+ rows/m.exec(await run(['backup', ...kind], ending.signal))?.[1]
    if (wrote === undefined) throw new Error('the backup did not say where it is')
    log.info({ event: 'backup.written', file: wrote })
    // It is proven when there is room again.
    if (!hasRoom('prove')) return
    try {
      await prove(wrote)
    } catch (error) {
      // Where proofs fail for long, what could not be proven must not fill the place.
      await prune()
      throw error
    }
  }
  const prove = async (file: string) => {
    await run(['backup', 'verify', file], ending.signal)
    log.info({ event: 'backup.proven', file })
    await prune()
  }
  /** Only what proofs have been made of: the newest proven one stays in any case. */
  const prune = async () => {
    if (ending.signal.aborted) return
    await run(['backups', 'prune', '--keep', `${config.backupKeep}`], ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) log.error({ event: 'backup.not-pruned', err: error })
    })
  }
  // A database that outlived an upgrade writes too little of a log until it is started anew, and others may fail too: a
  // whole backup is better than none.
  const takeWhole = async () => {
    const { newest } = newestBackups(config, now())
    if (newest !== null && now() - newest.writtenAt < config.backupEveryHours * HOUR_MS) return
    await take([]).catch((error: unknown) => log.error({ event: 'backup.failed', err: error }))
  }
  let looking = Promise.resolve()
  const next = (waitMs: number) => {
    timer = setTimeout(() => {
      // The supervisor, in whose process this is, has to outlive whatever goes wrong here.
      looking = look()
        .catch((error: unknown) => log.error({ event: 'backup.failed', err: error }))
        .finally(() => {
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

type Due = { kind: 'take' } | { kind: 'prove'; file: string }

function dueOf(config: Config, now: number): Due | null {
  const take: Due = { kind: 'take' }
  const bases = chainBackups(config, now)
  const newest = followsLog(config) ? bases[0] : newestBackups(config, now).newest
  if (!newest || now - newest.writtenAt >= config.backupEveryHours * HOUR_MS) return take
  // A log that was torn is of use again after the next one.
  const state = followsLog(config) ? logState(config.home, backupFolderOf(config)) : null
  if (state !== null && !isMended(state, bases)) return take
  if (newest.provenAt !== null) return null
  return failedProof(config)?.file === newest.file ? take : { kind: 'prove', file: newest.file }
}

/** Whether a backup, or else its proof, takes the room of the home. */
function fillsHome(config: Config, kind: Due['kind']): boolean {
  const place = kind === 'take' ? backupFolderOf(config) : os.tmpdir()
  return !isS3Place(place) && sharesDisk(place, config.home)
}

async function runCommand(config: Config, words: string[], signal: AbortSignal): Promise<string> {
  const main = path.join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [...process.execArgv, main, ...words], {
    env: { ...systemEnvironment(), ...configEnvironment(config) },
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // What serves comes first.
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, LOWEST_PRIORITY)
  } catch {
    // It has ended already.
  }
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err = (said.err + text).slice(-2_000)))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(said.err.trim() || `ended with ${code}`)
  return said.out
}

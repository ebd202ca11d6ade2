import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, type HeldSockets, configEnvironment, livesStill, systemEnvironment } from '@fairway/platform'
import type { RoleName } from '../roles/role.ts'
import { takeHome } from './home.ts'
import { exchangedSettings } from './exchanged-settings.ts'
import { inheritedSockets } from './inherited-sockets.ts'
import { tellServiceManager } from './tell-service-manager.ts'
import { openAddresses } from './ports.ts'
import { restartDelayMs } from './restart-delay.ts'
import { isOurs, livingSupervisor, ranBefore, readRoles } from './roles-file.ts'

/** With this a supervisor makes room for one of the code that is there now. */
export const MAKE_ROOM = 75
/** What it tells the keeper when an exchange has come to its end. */
export const EXCHANGE_OVER = 'exchange-over'
/** No exchange takes so long. Code of before, which an upgrade may go back to, does not tell of its end. */
const EXCHANGE_MOST_MS = 3_600_000
/** A supervisor that ran so long had started well. */
const STEADY_MS = 5000
const LEAVE_MS = 2000

export type Kept = {
  config: Config
  /** Reads the settings again, for an exchange. */
  read: () => Config
  command: 'up' | 'demo'
  roles: readonly RoleName[]
  say: (line: string) => void
}

/**
 * The front process: holds the home and the addresses, and starts a supervisor, again whenever it dies. It does nothing
 * else, so that there is nothing it could die of; when it is killed all the same, everything serves on, and the next
 * one takes over. Answers the exit code.
 * @throws Problem when the home or an address cannot be had
 */
export async function keep(kept: Kept): Promise<number> {
  using _lock = takeHome(kept.config.home)
  await relieveSupervisor(kept.config.home)
  const sockets = await openAddresses(kept.config, kept.roles, ranBefore(readRoles(kept.config.home)))
  const asked = signals()
  using _told = tellServiceManager(kept.config, () => ({
    supervisor: asked.current?.pid ?? null,
    isStopping: asked.count() > 0,
  }))
  let words: string[] = []
  let { config } = kept
  for (let deaths = 0; ;) {
    const startedAt = performance.now()
    const { code, how, isOver } = await runOnce({ ...kept, config }, sockets, words, asked)
    const ranMs = performance.now() - startedAt
    // What was asked for is done by the next one, where this one did not come to it.
    if (code === MAKE_ROOM) words = ['--exchange']
    else if (isOver || ranMs >= EXCHANGE_MOST_MS) words = []
    if (code === MAKE_ROOM) {
      config = exchangedSettings(config, kept.read, kept.say)
    } else if (isEnd(kept.config.home, code, asked.count() > 0)) return code
    else {
      deaths = ranMs >= STEADY_MS ? 1 : deaths + 1
      kept.say(`the supervisor ended (${how}); starting it again`)
      const wait = delay(restartDelayMs(deaths))
      await (asked.count() > 0 ? wait : Promise.race([wait, asked.next()]))
    }
    // What it left is to be stopped by somebody.
    if (asked.count() > 0) words = ['--stop']
  }
}

/**
 * Whether the supervisor ended because that was wanted, or because nothing could be started: then it has stopped
 * everything. One that left roles behind died of something, whatever its code.
 */
function isEnd(home: string, code: number | null, isAsked: boolean): code is number {
  return code !== null && (code === 0 || isAsked || !leftRoles(home))
}

function leftRoles(home: string): boolean {
  return Object.entries(readRoles(home)?.roles ?? {}).some(
    ([name, { pid, birth }]) => pid !== null && birth !== null && isOurs({ pid, birth }, name),
  )
}

/** One that has lost its keeper makes room; the roles stay. */
async function relieveSupervisor(home: string): Promise<void> {
  const former = livingSupervisor(home)
  if (!former) return
  process.kill(former.pid, 'SIGUSR2')
  for (const end = performance.now() + LEAVE_MS; livesStill(former) && performance.now() < end;) await delay(10)
  if (livesStill(former)) process.kill(former.pid, 'SIGKILL')
  while (livesStill(former)) await delay(10)
}

type Signals = { count(): number; next(): Promise<void>; current: ChildProcess | null }

/** Ctrl-C and the like end the supervisor, which stops everything; the second one at once. */
function signals(): Signals {
  let count = 0
  const first = Promise.withResolvers<void>()
  const asked: Signals = { count: () => count, next: () => first.promise, current: null }
  const heard = () => {
    count++
    first.resolve()
    asked.current?.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, heard)
  return asked
}

/** `code` is null for one that was killed, or could not be started: its program may be away for a moment. */
type Ended = { code: number | null; how: string; isOver: boolean }

function runOnce(
  { config, command, roles }: Kept,
  sockets: HeldSockets,
  words: string[],
  asked: Signals,
): Promise<Ended> {
  const inherited = inheritedSockets(sockets, 4)
  const main = path.join(import.meta.dirname, '../main.ts')
  let isOver = false
  return new Promise<Ended>((resolve, reject) => {
    // A session of its own: the terminal's Ctrl-C reaches this process only.
    const child = spawn(
      process.execPath,
      [...process.execArgv, main, 'supervise', command, roles.join(','), ...words, ...inherited.words],
      {
        env: {
          ...systemEnvironment(),
          ...configEnvironment(config),
          NODE_COMPILE_CACHE: path.join(config.home, 'cache'),
        },
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...inherited.stdio],
      },
    )
    asked.current = child
    // The channel tells each of the other's end, and that an exchange is over.
    child.on('message', (message) => (isOver ||= message === EXCHANGE_OVER))
    // One that was started ends by itself, whatever else could not be done with it.
    child.on('error', (error) => child.pid === undefined && reject(error))
    child.once('exit', (code, signal) =>
      resolve({ code, how: signal ? `killed by ${signal}` : `code ${code}`, isOver }),
    )
  }).catch((error: unknown) => {
    asked.current = null
    return { code: null, how: `not started: ${error instanceof Error ? error.message : String(error)}`, isOver }
  })
}

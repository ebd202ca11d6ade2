import { type ChildProcess, spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  Problem,
  type Config,
  type HeldSockets,
  configEnvironment,
  controlRequest,
  endOrphanDatabase,
  identityOf,
  runDir,
  systemEnvironment,
} from '@fairway/platform'
import { ROLES } from '../roles/roles.ts'
import type { RoleName } from '../roles/role.ts'
import { type Birth, inheritedSockets } from './inherited-sockets.ts'
import { type Life, bornLife, endGroup, endLeftovers, foundLife } from './life.ts'
import { openLogFile } from './log-files.ts'
import type { Died, FromRole } from './messages.ts'
import { SERVING_MOST_MS, restartDelayMs } from './restart-delay.ts'
import { isOurs } from './roles-file.ts'
import { EXCHANGED, type RoleStatus } from './role-status.ts'

type Options = {
  name: RoleName
  config: Config
  /** Of the supervisor before. */
  former?: RoleStatus | undefined
  /** Asked at each start. */
  sockets?: () => HeldSockets
  changed: () => void
  say: (line: string) => void
}

/** Attempts at a first start before giving up. */
const FIRST_STARTS = 4
/** A role that ran this long had started well; its next death is the first of a new series. */
const STEADY_MS = 5000

/** One role in a process of its own, taken over when it runs already, and started again whenever it dies. */
export class RoleProcess {
  readonly name: RoleName
  #options: Options
  #status: RoleStatus
  #life: Life | null = null
  /** Process group of the one that ran last, also when it has ended. */
  #group: number | null
  #timer: NodeJS.Timeout | null = null
  #stopping = false
  #exchanging = false
  #deathsInARow = 0
  #first = Promise.withResolvers<void>()

  constructor(options: Options) {
    this.name = options.name
    this.#options = options
    const former = options.former
    this.#group = former?.pid ?? null
    // The number stays until it is known what became of it: the process itself looks whether it is still wanted.
    this.#status = {
      ...(former ?? { pid: null, birth: null, restarts: 0, startedAt: null, lastExit: null }),
      state: 'waiting',
      adopted: false,
      settings: settingsOf(options.config),
    }
  }

  status(): RoleStatus {
    return { ...this.#status }
  }

  /** Whether the supervisor before has left one that ran and is still there. */
  isFound(): boolean {
    const { former } = this.#options
    if (former?.state !== 'running' || former.pid === null || former.birth === null) return false
    return isOurs({ pid: former.pid, birth: former.birth }, this.name)
  }

  /** Resolves when it runs, taken over or started; `asItIs`: whatever its settings. @throws Problem when it cannot. */
  async start({ asItIs = false }: { asItIs?: boolean } = {}): Promise<void> {
    const life = await this.#former(asItIs)
    if (this.#stopping) return
    if (life) {
      this.#watch(life, performance.now())
      // With settings of before it is replaced by the next supervisor.
      const settings = this.#options.former?.settings ?? this.#status.settings
      this.#set({ state: 'running', adopted: true, settings })
      this.#first.resolve()
    } else this.#launch()
    return this.#first.promise
  }

  /** Puts another process in its place, in the way that is tried with every death; resolves when that one runs. */
  async exchange(): Promise<void> {
    const life = this.#life
    if (!life || this.#stopping) return
    this.#exchanging = true
    this.#first = Promise.withResolvers()
    if (ROLES[this.name].keepsChildren) life.signal('SIGKILL')
    else await life.end(ROLES[this.name].stopMs)
    await this.#first.promise
  }

  async stop(): Promise<void> {
    this.#stayDown()
    if (this.#life) await this.#life.end(ROLES[this.name].stopMs)
    await this.#endOrphan()
    this.#set({ state: 'stopped', pid: null, birth: null })
  }

  /** Ends it and whatever it started, at once. */
  async kill(): Promise<void> {
    this.#stayDown()
    if (this.#life) endGroup(this.#life.pid)
    await this.#endOrphan()
  }

  /** The process that the supervisor before has left, when it runs as it should; one that does not is ended. */
  async #former(asItIs: boolean): Promise<Life | null> {
    const { former, config } = this.#options
    if (!former || former.pid === null || former.birth === null) return null
    const identity = { pid: former.pid, birth: former.birth }
    if (!isOurs(identity, this.name)) return null
    const life = foundLife(identity)
    const isWanted = former.state === 'running' && (asItIs || former.settings === settingsOf(config))
    if (isWanted && (await this.#answers(life.pid))) return life
    if (ROLES[this.name].keepsChildren) life.signal('SIGKILL')
    else await life.end(ROLES[this.name].stopMs)
    await life.ended
    return null
  }

  async #answers(pid: number): Promise<boolean> {
    const socket = path.join(runDir(this.#options.config), `${this.name}.sock`)
    const told = await controlRequest(`unix:${socket}`, 'GET', '/healthz', undefined, 5000).catch(() => null)
    return typeof told === 'object' && told !== null && 'pid' in told && told.pid === pid
  }

  #launch(): void {
    const { name, config, sockets = () => ({}) } = this.#options
    const child = spawnRole(name, config, inheritedSockets(sockets(), 4))
    let word: Died | null = null
    // Its program may be away while another version is installed, or the system without room for a process.
    child.on('error', (error) => {
      if (child.pid === undefined)
        this.#ended(`not started: ${error.message}`, null, { hadStarted: false, wasSteady: false })
    })
    if (child.pid === undefined) return
    const running = this.#watch(bornLife(child), Infinity, () => word)
    this.#set({ state: 'starting', adopted: false, settings: settingsOf(config) })
    child.on('message', (message) => {
      // Only our own code writes to this channel.
      const told = message as FromRole
      if (told.kind === 'died') return void (word = told)
      running.since = performance.now()
      this.#exchanging = false
      this.#set({ state: 'running', startedAt: new Date().toISOString() })
      this.#first.resolve()
    })
  }

  #watch(life: Life, since: number, lastWord: () => Died | null = () => null): { since: number } {
    const running = { since }
    this.#life = life
    this.#group = life.pid
    this.#set({ pid: life.pid, birth: identityOf(life.pid).birth })
    void life.ended.then((how) => {
      this.#life = null
      if (!ROLES[this.name].keepsChildren) endGroup(life.pid)
      const word = lastWord()
      const ranMs = performance.now() - running.since
      this.#ended(word?.reason ?? how, word?.sentence ?? null, {
        hadStarted: ranMs >= 0,
        wasSteady: ranMs >= STEADY_MS,
      })
    })
    return running
  }

  #ended(
    reason: string,
    sentence: string | null,
    { hadStarted, wasSteady }: { hadStarted: boolean; wasSteady: boolean },
  ): void {
    this.#set({
      state: this.#stopping ? 'stopped' : 'restarting',
      pid: null,
      birth: null,
      lastExit: { at: new Date().toISOString(), reason: this.#exchanging ? EXCHANGED : reason },
    })
    if (this.#stopping) return
    this.#deathsInARow = wasSteady || this.#exchanging ? 1 : this.#deathsInARow + 1
    const { config, say } = this.#options
    if (this.#status.startedAt === null && (sentence !== null || this.#deathsInARow >= FIRST_STARTS)) {
      this.#stayDown()
      this.#set({ state: 'stopped' })
      return this.#first.reject(
        new Problem(
          sentence ??
            `${this.name} cannot start: ${reason}. More in ${path.join(config.home, 'log', `${this.name}.log`)}`,
        ),
      )
    }
    // Whatever ends it again and again, those that it answers in between are better off than with silence.
    const isAwaited = hadStarted && ROLES[this.name].servesOn === true
    const waitMs = restartDelayMs(this.#deathsInARow, isAwaited ? SERVING_MOST_MS : undefined)
    if (!this.#exchanging) {
      this.#set({ restarts: this.#status.restarts + 1 })
      say(
        `${this.name} ended (${sentence ?? reason.split('\n')[0]}); starting it again${waitMs ? ` in ${waitMs / 1000} s` : ''}`,
      )
    }
    this.#exchanging = false
    if (waitMs === 0) this.#launch()
    else this.#timer = setTimeout(() => this.#launch(), waitMs)
  }

  #stayDown(): void {
    this.#stopping = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  /** What serves on when its role has died must not serve on after a clean stop. */
  async #endOrphan(): Promise<void> {
    const { config } = this.#options
    if (this.name === 'database') endOrphanDatabase(config)
    if (!ROLES[this.name].keepsChildren) return
    if (this.#group !== null) endLeftovers(this.#group)
    // Loaded only here: a supervisor that runs well does not need the edge's code in its memory.
    if (this.name === 'edge') await (await import('@fairway/edge')).endLeftoverNginx(config)
  }

  #set(change: Partial<RoleStatus>): void {
    Object.assign(this.#status, change)
    this.#options.changed()
  }
}

/** A process with other settings than those of now is not taken over. */
function settingsOf(config: Config): string {
  return crypto
    .createHash('sha256')
    .update(JSON.stringify(configEnvironment(config)))
    .digest('hex')
    .slice(0, 16)
}

function spawnRole(name: RoleName, config: Config, sockets: Birth): ChildProcess {
  const main = path.join(import.meta.dirname, '../main.ts')
  const output = openLogFile(config.home, name)
  // Compiled code is kept between starts: a role that died is back sooner.
  const env = {
    ...systemEnvironment(),
    ...configEnvironment(config),
    ...ROLES[name].environment,
    NODE_COMPILE_CACHE: path.join(config.home, 'cache'),
  }
  // A session of its own: Ctrl-C in the terminal reaches the supervisor only, and what a role started can be ended with
  // it.
  const child = spawn(process.execPath, [...process.execArgv, main, 'role', name, ...sockets.words], {
    env,
    detached: true,
    stdio: ['ignore', output, output, 'ipc', ...sockets.stdio],
  })
  fs.closeSync(output)
  if (child.pid !== undefined) putFirst(child.pid, ROLES[name].nice)
  return child
}

/** Only root may, or who was given the right (RLIMIT_NICE); without it everything is as it was. */
function putFirst(pid: number, nice = 0): void {
  if (nice === 0) return
  try {
    os.setPriority(pid, nice)
  } catch {
    // Not allowed, or ended already.
  }
}

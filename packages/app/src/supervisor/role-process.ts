import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Problem, type Config, configEnvironment, endOrphanDatabase, systemEnvironment } from '@fairway/platform'
import { ROLES, type RoleName } from '../roles/roles.ts'
import { openLogFile } from './log-files.ts'
import type { Died, FromRole } from './messages.ts'
import { restartDelayMs } from './restart-delay.ts'

export type RoleStatus = {
  state: 'waiting' | 'starting' | 'running' | 'restarting' | 'stopped'
  pid: number | null
  restarts: number
  startedAt: string | null
  lastExit: { at: string; reason: string } | null
}

type Options = { name: RoleName; config: Config; changed: () => void; say: (line: string) => void }

/** Attempts at a first start before giving up. */
const FIRST_STARTS = 4
/** A role that ran this long had started well; its next death is the first of a new series. */
const STEADY_MS = 5000

/** One role in a process of its own, started again whenever it dies. */
export class RoleProcess {
  readonly name: RoleName
  #options: Options
  #status: RoleStatus = { state: 'waiting', pid: null, restarts: 0, startedAt: null, lastExit: null }
  #child: ChildProcess | null = null
  /** The same, also when it has ended. */
  #last: ChildProcess | null = null
  #timer: NodeJS.Timeout | null = null
  #stopping = false
  #deathsInARow = 0
  #first = Promise.withResolvers<void>()

  constructor(options: Options) {
    this.name = options.name
    this.#options = options
  }

  status(): RoleStatus {
    return { ...this.#status }
  }

  /** Resolves when it has started for the first time. @throws Problem when it cannot. */
  start(): Promise<void> {
    this.#launch()
    return this.#first.promise
  }

  async stop(): Promise<void> {
    this.#stayDown()
    if (this.#child) await endGently(this.#child, this.name)
    this.#endOrphan()
    this.#set({ state: 'stopped', pid: null })
  }

  /** Ends it and whatever it started, at once. */
  kill(): void {
    this.#stayDown()
    if (this.#child) killGroup(this.#child)
    this.#endOrphan()
  }

  #launch(): void {
    const child = spawnRole(this.name, this.#options.config)
    let word: Died | null = null
    let runningSince = Infinity
    this.#child = child
    this.#last = child
    this.#set({ state: 'starting', pid: child.pid ?? null })
    child.on('message', (message) => {
      // Only our own code writes to this channel.
      const told = message as FromRole
      if (told.kind === 'died') return void (word = told)
      runningSince = performance.now()
      this.#set({ state: 'running', startedAt: new Date().toISOString() })
      this.#first.resolve()
    })
    child.once('error', (error) => this.#first.reject(error))
    child.once('exit', (code, signal) => {
      this.#child = null
      if (!ROLES[this.name].keepsChildren) killGroup(child)
      const reason = word?.reason ?? (signal ? `killed by ${signal}` : `ended with code ${code}`)
      this.#ended(reason, word?.sentence ?? null, performance.now() - runningSince >= STEADY_MS)
    })
  }

  #ended(reason: string, sentence: string | null, wasSteady: boolean): void {
    this.#set({
      state: this.#stopping ? 'stopped' : 'restarting',
      pid: null,
      lastExit: { at: new Date().toISOString(), reason },
    })
    if (this.#stopping) return
    this.#deathsInARow = wasSteady ? 1 : this.#deathsInARow + 1
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
    const waitMs = restartDelayMs(this.#deathsInARow)
    this.#set({ restarts: this.#status.restarts + 1 })
    say(
      `${this.name} ended (${sentence ?? reason.split('\n')[0]}); starting it again${waitMs ? ` in ${waitMs / 1000} s` : ''}`,
    )
    this.#timer = setTimeout(() => this.#launch(), waitMs)
  }

  #stayDown(): void {
    this.#stopping = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  /** The database's server may run without the process that watched it, as may what answers DNS for a while. */
  #endOrphan(): void {
    if (this.name === 'database') endOrphanDatabase(this.#options.config)
    else if (ROLES[this.name].keepsChildren && this.#last) killGroup(this.#last)
  }

  #set(change: Partial<RoleStatus>): void {
    Object.assign(this.#status, change)
    this.#options.changed()
  }
}

function spawnRole(name: RoleName, config: Config): ChildProcess {
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
  const child = spawn(process.execPath, [...process.execArgv, main, 'role', name], {
    env,
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
  })
  fs.closeSync(output)
  return child
}

async function endGently(child: ChildProcess, name: RoleName): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.send({ kind: 'stop' }, () => {})
  const timer = setTimeout(() => killGroup(child), ROLES[name].stopMs)
  await ended
  clearTimeout(timer)
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

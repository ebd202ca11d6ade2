import { fork, type ChildProcess } from 'node:child_process'
import { systemEnvironment } from '@fairway/platform/config'
import type { Log } from '@fairway/platform/lean'
import type { ProcessFile } from './process-file.ts'

export type KeptProcessOptions = {
  /** `builder` or `server`, for the log. */
  name: string
  program: URL
  words?: string[]
  environment?: Record<string, string>
  nodeOptions?: readonly string[]
  /** Handed to the first one that comes to life only, behind what every process has: from number 4 on. */
  sockets?: readonly number[]
  processes: ProcessFile
  /** The first one is started when this has settled. */
  after?: Promise<unknown>
  /** A new one runs; it can be told things. */
  started: (child: ChildProcess) => void
  heard: (message: unknown) => void
  /** It has ended by itself after so long. */
  ended?: (livedMs: number) => void
  /** Asks it to end. */
  stop: (child: ChildProcess) => void
  log: Log
}

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5000
/** A process that lived so long died of something new. */
const STEADY_MS = 30_000
const STOP_MS = 1000

/**
 * A process of ours that is started again whenever it dies: at once the first time, then with longer and longer waits.
 */
export class KeptProcess implements AsyncDisposable {
  restarts = 0
  readonly #options: KeptProcessOptions
  #child: ChildProcess | null = null
  #delayMs = 0
  #timer: NodeJS.Timeout | null = null
  #stopped = false
  #hasRun = false

  constructor(options: KeptProcessOptions) {
    this.#options = options
    if (options.after) void options.after.finally(() => this.#stopped || this.#start())
    else this.#start()
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  send(message: object): void {
    if (this.#child?.connected) this.#child.send(message, () => {})
  }

  /** Ends it as it is; another one is started. */
  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    const child = this.#child
    if (!child) return
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    this.#options.stop(child)
    await gone
    clearTimeout(timer)
  }

  #start(): void {
    const {
      name,
      program,
      words = [],
      environment = {},
      nodeOptions = [],
      sockets = [],
      processes,
      started,
      heard,
      log,
    } = this.#options
    const startedAt = performance.now()
    this.#timer = null
    const child = fork(program, words, {
      execArgv: [...process.execArgv, ...nodeOptions],
      env: { ...systemEnvironment(), ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...(this.#hasRun ? [] : sockets)],
    })
    child.on('message', heard)
    child.on('error', (error) => {
      log.error({ event: `${name}.failed`, err: error })
      // What never began has no exit: its program may be away while another version is installed.
      if (child.pid === undefined && !this.#stopped) this.#again(0, null, null)
    })
    if (child.pid === undefined) return
    this.#child = child
    this.#hasRun = true
    processes.add(child.pid, name)
    child.on('exit', (code, signal) => {
      const ended = () => {
        this.#child = null
        if (child.pid !== undefined) processes.remove(child.pid)
        if (!this.#stopped) this.#again(performance.now() - startedAt, code, signal)
      }
      // What it said before its end may still be on its way.
      if (child.connected) child.once('disconnect', ended)
      else ended()
    })
    started(child)
  }

  #again(livedMs: number, code: number | null, signal: string | null): void {
    const { name, ended, log } = this.#options
    if (livedMs > STEADY_MS) this.#delayMs = 0
    log.error({ event: `${name}.exited`, code, signal, restartInMs: this.#delayMs })
    this.restarts++
    this.#timer = setTimeout(() => this.#start(), this.#delayMs)
    this.#delayMs = Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, this.#delayMs * 2))
    ended?.(livedMs)
  }
}

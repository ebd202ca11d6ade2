import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { configEnvironment, systemEnvironment, type Config, type Log } from '@fairway/platform'
import type { FromBuilder, Notice, Request, ToBuilder } from '../builder/messages.ts'

export type BuilderLinkOptions = {
  config: Config
  controlUrl: string
  /** Does what the builder asks; rejecting tells it why not. */
  serve: (request: Request) => Promise<void>
  notice: (notice: Notice) => void
  log: Log
}
export type BuilderLink = AsyncDisposable & { running(): boolean; restarts(): number; pid(): number | null }

const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 5000
/** A builder that lived so long died of something new. */
const STEADY_MS = 30_000
const STOP_MS = 1000

/** Runs the builder process and starts it again when it dies; queries are answered all the while. */
export function runBuilder(options: BuilderLinkOptions): BuilderLink {
  const { config, controlUrl, log } = options
  const program = fileURLToPath(new URL('../builder/main.ts', import.meta.url))
  const state = { child: null as ChildProcess | null, restarts: 0, delayMs: FIRST_DELAY_MS, timer: null as NodeJS.Timeout | null, stopped: false }
  const start = () => {
    state.timer = null
    const startedAt = performance.now()
    const child = fork(program, [controlUrl], { env: { ...systemEnvironment(), ...configEnvironment(config) }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    state.child = child
    serveRequests(child, options)
    child.on('error', (error) => log.error({ event: 'builder.failed', err: error }))
    child.on('exit', (code, signal) => {
      state.child = null
      if (state.stopped) return
      if (performance.now() - startedAt > STEADY_MS) state.delayMs = FIRST_DELAY_MS
      log.error({ event: 'builder.exited', code, signal, restartInMs: state.delayMs })
      state.restarts++
      state.timer = setTimeout(start, state.delayMs)
      state.delayMs = Math.min(LONGEST_DELAY_MS, state.delayMs * 2)
    })
  }
  start()
  return {
    running: () => state.child !== null,
    restarts: () => state.restarts,
    pid: () => state.child?.pid ?? null,
    async [Symbol.asyncDispose]() {
      state.stopped = true
      if (state.timer) clearTimeout(state.timer)
      if (state.child) await stop(state.child)
    },
  }
}

/** Requests are done one after the other, in the order in which they came. */
function serveRequests(child: ChildProcess, { serve, notice, log }: BuilderLinkOptions): void {
  let turn: Promise<void> = Promise.resolve()
  const reply = (message: ToBuilder) => {
    if (child.connected) child.send(message)
  }
  // The builder is our own program: its messages have the type that it sends.
  child.on('message', (message: FromBuilder) => {
    if (!('id' in message)) {
      try {
        notice(message)
      } catch (error) {
        log.error({ event: 'builder.notice-failed', kind: message.kind, err: error })
      }
      return
    }
    turn = turn.then(() => serve(message)).then(
      () => reply({ id: message.id, problem: null }),
      (error: unknown) => reply({ id: message.id, problem: error instanceof Error ? error.message : String(error) }),
    )
  })
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  if (child.connected) child.disconnect()
  await gone
  clearTimeout(timer)
}

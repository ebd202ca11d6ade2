import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, Problem, systemEnvironment } from '@fairway/platform'
import { endLeftovers } from './leftovers.ts'
import { startProblem } from './program.ts'

export type NginxProcessOptions = {
  binary: string
  prefix: string
  pidFile: string
  /** Unix sockets it listens on. */
  sockets: string[]
  /** Asked at each start, so that a restart takes the newest. */
  configurationFile: () => string
  /** Resolves true once the administration answers. */
  answers: () => Promise<boolean>
  /** After each start, the first included; what it throws is logged and counted as a failed start. */
  started: () => Promise<void>
  log: Log
}

export type NginxProcess = AsyncDisposable & {
  running(): boolean
  restarts(): number
  pid(): number | null
  signal(signal: NodeJS.Signals): void
}

const START_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const STEADY_MS = 30_000

/**
 * Runs nginx in the foreground as our child and starts it again with back-off when it ends. @throws Problem when the
 * first start fails.
 */
export async function runNginx(options: NginxProcessOptions): Promise<NginxProcess> {
  const state: State = { child: null, running: false, restarts: 0, stopping: false, wake: () => {} }
  await endLeftovers(options.pidFile, options.sockets)
  const loop = keep(options, state, await startOnce(options, state))
  return {
    running: () => state.running,
    restarts: () => state.restarts,
    pid: () => state.child?.pid ?? null,
    signal: (signal) => void state.child?.kill(signal),
    async [Symbol.asyncDispose]() {
      state.stopping = true
      state.wake()
      await stop(state.child)
      await loop
      await endLeftovers(options.pidFile, options.sockets)
    },
  }
}

/** Wrapped, because an async function would wait for a bare promise. */
type Run = { ended: Promise<string> }
type State = { child: ChildProcess | null; running: boolean; restarts: number; stopping: boolean; wake: () => void }

async function keep(options: NginxProcessOptions, state: State, first: Run): Promise<void> {
  let run = first
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const startedAt = performance.now()
    const how = await run.ended
    state.running = false
    if (state.stopping) return
    options.log.error({ event: 'nginx.ended', how })
    if (performance.now() - startedAt > STEADY_MS) pauseMs = FIRST_PAUSE_MS
    run = await startAgain(options, state, pauseMs)
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
  }
}

/** Tries until nginx runs or we are stopping. */
async function startAgain(options: NginxProcessOptions, state: State, firstPauseMs: number): Promise<Run> {
  for (let pauseMs = firstPauseMs; !state.stopping; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const pause = new AbortController()
    state.wake = () => pause.abort()
    await sleep(pauseMs, undefined, { signal: pause.signal }).catch(() => {})
    if (state.stopping) break
    try {
      // A master that was killed leaves its workers behind, and they keep the ports.
      await endLeftovers(options.pidFile, options.sockets)
      state.restarts += 1
      return await startOnce(options, state)
    } catch (error) {
      options.log.error({ event: 'nginx.start.failed', err: error })
    }
  }
  return { ended: Promise.resolve('stopped') }
}

/** Resolves, once nginx serves, with a promise of its end. */
async function startOnce(options: NginxProcessOptions, state: State): Promise<Run> {
  // Its own process group: the terminal's Ctrl-C does not reach it, and what it leaves behind can be found.
  const child = spawn(options.binary, ['-p', options.prefix, '-c', options.configurationFile()], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: systemEnvironment(),
  })
  state.child = child
  const said = tellStderr(child, options.log)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  let over: string | null = null
  void ended.then((how) => (over = how))
  try {
    for (const since = performance.now(); ; await sleep(20)) {
      const problem = startProblem(said())
      if (problem) throw new Problem(problem)
      if (over !== null) throw new Problem(`nginx ended at its start (${String(over)}): ${said().trim()}`)
      if (await options.answers()) break
      if (performance.now() - since > START_MS)
        throw new Problem(`nginx does not answer within ${START_MS / 1000} s of its start: ${said().trim()}`)
    }
    await options.started()
  } catch (error) {
    await stop(child)
    throw error
  }
  state.running = true
  options.log.info({ event: 'nginx.started', nginxPid: child.pid })
  return { ended }
}

/**
 * Logs what nginx says, at most `LINES_PER_SECOND`: visitors can make it complain as often as they like. Returns what
 * it said at its start.
 */
function tellStderr(child: ChildProcess, log: Log): () => string {
  const LINES_PER_SECOND = 20
  const meter = { said: '', second: 0, lines: 0, dropped: 0 }
  let rest = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (meter.said.length < 8192) meter.said += text
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, 4096)
    for (const line of lines) {
      const second = Math.floor(Date.now() / 1000)
      if (second !== meter.second) {
        if (meter.dropped) log.warn({ event: 'nginx.lines.dropped', count: meter.dropped })
        Object.assign(meter, { second, lines: 0, dropped: 0 })
      }
      if (meter.lines++ < LINES_PER_SECOND) log.warn({ event: 'nginx.said', line: line.slice(0, 1000) })
      else meter.dropped += 1
    }
  })
  return () => meter.said
}

/**
 * Asks nginx to finish its requests (QUIT; its workers give up after worker_shutdown_timeout), then insists: the role
 * has 1.5 s.
 */
async function stop(child: ChildProcess | null): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (const [signal, waitMs] of [
    ['SIGQUIT', 1000],
    ['SIGTERM', 200],
    ['SIGKILL', 200],
  ] as const) {
    child.kill(signal)
    const timer = new AbortController()
    const over = await Promise.race([
      ended.then(() => true),
      sleep(waitMs, false, { signal: timer.signal }).catch(() => false),
    ])
    timer.abort()
    if (over) return
  }
}

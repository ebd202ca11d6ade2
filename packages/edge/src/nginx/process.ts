import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Log, Problem, identityOf, livesStill, systemEnvironment } from '@fairway/platform'
import { type NginxAdmin, nginxAdmin } from '../apply.ts'
import {
  type Generation,
  endGenerations,
  generations,
  isThere,
  listensStill,
  runningOf,
  signalGeneration,
} from './generations.ts'
import type { InstalledNginx } from './installed.ts'
import { type EdgeLayout, type GenerationFiles, ofGeneration } from './layout.ts'
import type { Listeners } from './listeners.ts'
import { startProblem } from './program.ts'
import { type Said, openSaid } from './said.ts'

export type NginxProcessOptions = {
  installed: InstalledNginx
  layout: EdgeLayout
  listeners: Listeners
  /**
   * Tells an nginx everything, and then that it is the one which others speak with; what it throws is logged and
   * counted as a failed start.
   */
  prime: (fresh: { admin: NginxAdmin; isTheOne: () => Promise<void> }, isNew: boolean) => Promise<void>
  log: Log
}

export type NginxProcess = AsyncDisposable & {
  running(): boolean
  restarts(): number
  pid(): number | null
  /** Whether the one that runs was started by an agent before this one. */
  adopted(): boolean
  /** Has all that still write begin their logs anew. */
  reopen(): void
  /** Starts one with the configuration of now beside the one that runs, which then finishes its requests and ends. */
  exchange(): Promise<void>
}

const START_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const STEADY_MS = 30_000
/** Only one of before is looked at; of a child the system tells. */
const LOOK_MS = 50
/** How long those before may take to close what they listen at. */
const CLOSING_MS = 2000

/**
 * Keeps an nginx running: takes over the one that is there when it has the configuration of now, else starts one on the
 * same sockets, tells it everything, and only then lets the one before finish. So it is when it dies, when the agent
 * has died, and when code or settings have changed. @throws Problem when the first start fails.
 */
export async function runNginx(options: NginxProcessOptions): Promise<NginxProcess> {
  const { layout, log } = options
  const said = openSaid(path.join(layout.prefix, 'log', 'error.log'), log)
  const known = generations(layout.prefix)
  const state: State = { run: null, restarts: 0, stopping: false, wake: () => {} }
  const part: Part = { options, known, said, state }
  try {
    state.run = (await adopt(part)) ?? (await startOnce(part))
  } catch (error) {
    said[Symbol.dispose]()
    throw error
  }
  void relieve(part)
  let turn: Promise<unknown> = Promise.resolve()
  const loop = keep(part)
  return {
    running: () => state.run !== null,
    restarts: () => state.restarts,
    pid: () => state.run?.generation.pid ?? null,
    adopted: () => state.run?.adopted ?? false,
    reopen: () => {
      for (const one of known.all()) {
        signalGeneration(one, layout.prefix, 'SIGUSR1')
      }
    },
    exchange: () => {
      const mine = turn.then(async () => {
        const next = await startOnce(part)
        state.run?.leave()
        state.run = next
        void relieve(part)
      })
      turn = mine.catch(() => {})
      return mine
    },
    async [Symbol.asyncDispose]() {
      state.stopping = true
      state.wake()
      state.run?.leave()
      await loop
      await endAll(part, [
        ['SIGQUIT', 1000],
        ['SIGTERM', 200],
        ['SIGKILL', 200],
      ])
      said[Symbol.dispose]()
    },
  }
}

/** `ended` says how, or null when it was only left for another one. */
type Run = { generation: Generation; adopted: boolean; ended: Promise<string | null>; leave(): void }
type State = { run: Run | null; restarts: number; stopping: boolean; wake: () => void }
type Part = { options: NginxProcessOptions; known: ReturnType<typeof generations>; said: Said; state: State }

/** The newest that runs, when it has the configuration of now and answers. */
async function adopt(part: Part): Promise<Run | null> {
  const { options, known } = part
  const { installed, layout, log } = options
  const former = known.all().at(-1)
  if (!former || !runningOf(former, layout.prefix).master || former.configuration !== installed.id()) return null
  const admin = nginxAdmin(ofGeneration(layout, former.number).adminSocket)
  try {
    const { configuration } = await admin.state()
    if (configuration !== installed.id()) return null
    await options.prime({ admin, isTheOne: () => takeOver(part, former.number) }, false)
  } catch (error) {
    log.warn({ event: 'nginx.not-adopted', nginxPid: former.pid, err: error })
    return null
  }
  log.info({ event: 'nginx.adopted', nginxPid: former.pid })
  const gone = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (livesStill(former)) return
      clearInterval(timer)
      resolve('ended')
    }, LOOK_MS)
  })
  return runOf(former, true, gone)
}

function runOf(generation: Generation, adopted: boolean, gone: Promise<string>): Run {
  const left = Promise.withResolvers<null>()
  return { generation, adopted, ended: Promise.race([gone, left.promise]), leave: () => left.resolve(null) }
}

async function keep(part: Part): Promise<void> {
  const { options, state } = part
  let pauseMs = 0
  for (let run = state.run; run !== null; run = state.run) {
    const startedAt = performance.now()
    const how = await run.ended
    if (state.stopping) return
    // Another one was put in its place.
    if (how === null) {
      while (state.run === run && !state.stopping) await sleep(1)
      continue
    }
    if (state.run !== run) continue
    state.run = null
    options.log.error({ event: 'nginx.ended', how })
    if (performance.now() - startedAt > STEADY_MS) pauseMs = 0
    state.run = await startAgain(part, pauseMs)
    if (state.stopping) return
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2))
    void relieve(part)
  }
}

/** Tries until nginx runs or we are stopping. Workers of one whose master was killed serve on meanwhile. */
async function startAgain(part: Part, firstPauseMs: number): Promise<Run | null> {
  const { options, state } = part
  for (let pauseMs = firstPauseMs; !state.stopping;) {
    const pause = new AbortController()
    state.wake = () => pause.abort()
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: pause.signal }).catch(() => {})
    if (state.stopping) break
    try {
      state.restarts += 1
      return await startOnce(part)
    } catch (error) {
      options.log.error({ event: 'nginx.start.failed', err: error })
    }
    pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, pauseMs * 2))
  }
  return null
}

/** Resolves once the new nginx serves and is the one that is told of changes. */
async function startOnce(part: Part): Promise<Run> {
  const { options, known, said } = part
  const { installed, layout, listeners, log, prime } = options
  const number = (known.all().at(-1)?.number ?? 0) + 1
  const own = ofGeneration(layout, number)
  // What another program would have to let go of, a former nginx must too.
  if (!listeners.areHeld())
    await endAll(part, [
      ['SIGTERM', 2000],
      ['SIGKILL', 2000],
    ])
  for (const socket of socketsOf(own)) fs.rmSync(socket, { force: true })
  const file = installed.write(number)
  const held = listeners.fds()
  const mark = said.mark()
  // Its own process group: the terminal's Ctrl-C does not reach it, and what it leaves behind can be found.
  const child = spawn(installed.program.binary, ['-p', layout.prefix, '-c', file], {
    detached: true,
    stdio: ['ignore', 'ignore', said.fd, ...held],
    env: {
      ...systemEnvironment(),
      ...(held.length > 0 ? { NGINX: held.map((_, index) => `${3 + index};`).join('') } : {}),
    },
  })
  const gone = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  let over: string | null = null
  void gone.then((how) => (over = how))
  const generation = { ...identityOf(child.pid ?? 0), number, configuration: installed.id() }
  if (child.pid !== undefined) known.add(generation)
  const admin = nginxAdmin(own.adminSocket)
  try {
    for (const since = performance.now(); ; await sleep(10)) {
      const words = said.since(mark)
      const problem = startProblem(words)
      if (problem) throw new Problem(problem)
      if (over !== null) throw new Problem(`nginx ended at its start (${String(over)}): ${words.trim()}`)
      if (await answers(admin)) break
      if (performance.now() - since > START_MS)
        throw new Problem(`nginx does not answer within ${START_MS / 1000} s of its start: ${words.trim()}`)
    }
    await prime({ admin, isTheOne: () => takeOver(part, number) }, true)
  } catch (error) {
    await endGenerations([generation], layout.prefix, [
      ['SIGTERM', 500],
      ['SIGKILL', 500],
    ])
    forget(part, number)
    throw error
  }
  log.info({ event: 'nginx.started', nginxPid: child.pid, generation: number })
  return runOf(generation, false, gone)
}

const answers = (admin: NginxAdmin): Promise<boolean> =>
  admin.state().then(
    () => true,
    () => false,
  )

/**
 * From here on it is the one that is told of changes, so those before must take no more visitors: they close what they
 * listen at as soon as they hear that they may go.
 */
async function takeOver(part: Part, number: number): Promise<void> {
  const { known, options } = part
  const { layout } = options
  point(layout, number)
  const former = known.all().filter((one) => one.number < number)
  for (const one of former) signalGeneration(one, layout.prefix, 'SIGQUIT')
  const [end, fds] = [performance.now() + CLOSING_MS, options.listeners.fds()]
  for (const one of former) while (performance.now() < end && listensStill(one, layout.prefix, fds)) await sleep(5)
}

/** The names by which others find the administration of the one that counts, and the front its nginx. */
function point(layout: EdgeLayout, number: number): void {
  const own = ofGeneration(layout, number)
  for (const name of ['adminSocket', 'visitorsSocket', 'certificatesSocket', 'hintsSocket'] as const) {
    const link = `${layout[name]}.new`
    fs.rmSync(link, { force: true })
    fs.symlinkSync(path.basename(own[name]), link)
    fs.renameSync(link, layout[name])
  }
}

/** All but the one that counts finish their requests and end by themselves, after a minute at most. */
async function relieve(part: Part): Promise<void> {
  const { known, options, state } = part
  const current = state.run?.generation.number
  if (current === undefined) return
  for (const one of known.all().filter(({ number }) => number < current)) {
    while (isThere(one, options.layout.prefix) && !state.stopping) await sleep(500, undefined, { ref: false })
    if (!state.stopping) forget(part, one.number)
  }
}

async function endAll(part: Part, steps: (readonly [NodeJS.Signals, number])[]): Promise<void> {
  const { known, options } = part
  await endGenerations(known.all(), options.layout.prefix, steps)
  for (const { number } of known.all()) forget(part, number)
}

function forget({ known, options }: Part, number: number): void {
  const own = ofGeneration(options.layout, number)
  for (const file of [...socketsOf(own), own.configuration, own.pidFile]) fs.rmSync(file, { force: true })
  known.remove(number)
}

const socketsOf = (own: GenerationFiles): string[] => [
  own.adminSocket,
  own.innerSocket,
  own.tierSocket,
  own.sliceSocket,
  own.visitorsSocket,
  own.certificatesSocket,
  own.hintsSocket,
]

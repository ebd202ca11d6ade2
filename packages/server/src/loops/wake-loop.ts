import { watchDue, type Database, type Log } from '@fairway/platform'

/** Work that is done over and over: when somebody says that there is some, and now and then all the same. */
export type WakeLoop = {
  /** What the log and the role's readiness call it. */
  name: string
  /** Notifications that say that there may be something to do. */
  channels?: readonly string[]
  /** A notification is a hint; this is the guarantee, when `due` is not said. */
  pollMs: number
  /**
   * A SELECT that has a row when there is something to do by time; it may be too broad, never too narrow. It is asked
   * every `pollMs`, but no more often than once a second and no less than every five, together with those of all loops,
   * and rounds without work are spared. After a round that asks for another one, `pollMs` is kept to.
   */
  due?: string
  /** With `due`, so often a round is made all the same: a minute, unless the round does more than what `due` asks for. */
  guaranteeMs?: number
  /** How long to wait after a failure, when that is less than `pollMs`; 3 s unless said. */
  retryMs?: number
  /** The first round is this far away instead of `pollMs`, whatever is due before; a notification is not waited with. */
  firstAfterMs?: number
  /** Its rounds belong to the worker that is elected, which is one of all. */
  isElected?: boolean
  round: (last: Round) => Promise<void | 'again'>
}

export type Round = {
  /** This worker stops: what can be left to the next one should be. */
  stopped: AbortSignal
  /** Why the round before failed. */
  problem: string | null
  /** The first since this worker was elected: what another had taken when it ended is nobody's. */
  isFirst: boolean
}

export type RunningLoop = AsyncDisposable & {
  /** Why the last round failed, for readiness; null when it did not. */
  lastProblem(): string | null
  /** Asks for a round; while one runs, for one more after it. */
  wake(): void
}

/** A database that was away for a moment must not leave a loop of minutes with its problem for as long. */
const RETRY_MS = 3_000

/** The longest from one question of what is due to the next. */
const SELDOM_MS = 5_000

/** With `due`, for what it might not see. */
const GUARANTEE_MS = 60_000

/** Runs rounds one after the other, never two at once. A problem that lasts is logged once. */
export function startWakeLoop(
  database: Database,
  log: Log,
  {
    name,
    channels = [],
    pollMs,
    due,
    guaranteeMs = GUARANTEE_MS,
    retryMs = RETRY_MS,
    firstAfterMs,
    isElected = false,
    round,
  }: WakeLoop,
): RunningLoop {
  const stop = new AbortController()
  const election = isElected ? database.election() : null
  let term = 0
  const state = {
    again: false,
    running: null as Promise<void> | null,
    problem: null as string | null,
    timer: undefined as NodeJS.Timeout | undefined,
    isSoon: false,
    restsUntil: 0,
  }
  const later = (afterMs: number) => (state.timer = setTimeout(wake, afterMs))
  const wake = () => {
    state.again = true
    state.running ??= run().finally(() => {
      state.running = null
      if (stop.signal.aborted) return
      if (state.problem !== null) later(Math.min(pollMs, retryMs))
      else if (state.again) wake()
      else later(due === undefined || state.isSoon ? pollMs : guaranteeMs)
    })
  }
  const run = async () => {
    clearTimeout(state.timer)
    while (state.again && !stop.signal.aborted) {
      state.again = false
      if (election && !election.isElected()) return void (state.problem = null)
      try {
        const isFirst = election !== null && term !== election.term()
        state.isSoon = (await round({ stopped: stop.signal, problem: state.problem, isFirst })) === 'again'
        term = election?.term() ?? 0
        state.problem = null
      } catch (error) {
        const problem = `${name}: ${error instanceof Error ? error.message : String(error)}`
        if (problem !== state.problem) log.error({ event: `${name}.failed`, err: error })
        state.problem = problem
        return
      }
    }
  }
  const begin = () => {
    state.restsUntil = performance.now() + (firstAfterMs ?? 0)
    later(firstAfterMs ?? pollMs)
  }
  begin()
  election?.onElected(() => {
    if (stop.signal.aborted || state.running) return
    clearTimeout(state.timer)
    begin()
  })
  const listeners = channels.map((channel) => database.listen(channel, wake))
  const isOurs = () => (election === null || election.isElected()) && performance.now() >= state.restsUntil
  using watched = new DisposableStack()
  if (due !== undefined)
    watched.use(watchDue(database, due, wake, { everyMs: Math.min(pollMs, SELDOM_MS), isWanted: isOurs }))
  const watch = watched.move()
  return {
    lastProblem: () => state.problem,
    wake,
    async [Symbol.asyncDispose]() {
      stop.abort()
      watch.dispose()
      clearTimeout(state.timer)
      await Promise.all(listeners.map((listener) => listener[Symbol.asyncDispose]()))
      await state.running
    },
  }
}

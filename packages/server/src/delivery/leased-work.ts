import type { Database, Log, Tx } from '@fairway/platform'

/** Rows that the worker has to do something with outside of the database, each by one worker at a time. */
export type LeasedWork<Row> = {
  name: string
  /** The notification channel that says that there is more. */
  channel: string
  atOnce: number
  /** Takes what is due under a lease that outlives the work. */
  take: (tx: Tx, limit: number) => Promise<Row[]>
  /** Does it and writes how it ended. The signal says that this worker stops: the row is left to the next one. */
  work: (row: Row, stopped: AbortSignal) => Promise<void>
}

export type RunningWork = AsyncDisposable & { lastProblem(): string | null }

const POLL_MS = 1_000

/** Works as rows come, several at once. The notification is a hint; the poll is the guarantee, and what a worker that died had taken is free when its lease ends. */
export function startLeasedWork<Row>(database: Database, log: Log, { name, channel, atOnce, take, work }: LeasedWork<Row>): RunningWork {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  const state = { problem: null as string | null, taking: null as Promise<void> | null, again: false }
  const wake = () => {
    state.again = true
    state.taking ??= takeAll().finally(() => (state.taking = null))
  }
  const takeAll = async () => {
    while (state.again && !stop.signal.aborted && running.size < atOnce) {
      state.again = false
      try {
        for (const row of await database.system((tx) => take(tx, atOnce - running.size))) start(row)
        state.problem = null
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        if (problem !== state.problem) log.error({ event: `${name}.not-taken`, err: error })
        state.problem = problem
      }
    }
  }
  const start = (row: Row) => {
    const one = work(row, stop.signal)
      .catch((error: unknown) => void (stop.signal.aborted || log.error({ event: `${name}.failed`, err: error })))
      .finally(() => {
        running.delete(one)
        if (!stop.signal.aborted) wake()
      })
    running.add(one)
  }
  const listener = database.listen(channel, wake)
  const poll = setInterval(wake, POLL_MS)
  return {
    lastProblem: () => state.problem,
    async [Symbol.asyncDispose]() {
      clearInterval(poll)
      stop.abort()
      await listener[Symbol.asyncDispose]()
      await state.taking
      await Promise.all(running)
    },
  }
}

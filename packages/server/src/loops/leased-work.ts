import type { Database, Log, Tx } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from './wake-loop.ts'

/** Rows that the worker has to do something with outside of the database, each by one worker at a time. */
export type LeasedWork<Row> = {
  name: string
  /** The notification channel that says that there is more. */
  channel: string
  atOnce: number
  /** A SELECT that has a row when there is something to take: see `WakeLoop`. */
  due: string
  /** Takes what is due under a lease that outlives the work. `running` is what this worker has in hand, gone or not. */
  take: (tx: Tx, limit: number, running: readonly Row[]) => Promise<Row[]>
  /** Does it and writes how it ended. The signal says that this worker stops: the row is left to the next one. */
  work: (row: Row, stopped: AbortSignal) => Promise<void>
}

const POLL_MS = 1_000

/** Works as rows come, several at once. What a worker that died had taken is free when its lease ends. */
export function startLeasedWork<Row>(
  database: Database,
  log: Log,
  { name, channel, atOnce, due, take, work }: LeasedWork<Row>,
): RunningLoop {
  const running = new Map<Promise<void>, Row>()
  const start = (row: Row, stopped: AbortSignal) => {
    const one = work(row, stopped)
      .catch((error: unknown) => void (stopped.aborted || log.error({ event: `${name}.not-done`, err: error })))
      .finally(() => {
        running.delete(one)
        if (!stopped.aborted) loop.wake()
      })
    running.set(one, row)
  }
  const loop = startWakeLoop(database, log, {
    name,
    channels: [channel],
    pollMs: POLL_MS,
    due,
    async round({ stopped }) {
      if (running.size >= atOnce) return
      const taken = database.system((tx) => take(tx, atOnce - running.size, [...running.values()]))
      for (const row of await taken) start(row, stopped)
    },
  })
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      await Promise.all(running.keys())
    },
  }
}

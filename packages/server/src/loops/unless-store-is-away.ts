import { type EventStore, StoreAway, StoreRefused } from '@fairway/analytics'
import type { Database, Log } from '@fairway/platform'
import { mustAnswer } from './must-answer.ts'

/** ClickHouse's code for a table that is not there; a store that was just started makes them. */
const NO_TABLE = 60
const isUnmade = (error: unknown): boolean => error instanceof StoreRefused && error.code === NO_TABLE

/**
 * A round that reads the store. Without the store, or before it has its tables, nothing is known, which is no fault of
 * the round: everything stays as it is, and the next one asks again.
 */
export async function unlessStoreIsAway(events: EventStore, log: Log, round: () => Promise<void>): Promise<void> {
  try {
    await round()
  } catch (error) {
    if (isUnmade(error)) return
    if (!(error instanceof StoreAway)) throw error
    // One that is there and does not get through a question, for its time or memory, is not away: somebody has to know.
    if (await events.isAnswering()) log.warn({ event: 'store.question-failed', err: error })
  }
}

/** What a round of many rows is given. */
export type RoundOf = { log: Log; stopped?: AbortSignal }
/** `event` is what the log says of a row that failed. */
type EachOf = { database: Database; events: EventStore; log: Log; event: string; stopped?: AbortSignal | undefined }

/**
 * The rows of a round one after the other: what fails of one, such as its question alone, is logged and keeps no other.
 * @throws what failed when the store or the database answers nobody
 */
export async function eachByItself<Row>(
  { database, events, log, event, stopped }: EachOf,
  rows: Iterable<Row>,
  work: (row: Row) => Promise<void>,
  organizationOf: (row: Row) => string,
): Promise<void> {
  for (const row of rows) {
    if (stopped?.aborted) return
    try {
      await work(row)
    } catch (error) {
      await mustAnswer(database, error)
      if (isUnmade(error) || (error instanceof StoreAway && !(await events.isAnswering()))) throw error
      log[error instanceof StoreAway ? 'warn' : 'error']({ event, organization: organizationOf(row), err: error })
    }
  }
}

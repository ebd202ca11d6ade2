import { StoreAway, StoreRefused } from '@fairway/analytics'

/** ClickHouse's code for a table that is not there; a store that was just started makes them. */
const NO_TABLE = 60

/**
 * A round that reads the store. Without the store, or before it has its tables, nothing is known, which is no fault of
 * the round: everything stays as it is, and the next one asks again.
 */
export async function unlessStoreIsAway(round: () => Promise<void>): Promise<void> {
  try {
    await round()
  } catch (error) {
    if (!(error instanceof StoreAway) && !(error instanceof StoreRefused && error.code === NO_TABLE)) throw error
  }
}

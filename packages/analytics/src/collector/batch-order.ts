import type { EventStore } from '../store/store.ts'
import type { RawTable } from '../store/tables.ts'

type Claim = { segment: string; slot: number }

/**
 * Of batches that came to several collectors, one counts: that of the segment which stands first in an order that the
 * store keeps. A segment takes the next free place by an insert whose token is the place: the store takes such a token
 * once, so a place has one segment, and there is no gap. Whoever has a place sees all that stand before it; no clock
 * takes part, and a replay finds the place that it had.
 */
export class BatchOrder {
  readonly #store: EventStore
  readonly #table: RawTable
  #last = 0

  constructor(store: EventStore, table: RawTable) {
    this.#store = store
    this.#table = table
  }

  /**
   * Names of the batches that stand before this segment in another one.
   * @param mayHavePlace it was tried before, by this process or the one before
   * @throws StoreAway
   */
  async takenBefore(segment: string, names: readonly string[], mayHavePlace: boolean): Promise<Set<string>> {
    const slot = (mayHavePlace ? await this.#placeOf(segment) : null) ?? (await this.#takePlace(segment, names))
    const rows = await this.#store.queryNewest<{ name: string }>(
      'taken_batches',
      `SELECT DISTINCT toString(batch) AS name FROM taken_batches
       WHERE table = {table:String} AND slot < {slot:UInt64} AND segment != {segment:String}
         AND batch IN (SELECT batch FROM taken_batches WHERE table = {table:String} AND slot = {slot:UInt64})`,
      { table: this.#table, slot, segment },
    )
    return new Set(rows.map(({ name }) => name))
  }

  async #placeOf(segment: string): Promise<number | null> {
    const [row] = await this.#store.queryNewest<Claim>(
      'taken_batches',
      'SELECT segment, slot FROM taken_batches WHERE table = {table:String} AND segment = {segment:String} ORDER BY slot LIMIT 1',
      { table: this.#table, segment },
    )
    return row?.slot ?? null
  }

  async #takePlace(segment: string, names: readonly string[]): Promise<number> {
    for (;;) {
      const slot = (await this.#lastPlace()) + 1
      await this.#store.insertLines(
        'taken_batches',
        names
          .map(
            (name) =>
              `{"table":"${this.#table}","batch":${name},"slot":${slot},"segment":${JSON.stringify(segment)}}\n`,
          )
          .join(''),
        `${this.#table}-${slot}`,
      )
      // Whose it is now: the insert says nothing when another one was first.
      const [row] = await this.#store.queryNewest<Claim>(
        'taken_batches',
        'SELECT segment, slot FROM taken_batches WHERE table = {table:String} AND slot = {slot:UInt64} ORDER BY at, segment LIMIT 1',
        { table: this.#table, slot },
      )
      if (row?.segment === segment) return slot
      // Also one that nobody has any more, after days without a batch: the store still knows its token.
      this.#last = slot
    }
  }

  async #lastPlace(): Promise<number> {
    const [row] = await this.#store.query<{ last: number }>(
      'SELECT max(slot) AS last FROM taken_batches WHERE table = {table:String} AND slot >= {from:UInt64}',
      { table: this.#table, from: this.#last },
    )
    this.#last = Math.max(this.#last, row?.last ?? 0)
    return this.#last
  }
}

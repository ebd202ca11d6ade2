import { type EventStore, StoreAway, codeOf } from '@fairway/analytics'
import type { Database, Log } from '@fairway/platform'
import type { CountOptions, CountSpan } from './usage-meter.ts'
import type { UsageSoFar } from './usage-so-far.ts'

const HOUR_MS = 3_600_000
/** Nodes deliver late after an absence; once an hour these days are counted again. */
const LATE_DAYS = 3
/** A vendor that could not be read for long is read from where that began. */
const VENDORS_LATE_DAYS = 31
/** A question that a store which is there does not get through reads whole days again: not with every round. */
const REST_MS = 300_000
/** ClickHouse: TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED. What else it says of itself passes by the next round. */
const TOO_MUCH_CODES = new Set([159, 241])
/** What fails after so long was too much as well: the connection gives up before the engine does. */
const LONG_MS = 20_000

type Count = (database: Database, events: EventStore, span: CountSpan, options: CountOptions) => Promise<void>

/** One of the counts that rounds of billing make: of the last minutes, and of whole days when it is time. */
export class UsageCount {
  readonly #count: Count
  readonly #soFar: UsageSoFar
  #lateAt = 0
  #countedFor = 0
  #restsUntil = 0

  constructor(count: Count, soFar: UsageSoFar) {
    this.#count = count
    this.#soFar = soFar
  }

  /**
   * @param month what is billed until (epoch ms): before a month's invoices, after which nothing of it counts any more,
   *   its last days are read whole
   * @throws StoreAway also while it rests
   */
  async round(
    { database, events, log }: { database: Database; events: EventStore; log: Log },
    { now, month }: { now: Date; month: number },
  ): Promise<void> {
    if (performance.now() < this.#restsUntil) throw new StoreAway('the store did not get through this count lately')
    const late = now.getTime() - this.#lateAt >= HOUR_MS || month !== this.#countedFor
    // Yesterday is counted along until the nodes have surely delivered it.
    const recent = now.getUTCHours() < 3 ? 1 : 0
    const span = { daysBack: late ? LATE_DAYS : recent, vendorDaysBack: late ? VENDORS_LATE_DAYS : recent, now }
    const begunAt = performance.now()
    try {
      await this.#count(database, events, span, { soFar: this.#soFar, whole: late })
    } catch (error) {
      const isTooMuch = TOO_MUCH_CODES.has(codeOf(error) ?? 0) || performance.now() - begunAt >= LONG_MS
      if (error instanceof StoreAway && isTooMuch && (await events.isAnswering())) {
        log.warn({ event: 'billing.count-rests', seconds: REST_MS / 1000, err: error })
        this.#restsUntil = performance.now() + REST_MS
      }
      throw error
    }
    if (late) [this.#lateAt, this.#countedFor] = [now.getTime(), month]
  }
}

import { type BillableUsage, type EventStore, answeredUsage } from '@fairway/analytics'

/** Nodes deliver what they logged within seconds; what comes later than this is found by the next count of whole days. */
const SETTLED_MS = 600_000

type Rows = ReadonlyMap<string, BillableUsage>
/** What the logs said of `from` to `until`, epoch ms. */
type Counted = { from: number; until: number; rows: Rows }
const NONE: Rows = new Map()
const NOTHING: Counted = { from: Infinity, until: 0, rows: NONE }

/**
 * What the logs said of the days at hand when they were last read, kept in memory: a round reads the last minutes of
 * them, not the day once more, and writes what has grown.
 */
export class UsageSoFar {
  readonly #question: typeof answeredUsage
  #counted = NOTHING

  constructor(question = answeredUsage) {
    this.#question = question
  }

  /**
   * @returns all usage since `from` (epoch ms) of whatever the last minutes' logs speak of; of everything when `whole`
   * days are read, as they are at first and when earlier days are asked for
   */
  async of(
    events: EventStore,
    { from, now, whole }: { from: number; now: number; whole: boolean },
  ): Promise<BillableUsage[]> {
    const before = this.#counted
    const isAnew = whole || from < before.from || now < before.until
    const known = isAnew ? { from, until: from, rows: NONE } : before
    const settled = Math.max(known.until, now - SETTLED_MS)
    const isLate = settled - known.until >= SETTLED_MS
    const until = isLate ? settled : known.until
    const added = isLate ? sums(known.rows, await this.#question(events, { from: known.until, until })) : NONE
    // Nodes' clocks may be a little ahead.
    const recent = await this.#question(events, { from: until, until: now + SETTLED_MS })
    const rows = isLate ? new Map([...known.rows, ...added]) : known.rows
    // Whoever gave up waiting for this has begun anew since, or will.
    if (this.#counted === before) this.#counted = { from: known.from, until, rows }
    const grown = new Map([...(isAnew ? rows : added), ...sums(rows, recent)])
    return [...grown.values()]
  }

  /** What was answered last may not have been written: the next round reads whole days. */
  forget(): void {
    this.#counted = { ...NOTHING }
  }
}

/** The new rows, each with what is known of it already. */
function sums(known: Rows, rows: readonly BillableUsage[]): Rows {
  return new Map(
    rows.map((row) => {
      const key = keyOf(row)
      return [key, { ...row, used: row.used + (known.get(key)?.used ?? 0) }]
    }),
  )
}

const keyOf = ({ organizationId, day, meter, siteId, domainId, cdnId }: BillableUsage): string =>
  [organizationId, day, meter, siteId, domainId, cdnId].join(' ')

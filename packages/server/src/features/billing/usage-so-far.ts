import { type BillableUsage, type EventStore, loggedUsage } from '@fairway/analytics'

/** Nodes deliver what they logged within seconds; what comes later than this is found by the next count of whole days. */
const SETTLED_MS = 600_000

/**
 * What the logs said of the days at hand when they were last read, kept in memory: a round reads the last minutes of
 * them, not the day once more, and writes what has grown.
 */
export class UsageSoFar {
  #from = Infinity
  #until = 0
  readonly #counted = new Map<string, BillableUsage>()

  /**
   * @returns all usage since `from` (epoch ms) of whatever the last minutes' logs speak of; of everything when `whole`
   * days are read, as they are at first and when earlier days are asked for
   */
  async of(
    events: EventStore,
    { from, now, whole }: { from: number; now: number; whole: boolean },
  ): Promise<BillableUsage[]> {
    const isAnew = whole || from < this.#from || now < this.#until
    if (isAnew) this.#begin(from)
    const settled = now - SETTLED_MS
    if (settled - this.#until >= SETTLED_MS) {
      for (const row of await loggedUsage(events, { from: this.#until, until: settled })) this.#add(row)
      this.#until = settled
    }
    const recent = new Map<string, BillableUsage>()
    // Nodes' clocks may be a little ahead.
    for (const row of await loggedUsage(events, { from: this.#until, until: now + SETTLED_MS }))
      recent.set(keyOf(row), sum(row, this.#counted.get(keyOf(row))))
    return isAnew ? [...new Map([...this.#counted, ...recent]).values()] : [...recent.values()]
  }

  /** What was answered last may not have been written: the next round reads whole days. */
  forget(): void {
    this.#begin(Infinity)
  }

  #begin(from: number): void {
    this.#from = from
    this.#until = from
    this.#counted.clear()
  }

  #add(row: BillableUsage): void {
    const key = keyOf(row)
    this.#counted.set(key, sum(row, this.#counted.get(key)))
  }
}

const keyOf = ({ organizationId, day, meter, siteId, domainId, cdnId }: BillableUsage): string =>
  [organizationId, day, meter, siteId, domainId, cdnId].join(' ')

const sum = (row: BillableUsage, more: BillableUsage | undefined): BillableUsage => ({
  ...row,
  used: row.used + (more?.used ?? 0),
})

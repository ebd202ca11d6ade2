import { RateLimit } from './rate-limit.ts'

type Budget = { perSecond: number; burst: number }

/**
 * What one network may bring an organisation at any time: two hundred viewers, or six pages a second that measure five
 * CDNs. Networks are many, and those that were quiet for ten seconds are forgotten.
 */
const ALWAYS: Budget = { perSecond: 30, burst: 300 }
/** Beyond that for hours, as two thousand viewers of a live stream behind a carrier's network do: then it is refused. */
const FOR_HOURS: Budget = { perSecond: 25, burst: 5_000_000 }

/** Rows that strangers may have kept in one table: all of them lie on one disk, on which everybody's have to be. */
export class RowBudget {
  readonly #always = new RateLimit(ALWAYS)
  readonly #forHours = new RateLimit(FOR_HOURS)
  readonly #organizations: RateLimit

  constructor(perOrganization: Budget) {
    this.#organizations = new RateLimit(perOrganization)
  }

  /** Takes so many rows; false when one network has brought too many, or all of them together. `now` is monotonic, ms. */
  take(organizationId: string, network: string, rows: number, now: number): boolean {
    const own = `${network} ${organizationId}`
    if (!this.#always.take(own, now, rows) && !this.#forHours.take(own, now, rows)) return false
    return this.#organizations.take(organizationId, now, rows)
  }
}

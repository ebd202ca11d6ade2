import { RateLimit } from './rate-limit.ts'

type Budget = { perSecond: number; burst: number }

/**
 * What one network may bring an organisation at any time: two hundred viewers, or six pages a second that measure five
 * CDNs. Networks are many, and those that were quiet for ten seconds are forgotten.
 */
const ALWAYS: Budget = { perSecond: 30, burst: 300 }
/**
 * Beyond that for hours, as two thousand viewers of a live stream behind a carrier's network do: then it is refused.
 * Taken while the organisation has half of its own: the other half is for networks that bring no more than the rest.
 */
const FOR_HOURS: Budget = { perSecond: 25, burst: 5_000_000 }
/**
 * What one network may bring all organisations together: as many viewers as may post from one (a post each ten
 * seconds), for eighteen hours.
 */
const NETWORK: Budget = { perSecond: 100, burst: 15_000_000 }

/** Rows that strangers may have kept in one table: all of them lie on one disk, on which everybody's have to be. */
export class RowBudget {
  readonly #always = new RateLimit(ALWAYS)
  readonly #forHours = new RateLimit(FOR_HOURS)
  readonly #networks = new RateLimit(NETWORK)
  readonly #organizations: RateLimit
  readonly #half: number

  constructor(perOrganization: Budget) {
    this.#organizations = new RateLimit(perOrganization)
    this.#half = perOrganization.burst / 2
  }

  /** Takes so many rows; false when a network or an organisation has brought too many. `now` is monotonic, ms. */
  take(organizationId: string, network: string, rows: number, now: number): boolean {
    const left = this.#organizations.left(organizationId, now)
    // Asked before any of them gives, so that what one refuses is not taken from another.
    if (left < rows || this.#networks.left(network, now) < rows) return false
    const own = `${network} ${organizationId}`
    if (!this.#always.take(own, now, rows) && !(left >= this.#half && this.#forHours.take(own, now, rows))) return false
    this.#networks.take(network, now, rows)
    return this.#organizations.take(organizationId, now, rows)
  }
}

import type { DnsAnswerCount } from '@fairway/contract'
import type { Config, Geo, Log } from '@fairway/platform'
import type { Client } from '../answer/client.ts'
import type { Outcome } from '../answer/outcome.ts'
import { CollectorPost } from '../collector-post.ts'
import type { Segment } from '../segment/segment.ts'
import { Backlog } from './backlog.ts'
import { isDue, TICK_MS } from './bucket.ts'
import { Tally } from './tally.ts'

export type QueryLogOptions = { config: Config; geo: Pick<Geo, 'location'>; log: Log; clock: () => number }

/** Rows of one bucket; what comes beyond is counted without its country. */
const BUCKET_ROWS = 20_000
const NO_COUNTRY = 0
const UNKNOWN = -1
const CDNS = 4096

/**
 * Counts answers by zone, domain, CDN and country and sends the counts to the collector every few seconds. Nothing of a
 * single query is kept.
 */
export class QueryLog implements AsyncDisposable {
  readonly #options: QueryLogOptions
  readonly #post: CollectorPost<DnsAnswerCount>
  readonly #countries: (string | null)[] = [null]
  readonly #countryNumbers = new Map<string, number>()
  /** Countries of places met before; as many as there are places. */
  #placeCountry = new Int16Array(1024).fill(UNKNOWN)
  readonly #timer: NodeJS.Timeout
  readonly #backlog = new Backlog<Segment>((zone, pair, place, network) => this.#settle(zone, pair, place, network))
  #bucket = new Map<Segment, Tally>()
  #rows = 0
  #startedAt: number

  constructor(options: QueryLogOptions) {
    const { config, log } = options
    this.#options = options
    this.#startedAt = options.clock()
    this.#post = new CollectorPost({
      config,
      route: '/dns-answers/',
      body: (counts) => ({ node: `${config.nodeName}/dns`, counts }),
      rowsPerPost: 5000,
      waitingMost: 50_000,
      repeats: true,
      log,
    })
    this.#timer = setInterval(() => {
      this.#backlog.settle()
      if (isDue(this.#rows, options.clock() - this.#startedAt)) this.flush()
    }, TICK_MS)
  }

  /** Rows that could not be delivered. */
  get dropped(): number {
    return this.#post.dropped
  }

  /** Counts one answer; called on the query path. Zones of the installation itself have no owner to count for. */
  count(outcome: Outcome, client: Client): void {
    const { zone } = outcome
    if (!zone || zone.organizationId === null) return
    const steered = outcome.steered ? outcome.steered.index + 1 : 0
    this.#backlog.add(zone, steered * CDNS + outcome.cdn + 1, client.hit.place, client.hit.network)
  }

  /** Closes the bucket and sends it. */
  flush(): void {
    this.#backlog.settle()
    const at = this.#startedAt
    const bucket = this.#bucket
    this.#startedAt = this.#options.clock()
    this.#bucket = new Map()
    this.#rows = 0
    const rows = [...bucket].flatMap(([zone, counts]) =>
      [...counts.rows()].map(({ first, second, count }) => this.#row(zone, first, second, count, at)),
    )
    if (rows.length > 0) this.#post.add(rows, 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.flush()
    await this.#post.stop()
  }

  #settle(zone: Segment, pair: number, place: number, network: number): void {
    let counts = this.#bucket.get(zone)
    if (!counts) this.#bucket.set(zone, (counts = new Tally()))
    const country = this.#rows < BUCKET_ROWS ? this.#countryOf(place, network) : NO_COUNTRY
    if (counts.add(pair, country)) this.#rows++
  }

  #row(zone: Segment, pair: number, countryNumber: number, answers: number, at: number): DnsAnswerCount {
    const country = this.#countries[countryNumber] ?? null
    const entry = zone.steered[Math.floor(pair / CDNS) - 1]
    const cdnId = entry?.policy.cdns[(pair % CDNS) - 1]?.cdnId ?? null
    return {
      at,
      organizationId: zone.organizationId ?? '',
      siteId: zone.siteId,
      domainId: entry?.domainId ?? null,
      cdnId,
      country,
      answers,
    }
  }

  #countryOf(place: number, network: number): number {
    if (place === 0) return NO_COUNTRY
    const known = this.#placeCountry[place] ?? UNKNOWN
    if (known !== UNKNOWN) return known
    const number = this.#numberOf(this.#options.geo.location(place, network).country)
    if (place >= this.#placeCountry.length) this.#placeCountry = grown(this.#placeCountry, place)
    this.#placeCountry[place] = number
    return number
  }

  #numberOf(country: string | null): number {
    if (country === null) return NO_COUNTRY
    const known = this.#countryNumbers.get(country)
    if (known !== undefined) return known
    const number = this.#countries.push(country) - 1
    this.#countryNumbers.set(country, number)
    return number
  }
}

function grown(from: Int16Array, place: number): Int16Array<ArrayBuffer> {
  const to = new Int16Array(Math.max(place + 1, from.length * 2)).fill(UNKNOWN)
  to.set(from)
  return to
}

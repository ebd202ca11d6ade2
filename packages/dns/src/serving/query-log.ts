import type { DnsAnswerCount } from '@fairway/contract'
import type { Config, Geo, Log } from '@fairway/platform'
import type { Client } from '../answer/client.ts'
import type { Outcome } from '../answer/outcome.ts'
import { CollectorPost } from '../collector-post.ts'
import type { Segment } from '../segment/segment.ts'

export type QueryLogOptions = { config: Config; geo: Pick<Geo, 'location'>; log: Log; clock: () => number }

const BUCKET_MS = 2000
/** Rows of one bucket; what comes beyond is counted without its country. */
const BUCKET_ROWS = 20_000
const NO_COUNTRY = 0
const CDNS = 4096
const COUNTRIES = 1024

/** Counts answers by zone, domain, CDN and country and sends the counts to the collector every two seconds. Nothing of a single query is kept. */
export class QueryLog implements AsyncDisposable {
  readonly #options: QueryLogOptions
  readonly #post: CollectorPost<DnsAnswerCount>
  readonly #countries: (string | null)[] = [null]
  readonly #countryNumbers = new Map<string, number>()
  /** Countries of places met before; as many as there are places. */
  readonly #placeCountry = new Map<number, number>()
  readonly #timer: NodeJS.Timeout
  #bucket = new Map<Segment, Map<number, number>>()
  #rows = 0
  #startedAt: number

  constructor(options: QueryLogOptions) {
    const { config, log } = options
    this.#options = options
    this.#startedAt = options.clock()
    this.#post = new CollectorPost({ config, route: '/dns-answers/', body: (counts) => ({ node: `${config.nodeName}/dns`, counts }), rowsPerPost: 5000, waitingMost: 50_000, repeats: true, log })
    this.#timer = setInterval(() => this.flush(), BUCKET_MS)
  }

  /** Rows that could not be delivered. */
  get dropped(): number {
    return this.#post.dropped
  }

  /** Counts one answer; called on the query path. Zones of the installation itself have no owner to count for. */
  count(outcome: Outcome, client: Client): void {
    const { zone } = outcome
    if (!zone || zone.organizationId === null) return
    let counts = this.#bucket.get(zone)
    if (!counts) this.#bucket.set(zone, (counts = new Map()))
    const steered = outcome.steered ? outcome.steered.index + 1 : 0
    const country = this.#rows < BUCKET_ROWS ? this.#countryOf(client) : NO_COUNTRY
    const key = (steered * CDNS + outcome.cdn + 1) * COUNTRIES + country
    const before = counts.get(key)
    if (before === undefined) this.#rows++
    counts.set(key, (before ?? 0) + 1)
  }

  /** Closes the bucket and sends it. */
  flush(): void {
    const at = this.#startedAt
    const bucket = this.#bucket
    this.#startedAt = this.#options.clock()
    this.#bucket = new Map()
    this.#rows = 0
    const rows = [...bucket].flatMap(([zone, counts]) => [...counts].map(([key, answers]) => this.#row(zone, key, answers, at)))
    if (rows.length > 0) this.#post.add(rows, 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.flush()
    await this.#post.stop()
  }

  #row(zone: Segment, key: number, answers: number, at: number): DnsAnswerCount {
    const country = this.#countries[key % COUNTRIES] ?? null
    const pair = Math.floor(key / COUNTRIES)
    const entry = zone.steered[Math.floor(pair / CDNS) - 1]
    const cdnId = entry?.policy.cdns[(pair % CDNS) - 1]?.cdnId ?? null
    return { at, organizationId: zone.organizationId ?? '', siteId: zone.zoneId, domainId: entry?.domainId ?? null, cdnId, country, answers }
  }

  #countryOf({ hit }: Client): number {
    if (hit.place === 0) return NO_COUNTRY
    const known = this.#placeCountry.get(hit.place)
    if (known !== undefined) return known
    const number = this.#numberOf(this.#options.geo.location(hit.place, hit.network).country)
    this.#placeCountry.set(hit.place, number)
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

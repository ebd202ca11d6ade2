import type { DnsNetworkCount, DnsRequestCount, DnsRequests, DnsSample } from '@fairway/contract'
import type { Config, Geo, Log } from '@fairway/platform'
import type { Transport } from '../answer/answerer.ts'
import type { Client } from '../answer/client.ts'
import type { Outcome } from '../answer/outcome.ts'
import { CollectorPost } from '../collector-post.ts'
import type { Segment } from '../segment/segment.ts'
import type { Xorshift } from '../steering/random.ts'
import { RCODE, RCODE_NAMES, TYPE } from '../wire/codes.ts'
import { nameToText } from '../wire/name.ts'
import type { Query } from '../wire/query.ts'
import { Backlog } from './backlog.ts'
import { isDue, TICK_MS } from './bucket.ts'
import { Tally } from './tally.ts'

export type RequestLogOptions = {
  config: Config
  geo: Pick<Geo, 'location'>
  log: Log
  clock: () => number
  random: Xorshift
  /** Processes that draw samples, of which this is one. */ processes?: number
}

type Row = DnsRequests['rows'][number]

/** Rows of one bucket; what comes beyond is counted without its name or network. */
const BUCKET_ROWS = 20_000
/** Samples between two posts in all processes. */
const SAMPLES_PER_ZONE = 10
const SAMPLES = 200
const RCODES = 32
/** Nothing finer of an address is kept (a /24 or /48). */
const CLIENT_BITS = { 4: 24, 6: 48 } as const
const TYPE_NAMES = new Map(Object.entries(TYPE).map(([name, code]): [number, string] => [code, name]))

/** What one zone was asked in a bucket. */
class ZoneBucket {
  /** By node; type and response code. */
  readonly requests = new Tally()
  /** By network. */
  readonly networks = new Tally()
  samples: DnsSample[] = []
  asked = 0

  takeSamples(): DnsSample[] {
    const { samples } = this
    this.samples = []
    this.asked = 0
    return samples
  }
}

/**
 * Counts queries by name, type and response code and by network, and draws a few whole ones by lot, for the owner's DNS
 * analytics. Samples go to the collector every two seconds, counts when they are due.
 */
export class RequestLog implements AsyncDisposable {
  readonly #options: RequestLogOptions
  readonly #post: CollectorPost<Row>
  readonly #timer: NodeJS.Timeout
  readonly #samplesPerZone: number
  readonly #mostSamples: number
  readonly #backlog = new Backlog<ZoneBucket>((bucket, node, kind, network) =>
    this.#settle(bucket, node, kind, network),
  )
  #zones = new Map<Segment, ZoneBucket>()
  #rows = 0
  #samples = 0
  #startedAt: number

  constructor(options: RequestLogOptions) {
    const { config, log, processes = 1 } = options
    this.#samplesPerZone = Math.ceil(SAMPLES_PER_ZONE / processes)
    this.#mostSamples = Math.ceil(SAMPLES / processes)
    this.#options = options
    this.#startedAt = options.clock()
    this.#post = new CollectorPost({
      config,
      route: '/dns-requests/',
      body: (rows) => ({ node: `${config.nodeName}/dns`, rows }),
      rowsPerPost: 5000,
      waitingMost: 50_000,
      repeats: true,
      log,
    })
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  /** Rows that could not be delivered. */
  get dropped(): number {
    return this.#post.dropped
  }

  /** Counts one query; called on the query path. Zones of the installation itself have no owner to count for. */
  count(outcome: Outcome, client: Client, query: Query, transport: Transport): void {
    const { zone } = outcome
    if (!zone || zone.organizationId === null) return
    let bucket = this.#zones.get(zone)
    if (!bucket) this.#zones.set(zone, (bucket = new ZoneBucket()))
    // Under a name that does not exist there is no end of names: all of them are one.
    this.#backlog.add(
      bucket,
      outcome.rcode === RCODE.NXDOMAIN ? 0 : outcome.node,
      outcome.type * RCODES + outcome.rcode,
      client.hit.network,
    )
    this.#sample(bucket, zone, outcome, client, query, transport)
  }

  /** Closes the bucket and sends it. */
  flush(): void {
    this.#backlog.settle()
    const at = this.#startedAt
    const zones = this.#zones
    this.#startedAt = this.#options.clock()
    this.#zones = new Map()
    this.#rows = this.#samples = 0
    this.#send([...zones].flatMap(([zone, bucket]) => [...this.#rowsOf(zone, bucket, at), ...sampleRows(bucket)]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.flush()
    await this.#post.stop()
  }

  #tick(): void {
    this.#backlog.settle()
    if (isDue(this.#rows, this.#options.clock() - this.#startedAt)) return this.flush()
    this.#samples = 0
    this.#send([...this.#zones.values()].flatMap(sampleRows))
  }

  #send(rows: Row[]): void {
    if (rows.length > 0) this.#post.add(rows, 0)
  }

  #settle(bucket: ZoneBucket, node: number, kind: number, network: number): void {
    const isFull = this.#rows >= BUCKET_ROWS
    if (bucket.requests.add(isFull ? 0 : node, kind)) this.#rows++
    if (bucket.networks.add(isFull ? 0 : network, 0)) this.#rows++
  }

  /** Every query since the last post has the same chance (reservoir sampling). */
  #sample(
    bucket: ZoneBucket,
    zone: Segment,
    outcome: Outcome,
    client: Client,
    query: Query,
    transport: Transport,
  ): void {
    const { samples } = bucket
    bucket.asked++
    if (samples.length < this.#samplesPerZone) {
      if (this.#samples >= this.#mostSamples) return
      this.#samples++
      samples.push(this.#sampleOf(zone, outcome, client, query, transport))
      return
    }
    const place = Math.floor(this.#options.random.next() * bucket.asked)
    if (place < samples.length) samples[place] = this.#sampleOf(zone, outcome, client, query, transport)
  }

  #sampleOf(zone: Segment, outcome: Outcome, client: Client, query: Query, transport: Transport): DnsSample {
    const { country, network } = this.#options.geo.location(client.hit.place, client.hit.network)
    const { steered } = outcome
    return {
      at: this.#options.clock(),
      organizationId: zone.organizationId ?? '',
      siteId: zone.siteId,
      domainId: steered?.domainId ?? null,
      name: nameToText(query.name.lower.subarray(0, query.name.length)),
      type: typeText(outcome.type),
      rcode: rcodeText(outcome.rcode),
      cdnId: steered?.policy.cdns[outcome.cdn]?.cdnId ?? null,
      strategyId: outcome.strategyId,
      country,
      network,
      client: prefixOf(client),
      scoped: client.scoped,
      transport,
    }
  }

  #rowsOf(zone: Segment, { requests, networks }: ZoneBucket, at: number): Row[] {
    const owner = { at, organizationId: zone.organizationId ?? '', siteId: zone.siteId }
    const { geo } = this.#options
    return [
      ...requests.rows().map(({ first: node, second, count }): Row => {
        const row: DnsRequestCount = {
          ...owner,
          name: node === 0 ? '' : nameToText(zone.nodeName(node)),
          type: typeText(Math.floor(second / RCODES)),
          rcode: rcodeText(second % RCODES),
          requests: count,
        }
        return { kind: 'request', ...row }
      }),
      ...networks.rows().map(({ first: number, count }): Row => {
        const row: DnsNetworkCount = {
          ...owner,
          network: number === 0 ? '' : (geo.location(0, number).network ?? ''),
          requests: count,
        }
        return { kind: 'network', ...row }
      }),
    ]
  }
}

const sampleRows = (bucket: ZoneBucket): Row[] => bucket.takeSamples().map((sample) => ({ kind: 'sample', ...sample }))
const typeText = (type: number): string => TYPE_NAMES.get(type) ?? `TYPE${type}`
const rcodeText = (rcode: number): string => RCODE_NAMES[rcode] ?? `RCODE${rcode}`

function prefixOf(client: Client): string {
  const bits = Math.min(client.knownBits, CLIENT_BITS[client.family])
  const address = client.family === 4 ? client.bytes.subarray(0, 4) : client.bytes
  const kept = Array.from(address, (byte, i) =>
    8 * (i + 1) <= bits ? byte : 8 * i >= bits ? 0 : byte & (0xff00 >> (bits - 8 * i)),
  )
  const text =
    client.family === 4
      ? kept.join('.')
      : `${[0, 2, 4].map((i) => (((kept[i] ?? 0) << 8) | (kept[i + 1] ?? 0)).toString(16)).join(':')}::`
  return `${text}/${bits}`
}

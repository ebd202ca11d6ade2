import { Health, MeasurementWindow, type MeasuredRow, binOf, buildSnapshot } from '@fairway/analytics'
import type { Location, ScoresSnapshot, SteeringPolicy } from '@fairway/contract'
import { continentOf, decide } from '@fairway/domain'
import type { Log } from '@fairway/platform'

/** One /24 of visitors. */
export type Visitors = { subnet: number; address: string; country: string; city: string; network: string }
export type Said = { cdn: string; ok: boolean; rttMs: number; times?: number }

const COUNTRIES = ['GB', 'DE', 'FR', 'US', 'JP', 'PL', 'IT', 'CA', 'IN', 'BR'] as const
const CITIES = 4
const ROUND_MS = 2_000
const NODES = ['n/dns', 'n/edge', 'n/collector'] as const
export const CDNS = ['polaris', 'swiftlane'] as const

export const POLICY: SteeringPolicy = {
  id: 'trust',
  organizationId: 'o1',
  cdns: CDNS.map((cdnId) => ({
    cdnId,
    name: cdnId,
    enabled: true,
    serving: true,
    cname: `${cdnId}.example.`,
    latencyFactor: 1,
    latencyAddMs: 0,
  })),
  strategies: [
    {
      id: 's1',
      name: 'Fastest',
      priority: 1,
      enabled: true,
      method: 'best-latency',
      filter: { places: [], networks: [], cidrs: [] },
      targets: CDNS.map((cdnId) => ({ cdnId, weight: 1 })),
      availabilityThreshold: 90,
      omitRum: false,
      omitSum: false,
      requireAllData: false,
    },
  ],
  vsrRules: [],
  settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 30 },
}

/**
 * The collector's own window, scores and health over a world of /24s, and the decisions for all of them, by a clock that
 * is moved by hand. Polaris is the faster CDN everywhere.
 */
export class TrustWorld {
  now = 1_800_000_000_000
  readonly visitors: Visitors[] = []
  /** What a visitor finds; faults of an experiment go here. */
  outcome = (_visitors: Visitors, cdn: string): boolean => cdn !== ''
  /** Whether probes find a CDN alive. */
  alive = (cdn: string): boolean => cdn !== ''
  /** What strangers send in a round, beside the visitors. */
  strangers: () => { from: Visitors; said: Said }[] = () => []
  snapshot: ScoresSnapshot | null = null
  readonly #window = new MeasurementWindow(300, 12_345)
  readonly #health: Health
  readonly #rows = { beacons: new Map<string, MeasuredRow>(), probes: new Map<string, MeasuredRow>() }
  readonly #previous = new Map<number, string>()
  #random = 88_172_645

  /** `folder` keeps what probes saw; `perCountry` /24s in each of up to ten countries. */
  constructor(folder: string, log: Log, { countries, perCountry }: { countries: number; perCountry: number }) {
    this.#health = new Health(folder, log, () => {})
    for (const [c, country] of COUNTRIES.slice(0, countries).entries())
      for (let i = 0; i < perCountry; i++)
        this.visitors.push(
          visitorsOf({
            country,
            city: `City${i % CITIES}`,
            network: `AS${100 + c * 20 + (i % 12)}`,
            block: c * 1000 + i,
          }),
        )
  }

  /** Goes on by so many seconds, in rounds of two; `each` after every round. */
  run(seconds: number, each: () => void = () => {}): void {
    for (const until = this.now + seconds * 1000; this.now < until;) {
      this.now += ROUND_MS
      this.#round()
      each()
    }
  }

  /** What each /24 gets now. */
  answers(): Map<Visitors, string> {
    const answers = new Map<Visitors, string>()
    for (const visitors of this.visitors) {
      const { shares } = decide({
        policy: POLICY,
        scores: this.snapshot,
        visitor: { address: visitors.address, prefixLength: 24, location: locationOf(visitors) },
        previous: this.#previous.get(visitors.subnet) ?? null,
        now: this.now,
      })
      const cdn = shares[0]?.cdnId ?? ''
      this.#previous.set(visitors.subnet, cdn)
      answers.set(visitors, cdn)
    }
    return answers
  }

  /** /24s that do not get the CDN. */
  movedOff(cdn: string): Visitors[] {
    return [...this.answers()].filter(([, got]) => got !== cdn).map(([visitors]) => visitors)
  }

  #round(): void {
    for (let second = 1; second >= 0; second--) {
      const at = this.now - second * 1000
      for (const node of NODES) {
        const results = CDNS.map((cdnId) => {
          const ok = this.alive(cdnId)
          this.#note('probes', { cdn: cdnId, ok, rttMs: 5 }, null, at)
          return { organizationId: 'o1', cdnId, at, ok, rttMs: ok ? 5 : null, error: ok ? null : 'ECONNREFUSED' }
        })
        this.#health.take({ node, results }, at)
      }
    }
    for (const visitors of this.visitors) {
      // A page view in some twelve seconds, which measures each CDN.
      if (this.#chance() > 1 / 6) continue
      for (const cdn of CDNS) {
        const rttMs = (cdn === 'polaris' ? 30 : 60) * (0.8 + 0.4 * this.#chance())
        this.#note(
          'beacons',
          { cdn, ok: this.outcome(visitors, cdn) && this.#chance() > 0.005, rttMs },
          visitors,
          this.now,
        )
      }
    }
    for (const { from, said } of this.strangers()) this.#note('beacons', said, from, this.now)
    const from = this.#window.readsFrom(this.now)
    const rows = (table: Map<string, MeasuredRow>) => {
      for (const [name, row] of table) if (row.bucket < this.now / 1000 - 400) table.delete(name)
      return [...table.values()].filter((row) => row.bucket >= from)
    }
    this.#window.take(
      {
        beacons: rows(this.#rows.beacons),
        probes: rows(this.#rows.probes),
        reports: [],
        connections: [],
        throughput: [],
      },
      this.now,
    )
    const { snapshot, holds } = buildSnapshot({
      organizationId: 'o1',
      measured: this.#window.organizations.get('o1'),
      health: this.#health.of('o1', this.now),
      previous: this.snapshot,
      lifetimeSeconds: 300,
      shortSeconds: 30,
      lots: 12_345,
      now: this.now,
    })
    for (const [cdnId, isHolding] of holds) this.#health.step('o1', cdnId, isHolding, this.now)
    this.snapshot = snapshot
  }

  /** Counts into the row that the store would answer. */
  #note(table: 'beacons' | 'probes', { cdn, ok, rttMs, times = 1 }: Said, from: Visitors | null, at: number): void {
    const bucket = Math.floor(at / 10_000) * 10
    const name = `${bucket} ${cdn} ${from?.subnet ?? 0}`
    const rows = this.#rows[table]
    const row: MeasuredRow = rows.get(name) ?? {
      bucket,
      organization: 'o1',
      cdn,
      samples: 0,
      successes: 0,
      newest: at,
      rtt: {},
      ...(from && {
        continent: continentOf(from.country),
        country: from.country,
        region: '',
        city: from.city,
        network: from.network,
        subnet: from.subnet,
      }),
    }
    rows.set(name, row)
    row.samples += times
    row.newest = at
    if (!ok) return
    row.successes += times
    const bin = String(binOf(rttMs))
    row.rtt[bin] = (row.rtt[bin] ?? 0) + times
  }

  /** Chance that is the same in each run. */
  #chance(): number {
    this.#random ^= this.#random << 13
    this.#random ^= this.#random >>> 17
    this.#random ^= this.#random << 5
    return (this.#random >>> 0) / 2 ** 32
  }
}

export const visitorsOf = ({
  block,
  ...place
}: Omit<Visitors, 'subnet' | 'address'> & { block: number }): Visitors => ({
  ...place,
  subnet: block + 1,
  address: `${20 + (block >> 8)}.${block & 255}.7.0`,
})

const locationOf = ({ country, city, network }: Visitors): Location => ({
  continent: continentOf(country),
  country,
  region: null,
  city,
  network,
  asn: Number(network.slice(2)),
})

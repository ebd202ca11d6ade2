import {
  MeasureSource,
  type CdnScores,
  type Disagreement,
  type Measure,
  type ScoresSnapshot,
  type ShortMeasure,
} from '@fairway/contract'
import { USUAL_THRESHOLD, availabilityOf, isDuring, sharesAt, smooth, smoothFigure } from '@fairway/domain'
import type { OutsideSaid } from '../outside-feeds/outside-feeds.ts'
import type { Verdict } from './health.ts'
import {
  type Contradiction,
  type Hearing,
  type Leaf,
  type LevelSum,
  Pass,
  type Spread,
  UNBOUND,
  levelSum,
} from './level-sum.ts'
import { type KnownPasses, KnownSums } from './known-sums.ts'
import { BUCKET_SECONDS, type Measured } from './measurement-window.ts'
import { keepWithin } from './snapshot-size.ts'

export type SnapshotInput = {
  organizationId: string
  measured: Measured | undefined
  health: readonly Verdict[]
  previous: ScoresSnapshot | null
  lifetimeSeconds: number
  /** The window that falls fast. */
  shortSeconds: number
  /** What outside feeds say. */
  outside?: OutsideSaid
  /** Seed of the lots; nothing that a visitor can know. */
  lots: number
  /** Epoch ms. */
  now: number
  /** What the organisation's last snapshot worked out; without, all is worked out anew, and the same comes out. */
  known?: KnownSums
}

/**
 * A snapshot, and of CDNs that come back whether what is measured of them now is good enough for the next step.
 * `cutPlaces`: so many of the finest were left out for its size.
 */
export type Built = { snapshot: ScoresSnapshot; holds: ReadonlyMap<string, boolean>; cutPlaces: number }

/**
 * Places finer than a country with fewer samples than this are left out: no decision would use them, and there are very
 * many.
 */
const FEWEST_SAMPLES = 5
/** Fewer fresh samples than this do not say whether a CDN that comes back holds: probes do then. */
const FEWEST_FRESH = 20
/** A place that contradicts everybody else is told so until it has not done so for this long. */
const DISAGREEMENT_LASTS_MS = 60_000
const DISAGREEMENTS_TOLD = 100
/** A word of fewer samples is noise, and worth nobody's attention. */
const FEWEST_CONTRADICTING = 10

/**
 * One organisation's scores out of the window and the probes' verdicts; latency is smoothed from the previous snapshot.
 * What was measured during a hard failure that is over does not count. Pure.
 */
export function buildSnapshot(input: SnapshotInput): Built {
  const { organizationId, measured, health, previous, outside, lifetimeSeconds, now, known = new KnownSums() } = input
  const cdns: Record<string, CdnScores> = {}
  const holds = new Map<string, boolean>()
  const disagreements: Disagreement[] = []
  const named = new Set([
    ...(measured?.keys() ?? []),
    ...health.map((one) => one.cdnId),
    ...(outside?.cdns.keys() ?? []),
  ])
  known.keepOnly(named)
  for (const cdnId of [...named].sort()) {
    const verdict = health.find((one) => one.cdnId === cdnId)
    const before = previous?.cdns[cdnId]?.places
    const elapsedMs = previous ? now - previous.builtAt : 0
    const places: CdnScores['places'] = {}
    for (const source of SAMPLED) {
      const leaves = measured?.get(cdnId)?.[source]
      if (!leaves || leaves.size === 0) {
        known.forget(cdnId, source)
        continue
      }
      const { whole, short } = levelsOf([...leaves.values()], source, verdict, known.of(cdnId, source), input)
      for (const [key, sum] of whole) {
        if (source !== 'sum') disagreements.push(...disagreementsOf(cdnId, key, sum, now))
        if (sum.samples < FEWEST_SAMPLES && isFine(key)) continue
        // Read by network only, see `pickReports`.
        if (source === 'nel' && !key.includes('|')) continue
        const measure = measureOf(sum, before?.[key]?.[source] ?? null, elapsedMs)
        if (measure)
          places[key] = {
            ...places[key],
            [source]: {
              ...measure,
              ...intervalOf(sum.spread, measure.latencyMs),
              ...influenceOf(key, sum, source),
              ...shortOf(short.get(key)),
            },
          }
      }
      for (const [key, sum] of short)
        disagreements.push(...(source === 'sum' ? [] : disagreementsOf(cdnId, key, sum, now)))
    }
    for (const [key, sum] of throughputOf(measured?.get(cdnId)?.wide, verdict, known.of(cdnId, 'wide'), input)) {
      const rum = places[key]?.rum
      const mbps = smoothFigure(sum.spread?.median ?? null, before?.[key]?.rum?.throughputMbps ?? null, elapsedMs)
      if (rum && mbps !== null)
        places[key] = { ...places[key], rum: { ...rum, throughputMbps: mbps, throughputSamples: sum.samples } }
    }
    for (const [key, feed] of outside?.cdns.get(cdnId) ?? []) places[key] = { ...places[key], feed }
    cdns[cdnId] = {
      hardDown: verdict?.down ?? false,
      hardDownSince: verdict?.down ? verdict.since : null,
      ...(verdict?.returning ? { returning: verdict.returning } : {}),
      places,
    }
    if (verdict?.returning) holds.set(cdnId, isHolding(measured?.get(cdnId)?.rum, verdict, input))
  }
  const cutPlaces = keepWithin(cdns)
  const told = keptDisagreements(disagreements, previous?.disagreements ?? [], now)
  const snapshot = {
    organizationId,
    serial: Math.max(serialAt(now), (previous?.serial ?? 0) + 1),
    builtAt: now,
    lifetimeSeconds,
    cdns,
    ...(told.length > 0 ? { disagreements: told } : {}),
    ...(outside && outside.leftOut.length > 0 ? { leftOut: outside.leftOut } : {}),
  }
  return { snapshot, holds, cutPlaces }
}

/** Grows over restarts without being kept: quarters of a second since 2025, which fit 32 bits until 2042. */
const serialAt = (now: number) => Math.floor((now - Date.UTC(2025, 0)) / 250)

const isFine = (key: string) => key.startsWith('city:') || key.startsWith('region:') || key.includes('|')

const SAMPLED = MeasureSource.exclude(['feed']).options

type Levels = { whole: Map<string, LevelSum>; short: Map<string, LevelSum> }

/** Sums of every level, over the window and over the short one, without what was measured during hard failures. */
function levelsOf(
  leaves: readonly Leaf[],
  source: MeasureSource,
  verdict: Verdict | undefined,
  known: KnownPasses,
  { shortSeconds, lots, now }: SnapshotInput,
): Levels {
  const outages = outagesThatCount(verdict)
  const counts = countsFor(outages, source === 'sum')
  // Buckets are whole: the short window moves on one at a time.
  const shortFrom = Math.floor(now / 1000 - shortSeconds - BUCKET_SECONDS)
  const isShort = (bucket: number) => bucket > shortFrom && counts(bucket)
  const isAlive = source !== 'sum' && (verdict?.isAlive ?? true)
  const isEver = outages.length === 0
  const whole = known.pass('whole', isEver ? 'all' : null, () => new Pass(counts, lots))
  const short = known.pass(
    'short',
    isEver ? Math.floor(shortFrom / BUCKET_SECONDS) : null,
    () => new Pass(isShort, lots, false),
  )
  const found: Levels = { whole: new Map(), short: new Map() }
  const places = placesOf(leaves, whole)
  for (const [key, { leaves: own, coarser, of }] of places)
    for (const [levels, pass] of [
      [found.whole, whole],
      [found.short, short],
    ] as const) {
      const coarserSum = () => levels.get(coarser ?? '') ?? null
      const shares = source === 'sum' ? UNBOUND : sharesAt(key)
      const sum = pass.sumOf(key, of, { isAlive, coarser: coarserSum }, (asked) =>
        levelSum(key, own, { shares, pass, isAlive, coarser: asked }),
      )
      if (sum) levels.set(key, sum)
    }
  const keys = places.map(([key]) => key)
  for (const pass of [whole, short]) pass.keepOnly(leaves, keys)
  return found
}

/** While it is down its hard failures are what is to be told, so they count. */
const outagesThatCount = (verdict: Verdict | undefined) => (verdict?.down ? [] : (verdict?.outages ?? []))

/** Which buckets were not measured during a hard failure that is over. */
function countsFor(outages: Verdict['outages'], isProbes: boolean): (bucket: number) => boolean {
  return (bucket) =>
    outages.length === 0 || !isDuring(outages, bucket * 1000, (bucket + BUCKET_SECONDS) * 1000, isProbes)
}

/** What counts of the throughput at every level: each /24 and each network up to its share, as of everything else. */
function throughputOf(
  leaves: ReadonlyMap<string, Leaf> | undefined,
  verdict: Verdict | undefined,
  known: KnownPasses,
  { lots }: SnapshotInput,
): Map<string, LevelSum> {
  const found = new Map<string, LevelSum>()
  const all = [...(leaves?.values() ?? [])]
  const outages = outagesThatCount(verdict)
  const pass = known.pass('whole', outages.length === 0 ? 'all' : null, () => new Pass(countsFor(outages, false), lots))
  const places = placesOf(all, pass)
  for (const [key, place] of places) {
    // Nobody can contradict here: a failure has no throughput.
    const alone = { isAlive: false, coarser: () => null }
    const sum = pass.sumOf(key, place.of, alone, () =>
      levelSum(key, place.leaves, { shares: sharesAt(key), pass, ...alone }),
    )
    if (sum) found.set(key, sum)
  }
  pass.keepOnly(
    all,
    places.map(([key]) => key),
  )
  return found
}

type Place = { leaves: Leaf[]; samples: number; coarser: string | null; of: Hearing }

/**
 * Who is heard at each key, coarse keys first, without fine places of so few samples that nothing would be told of
 * them: they are most of all places, and would take most of the time.
 */
function placesOf(leaves: readonly Leaf[], pass: Pass): [key: string, place: Place][] {
  const places = new Map<string, Place>()
  for (const leaf of leaves) {
    const { samples, successes } = pass.heard(leaf)
    if (samples === 0) continue
    const hasFailed = successes < samples
    for (const [index, key] of leaf.keys.entries()) {
      const known = places.get(key)
      if (known) {
        known.leaves.push(leaf)
        known.samples += samples
        known.of.leaves++
        known.of.changed = Math.max(known.of.changed, leaf.changed)
        known.of.hasFailed ||= hasFailed
      } else {
        const coarser = leaf.keys.slice(index + 1).find((other) => !other.includes('|')) ?? null
        places.set(key, { leaves: [leaf], samples, coarser, of: { leaves: 1, changed: leaf.changed, hasFailed } })
      }
    }
  }
  return [...places]
    .filter(([key, { samples }]) => samples >= FEWEST_SAMPLES || !isFine(key))
    .map((one) => ({ one, coarseness: coarseness(one[0]) }))
    .sort((a, b) => a.coarseness - b.coarseness)
    .map(({ one }) => one)
}

const COARSENESS = ['world', 'continent', 'country', 'region', 'city']
const coarseness = (key: string) => COARSENESS.indexOf(key.split(':', 1)[0] ?? '')

function measureOf(sum: LevelSum, previous: Measure | null, elapsedMs: number): Measure | null {
  return smooth(
    {
      samples: sum.samples,
      successes: sum.successes,
      medianLatencyMs: sum.spread?.median ?? null,
      newestAt: sum.newestAt,
    },
    previous,
    elapsedMs,
  )
}

const NETWORKS_TOLD = 3

/** The round trips between which the true median lies with 95 %, moved as smoothing moved the median. */
function intervalOf(spread: Spread | null, latencyMs: number | null): Pick<Measure, 'latencyInterval'> {
  if (latencyMs === null || spread === null) return {}
  return { latencyInterval: [(spread.low * latencyMs) / spread.median, (spread.high * latencyMs) / spread.median] }
}

function influenceOf(
  key: string,
  { samples, heard, networks }: LevelSum,
  source: MeasureSource,
): Pick<Measure, 'heard' | 'networks'> {
  if (source === 'sum') return {}
  return {
    ...(heard > samples ? { heard } : {}),
    ...(key.includes('|') ? {} : { networks: networks.slice(0, NETWORKS_TOLD) }),
  }
}

function shortOf(sum: LevelSum | undefined): { short?: ShortMeasure } {
  if (!sum || sum.samples === 0) return {}
  return { short: { samples: sum.samples, subnets: sum.subnets, availability: availabilityOf(sum) } }
}

/** What visitors see of a CDN since it answers again, or, where too few are heard, what the probes do. */
function isHolding(leaves: ReadonlyMap<string, Leaf> | undefined, verdict: Verdict, input: SnapshotInput): boolean {
  const since = verdict.returning?.since ?? input.now
  const isFresh = (bucket: number) =>
    bucket * 1000 >= since && !isDuring(verdict.outages, bucket * 1000, bucket * 1000 + 1, false)
  const fresh = levelSum('world', [...(leaves?.values() ?? [])], {
    pass: new Pass(isFresh, input.lots),
    shares: sharesAt('world'),
    isAlive: verdict.isAlive,
    coarser: () => null,
  })
  return fresh !== null && fresh.samples >= FEWEST_FRESH ? availabilityOf(fresh) >= USUAL_THRESHOLD : !verdict.down
}

function disagreementsOf(cdnId: string, key: string, { contradictions }: LevelSum, now: number): Disagreement[] {
  return contradictions.flatMap((one): Disagreement[] => {
    if (one.heard.samples < FEWEST_CONTRADICTING) return []
    return [
      {
        cdnId,
        place: placeOf(key, one),
        heard: one.heard.samples,
        subnets: one.subnets,
        availability: clampPercent(availabilityOf(one.heard)),
        others: clampPercent(one.others),
        since: now,
        seenAt: now,
      },
    ]
  })
}

/** Whom a contradiction speaks of: a country, or a network in the country (in the city, when only there). */
function placeOf(key: string, { kind, country, network }: Contradiction): string {
  const place = country === '' ? 'world' : `country:${country}`
  if (kind === 'country' || network === '') return place
  return `${key.startsWith('city:') || key.startsWith('region:') ? (key.split('|', 1)[0] ?? place) : place}|${network}`
}

const clampPercent = (value: number): number => Math.min(100, Math.max(0, value))

/**
 * One entry for each CDN and place, with the time it began. What is said of a country is not said of its networks as
 * well, nor what is said of a network in its country of the same in its cities.
 */
function keptDisagreements(
  found: readonly Disagreement[],
  before: readonly Disagreement[],
  now: number,
): Disagreement[] {
  const kept = new Map<string, Disagreement>()
  for (const one of before) if (now - one.seenAt < DISAGREEMENT_LASTS_MS) kept.set(`${one.cdnId} ${one.place}`, one)
  for (const one of found) {
    const name = `${one.cdnId} ${one.place}`
    const known = kept.get(name)
    if (known?.seenAt === now && known.heard >= one.heard) continue
    kept.set(name, { ...one, since: known?.since ?? now })
  }
  return [...kept.values()].filter((one) => !isCovered(one, kept)).slice(0, DISAGREEMENTS_TOLD)
}

/** Looked up and not compared with each: strangers from hundreds of networks make hundreds of them, every two seconds. */
function isCovered({ cdnId, place }: Disagreement, kept: ReadonlyMap<string, Disagreement>): boolean {
  const [, ofCountry, ofCity] = /^(?:country:([^|]+)\||(?:city|region):([^-]+)-)/.exec(place) ?? []
  const code = ofCountry ?? ofCity
  if (code === undefined) return false
  const network = place.slice(place.indexOf('|') + 1)
  const larger = [`country:${code}`, `country:${code}|${network}`]
  return larger.some((one) => one !== place && kept.has(`${cdnId} ${one}`))
}

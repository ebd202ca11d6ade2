import type {
  DecisionTrace,
  FeedDifference,
  FeedName,
  MeasureSource,
  ScoresSnapshot,
  Share,
  SteeringPolicy,
  UsedMeasure,
} from '@fairway/contract'
import { decide } from './decide.ts'
import { withOutside } from './outside-feeds.ts'
import { decidedPlaces, sameShares } from './route-map.ts'

/** CDNs that visitors measure on objects of the customer's own: their beacons are a feed apart. */
export type OwnObjects = ReadonlySet<string>

/** A place, what it is sent to, and the feeds whose figures the choice was made by; none where nothing was measured. */
export type FedDecision = { place: string; shares: Share[]; strategyId: string | null; feeds: FeedName[] }
/** A place that is sent elsewhere without a feed. */
export type FeedMove = { place: string; before: Share[]; after: Share[]; strategyId: string | null }

/** Which feed a figure of a CDN came from. */
export function feedOf(source: UsedMeasure['source'], cdnId: string, own: OwnObjects): FeedName {
  if (source === 'rum') return own.has(cdnId) ? 'private-data' : 'pulse'
  return FEED_OF[source]
}

const FEED_OF = { sum: 'probes', nel: 'network-errors', edge: 'edge-connections', feed: 'outside-feeds' } as const

/** Decides for every country, and every region and network that was measured, without a previous choice. */
export function fedDecisions(
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
  own: OwnObjects,
  now: number,
): FedDecision[] {
  return decidedPlaces(policy, scores).map(({ place, location }) => {
    const visitor = { address: '0.0.0.0', prefixLength: 0, location }
    const { shares, strategyId, trace } = decide({ policy, scores, visitor, previous: null, now })
    return { place, shares, strategyId, feeds: feedsRead(trace, own) }
  })
}

/** What a CDN's decisions leave out while these feeds are off; `isOwn`: visitors measure it on an object of one's own. */
export function ignoredSources(off: readonly FeedName[], isOwn: boolean): MeasureSource[] {
  return [
    ...(off.includes(isOwn ? 'private-data' : 'pulse') ? (['rum'] as const) : []),
    ...(off.includes('probes') ? (['sum'] as const) : []),
    ...(off.includes('network-errors') ? (['nel'] as const) : []),
    ...(off.includes('edge-connections') ? (['edge'] as const) : []),
    ...(off.includes('outside-feeds') ? (['feed'] as const) : []),
  ]
}

/** The policy with one more feed switched off, or with one that is off switched on again. */
export function policyWithFeed(
  policy: SteeringPolicy,
  feed: FeedName,
  wanted: 'on' | 'off',
  own: OwnObjects,
): SteeringPolicy {
  const cdns = policy.cdns.map(({ ignores = [], ...cdn }) => {
    const touched = ignoredSources([feed], own.has(cdn.cdnId))
    const others = ignores.filter((source) => !touched.includes(source))
    const left = wanted === 'off' ? [...others, ...touched] : others
    return left.length > 0 ? { ...cdn, ignores: left } : cdn
  })
  return { ...policy, cdns }
}

/** Who would move if a feed were switched off now, or one that is off on again. */
export function movesOfSwitch(
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
  { feed, wanted }: { feed: FeedName; wanted: 'on' | 'off' },
  own: OwnObjects,
  now: number,
): FeedMove[] {
  if (scores === null) return []
  return movesBetween(
    fedDecisions(policy, scores, own, now),
    fedDecisions(policyWithFeed(policy, feed, wanted, own), scores, own, now),
  )
}

/** Who would move if one outside feed were switched off now, or on. */
export function movesOfOutside(
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
  { outside, wanted }: { outside: string; wanted: 'on' | 'off' },
  own: OwnObjects,
  now: number,
): FeedMove[] {
  if (scores === null) return []
  return movesBetween(
    fedDecisions(policy, scores, own, now),
    fedDecisions(policy, withOutside(scores, outside, wanted), own, now),
  )
}

function movesBetween(before: readonly FedDecision[], then: readonly FedDecision[]): FeedMove[] {
  const after = new Map(then.map((row) => [row.place, row.shares]))
  return before.flatMap(({ place, shares, strategyId }) => {
    const changed = after.get(place)
    return changed === undefined || sameShares(shares, changed)
      ? []
      : [{ place, before: shares, after: changed, strategyId }]
  })
}

/** Of the step that decided, the feeds of all figures that were compared, not of the winner's alone. */
function feedsRead({ steps }: Pick<DecisionTrace, 'steps'>, own: OwnObjects): FeedName[] {
  const step = steps.find(({ candidates }) => candidates.some(({ chosen }) => chosen))
  const read = new Set<FeedName>()
  for (const { cdnId, availability, latency, hardDown } of step?.candidates ?? []) {
    if (hardDown) read.add('probes')
    for (const used of [availability, latency]) {
      if (used) read.add(feedOf(used.source, cdnId, own))
      if (used?.feed) read.add('outside-feeds')
    }
  }
  return [...read]
}

/** What a feed says of a CDN. */
export type FeedCdnFigures = {
  feed: FeedName
  cdnId: string
  samples: number
  availability: number | null
  latencyMs: number | null
  newestAt: number
  senders: number
}

const FEWEST_COMPARED = 20
const POINTS_APART = 5

/** CDNs of which two feeds, each with enough samples, tell availabilities that are more than five points apart. */
export function feedDifferences(said: readonly FeedCdnFigures[]): FeedDifference[] {
  const heard = said.filter(({ samples }) => samples >= FEWEST_COMPARED)
  return heard.flatMap((one, index) =>
    heard.slice(index + 1).flatMap((other): FeedDifference[] => {
      if (one.cdnId !== other.cdnId || one.availability === null || other.availability === null) return []
      const points = other.availability - one.availability
      return Math.abs(points) > POINTS_APART ? [{ cdnId: one.cdnId, between: [one.feed, other.feed], points }] : []
    }),
  )
}

/** Of all answers, the percentage that goes to countries among `places`; null without answers. */
export function answersPercent(places: readonly string[], byCountry: ReadonlyMap<string, number>): number | null {
  const all = [...byCountry.values()].reduce((sum, answers) => sum + answers, 0)
  const ofPlaces = [...new Set(places)].reduce(
    (sum, place) => sum + (byCountry.get(place.replace(/^country:/, '')) ?? 0),
    0,
  )
  return all > 0 ? (100 * ofPlaces) / all : null
}

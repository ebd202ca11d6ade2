import type {
  DecisionTrace,
  FeedDifference,
  FeedName,
  ScoresSnapshot,
  Share,
  SteeringPolicy,
  UsedMeasure,
} from '@fairway/contract'
import { decide } from './decide.ts'
import { decidedPlaces, sameShares } from './route-map.ts'

/** CDNs that visitors measure on objects of the customer's own: their beacons are a feed apart. */
export type OwnObjects = ReadonlySet<string>

/** A place, what it is sent to, and the feeds whose figures the choice was made by; none where nothing was measured. */
export type FedDecision = { place: string; shares: Share[]; strategyId: string | null; feeds: FeedName[] }
/** A place that is sent elsewhere without a feed. */
export type FeedMove = { place: string; before: Share[]; after: Share[]; strategyId: string | null }

/** Which feed a figure of a CDN came from. */
export const feedOf = (source: UsedMeasure['source'], cdnId: string, own: OwnObjects): FeedName =>
  source === 'sum' ? 'probes' : own.has(cdnId) ? 'private-data' : 'pulse'

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

/** The measurements as they would be without one feed. Without probes nobody sees a hard failure either. */
export function scoresWithout(scores: ScoresSnapshot, feed: FeedName, own: OwnObjects): ScoresSnapshot {
  const cdns = Object.fromEntries(
    Object.entries(scores.cdns).map(([cdnId, { returning, ...cdn }]) => {
      const places = Object.entries(cdn.places).flatMap(([key, { rum, sum }]) => {
        const left = {
          ...(rum && feedOf('rum', cdnId, own) !== feed ? { rum } : {}),
          ...(sum && feed !== 'probes' ? { sum } : {}),
        }
        return left.rum || left.sum ? [[key, left] as const] : []
      })
      const seen = feed === 'probes' ? { hardDown: false, hardDownSince: null } : returning ? { returning } : {}
      return [cdnId, { ...cdn, ...seen, places: Object.fromEntries(places) }]
    }),
  )
  return { ...scores, cdns }
}

/** Who would move if a feed were switched off now. */
export function movesWithout(
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
  feed: FeedName,
  own: OwnObjects,
  now: number,
): FeedMove[] {
  if (scores === null) return []
  const without = new Map(
    fedDecisions(policy, scoresWithout(scores, feed, own), own, now).map((row) => [row.place, row.shares]),
  )
  return fedDecisions(policy, scores, own, now).flatMap(({ place, shares, strategyId }) => {
    // A place that only this feed has measured is decided as its country is, which has a row of its own.
    const after = without.get(place)
    return after === undefined || sameShares(shares, after) ? [] : [{ place, before: shares, after, strategyId }]
  })
}

/** Of the step that decided, the feeds of all figures that were compared, not of the winner's alone. */
function feedsRead({ steps }: Pick<DecisionTrace, 'steps'>, own: OwnObjects): FeedName[] {
  const step = steps.find(({ candidates }) => candidates.some(({ chosen }) => chosen))
  const read = new Set<FeedName>()
  for (const { cdnId, availability, latency, hardDown } of step?.candidates ?? []) {
    if (hardDown) read.add('probes')
    for (const used of [availability, latency]) if (used) read.add(feedOf(used.source, cdnId, own))
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

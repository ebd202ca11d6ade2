import type { Location, RouteCause, ScoresSnapshot, Share, SteeringPolicy } from '@fairway/contract'
import { COUNTRY_CODES, continentOf } from './continents.ts'
import { decide } from './decide.ts'
import { parseScoreKey } from './parse-place.ts'
import { cdnScores } from './pick-measure.ts'

/** Where a place is sent; `causeOf` says what became of the CDN that it had before. */
export type RouteDecision = {
  place: string
  shares: Share[]
  strategyId: string | null
  causeOf: (before: readonly Share[]) => RouteCause & { kind: 'measurement' }
}

const MOST_PLACES = 5000

/**
 * Decides for every country and for every region and network that a CDN of the policy is measured at. `previous` is the
 * CDN that each place had, by its score key.
 */
export function routeMap(
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
  previous: ReadonlyMap<string, string>,
  now: number,
): RouteDecision[] {
  return decidedPlaces(policy, scores).map(({ place, location }) => {
    const visitor = { address: '0.0.0.0', prefixLength: 0, location }
    const { shares, strategyId, trace } = decide({
      policy,
      scores,
      visitor,
      previous: previous.get(place) ?? null,
      now,
    })
    return {
      place,
      shares,
      strategyId,
      causeOf: (before) => {
        const cdnId = before[0]?.cdnId ?? ''
        const candidate = trace.steps.flatMap((step) => step.candidates).find((one) => one.cdnId === cdnId)
        return {
          kind: 'measurement',
          cdnId,
          reason: candidate?.reason ?? null,
          availability: candidate?.availability?.value ?? null,
          latencyMs: candidate?.latency?.value ?? null,
        }
      },
    }
  })
}

/** Whether two answers are the same, but for a rounding of shares. */
export const sameShares = (a: readonly Share[], b: readonly Share[]): boolean =>
  a.length === b.length &&
  a.every(({ cdnId, percent }) => {
    const other = b.find((share) => share.cdnId === cdnId)
    return other !== undefined && Math.abs(other.percent - percent) <= 0.5
  })

/** Every country, and every region and network that a CDN of the policy is measured at or a strategy names. */
export function decidedPlaces(
  policy: SteeringPolicy,
  scores: ScoresSnapshot | null,
): { place: string; location: Location }[] {
  const keys = new Set(COUNTRY_CODES.map((country) => `country:${country}`))
  if (scores !== null)
    for (const { cdnId } of policy.cdns)
      for (const key of Object.keys(cdnScores(scores, cdnId)?.places ?? {})) keys.add(key)
  const named = policy.strategies.filter(({ enabled }) => enabled).flatMap(({ filter }) => filter.places)
  for (const place of named) keys.add(place)
  return [...keys]
    .flatMap((place) => {
      const location = locationOf(place)
      return location === null ? [] : [{ place, location }]
    })
    .slice(0, MOST_PLACES)
}

/** Somebody at a score key; null above countries and at networks of regions and cities, of which there are too many. */
function locationOf(key: string): Location | null {
  const parsed = parseScoreKey(key)
  if (parsed === null) return null
  const { place, network } = parsed
  if (place.kind === 'world' || place.kind === 'continent' || (network !== null && place.kind !== 'country'))
    return null
  const asn = network?.startsWith('AS') ? Number(network.slice(2)) : null
  return {
    continent: continentOf(place.country),
    country: place.country,
    region: place.kind === 'country' ? null : place.region,
    city: place.kind === 'city' ? place.city : null,
    network,
    asn,
  }
}

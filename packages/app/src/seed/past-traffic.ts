import type { PathHistory, TrafficHistory } from '@fairway/analytics'

/**
 * What the simulator's visitors fetch: how often, how large as measured at the edge, and how much of it a cache
 * answered.
 */
const PATHS: readonly { path: string; share: number; bytes: number; hit: number }[] = [
  { path: '/', share: 0.18, bytes: 2490, hit: 0.96 },
  { path: '/world/', share: 0.09, bytes: 1440, hit: 0.92 },
  { path: '/science/', share: 0.09, bytes: 1420, hit: 0.91 },
  { path: '/culture/', share: 0.09, bytes: 1410, hit: 0.92 },
  { path: '/stories/night-train/', share: 0.09, bytes: 1280, hit: 0.93 },
  { path: '/stories/deep-ice/', share: 0.09, bytes: 1330, hit: 0.92 },
  { path: '/style.css', share: 0.1, bytes: 930, hit: 0.93 },
  { path: '/img/1.svg', share: 0.09, bytes: 3760, hit: 0.93 },
  { path: '/img/3.svg', share: 0.09, bytes: 3760, hit: 0.93 },
  { path: '/v1/headlines', share: 0.09, bytes: 860, hit: 0.93 },
]
const TYPICAL_BYTES = Math.round(PATHS.reduce((sum, { share, bytes }) => sum + share * bytes, 0))
const HIT_SHARE = PATHS.reduce((sum, { share, hit }) => sum + share * hit, 0)
/** Of these, the origin was asked whether it still holds. */
const CONFIRMED_SHARE = 0.06
/**
 * Misses and confirmations are written for one country in so many at each moment, that much stronger: far fewer rows,
 * the same sums.
 */
const MISSES_EVERY = 5

type Place = Pick<TrafficHistory, 'at' | 'organizationId' | 'siteId' | 'domainId' | 'cdnId'> & { country: string }

/** The edge's log knows the edge itself under no CDN's name. */
const loggedAs = (cdnId: string): string => (cdnId === 'edge' ? '' : cdnId)

export function trafficRows(place: Place, pages: number, noise: number): TrafficHistory[] {
  const row = (cache: TrafficHistory['cache'], requests: number): TrafficHistory => ({
    ...place,
    cdnId: loggedAs(place.cdnId),
    status: 200,
    cache,
    requests,
    bytes: Math.round(requests * TYPICAL_BYTES * noise),
  })
  const turn =
    (place.country.charCodeAt(0) * 5 + place.country.charCodeAt(1) + Math.floor(place.at / 60_000)) % MISSES_EVERY
  const missed = turn === 0 ? pages * (1 - HIT_SHARE) * MISSES_EVERY : 0
  const confirmed = turn === 0 ? pages * HIT_SHARE * CONFIRMED_SHARE * MISSES_EVERY : 0
  return [
    row('HIT', Math.round(pages * HIT_SHARE * (1 - CONFIRMED_SHARE))),
    row('REVALIDATED', Math.round(confirmed)),
    row('MISS', Math.round(missed)),
  ].filter(({ requests }) => requests > 0)
}

export function pathsRow(
  { organizationId, siteId }: { organizationId: string; siteId: string },
  at: number,
  domainId: string,
  pages: number,
): PathHistory {
  const paths = PATHS.map(({ path, share, bytes, hit }) => {
    const requests = Math.round(pages * share)
    return { path, requests, bytes: requests * bytes, hits: Math.round(requests * hit) }
  })
  return { at, organizationId, siteId, domainId, paths: paths.filter(({ requests }) => requests > 0) }
}

import type { PathHistory, TrafficHistory } from '@fairway/analytics'

/** What the simulator's visitors fetch: how often, how large, and how much of it a cache answered. */
const PATHS: readonly { path: string; share: number; bytes: number; hit: number }[] = [
  { path: '/', share: 0.18, bytes: 7400, hit: 0.93 }, { path: '/world/', share: 0.09, bytes: 4300, hit: 0.88 }, { path: '/science/', share: 0.09, bytes: 4200, hit: 0.88 }, { path: '/culture/', share: 0.09, bytes: 4100, hit: 0.88 },
  { path: '/stories/night-train/', share: 0.09, bytes: 5200, hit: 0.86 }, { path: '/stories/deep-ice/', share: 0.09, bytes: 5000, hit: 0.86 }, { path: '/style.css', share: 0.1, bytes: 6900, hit: 0.97 },
  { path: '/img/1.svg', share: 0.09, bytes: 2600, hit: 0.96 }, { path: '/img/3.svg', share: 0.09, bytes: 2700, hit: 0.96 }, { path: '/v1/headlines', share: 0.09, bytes: 1800, hit: 0.7 },
]
const TYPICAL_BYTES = Math.round(PATHS.reduce((sum, { share, bytes }) => sum + share * bytes, 0))
const HIT_SHARE = PATHS.reduce((sum, { share, hit }) => sum + share * hit, 0)
/** Of what no cache answered, this had been there before. */
const EXPIRED_SHARE = 0.8
/** Misses are written for one country in so many at each moment, that much stronger: far fewer rows, the same sums. */
const MISSES_EVERY = 5

type Place = Pick<TrafficHistory, 'at' | 'organizationId' | 'siteId' | 'domainId' | 'cdnId'> & { country: string }

export function trafficRows(place: Place, pages: number, noise: number): TrafficHistory[] {
  const row = (cache: TrafficHistory['cache'], requests: number): TrafficHistory => ({ ...place, status: 200, cache, requests, bytes: Math.round(requests * TYPICAL_BYTES * noise) })
  const turn = (place.country.charCodeAt(0) * 5 + place.country.charCodeAt(1) + Math.floor(place.at / 60_000)) % MISSES_EVERY
  const missed = turn === 0 ? pages * (1 - HIT_SHARE) * MISSES_EVERY : 0
  return [row('HIT', Math.round(pages * HIT_SHARE)), row('EXPIRED', Math.round(missed * EXPIRED_SHARE)), row('MISS', Math.round(missed * (1 - EXPIRED_SHARE)))].filter(({ requests }) => requests > 0)
}

export function pathsRow({ organizationId, siteId }: { organizationId: string; siteId: string }, at: number, domainId: string, pages: number): PathHistory {
  const paths = PATHS.map(({ path, share, bytes, hit }) => {
    const requests = Math.round(pages * share)
    return { path, requests, bytes: requests * bytes, hits: Math.round(requests * hit) }
  })
  return { at, organizationId, siteId, domainId, paths: paths.filter(({ requests }) => requests > 0) }
}

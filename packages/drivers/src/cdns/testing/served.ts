/** What a stand-in has served to visitors, as it came. */
export type Served = {
  at: number
  requests: number
  bytes: number
  cache: 'hit' | 'miss' | 'pass'
  status: number
  country: string
}

/**
 * 100 requests of 5,000 bytes together in one bucket, of which 80 came from the cache, 5 were not found and 2 failed.
 */
export const servedOnce = (at = Date.UTC(2026, 0, 1, 10)): Served[] => [
  { at, requests: 80, bytes: 4_000, cache: 'hit', status: 200, country: 'JP' },
  { at, requests: 13, bytes: 900, cache: 'miss', status: 200, country: 'DE' },
  { at, requests: 5, bytes: 60, cache: 'miss', status: 404, country: 'DE' },
  { at, requests: 2, bytes: 40, cache: 'pass', status: 502, country: 'XX' },
]

/** Requests and bytes of what was served between two moments, epoch ms, by what tells them apart. */
export function servedBy(
  served: Served[],
  from: number,
  until: number,
  by: (one: Served) => string,
): { of: Served; requests: number; bytes: number }[] {
  const groups = Map.groupBy(
    served.filter(({ at }) => at >= from && at < until),
    by,
  )
  return [...groups.values()].flatMap((all) =>
    all[0] ? [{ of: all[0], requests: total(all, 'requests'), bytes: total(all, 'bytes') }] : [],
  )
}

const total = (all: Served[], what: 'requests' | 'bytes'): number => all.reduce((sum, one) => sum + one[what], 0)

import type { Told, TrafficBucket } from '../driver.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/**
 * A dimension of which only some values are counted: what is missing to all requests is the value `rest`. Nothing is
 * told when one of the counts is not.
 */
export function toldOf(requests: number, counts: Record<string, number | null | undefined>, rest: string): Told {
  const told: Told = {}
  let left = requests
  for (const [value, count] of Object.entries(counts)) {
    if (typeof count !== 'number') return {}
    // Counts that come from rates and estimates may exceed the whole.
    const some = Math.min(left, Math.max(0, Math.round(count)))
    if (some > 0) told[value] = { requests: some, bytes: null }
    left -= some
  }
  if (left > 0) told[rest] = { requests: left, bytes: null }
  return told
}

/** One count of requests and bytes, for a moment and a value of a dimension. */
export type Counted = { at: number; value: string; requests: number; bytes: number }

/** Buckets of three lists that count the same requests by one dimension each; a value that is empty is not told. */
export function bucketsOf({
  status,
  cache,
  country,
}: Record<'status' | 'cache' | 'country', Counted[]>): TrafficBucket[] {
  const [byStatus, byCache, byCountry] = [status, cache, country].map((rows) => Map.groupBy(rows, ({ at }) => at))
  return [...(byStatus ?? [])]
    .toSorted(([a], [b]) => a - b)
    .map(([at, rows]) => ({
      at,
      requests: sum(rows, 'requests'),
      bytes: sum(rows, 'bytes'),
      status: told(rows),
      cache: told(byCache?.get(at) ?? []),
      country: told(byCountry?.get(at) ?? []),
    }))
}

const sum = (rows: Counted[], of: 'requests' | 'bytes'): number => rows.reduce((total, row) => total + row[of], 0)

function told(rows: Counted[]): Told {
  const groups = Map.groupBy(
    rows.filter(({ value }) => value !== ''),
    ({ value }) => value,
  )
  return Object.fromEntries(
    [...groups].map(([value, of]) => [value, { requests: sum(of, 'requests'), bytes: sum(of, 'bytes') }]),
  )
}

import type { TrafficBucket } from '../driver.ts'

export type TrafficRow = { at: number; requests: number; bytes: number; cached: boolean; status: number }

/** Rows by moment, cache and status as one bucket a moment, in order. */
export function bucketsOf(rows: TrafficRow[]): TrafficBucket[] {
  return [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => a - b).map(([at, of]) => {
    const count = (fits: (row: TrafficRow) => boolean) => of.filter(fits).reduce((sum, { requests }) => sum + requests, 0)
    return { at, requests: count(() => true), bytes: of.reduce((sum, { bytes }) => sum + bytes, 0), cachedRequests: count(({ cached }) => cached), status4xx: count(({ status }) => status >= 400 && status < 500), status5xx: count(({ status }) => status >= 500) }
  })
}

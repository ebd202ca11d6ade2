import type { DnsRequestReport } from '@fairway/contract'

type Point = DnsRequestReport['series'][number]['points'][number]

/** Points of intervals that are over at `now` (epoch ms): a count of half an interval looks like a fall. */
export function wholePoints(points: readonly Point[], intervalSeconds: number, now: number): Point[] {
  return points.filter(({ at }) => at + intervalSeconds * 1000 <= now)
}

import type { TimeSpan } from '../../ui/charts/time-series-model.ts'

/** A live page asks this often; the figures are gathered in intervals of ten seconds at best. */
export const LIVE_MS = 5000

export type TabProps = {
  place: { site: string; domain?: string; seconds: number; until?: number; country?: string }
  isLive: boolean
  country: string | undefined
  /** Lines beside each other in the place of one for each CDN. */
  compare: readonly string[]
  onCountry: (country: string) => void
  onZoom: (span: TimeSpan) => void
}

/** The window of the same length that ends where the shown one begins, epoch seconds. */
export function windowBefore(
  seconds: number,
  series: readonly { points: readonly { at: number }[] }[] | undefined,
): { seconds: number; until?: number } {
  const from = series?.[0]?.points[0]?.at
  return from === undefined ? { seconds } : { seconds, until: Math.floor(from / 1000) }
}

/**
 * Round trips counted by the logarithm of their milliseconds, base 1.05: bin n holds [1.05^n, 1.05^(n+1)). Such
 * histograms add up, so quantiles of any range come from rollup rows,
 * and a quantile is wrong by half a bin at most (2.5 %).
 */
export const HISTOGRAM_BASE = 1.05
export type LogHistogram = Record<string, number>

export const binOf = (rttMs: number): number => Math.floor(Math.log(rttMs) / Math.log(HISTOGRAM_BASE))

/** Below this a round trip was not timed: nothing is that fast, and the logarithm of 0 would end the whole question. */
const LEAST_TIMED_MS = 0.001
const LEAST_BIN = binOf(LEAST_TIMED_MS)

/** The same in the store's language. */
export const binSql = (column: string): string =>
  `toInt16(floor(log(greatest(${column}, ${LEAST_TIMED_MS})) / log(${HISTOGRAM_BASE})))`

/** A success whose round trip is known: only these say anything of latency. */
export const isTimedSql = (ok: string, rtt: string): string => `${ok} = 1 AND ${rtt} >= ${LEAST_TIMED_MS}`

export function histogramOf(rttMs: Iterable<number>): LogHistogram {
  const counts: LogHistogram = {}
  for (const one of rttMs) {
    const bin = binOf(one)
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return counts
}

/** @returns milliseconds below which the share `q` (0–1) lies, spread evenly within its bin; null without counts, never 0 */
export function quantileOf(histogram: LogHistogram, q: number): number | null {
  const bins = Object.entries(histogram)
    .map(([bin, count]) => [Number(bin), count] as const)
    .filter(([bin, count]) => count > 0 && bin > LEAST_BIN)
    .sort((a, b) => a[0] - b[0])
  const total = bins.reduce((sum, [, count]) => sum + count, 0)
  let below = 0
  for (const [bin, count] of bins) {
    if (below + count >= q * total) return HISTOGRAM_BASE ** (bin + (q * total - below) / count)
    below += count
  }
  return null
}

/**
 * Two stages of the same in the store's language, where thousands of histograms would cross for one figure of each: the
 * columns that a subquery adds for the map `histogram`, and what is told of these.
 */
export const BINS_SQL = `arraySort(arrayFilter(one -> one.2 > 0 AND one.1 > ${LEAST_BIN}, arrayZip(mapKeys(histogram), mapValues(histogram)))) AS bins,
  arrayMap(one -> toFloat64(one.2), bins) AS counts, arrayCumSum(counts) AS upto`
export const quantileSql = (q: number): string => {
  const wanted = `${q} * upto[-1]`
  const at = `arrayFirstIndex(one -> one >= ${wanted}, upto)`
  return `if(empty(bins), NULL, pow(${HISTOGRAM_BASE}, bins[${at}].1 + (${wanted} - (upto[${at}] - counts[${at}])) / counts[${at}]))`
}

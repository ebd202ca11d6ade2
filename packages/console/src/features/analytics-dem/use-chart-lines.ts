import { useMemo } from 'react'
import { type ChartLine, type ChartPoint, type TimeSpan, spanOf } from '../../ui/charts/time-series-model.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

type Series = readonly { cdnId: string; points: readonly ChartPoint[] }[]
type Input = { intervalSeconds: number; series: Series } | undefined

/** A report's series as the chart's lines, in the order and colours of the CDNs, with the span they cover. */
export function useChartLines(
  input: Input,
  { totalOf }: { totalOf?: (cdnId: string) => string } = {},
): { lines: ChartLine[]; span: TimeSpan; intervalMs: number } {
  const { lookOf } = useCdnLooks()
  const series = input?.series
  const intervalMs = (input?.intervalSeconds ?? 60) * 1000
  return useMemo(() => {
    const lines = (series ?? [])
      .map(({ cdnId, points }) => ({
        key: cdnId,
        ...lookOf(cdnId),
        points,
        ...(totalOf ? { total: totalOf(cdnId) } : {}),
      }))
      .sort((a, b) => a.series - b.series)
    return { lines, span: spanOf(lines, intervalMs), intervalMs }
  }, [series, intervalMs, lookOf, totalOf])
}

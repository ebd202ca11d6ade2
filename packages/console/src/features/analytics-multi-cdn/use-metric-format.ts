import { useMemo } from 'react'
import { useFormat } from '../../i18n/format.ts'
import type { Metric } from './metrics.ts'

/** How a metric's values are written: in full, and short for axes and key figures. */
export function useMetricFormat(): {
  formatOf: (metric: Metric, value: number) => string
  exactOf: (metric: Metric, value: number) => string
} {
  const format = useFormat()
  return useMemo(() => {
    const percent = (value: number) => format.percent(Math.round(value * 100) / 100)
    return {
      formatOf: (metric, value) =>
        metric === 'requests' ? format.compact(value) : metric === 'traffic' ? format.bytes(value) : percent(value),
      exactOf: (metric, value) =>
        metric === 'requests' ? format.number(value) : metric === 'traffic' ? format.bytes(value) : percent(value),
    }
  }, [format])
}

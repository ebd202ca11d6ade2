import { type DemReport, analyticsDem } from '@fairway/contract'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { ReportView } from './report-view.tsx'
import { measuredCountries, measuredFigures } from './report-model.ts'
import { LIVE_MS, type TabProps, windowBefore } from './tab-props.ts'
import { useCompared } from './use-compared.ts'
import { useChartLines } from './use-chart-lines.ts'
import { useMarks } from './use-marks.ts'

/** Latency or availability, as visitors or probes measured it. */
export function MeasuredTab({
  of,
  source,
  place,
  isLive,
  compare,
  ...rest
}: TabProps & { of: 'latency' | 'availability'; source: 'rum' | 'sum' }) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const query = useRead(analyticsDem.routes.performance, { ...place, source }, isLive ? { everyMs: LIVE_MS } : {})
  const report = query.data
  const before = useRead(
    analyticsDem.routes.performance,
    { ...place, source, ...windowBefore(place.seconds, report?.latency) },
    { enabled: report !== undefined },
  ).data
  const figures = useMemo(() => report && measuredFigures(report, before, of), [report, before, of])
  const countries = useMemo(() => report && measuredCountries(report, of), [report, of])
  const milliseconds = useCallback(
    (value: number) => format.milliseconds(value < 10 ? Math.round(value * 10) / 10 : Math.round(value)),
    [format],
  )
  const formatValue = of === 'latency' ? milliseconds : format.percent
  const totalOf = useCallback(
    (cdnId: string) => {
      const value = figures?.find((figure) => figure.cdnId === cdnId)?.value ?? null
      return value === null ? '—' : formatValue(value)
    },
    [figures, formatValue],
  )
  const { lines, span, intervalMs } = useChartLines(
    report && { intervalSeconds: report.intervalSeconds, series: report[of] },
    { totalOf },
  )
  const said = useCallback(
    (one: DemReport) => ({ figures: measuredFigures(one, undefined, of), series: one[of] }),
    [of],
  )
  const compared = useCompared({
    route: analyticsDem.routes.performance,
    input: { ...place, source },
    compare,
    isLive,
    said,
    totalOf: formatValue,
  })
  const marks = useMarks(report?.marks)
  return (
    <ReportView
      {...rest}
      query={query}
      figures={figures}
      compared={compared}
      countries={countries}
      marks={marks}
      chart={{
        name: t(`${of}.chart`),
        lines,
        span,
        intervalMs,
        scale: of === 'latency' ? 'zero' : 'close',
        look: 'lines',
      }}
      words={{
        map: t(`${of}.map`),
        table: t(`${of}.table`),
        csvName: of === 'latency' ? 'medianLatencyMs' : 'availabilityPercent',
      }}
      formatValue={formatValue}
      deltaUnit={of === 'latency' ? 'percent' : 'points'}
      isUpGood={of === 'availability'}
    />
  )
}

import { type DecisionsReport, analyticsDem } from '@fairway/contract'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { answerCountries, shareFigures, wholeIntervals } from './report-model.ts'
import { ReportView } from './report-view.tsx'
import { LIVE_MS, type TabProps, windowBefore } from './tab-props.ts'
import { useCompared } from './use-compared.ts'
import { useChartLines } from './use-chart-lines.ts'
import { useMarks } from './use-marks.ts'

/** Lines of the whole intervals only, shares of all answers. */
const saidOf = (report: DecisionsReport) => {
  const whole = wholeIntervals(report, Date.now())
  return { figures: shareFigures(whole, undefined), series: whole.answers }
}

/** Whom DNS sent where. */
export function DecisionsTab({ place, isLive, compare, ...rest }: TabProps) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const query = useRead(analyticsDem.routes.decisions, place, isLive ? { everyMs: LIVE_MS } : {})
  const report = useMemo(() => query.data && wholeIntervals(query.data, Date.now()), [query.data])
  const before = useRead(
    analyticsDem.routes.decisions,
    { ...place, ...windowBefore(place.seconds, report?.answers) },
    { enabled: report !== undefined },
  ).data
  const figures = useMemo(() => report && shareFigures(report, before), [report, before])
  const countries = useMemo(() => report && answerCountries(report), [report])
  const totalOf = useCallback(
    (cdnId: string) => {
      const value = figures?.find((figure) => figure.cdnId === cdnId)?.value ?? null
      return value === null ? '—' : format.percent(Math.round(value * 10) / 10)
    },
    [figures, format],
  )
  const { lines, span, intervalMs } = useChartLines(
    report && { intervalSeconds: report.intervalSeconds, series: report.answers },
    { totalOf },
  )
  const share = useCallback((value: number) => format.percent(Math.round(value * 10) / 10), [format])
  const compared = useCompared({
    route: analyticsDem.routes.decisions,
    input: place,
    compare,
    isLive,
    said: saidOf,
    totalOf: share,
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
      chart={{ name: t('decisions.chart'), lines, span, intervalMs, scale: 'zero', look: 'areas' }}
      words={{ map: t('decisions.map'), table: t('decisions.table'), csvName: 'answers' }}
      formatValue={format.number}
      formatAxis={format.compact}
      formatFigure={share}
      deltaUnit="points"
      isUpGood={null}
      countsAreAnswers
    />
  )
}

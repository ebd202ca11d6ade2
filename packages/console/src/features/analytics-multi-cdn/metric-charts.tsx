import type { TrafficReport } from '@fairway/contract'
import { Button, Checkbox, Switch } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { NO_CDN } from '../../ui/charts/series.ts'
import { type ChartLine, type TimeSpan, spanOf } from '../../ui/charts/time-series-model.ts'
import { chartCsv, downloadText } from '../analytics-dem/csv.ts'
import { useMarks } from '../analytics-dem/use-marks.ts'
import { METRICS, MOST_METRICS, type Metric, pointsOf, shiftedPoints, toggled } from './metrics.ts'
import classes from './screen.module.css'
import { useMetricFormat } from './use-metric-format.ts'

const BEFORE_SERIES = 6

type Props = {
  report: TrafficReport
  /** Name of the file, without its ending. */
  fileName: string
  chosen: readonly Metric[]
  compare: boolean
  onChosen: (metrics: Metric[]) => void
  onCompare: (on: boolean) => void
  onZoom: (span: TimeSpan) => void
  onPoint: (at: number) => void
}

/**
 * Up to four metrics over time, one small chart each, with the window before behind them when asked for. A point leads
 * to its requests.
 */
export function MetricCharts({ report, fileName, chosen, compare, onChosen, onCompare, onZoom, onPoint }: Props) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const { exactOf, formatOf } = useMetricFormat()
  const marks = useMarks(report.marks)
  const intervalMs = report.intervalSeconds * 1000
  const charts = useMemo(
    () =>
      chosen.map((metric) => {
        const now: ChartLine = {
          key: metric,
          name: t(`metric.${metric}`),
          series: NO_CDN,
          points: pointsOf(metric, report.points),
        }
        const before: ChartLine = {
          key: 'before',
          name: t('before'),
          series: BEFORE_SERIES,
          points: shiftedPoints(metric, report),
        }
        return { metric, lines: compare ? [now, before] : [now] }
      }),
    [chosen, compare, report, t],
  )
  const save = () =>
    downloadText(
      `${fileName}.csv`,
      chartCsv(
        charts.flatMap(({ metric, lines }) =>
          lines.map((line) => ({ ...line, name: line.key === 'before' ? `${metric} before` : metric })),
        ),
        'value',
        'metric',
      ),
      'text/csv',
    )
  return (
    <Card
      title={t('over')}
      hint={t('interval', { length: format.seconds(report.intervalSeconds) })}
      end={
        <span className={classes.tools}>
          <Switch
            size="xs"
            label={t('compare')}
            checked={compare}
            onChange={(event) => onCompare(event.currentTarget.checked)}
          />
          <Button variant="default" size="xs" leftSection={<IconDownload size={14} stroke={1.65} />} onClick={save}>
            {t('export')}
          </Button>
        </span>
      }
    >
      <fieldset className={classes.metrics}>
        <legend className="sr-only">{t('metrics', { count: MOST_METRICS })}</legend>
        {METRICS.map((metric) => (
          <Checkbox
            key={metric}
            size="xs"
            label={t(`metric.${metric}`)}
            checked={chosen.includes(metric)}
            disabled={!chosen.includes(metric) && chosen.length >= MOST_METRICS}
            onChange={() => onChosen(toggled(chosen, metric))}
          />
        ))}
        <span className={classes.most}>{t('most', { count: MOST_METRICS })}</span>
      </fieldset>
      <div className={classes.charts} data-count={charts.length}>
        {charts.map(({ metric, lines }) => (
          <figure key={metric} className={classes.chart}>
            <figcaption className={classes.caption}>{t(`metric.${metric}`)}</figcaption>
            <TimeSeries
              name={t(`metric.${metric}`)}
              lines={lines}
              span={spanOf(lines, intervalMs)}
              intervalMs={intervalMs}
              marks={marks}
              scale={metric === 'hitRatio' || metric === 'byteHitRatio' ? 'percent' : 'zero'}
              formatValue={(value) => exactOf(metric, value)}
              formatAxis={(value) => formatOf(metric, value)}
              height={charts.length > 1 ? 168 : 240}
              onZoom={onZoom}
              onPoint={onPoint}
            />
          </figure>
        ))}
      </div>
      <p className={classes.hint}>{t('pointHint')}</p>
    </Card>
  )
}

import { Button, Skeleton } from '@mantine/core'
import { IconChartAreaLine, IconTable } from '@tabler/icons-react'
import { Suspense, lazy, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { seriesStyle } from './series.ts'
import classes from './time-series.module.css'
import {
  type ChartLine,
  type Mark,
  type TimeSpan,
  gatherChanges,
  nearestMoment,
  summaryOf,
} from './time-series-model.ts'
import type { Look } from './time-series-option.ts'
import { TimeSeriesTable } from './time-series-table.tsx'
import { timeLabels } from './time-labels.ts'

const Canvas = lazy(() =>
  import('./time-series-canvas.tsx').then(({ TimeSeriesCanvas }) => ({ default: TimeSeriesCanvas })),
)

/** Where nothing can be painted, the figures come as a table from the start. */
const canPaint = (): boolean => document.createElement('canvas').getContext('2d') !== null

const NO_MARKS: readonly Mark[] = []

type Props = {
  /** What is drawn, for example "Median latency by CDN". */
  name: string
  lines: readonly ChartLine[]
  span: TimeSpan
  /** How long one point stands for, ms. */
  intervalMs: number
  marks?: readonly Mark[]
  look?: Look
  /** `zero` starts at zero, `percent` is 0–100, `close` starts near the smallest value. */
  scale?: 'zero' | 'percent' | 'close'
  formatValue: (value: number) => string
  /** Axis labels, when they should be shorter than values. */
  formatAxis?: (value: number) => string
  height?: number
  onZoom?: (span: TimeSpan) => void
  /** A point was chosen: the start of its interval. */
  onPoint?: (at: number) => void
  /** Older data, shown dimmed while newer loads. */
  dimmed?: boolean
}

/** Lines or stacked areas over time with bands of failovers and marks of changes; the same as a table on request. */
export function TimeSeries({
  name,
  lines,
  span,
  intervalMs,
  marks = NO_MARKS,
  look = 'lines',
  scale = 'zero',
  formatValue,
  formatAxis,
  height = 240,
  onZoom,
  onPoint,
  dimmed = false,
}: Props) {
  const { t } = useTranslation('charts')
  const format = useFormat()
  const [asTable, setAsTable] = useState(() => !canPaint())
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const shown = useMemo(() => lines.filter(({ key }) => !hidden.has(key)), [lines, hidden])
  const gathered = useMemo(
    () => gatherChanges(marks, span, (count, { label }) => t('changes', { count, newest: label })),
    [marks, span.from, span.to, t],
  )
  const labels = useMemo(() => timeLabels(format, span), [format, span.from, span.to])
  const sentence = [
    name,
    ...summaryOf(shown).map((row) =>
      t('summary', {
        name: row.name,
        low: formatValue(row.low),
        high: formatValue(row.high),
        last: formatValue(row.last),
      }),
    ),
  ].join('. ')
  const toggle = (key: string) =>
    setHidden((before) =>
      before.has(key) ? new Set([...before].filter((other) => other !== key)) : new Set([...before, key]),
    )

  return (
    <div className={classes.root} data-dimmed={dimmed || undefined}>
      {asTable ? (
        <TimeSeriesTable
          name={name}
          lines={shown}
          formatValue={formatValue}
          formatMoment={labels.moment}
          onPoint={onPoint}
        />
      ) : (
        <Suspense fallback={<Skeleton height={height} radius="sm" />}>
          <Canvas
            lines={shown}
            marks={gathered}
            span={span}
            look={look}
            scale={scale}
            height={height}
            label={sentence}
            onZoom={onZoom}
            onPoint={onPoint && ((at) => onPoint(nearestMoment(lines, at)))}
            formatValue={formatValue}
            formatAxis={formatAxis ?? formatValue}
            formatTime={labels.axis}
            formatMoment={(at) => labels.interval(at, intervalMs)}
            formatSamples={(count) => t('samples', { count, number: format.number(count) })}
          />
        </Suspense>
      )}
      <div className={classes.foot}>
        <ul className={classes.legend} aria-label={t('legend')}>
          {(lines.length > 1 ? lines : []).map(({ key, name: lineName, series, total }) => (
            <li key={key}>
              <button
                type="button"
                className={classes.legendItem}
                aria-pressed={!hidden.has(key)}
                onClick={() => toggle(key)}
                style={seriesStyle(series)}
                title={t('toggleLine', { name: lineName })}
              >
                <span className={classes.dot} aria-hidden="true" />
                <span className={classes.legendName}>{lineName}</span>
                {total !== undefined && <span className={`${classes.legendTotal} num`}>{total}</span>}
              </button>
            </li>
          ))}
        </ul>
        <Button
          variant="subtle"
          size="xs"
          leftSection={asTable ? <IconChartAreaLine size={15} stroke={1.65} /> : <IconTable size={15} stroke={1.65} />}
          onClick={() => setAsTable(!asTable)}
        >
          {t(asTable ? 'showAsChart' : 'showAsTable')}
        </Button>
      </div>
    </div>
  )
}

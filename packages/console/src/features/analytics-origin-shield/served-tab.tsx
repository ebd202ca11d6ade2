import { analyticsOriginShield, type ShieldReport } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { NO_CDN } from '../../ui/charts/series.ts'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, spanOf } from '../../ui/charts/time-series-model.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { chartCsv, downloadText } from '../analytics-dem/csv.ts'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import { useMarks } from '../analytics-dem/use-marks.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { ShieldFigures } from './shield-figures.tsx'
import classes from './screen.module.css'
import type { TabProps } from './tab-props.ts'

const STOPPED_SERIES = 4

/** All that was asked of the edge, and how much of it web security answered itself: by number, or by bytes. */
export function ServedTab({ of, ...tab }: TabProps & { of: 'requests' | 'traffic' }) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const { place, filter, isLive, fileName, onZoom } = tab
  const query = useRead(
    analyticsOriginShield.routes.report,
    { ...place, ...filter },
    isLive ? { everyMs: LIVE_MS } : {},
  )
  const report = query.data
  const marks = useMarks(report?.marks)
  const intervalMs = (report?.intervalSeconds ?? 60) * 1000
  const lines = useMemo(() => linesOf(report, of, t), [report, of, t])
  if (!report)
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <div className={classes.root} aria-busy="true">
        <ShieldFigures report={undefined} of={of} />
        <Skeleton height={360} radius="lg" />
      </div>
    )
  const write = of === 'traffic' ? format.bytes : format.number
  const short = of === 'traffic' ? format.bytes : format.compact
  return (
    <div className={classes.root} data-dimmed={query.isPlaceholderData || undefined}>
      <ShieldFigures report={report} of={of} />
      {report.totals.requests === 0 && report.totals.stopped === 0 ? (
        <Card>
          <EmptyTeach title={t('empty.title')} text={t('empty.text')} />
        </Card>
      ) : (
        <>
          <Card
            title={t(`over.${of}`)}
            hint={t('interval', { length: format.seconds(report.intervalSeconds) })}
            end={
              <Button
                variant="default"
                size="xs"
                leftSection={<IconDownload size={14} stroke={1.65} />}
                onClick={() => downloadText(`${fileName}-${of}.csv`, chartCsv(lines, of, 'what'), 'text/csv')}
              >
                {t('export')}
              </Button>
            }
          >
            <TimeSeries
              name={t(`over.${of}`)}
              lines={lines}
              span={spanOf(lines, intervalMs)}
              intervalMs={intervalMs}
              marks={marks}
              scale="zero"
              formatValue={write}
              formatAxis={short}
              height={260}
              onZoom={onZoom}
            />
          </Card>
          <BreakdownCard {...tab} measure={of} />
        </>
      )}
    </div>
  )
}

/** Without the interval that has not ended: half of one looks like a fall. */
function linesOf(
  report: ShieldReport | undefined,
  of: 'requests' | 'traffic',
  t: (key: 'line.all' | 'line.stopped') => string,
): ChartLine[] {
  if (!report) return []
  const whole = report.points.filter(({ at }) => at + report.intervalSeconds * 1000 <= Date.now())
  const line = (key: 'all' | 'stopped', series: number, valueOf: (point: (typeof whole)[number]) => number) => ({
    key,
    name: t(`line.${key}`),
    series,
    points: whole.map((point) => ({ at: point.at, value: valueOf(point), samples: point.requests })),
  })
  return [
    line('all', NO_CDN, (point) => (of === 'traffic' ? point.bytes : point.requests)),
    line('stopped', STOPPED_SERIES, (point) => (of === 'traffic' ? point.stoppedBytes : point.stopped)),
  ]
}

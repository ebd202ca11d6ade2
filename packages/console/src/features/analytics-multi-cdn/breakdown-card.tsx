import { analyticsMultiCdn, TRAFFIC_DIMENSIONS, type TrafficDimension } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { Breakdown } from '../../ui/charts/breakdown.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, type Mark, type TimeSpan, spanOf } from '../../ui/charts/time-series-model.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { type ShareRow, ShareTable } from '../../ui/data-table/flush-table.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { chartCsv, downloadText } from '../analytics-dem/csv.ts'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import { MEASURES, type Measure } from './metrics.ts'
import classes from './screen.module.css'
import { NARROWING, type Narrowing } from './traffic-chips.tsx'
import type { TrafficPlace } from './traffic-place.ts'
import { useMetricFormat } from './use-metric-format.ts'
import { useValueName } from './use-value-name.ts'

const OTHER_SERIES = 6
/** What vendors tell in their own, coarser words cannot be asked for. */
const isFilterValue = (by: Narrowing, value: string): boolean =>
  by === 'status' ? value !== 'ok' : by === 'cache' ? value !== 'uncached' : true
const isNarrowing = (by: TrafficDimension): by is Narrowing => NARROWING.some((known) => known === by)

type Props = {
  place: TrafficPlace
  isLive: boolean
  fileName: string
  by: TrafficDimension
  measure: Measure
  /** Points up to here are whole, epoch ms. */
  until: number
  marks: readonly Mark[]
  onBy: (by: TrafficDimension) => void
  onMeasure: (measure: Measure) => void
  onNarrow: (key: Narrowing, value: string) => void
  onZoom: (span: TimeSpan) => void
  onPoint: (at: number) => void
}

/** Traffic told apart by what the reader chooses, with the shares below. */
export function BreakdownCard({
  place,
  isLive,
  fileName,
  by,
  measure,
  until,
  marks,
  onBy,
  onMeasure,
  onNarrow,
  onZoom,
  onPoint,
}: Props) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const { exactOf, formatOf } = useMetricFormat()
  const { nameOf, cdnOf } = useValueName()
  const query = useRead(analyticsMultiCdn.routes.breakdown, { ...place, by }, isLive ? { everyMs: LIVE_MS } : {})
  const report = query.data
  const intervalMs = (report?.intervalSeconds ?? 60) * 1000
  const lines = useMemo(
    () =>
      [
        ...(report?.series ?? []),
        ...(report?.untold ? [{ value: '', other: false, isUntold: true, points: report.untold.points }] : []),
      ].map(({ value, other, points, ...line }, index): ChartLine => {
        const isUntold = 'isUntold' in line
        const own = points.map((point) => ({
          at: point.at,
          value: measure === 'traffic' ? point.bytes : point.requests,
          samples: point.requests,
        }))
        return {
          key: isUntold ? 'untold' : other ? 'other' : `=${value}`,
          name: isUntold ? t('untold') : other ? t('other') : nameOf(by, value),
          series: other || isUntold ? OTHER_SERIES : by === 'cdn' ? cdnOf(value).series : index + 1,
          points: own.filter(({ at }) => at + intervalMs <= until),
          total: formatOf(
            measure,
            own.reduce((sum, point) => sum + point.value, 0),
          ),
        }
      }),
    [report, by, measure, intervalMs, until, nameOf, cdnOf, formatOf, t],
  )
  const options = TRAFFIC_DIMENSIONS.filter(
    (one) => (one !== 'site' || place.site === undefined) && (one !== 'domain' || place.domain === undefined),
  ).map((value) => ({ value, label: t(`by.${value}`) }))
  const whole = (measure === 'traffic' ? report?.totals.bytes : report?.totals.requests) ?? 0
  const percentOf = (part: number, of: number) => format.percent(Math.round((part / of) * 1000) / 10)
  const rowOf = (
    key: string,
    name: string,
    { requests, bytes, hits, cacheTold }: { requests: number; bytes: number; hits: number; cacheTold: number },
    series: number,
    narrow?: ShareRow['narrow'],
  ): ShareRow => {
    const part = measure === 'traffic' ? bytes : requests
    return {
      key,
      name,
      series,
      share: whole === 0 ? 0 : (part / whole) * 100,
      ...(narrow ? { narrow } : {}),
      cells: [
        whole === 0 ? '—' : percentOf(part, whole),
        format.number(requests),
        format.bytes(bytes),
        cacheTold === 0 ? '—' : percentOf(hits, cacheTold),
      ],
    }
  }
  return (
    <Card
      title={t('apart')}
      flush
      {...(report?.untold && report.untold.requests > 0
        ? { hint: t('untoldHint', { percent: percentOf(report.untold.requests, report.totals.requests) }) }
        : {})}
      end={
        <span className={classes.tools}>
          <Segmented
            label={t('measure')}
            value={measure}
            onChange={onMeasure}
            options={MEASURES.map((value) => ({ value, label: t(`metric.${value}`) }))}
          />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} stroke={1.65} />}
            onClick={() => downloadText(`${fileName}-${by}.csv`, chartCsv(lines, measure, by), 'text/csv')}
          >
            {t('export')}
          </Button>
        </span>
      }
    >
      <Breakdown
        choice={<Segmented label={t('byLabel')} value={by} onChange={onBy} options={options} />}
        stale={query.isPlaceholderData}
        instead={
          report ? undefined : query.error ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Skeleton height={420} radius="sm" />
          )
        }
        chart={
          report && (
            <TimeSeries
              name={t('chartOf', { what: t(`metric.${measure}`), by: t(`by.${by}`) })}
              lines={lines}
              span={spanOf(lines, intervalMs)}
              intervalMs={intervalMs}
              marks={marks}
              look="areas"
              scale="zero"
              formatValue={(value) => exactOf(measure, value)}
              formatAxis={(value) => formatOf(measure, value)}
              height={220}
              onZoom={onZoom}
              onPoint={onPoint}
            />
          )
        }
        table={
          report && (
            <ShareTable
              label={t('shares')}
              what={t(`by.${by}`)}
              columns={[t('share'), t('metric.requests'), t('metric.traffic'), t('metric.hitRatio')]}
              rows={[
                ...report.shares.map(({ value, ...counts }, index) =>
                  rowOf(
                    value,
                    nameOf(by, value),
                    counts,
                    by === 'cdn' ? cdnOf(value).series : Math.min(index + 1, OTHER_SERIES),
                    isNarrowing(by) && isFilterValue(by, value)
                      ? { title: t('narrow', { value: nameOf(by, value) }), onClick: () => onNarrow(by, value) }
                      : undefined,
                  ),
                ),
                ...(report.untold
                  ? [rowOf('untold', t('untold'), { ...report.untold, hits: 0, cacheTold: 0 }, OTHER_SERIES)]
                  : []),
              ]}
            />
          )
        }
      />
    </Card>
  )
}

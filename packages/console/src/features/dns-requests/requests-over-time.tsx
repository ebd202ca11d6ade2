import { DNS_REQUEST_DIMENSIONS, type DnsRequestDimension, dnsRequests } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { Breakdown } from '../../ui/charts/breakdown.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, type TimeSpan, spanOf } from '../../ui/charts/time-series-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { ShareTable } from '../../ui/data-table/flush-table.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { chartCsv, downloadText } from '../analytics-dem/csv.ts'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import { useMarks } from '../analytics-dem/use-marks.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import type { RequestFilter } from './filter-chips.tsx'
import type { Place } from './request-figures.tsx'
import { useValueName } from './use-value-name.ts'
import { wholePoints } from './whole-points.ts'

const OTHER_SERIES = 6
/** Dimensions that the page can be narrowed by. */
const NARROWING = ['name', 'type', 'rcode'] as const
const isNarrowing = (by: DnsRequestDimension): by is (typeof NARROWING)[number] =>
  NARROWING.some((known) => known === by)

/** Narrowed, queries can be told apart by what the page is narrowed by, and by node. */
export const isOpenTo = (by: DnsRequestDimension, filter: RequestFilter): boolean =>
  Object.keys(filter).length === 0 || isNarrowing(by) || by === 'node'

type Props = {
  place: Place
  filter: RequestFilter
  isLive: boolean
  by: DnsRequestDimension
  onBy: (by: DnsRequestDimension) => void
  onNarrow: (key: (typeof NARROWING)[number], value: string) => void
  onZoom: (span: TimeSpan) => void
}

/** Queries over time, told apart by what the reader chooses, with the shares below. */
export function RequestsOverTime({ place, filter, isLive, by, onBy, onNarrow, onZoom }: Props) {
  const { t } = useTranslation('dns-requests')
  const format = useFormat()
  const { site } = useScope()
  const { lookOf } = useCdnLooks()
  const valueName = useValueName()
  const query = useRead(dnsRequests.routes.report, { ...place, ...filter, by }, isLive ? { everyMs: LIVE_MS } : {})
  const report = query.data
  const marks = useMarks(report?.marks)
  const intervalMs = (report?.intervalSeconds ?? 60) * 1000
  const lines = useMemo(
    () =>
      (report?.series ?? []).map(({ value, other, points }, index): ChartLine => ({
        key: other ? 'other' : `=${value}`,
        name: other ? t('other') : valueName(by, value),
        series: other ? OTHER_SERIES : by === 'cdn' ? lookOf(value).series : index + 1,
        points: wholePoints(points, intervalMs / 1000, Date.now()),
        total: format.compact(points.reduce((sum, { samples }) => sum + samples, 0)),
      })),
    [report, by, intervalMs, valueName, lookOf, format, t],
  )
  const options = DNS_REQUEST_DIMENSIONS.filter((one) => isOpenTo(one, filter)).map((value) => ({
    value,
    label: t(`by.${value}`),
  }))
  const span = spanOf(lines, intervalMs)
  const instead = !report ? (
    query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton height={420} radius="sm" />
    )
  ) : report.total === 0 ? (
    <EmptyTeach title={t('empty.title')} text={t('empty.text')} />
  ) : undefined
  return (
    <Card
      title={t('chart')}
      hint={report && t('interval', { length: format.seconds(report.intervalSeconds) })}
      flush
      end={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} stroke={1.65} />}
          disabled={!report?.total}
          onClick={() => downloadText(`${site.domainName}-dns-${by}.csv`, chartCsv(lines, 'queries', by), 'text/csv')}
        >
          {t('export')}
        </Button>
      }
    >
      <Breakdown
        choice={<Segmented label={t('byLabel')} value={by} onChange={onBy} options={options} />}
        stale={query.isPlaceholderData}
        instead={instead}
        chart={
          <TimeSeries
            name={t('chartOf', { by: t(`by.${by}`) })}
            lines={lines}
            span={span}
            intervalMs={intervalMs}
            marks={marks}
            look="areas"
            scale="zero"
            formatValue={format.number}
            formatAxis={format.compact}
            height={240}
            onZoom={onZoom}
          />
        }
        table={
          report && (
            <ShareTable
              label={t('shares')}
              what={t(`by.${by}`)}
              columns={[t('share'), t('queries')]}
              rows={report.shares.map(({ value, requests }, index) => {
                const share = (requests / report.total) * 100
                const name = valueName(by, value)
                return {
                  key: value,
                  name,
                  share,
                  series:
                    by === 'cdn'
                      ? lookOf(value).series
                      : index < report.series.length && index < OTHER_SERIES
                        ? index + 1
                        : OTHER_SERIES,
                  cells: [format.percent(Math.round(share * 10) / 10), format.number(requests)],
                  ...(isNarrowing(by) && !(by === 'name' && value === '')
                    ? { narrow: { title: t('narrow', { value: name }), onClick: () => onNarrow(by, value) } }
                    : {}),
                }
              })}
            />
          )
        }
      />
    </Card>
  )
}

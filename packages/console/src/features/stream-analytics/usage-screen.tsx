import { type StreamUsageReport, streamAnalytics } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, spanOf } from '../../ui/charts/time-series-model.ts'
import { customRange } from '../../ui/filters/range-search.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { downloadText, rowsCsv } from '../analytics-dem/csv.ts'
import type { Change } from './search.ts'
import { FRESH_MS, StreamPage, placeOf } from './stream-page.tsx'
import { useStreamTexts } from './use-texts.ts'

/** What the organisation's videos take: sent, watched, stored, encoded. */
export function StreamUsageScreen() {
  const { t } = useTranslation('stream-analytics')
  const search = useSearch({ from: '/shell/stream/analytics/stream-usage' })
  const navigate = useNavigate({ from: '/stream/analytics/stream-usage' })
  const onSearch: Change = (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const { seconds, until } = placeOf(search)
  const { data, error, refetch } = useRead(
    streamAnalytics.routes.usage,
    { seconds, ...(until === undefined ? {} : { until }) },
    until === undefined ? { everyMs: FRESH_MS } : {},
  )
  const save = () => data && downloadText('stream-usage.csv', usageCsv(data), 'text/csv')
  return (
    <StreamPage
      name="usage"
      search={search}
      onSearch={onSearch}
      whole
      actions={
        data && (
          <Button variant="default" leftSection={<IconDownload size={15} stroke={1.65} />} onClick={save}>
            {t('export')}
          </Button>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} radius="lg" />}
      {data && <Usage report={data} onSearch={onSearch} />}
    </StreamPage>
  )
}

function Usage({ report, onSearch }: { report: StreamUsageReport; onSearch: Change }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const { duration } = useStreamTexts()
  const { points, intervalSeconds, stored, encoded } = report
  const [of, setOf] = useState<'bytes' | 'watchedMs'>('bytes')
  const lines = useMemo(
    (): ChartLine[] => [
      {
        key: of,
        name: t(`usageOf.${of}`),
        series: 1,
        points: points.map((point) => ({ at: point.at, value: point[of], samples: 1 })),
      },
    ],
    [points, of, t],
  )
  const intervalMs = intervalSeconds * 1000
  return (
    <>
      <StatRow
        label={t('figures')}
        stats={[
          {
            label: t('usageOf.bytes'),
            value: format.bytes(report.deliveredBytes),
            note: t('requests', {
              count: report.deliveredRequests,
              number: format.compact(report.deliveredRequests),
            }),
          },
          { label: t('fromPeers'), value: format.bytes(report.peerBytes), note: t('fromPeersNote') },
          { label: t('usageOf.watchedMs'), value: duration(report.watchedMs), note: t('watchedNote') },
          {
            label: t('stored'),
            value: format.bytes(stored.bytes),
            note: t('storedNote', { count: stored.videos, time: duration(stored.seconds * 1000) }),
          },
          {
            label: t('encoded'),
            value: duration(encoded.seconds * 1000),
            note: t('encodedNote', { count: encoded.videos }),
          },
        ]}
      />
      <Card
        title={t(`usageOf.${of}`)}
        hint={t('interval', { length: format.seconds(intervalSeconds) })}
        end={
          <Segmented
            label={t('figures')}
            value={of}
            onChange={setOf}
            options={(['bytes', 'watchedMs'] as const).map((value) => ({ value, label: t(`usageOf.${value}`) }))}
          />
        }
      >
        <TimeSeries
          name={t(`usageOf.${of}`)}
          lines={lines}
          span={spanOf(lines, intervalMs)}
          intervalMs={intervalMs}
          formatValue={of === 'bytes' ? format.bytes : duration}
          height={260}
          onZoom={({ from, to }) => onSearch({ range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000) })}
        />
      </Card>
    </>
  )
}

const usageCsv = ({ points }: StreamUsageReport): string =>
  rowsCsv([
    ['time', 'deliveredBytes', 'watchedSeconds'],
    ...points.map(({ at, bytes, watchedMs }) => [new Date(at).toISOString(), String(bytes), String(watchedMs / 1000)]),
  ])

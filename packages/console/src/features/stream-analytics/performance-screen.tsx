import { StreamDimension, type StreamPerformanceReport, streamAnalytics } from '@fairway/contract'
import { REBUFFER_POINTS, STALLS_MOST, STALL_POINTS, START_FREE_MS, START_MOST, START_POINTS } from '@fairway/domain'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, spanOf } from '../../ui/charts/time-series-model.ts'
import { FlushTable, ShareTable } from '../../ui/data-table/flush-table.tsx'
import { customRange } from '../../ui/filters/range-search.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { downloadText, rowsCsv } from '../analytics-dem/csv.ts'
import { Nobody } from './audience-screen.tsx'
import type { Change } from './search.ts'
import { FRESH_MS, StreamPage, placeOf } from './stream-page.tsx'
import classes from './stream-analytics.module.css'
import { useStreamTexts } from './use-texts.ts'

const CHARTS = ['startupP50Ms', 'rebufferPercent', 'bitrateKbps', 'failedPercent'] as const

/** How well it plays: start, stalls, bit rate and errors, told apart by what they may be of. */
export function StreamPerformanceScreen() {
  const { t } = useTranslation('stream-analytics')
  const search = useSearch({ from: '/shell/stream/analytics/performance' })
  const navigate = useNavigate({ from: '/stream/analytics/performance' })
  const onSearch: Change = (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const place = placeOf(search)
  const { by = 'cdn' } = search
  const { data, error, refetch } = useRead(
    streamAnalytics.routes.performance,
    { ...place, by },
    place.until === undefined ? { everyMs: FRESH_MS } : {},
  )
  const save = () => data && downloadText(`stream-performance-${by}.csv`, performanceCsv(data), 'text/csv')
  return (
    <StreamPage
      name="performance"
      search={search}
      onSearch={onSearch}
      actions={
        <>
          <LinkButton to="/stream/analytics/views" variant="default">
            {t('singleViews')}
          </LinkButton>
          {data && data.totals.views > 0 && (
            <Button variant="default" leftSection={<IconDownload size={15} stroke={1.65} />} onClick={save}>
              {t('export')}
            </Button>
          )}
        </>
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} radius="lg" />}
      {data && data.totals.views === 0 && <Nobody />}
      {data && data.totals.views > 0 && <Performance report={data} onSearch={onSearch} />}
    </StreamPage>
  )
}

function Performance({ report, onSearch }: { report: StreamPerformanceReport; onSearch: Change }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const texts = useStreamTexts()
  const { totals, points, intervalSeconds, by, rows, errors } = report
  const [chart, setChart] = useState<(typeof CHARTS)[number]>('startupP50Ms')
  const formatValue = {
    startupP50Ms: texts.wait,
    rebufferPercent: texts.percent,
    bitrateKbps: texts.rate,
    failedPercent: texts.percent,
  }[chart]
  const lines = useMemo(
    (): ChartLine[] => [
      {
        key: chart,
        name: t(`chart.${chart}`),
        series: 1,
        points: points.map((point) => ({ at: point.at, value: point[chart], samples: point.views })),
      },
    ],
    [points, chart, t],
  )
  const intervalMs = intervalSeconds * 1000
  const mostViews = Math.max(1, ...rows.map(({ views }) => views))
  return (
    <>
      <StatRow
        label={t('figures')}
        stats={[
          {
            label: t('scoreTitle'),
            value: texts.score(totals.score),
            note: <DataQuality samples={totals.views} />,
          },
          {
            label: t('chart.startupP50Ms'),
            value: texts.startup(totals.startupP50Ms),
            note: (
              <>
                {t('tails', { p75: texts.startup(totals.startupP75Ms), p95: texts.startup(totals.startupP95Ms) })} ·{' '}
                <DataQuality samples={totals.starts} brief />
              </>
            ),
          },
          {
            label: t('chart.rebufferPercent'),
            value: texts.share(totals.rebufferPercent),
            note: t('stallsIn', { count: totals.stalls, number: format.number(totals.stalls) }),
          },
          {
            label: t('chart.bitrateKbps'),
            value: texts.bitrate(totals.bitrateKbps),
            note: t('overTime', { time: texts.duration(totals.watchedMs) }),
          },
          {
            label: t('chart.failedPercent'),
            value: texts.share(totals.failedPercent),
            note: t('failedOf', { failed: format.number(totals.failedViews), views: format.number(totals.views) }),
          },
        ]}
      />
      <Card
        title={t(`chart.${chart}`)}
        hint={t('interval', { length: format.seconds(intervalSeconds) })}
        end={
          <Segmented
            label={t('figures')}
            value={chart}
            onChange={setChart}
            options={CHARTS.map((value) => ({ value, label: t(`short.${value}`) }))}
          />
        }
      >
        <TimeSeries
          name={t(`chart.${chart}`)}
          lines={lines}
          span={spanOf(lines, intervalMs)}
          intervalMs={intervalMs}
          formatValue={formatValue}
          height={240}
          onZoom={({ from, to }) => onSearch({ range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000) })}
        />
      </Card>
      <Card
        title={t('apart')}
        flush
        end={
          <Segmented
            label={t('apart')}
            value={by}
            onChange={(next) => onSearch({ by: next === 'cdn' ? undefined : next })}
            options={StreamDimension.options.map((value) => ({ value, label: t(`by.${value}`) }))}
          />
        }
      >
        <ShareTable
          label={t('apart')}
          what={t(`by.${by}`)}
          columns={[
            t('viewCount'),
            t('column.score'),
            t('column.startup'),
            t('column.startupP95'),
            t('column.rebuffer'),
            t('column.bitrate'),
            t('column.failed'),
          ]}
          rows={rows.map((row) => ({
            key: row.value,
            name: texts.valueName(by, row.value, row.name),
            series: 1,
            share: (row.views * 100) / mostViews,
            cells: [
              format.number(row.views),
              texts.score(row.score),
              texts.startup(row.startupP50Ms),
              texts.startup(row.startupP95Ms),
              texts.share(row.rebufferPercent),
              texts.bitrate(row.bitrateKbps),
              texts.share(row.failedPercent),
            ],
          }))}
        />
      </Card>
      <div className={classes.columns}>
        <Card title={t('errors.title')} flush={errors.length > 0}>
          {errors.length === 0 ? (
            <p className={classes.quiet}>{t('errors.none')}</p>
          ) : (
            <FlushTable
              label={t('errors.title')}
              head={[
                { key: 'error', text: t('errors.error') },
                { key: 'views', text: t('viewCount'), number: true },
                { key: 'times', text: t('errors.times'), number: true },
                { key: 'fatal', text: t('errors.fatal'), number: true },
              ]}
            >
              {errors.map(({ error, views, times, fatal }) => (
                <tr key={error}>
                  <th scope="row">
                    <code>{error === '' ? t('untold') : error}</code>
                  </th>
                  <td data-number className="num">
                    {format.number(views)}
                  </td>
                  <td data-number className="num">
                    {format.number(times)}
                  </td>
                  <td data-number className="num">
                    {format.number(fatal)}
                  </td>
                </tr>
              ))}
            </FlushTable>
          )}
        </Card>
        <Card title={t('scoreHow.title')}>
          <ul className={classes.made}>
            <li>
              {t('scoreHow.startup', {
                free: START_FREE_MS / 1000,
                points: START_POINTS,
                most: START_MOST,
              })}
            </li>
            <li>{t('scoreHow.stalls', { percent: REBUFFER_POINTS, stall: STALL_POINTS, most: STALLS_MOST })}</li>
            <li>{t('scoreHow.failed')}</li>
            <li>{t('scoreHow.mean')}</li>
          </ul>
        </Card>
      </div>
    </>
  )
}

function performanceCsv({ by, rows }: StreamPerformanceReport): string {
  const cell = (value: number | null) => (value === null ? '' : String(value))
  return rowsCsv([
    [
      by,
      'views',
      'score',
      'starts',
      'startupP50Ms',
      'startupP75Ms',
      'startupP95Ms',
      'stalls',
      'rebufferPercent',
      'bitrateKbps',
      'failedViews',
      'watchedSeconds',
    ],
    ...rows.map((row) => [
      row.name ?? row.value,
      String(row.views),
      cell(row.score),
      String(row.starts),
      cell(row.startupP50Ms),
      cell(row.startupP75Ms),
      cell(row.startupP95Ms),
      String(row.stalls),
      cell(row.rebufferPercent),
      cell(row.bitrateKbps),
      String(row.failedViews),
      String(row.watchedMs / 1000),
    ]),
  ])
}

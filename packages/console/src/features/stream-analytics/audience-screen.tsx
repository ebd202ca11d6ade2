import { type AudienceReport, ENGAGEMENT_VIEWS, streamAnalytics } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { cssProperties } from '../../ui/charts/series.ts'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, spanOf } from '../../ui/charts/time-series-model.ts'
import { ShareTable } from '../../ui/data-table/flush-table.tsx'
import { customRange } from '../../ui/filters/range-search.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { downloadText, rowsCsv } from '../analytics-dem/csv.ts'
import type { Change, StreamSearch } from './search.ts'
import { FRESH_MS, StreamPage, narrowing, placeOf } from './stream-page.tsx'
import classes from './stream-analytics.module.css'
import { useStreamTexts } from './use-texts.ts'

/** Who watches: how many, what, where, on what, and how far. */
export function StreamAudienceScreen() {
  const { t } = useTranslation('stream-analytics')
  const search = useSearch({ from: '/shell/stream/analytics/audience' })
  const navigate = useNavigate({ from: '/stream/analytics/audience' })
  const onSearch: Change = (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const place = placeOf(search)
  const { data, error, refetch } = useRead(
    streamAnalytics.routes.audience,
    place,
    place.until === undefined ? { everyMs: FRESH_MS } : {},
  )
  const save = () => data && downloadText('stream-audience.csv', audienceCsv(data), 'text/csv')
  return (
    <StreamPage
      name="audience"
      search={search}
      onSearch={onSearch}
      actions={
        data &&
        data.totals.attempts > 0 && (
          <Button variant="default" leftSection={<IconDownload size={15} stroke={1.65} />} onClick={save}>
            {t('export')}
          </Button>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} radius="lg" />}
      {data && data.totals.attempts === 0 && <Nobody />}
      {data && data.totals.attempts > 0 && <Audience report={data} search={search} onSearch={onSearch} />}
    </StreamPage>
  )
}

/** How views come to be known at all. */
export function Nobody() {
  const { t } = useTranslation('stream-analytics')
  return (
    <Card>
      <EmptyTeach
        title={t('empty.title')}
        text={t('empty.text')}
        steps={[t('empty.step1'), t('empty.step2'), t('empty.step3')]}
        action={
          <LinkButton to="/stream/assets" variant="default">
            {t('empty.action')}
          </LinkButton>
        }
      />
    </Card>
  )
}

type PartProps = { report: AudienceReport; search: StreamSearch; onSearch: Change }

function Audience({ report, search, onSearch }: PartProps) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const { duration, valueName } = useStreamTexts()
  const { totals, points, intervalSeconds } = report
  const lines = useMemo(
    (): ChartLine[] => [
      {
        key: 'views',
        name: t('viewCount'),
        series: 1,
        points: points.map(({ at, views }) => ({ at, value: views, samples: views })),
      },
    ],
    [points, t],
  )
  const intervalMs = intervalSeconds * 1000
  const shareOf = (watchedMs: number) => (totals.watchedMs === 0 ? 0 : (watchedMs * 100) / totals.watchedMs)
  const figures = ({ views, viewers, watchedMs }: { views: number; viewers: number; watchedMs: number }) => [
    format.number(views),
    format.number(viewers),
    duration(watchedMs),
  ]
  const columns = [t('viewCount'), t('viewers'), t('watched')]
  return (
    <>
      <StatRow
        label={t('figures')}
        stats={[
          {
            label: t('viewCount'),
            value: format.number(totals.views),
            note: t('attempts', { count: totals.attempts }),
          },
          { label: t('viewers'), value: format.number(totals.viewers), note: t('viewersNote') },
          { label: t('watched'), value: duration(totals.watchedMs), note: t('watchedNote') },
          {
            label: t('watchedEach'),
            value: totals.views === 0 ? '—' : duration(totals.watchedMs / totals.views),
            note: t('ofViews', { count: totals.views }),
          },
        ]}
      />
      <Concurrent search={search} />
      <Card title={t('viewsOverTime')} hint={t('interval', { length: format.seconds(intervalSeconds) })}>
        <TimeSeries
          name={t('viewsOverTime')}
          lines={lines}
          span={spanOf(lines, intervalMs)}
          intervalMs={intervalMs}
          formatValue={format.number}
          height={220}
          onZoom={({ from, to }) => onSearch({ range: customRange(from / 1000, Math.max(to, from + 60_000) / 1000) })}
        />
      </Card>
      <Engagement report={report} />
      <Card title={t('sources')} flush>
        <ShareTable
          label={t('sources')}
          what={t('source')}
          columns={columns}
          rows={report.sources.map((row) => ({
            key: row.source,
            name: valueName('source', row.source, row.name),
            series: row.kind === 'live' ? 2 : 1,
            share: shareOf(row.watchedMs),
            cells: figures(row),
            narrow: { title: t('narrow'), onClick: () => onSearch({ source: row.source }) },
          }))}
        />
      </Card>
      <div className={classes.columns}>
        <Card title={t('countries')} flush>
          <ShareTable
            label={t('countries')}
            what={t('country')}
            columns={columns}
            rows={report.countries.map((row) => ({
              key: row.country,
              name: valueName('country', row.country, null),
              series: 1,
              share: shareOf(row.watchedMs),
              cells: figures(row),
              ...(row.country === ''
                ? {}
                : { narrow: { title: t('narrow'), onClick: () => onSearch({ country: row.country }) } }),
            }))}
          />
        </Card>
        <Card title={t('devices')} flush>
          <ShareTable
            label={t('devices')}
            what={t('deviceOne')}
            columns={columns}
            rows={report.devices.map((row) => ({
              key: row.device,
              name: valueName('device', row.device, null),
              series: 3,
              share: shareOf(row.watchedMs),
              cells: figures(row),
            }))}
          />
        </Card>
      </div>
    </>
  )
}

/** The last half hour, whatever range is chosen. */
function Concurrent({ search }: { search: StreamSearch }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  const { data, error, refetch } = useRead(streamAnalytics.routes.concurrent, narrowing(search), { everyMs: FRESH_MS })
  const lines = useMemo(
    (): ChartLine[] => [
      {
        key: 'viewers',
        name: t('watching'),
        series: 2,
        points: (data?.points ?? []).map(({ at, viewers }) => ({ at, value: viewers, samples: viewers })),
      },
    ],
    [data, t],
  )
  const intervalMs = (data?.intervalSeconds ?? 30) * 1000
  return (
    <Card title={t('concurrent')} hint={data && t('watchingNow', { count: data.now, number: format.number(data.now) })}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} radius="sm" />}
      {data && (
        <TimeSeries
          name={t('concurrent')}
          lines={lines}
          span={spanOf(lines, intervalMs)}
          intervalMs={intervalMs}
          formatValue={format.number}
          height={160}
        />
      )}
    </Card>
  )
}

function Engagement({ report: { engagement, engagementViews } }: { report: AudienceReport }) {
  const { t } = useTranslation('stream-analytics')
  const format = useFormat()
  return (
    <Card title={t('engagement.title')} hint={t('engagement.hint', { count: engagementViews })}>
      {engagement === null ? (
        <p className={classes.quiet}>
          {t('engagement.few', { least: ENGAGEMENT_VIEWS, number: format.number(engagementViews) })}
        </p>
      ) : (
        <ul className={classes.marks}>
          {engagement
            .filter(({ of }) => of > 0)
            .map(({ mark, reached, of }) => (
              <li key={mark} className={classes.mark}>
                <span>{t(`engagement.mark.${mark}`)}</span>
                <span className={classes.bar} style={cssProperties({ '--share': (reached * 100) / of })}>
                  <span />
                </span>
                <span className={`num ${classes.end}`}>
                  {format.percent(Math.round((reached * 1000) / of) / 10)}{' '}
                  <span className={classes.quiet}>{format.compact(of)}</span>
                </span>
              </li>
            ))}
        </ul>
      )}
    </Card>
  )
}

/** As the report has it: over time, then by video, country and device. */
function audienceCsv({ points, sources, countries, devices }: AudienceReport): string {
  const figures = ({ views, viewers, watchedMs }: { views: number; viewers?: number; watchedMs: number }) => [
    String(views),
    viewers === undefined ? '' : String(viewers),
    String(watchedMs / 1000),
  ]
  return rowsCsv([
    ['of', 'value', 'views', 'viewers', 'watchedSeconds'],
    ...points.map((row) => ['time', new Date(row.at).toISOString(), ...figures(row)]),
    ...sources.map((row) => ['video', row.name ?? row.source, ...figures(row)]),
    ...countries.map((row) => ['country', row.country, ...figures(row)]),
    ...devices.map((row) => ['device', row.device, ...figures(row)]),
  ])
}

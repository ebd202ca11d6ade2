import { analyticsOriginShield, type LoginPath } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Breakdown } from '../../ui/charts/breakdown.tsx'
import { TimeSeries } from '../../ui/charts/time-series.tsx'
import { type ChartLine, spanOf } from '../../ui/charts/time-series-model.ts'
import { FlushTable, MonoCell } from '../../ui/data-table/flush-table.tsx'
import { DateRange } from '../../ui/filters/date-range.tsx'
import { customRange, rangeInput } from '../../ui/filters/range-search.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './screen.module.css'
import { shareOf, successLines } from './logins-model.ts'

const PATH = '/$site/{-$domain}/origin-shield/account-takeover-prevention'
const DEFAULT_RANGE = '24h'
const COUNTS = ['attempts', 'succeeded', 'failed', 'keptOut', 'unjudged'] as const

/** How logins went over time, by their paths: the share that succeeded as lines, all counts as a table. */
export function LoginsCard({ place }: { place: Place }) {
  const { t } = useTranslation('account-takeover-prevention')
  const format = useFormat()
  const { range = DEFAULT_RANGE } = useSearch({ from: `/shell${PATH}` })
  const navigate = useNavigate({ from: PATH })
  const choose = (next: string) =>
    void navigate({
      search: (before) => ({ ...before, range: next === DEFAULT_RANGE ? undefined : next }),
      replace: true,
    })
  const query = useRead(analyticsOriginShield.routes.logins, { ...place, ...rangeInput(range) })
  const { data: report, error } = query
  const intervalMs = (report?.intervalSeconds ?? 60) * 1000
  const lines = useMemo(
    (): ChartLine[] => successLines(report?.data ?? [], intervalMs, t('logins.gone')),
    [report, intervalMs, t],
  )
  const percent = (value: number) => format.percent(Math.round(value * 10) / 10)
  const isDrawn = lines.some(({ points }) => points.some(({ value }) => value !== null))
  return (
    <Card title={t('logins.title')} hint={t('logins.hint')} flush>
      <Breakdown
        choice={<DateRange value={range} onChange={choose} />}
        stale={query.isPlaceholderData}
        instead={
          !report ? (
            error ? (
              <ErrorState error={error} onRetry={() => void query.refetch()} />
            ) : (
              <Skeleton height={320} radius="sm" />
            )
          ) : report.data.length === 0 ? (
            <EmptyTeach title={t('logins.none')} text={t('logins.noneText')} />
          ) : undefined
        }
        chart={
          isDrawn ? (
            <TimeSeries
              name={t('logins.chart')}
              lines={lines}
              span={spanOf(lines, intervalMs)}
              intervalMs={intervalMs}
              scale="percent"
              formatValue={percent}
              height={220}
              onZoom={({ from, to }) => choose(customRange(from / 1000, Math.max(to, from + 60_000) / 1000))}
            />
          ) : (
            <p className={classes.quiet}>{t('logins.quiet')}</p>
          )
        }
        table={
          <FlushTable
            label={t('logins.table')}
            head={[
              { key: 'path', text: t('logins.path') },
              ...COUNTS.map((key) => ({ key, text: t(`logins.${key}`), number: true as const })),
              { key: 'share', text: t('logins.share'), number: true },
              { key: 'leaked', text: t('logins.leaked'), number: true },
            ]}
          >
            {report?.data.map((row) => (
              <Row key={row.path ?? ''} row={row} percent={percent} />
            ))}
          </FlushTable>
        }
      />
    </Card>
  )
}

/** What nobody counts is told as a dash. */
function Row({ row: { path, logins, leaked }, percent }: { row: LoginPath; percent: (value: number) => string }) {
  const { t } = useTranslation('account-takeover-prevention')
  const format = useFormat()
  const succeeded = logins && shareOf(logins.succeeded, logins.succeeded + logins.failed)
  const answered = logins && logins.attempts - logins.keptOut
  const share = leaked === null || answered === null ? null : shareOf(leaked, answered)
  return (
    <tr>
      {path === null ? <td>{t('logins.gone')}</td> : <MonoCell title={path}>{path}</MonoCell>}
      {COUNTS.map((key) => (
        <td key={key} className="num" data-number>
          {logins ? format.number(logins[key]) : '—'}
        </td>
      ))}
      <td className="num" data-number>
        {succeeded === null ? '—' : percent(succeeded)}
      </td>
      <td
        className="num"
        data-number
        title={leaked === null ? t('logins.leakedUnknown') : t('logins.leakedOf', { count: leaked })}
      >
        {leaked !== null && answered === null ? format.number(leaked) : share === null ? '—' : percent(share)}
      </td>
    </tr>
  )
}

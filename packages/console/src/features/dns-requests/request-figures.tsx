import { type DnsRequestReport, dnsRequests } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { LIVE_MS } from '../analytics-dem/tab-props.ts'
import type { RequestFilter } from './filter-chips.tsx'
import { wholePoints } from './whole-points.ts'

export type Place = { site: string; seconds: number; until?: number }

/** How many queries, how many a second, how many for nothing, and how many names they were for. */
export function RequestFigures({ place, filter, isLive }: { place: Place; filter: RequestFilter; isLive: boolean }) {
  const { t } = useTranslation('dns-requests')
  const format = useFormat()
  const settings = isLive ? { everyMs: LIVE_MS } : {}
  const outcomes = useRead(dnsRequests.routes.report, { ...place, ...filter, by: 'rcode' }, settings).data
  const names = useRead(dnsRequests.routes.report, { ...place, ...filter, by: 'name' }, settings).data
  if (!outcomes || !names)
    return outcomes === undefined && names === undefined ? <Skeleton height={104} radius="lg" /> : null
  const of = (rcode: string) =>
    outcomes.total === 0
      ? null
      : ((outcomes.shares.find(({ value }) => value === rcode)?.requests ?? 0) / outcomes.total) * 100
  const percent = (value: number | null) => (value === null ? '—' : format.percent(Math.round(value * 100) / 100))
  const failed = of('SERVFAIL')
  return (
    <StatRow
      label={t('figures')}
      stats={[
        {
          label: t('total'),
          value: outcomes.total < 10_000 ? format.number(outcomes.total) : format.compact(outcomes.total),
          ...(outcomes.total < 10_000 ? {} : { note: t('exact', { number: format.number(outcomes.total) }) }),
          trend: totals(outcomes),
        },
        {
          label: t('perSecond'),
          value: format.number(Math.round((outcomes.total / place.seconds) * 100) / 100),
          note: t('average'),
        },
        { label: t('missing'), value: percent(of('NXDOMAIN')), note: 'NXDOMAIN' },
        { label: t('failed'), value: percent(failed), note: 'SERVFAIL' },
        { label: t('names'), value: format.number(names.distinct), note: t('namesNote') },
      ]}
    />
  )
}

function totals({ series, intervalSeconds }: DnsRequestReport): number[] {
  const whole = wholePoints(series[0]?.points ?? [], intervalSeconds, Date.now())
  return whole.map((_, index) => series.reduce((sum, { points }) => sum + (points[index]?.value ?? 0), 0))
}

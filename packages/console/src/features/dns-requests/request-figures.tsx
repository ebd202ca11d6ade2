import { type DnsRequestReport, dnsRequests } from '@fairway/contract'
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
  const total = outcomes?.total
  const percent = (rcode: string) => {
    if (!outcomes) return null
    if (outcomes.total === 0) return '—'
    const requests = outcomes.shares.find(({ value }) => value === rcode)?.requests ?? 0
    return format.percent(Math.round((requests / outcomes.total) * 10_000) / 100)
  }
  return (
    <StatRow
      label={t('figures')}
      stats={[
        {
          label: t('total'),
          value: total === undefined ? null : total < 10_000 ? format.number(total) : format.compact(total),
          note: total === undefined || total < 10_000 ? '\u00a0' : t('exact', { number: format.number(total) }),
          trend: outcomes ? totals(outcomes) : [],
        },
        {
          label: t('perSecond'),
          value: total === undefined ? null : format.number(Math.round((total / place.seconds) * 100) / 100),
          note: t('average'),
        },
        { label: t('missing'), value: percent('NXDOMAIN'), note: 'NXDOMAIN' },
        { label: t('failed'), value: percent('SERVFAIL'), note: 'SERVFAIL' },
        { label: t('names'), value: names ? format.number(names.distinct) : null, note: t('namesNote') },
      ]}
    />
  )
}

function totals({ series, intervalSeconds }: DnsRequestReport): number[] {
  const whole = wholePoints(series[0]?.points ?? [], intervalSeconds, Date.now())
  return whole.map((_, index) => series.reduce((sum, { points }) => sum + (points[index]?.value ?? 0), 0))
}

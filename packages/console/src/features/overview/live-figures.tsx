import type { Overview } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { type Stat, StatRow } from '../../ui/page/stat-card.tsx'
import { overallAvailability } from './live-model.ts'

/** The row of key figures. */
export function LiveFigures({ data }: { data: Overview }) {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const duration = useDuration()
  const trendSeconds = Math.round(((data.queriesTrend.at(-1)?.at ?? 0) - (data.queriesTrend[0]?.at ?? 0)) / 60_000) * 60
  const { availability, samples } = overallAvailability(data.cdns)
  const up = data.nodes.filter(({ state }) => state === 'up').length
  const stats: Stat[] = [
    {
      label: t('answers'),
      value: data.analyticsAvailable ? format.number(Math.round(data.queriesPerSecond * 10) / 10) : '—',
      ...(trendSeconds > 0 ? { note: t('answersNote', { length: duration(trendSeconds) }) } : {}),
      trend: data.queriesTrend.map(({ value }) => value),
    },
    { label: t('countries'), value: format.number(data.countries.length), note: t('countriesNote') },
    {
      label: t('availability'),
      value: availability === null ? '—' : format.percent(availability),
      note: <DataQuality samples={samples} />,
    },
    {
      label: t('measurements'),
      value: data.analyticsAvailable ? format.number(Math.round(data.beaconsPerMinute)) : '—',
      note: t('measurementsNote'),
    },
    {
      label: t('nodes'),
      value: `${format.number(up)} / ${format.number(data.nodes.length)}`,
      note: t(up === data.nodes.length ? 'nodesAllUp' : 'nodesSomeAway'),
    },
  ]
  return <StatRow label={t('figures')} stats={stats} />
}

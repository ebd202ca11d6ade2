import type { TrafficReport } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Stat, StatRow } from '../../ui/page/stat-card.tsx'
import { deltaOf } from '../analytics-dem/report-model.ts'
import { METRICS, type Metric, isAmount, isUpGood, pointsOf, toldOf, valueOf } from './metrics.ts'
import { useMetricFormat } from './use-metric-format.ts'

const SHOWN: readonly Metric[] = METRICS.filter((metric) => metric !== 'byteHitRatio')

/** How much was served, how much of it from the cache, how much failed; beside the window before. */
export function TrafficFigures({ report }: { report: TrafficReport }) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const { formatOf } = useMetricFormat()
  const stats = SHOWN.map((metric): Stat => {
    const value = valueOf(metric, report.totals)
    const delta = deltaOf(value, valueOf(metric, report.before.totals), isAmount(metric) ? 'percent' : 'points')
    const text =
      delta && (isAmount(metric) ? format.percent(delta.size) : t('points', { value: format.number(delta.size) }))
    return {
      id: metric,
      label: t(`metric.${metric}`),
      value: value === null ? '—' : formatOf(metric, value),
      note: withTold(metric, noteOf(metric)),
      ...(delta && text !== null
        ? {
            delta: {
              text,
              direction: delta.direction,
              isGood: isUpGood(metric) === null ? null : (delta.direction === 'up') === isUpGood(metric),
            },
          }
        : {}),
      trend: pointsOf(metric, report.points).map((point) => point.value),
    }
  })
  return <StatRow label={t('figures')} stats={stats} />

  function noteOf(metric: Metric): string {
    if (metric === 'requests') return t('exact', { number: format.number(report.totals.requests) })
    if (metric === 'hitRatio') return t('ofBytes', { percent: percentText(valueOf('byteHitRatio', report.totals)) })
    return t(`note.${metric}`)
  }

  function withTold(metric: Metric, note: string): string {
    const told = toldOf(metric, report.totals)
    return told === null ? note : `${note} · ${t('told', { percent: percentText(told) })}`
  }

  function percentText(value: number | null): string {
    return value === null ? '—' : format.percent(Math.round(value * 10) / 10)
  }
}

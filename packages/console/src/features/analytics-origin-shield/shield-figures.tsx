import type { ShieldCounts, ShieldReport } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Stat, StatRow } from '../../ui/page/stat-card.tsx'
import { deltaOf } from '../analytics-dem/report-model.ts'

type Figure = { id: string; value: (counts: ShieldCounts) => number; note: string; isUpGood: boolean | null }

/** What was asked, stopped, challenged and simulated, beside the window before; the same room before it is known. */
export function ShieldFigures({
  report,
  of,
}: {
  report: ShieldReport | undefined
  of: 'requests' | 'traffic' | 'parts'
}) {
  const { t } = useTranslation('analytics-origin-shield')
  const format = useFormat()
  const totals = report?.totals
  const isBytes = of === 'traffic'
  const amount = (value: number) => (isBytes ? format.bytes(value) : format.compact(value))
  const percent = (part?: number, whole?: number) =>
    part === undefined || !whole ? '—' : format.percent(Math.round((part / whole) * 1000) / 10)
  const figures: Figure[] = [
    ...(of === 'parts'
      ? []
      : [
          {
            id: isBytes ? 'traffic' : 'requests',
            value: (one: ShieldCounts) => (isBytes ? one.bytes : one.requests),
            note: t('note.asked'),
            isUpGood: null,
          },
        ]),
    {
      id: isBytes ? 'stoppedBytes' : 'stopped',
      value: (one) => (isBytes ? one.stoppedBytes : one.stopped),
      note: t('note.stopped', {
        percent: isBytes ? percent(totals?.stoppedBytes, totals?.bytes) : percent(totals?.stopped, totals?.requests),
      }),
      isUpGood: null,
    },
    ...(isBytes
      ? []
      : [
          {
            id: 'challenged',
            value: (one: ShieldCounts) => one.challenged,
            note: t('note.challenged'),
            isUpGood: null,
          },
          {
            id: 'solved',
            value: (one: ShieldCounts) => one.solved,
            note: t('note.solved', { percent: percent(totals?.solved, totals?.challenged) }),
            isUpGood: null,
          },
          { id: 'simulated', value: (one: ShieldCounts) => one.simulated, note: t('note.simulated'), isUpGood: null },
        ]),
  ]
  const stats = figures.map(({ id, value, note, isUpGood }): Stat => {
    if (!report) return { id, label: t(`figure.${id}`), value: null, note, trend: [] }
    const delta = deltaOf(value(report.totals), value(report.before), 'percent')
    return {
      id,
      label: t(`figure.${id}`),
      value: amount(value(report.totals)),
      note,
      ...(delta ? { delta: { text: format.percent(delta.size), direction: delta.direction, isGood: isUpGood } } : {}),
      trend: report.points.map(value),
    }
  })
  return <StatRow label={t('figures')} stats={stats} />
}

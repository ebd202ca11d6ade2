import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { seriesStyle } from '../../ui/charts/series.ts'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { type Stat, StatRow } from '../../ui/page/stat-card.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { type CdnFigure, deltaOf } from './report-model.ts'

type CdnFiguresProps = {
  figures: readonly CdnFigure[]
  formatFigure: (value: number) => string
  deltaUnit: 'percent' | 'points'
  isUpGood: boolean | null
  countsAreAnswers: boolean
}

/** One key figure for each CDN, how it moved, and how many samples it stands on. */
export function CdnFigures({ figures, formatFigure, deltaUnit, isUpGood, countsAreAnswers }: CdnFiguresProps) {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const sorted = [...figures].sort((a, b) => (a.look ?? lookOf(a.cdnId)).series - (b.look ?? lookOf(b.cdnId)).series)
  const stats = sorted.map(({ cdnId, value, before, samples, small, trend, look }): Stat => {
    const { name, series } = look ?? lookOf(cdnId)
    const delta = deltaOf(value, before, deltaUnit)
    const text =
      delta &&
      (deltaUnit === 'percent' ? format.percent(delta.size) : t('points', { value: format.number(delta.size) }))
    const tails =
      small && small.p75Ms !== null && small.p95Ms !== null
        ? t('tails', { p75: formatFigure(small.p75Ms), p95: formatFigure(small.p95Ms) })
        : null
    return {
      label: <CdnName name={name} series={series} />,
      id: cdnId,
      value: value === null ? '—' : formatFigure(value),
      ...(delta && text !== null && isUpGood !== null
        ? { delta: { text, direction: delta.direction, isGood: (delta.direction === 'up') === isUpGood } }
        : {}),
      ...(delta && text !== null && isUpGood === null
        ? { delta: { text, direction: delta.direction, isGood: null } }
        : {}),
      note: (
        <>
          {tails !== null && <>{tails} · </>}
          {countsAreAnswers ? (
            t('answers', { count: samples, number: format.compact(samples) })
          ) : (
            <DataQuality samples={samples} />
          )}
        </>
      ),
      trend,
      style: seriesStyle(series),
    }
  })
  return <StatRow label={t('figures')} stats={stats} />
}

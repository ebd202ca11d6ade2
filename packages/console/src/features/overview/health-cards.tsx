import type { Overview } from '@fairway/contract'
import { conditionOf } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { seriesStyle } from '../../ui/charts/series.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { ConditionPill, useConditionReason } from '../../ui/marks/condition-pill.tsx'
import classes from './overview.module.css'

type Cdn = Overview['cdns'][number]

/** One card for each CDN: is it well, how much does it answer, how fast is it, and by how many samples we know. */
export function HealthCards({
  cdns,
  minimumSamples,
  counted,
}: {
  cdns: readonly Cdn[]
  minimumSamples: number
  /** Shares are known. */ counted: boolean
}) {
  const { t } = useTranslation('overview')
  return (
    <section className={classes.cdns} aria-label={t('health')}>
      {cdns.map((cdn) => (
        <HealthCard key={cdn.cdnId} cdn={cdn} minimumSamples={minimumSamples} counted={counted} />
      ))}
    </section>
  )
}

function HealthCard({ cdn, minimumSamples, counted }: { cdn: Cdn; minimumSamples: number; counted: boolean }) {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const condition = conditionOf(cdn)
  const reason = useConditionReason()
  return (
    <article className={classes.cdn} data-health={condition.state} style={seriesStyle(cdn.series)}>
      <div className={classes.cdnHead}>
        <h2 className={classes.cdnName}>
          <CdnName name={cdn.name} series={cdn.series} strong />
        </h2>
        <ConditionPill condition={condition} />
      </div>
      {condition.state === 'coming-back' && <p className={classes.cdnReason}>{reason(condition)}</p>}
      <dl className={classes.cdnFigures}>
        <div>
          <dt>{t('share')}</dt>
          <dd className="num">
            {counted && cdn.share !== null ? format.percent(Math.round(cdn.share * 10) / 10) : '—'}
          </dd>
        </div>
        <div>
          <dt>{t('latency')}</dt>
          <dd className="num">{cdn.latencyMs === null ? '—' : format.milliseconds(cdn.latencyMs)}</dd>
        </div>
        <div>
          <dt>{t('available')}</dt>
          <dd className="num">{cdn.availability === null ? '—' : format.percent(cdn.availability)}</dd>
        </div>
      </dl>
      <Sparkline values={cdn.trend.map(({ latencyMs }) => latencyMs)} height={32} />
      <div className={classes.cdnFoot}>
        <DataQuality samples={cdn.samples} minimum={minimumSamples} />
        <span>{t('latencyTrend')}</span>
      </div>
    </article>
  )
}

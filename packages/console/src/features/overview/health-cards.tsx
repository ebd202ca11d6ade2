import type { Overview } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import { seriesStyle } from '../../ui/charts/series.ts'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { type CdnHealth, healthOf } from './live-model.ts'
import classes from './overview.module.css'

const TONE: Record<CdnHealth, Tone> = { healthy: 'ok', degraded: 'warn', down: 'bad', unmeasured: 'neutral' }

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
  const health = healthOf(cdn)
  const since = cdn.hardDown && cdn.since !== null ? Date.parse(cdn.since) : null
  return (
    <article className={classes.cdn} data-health={health} style={seriesStyle(cdn.series)}>
      <div className={classes.cdnHead}>
        <h2 className={classes.cdnName}>
          <CdnName name={cdn.name} series={cdn.series} strong />
        </h2>
        <Pill tone={TONE[health]} {...(since === null ? {} : { title: format.exact(since) })}>
          {since === null ? t(`state.${health}`) : t('state.downSince', { time: format.time(since) })}
        </Pill>
      </div>
      <dl className={classes.cdnFigures}>
        <div>
          <dt>{t('share')}</dt>
          <dd className="num">{counted ? format.percent(Math.round(cdn.share * 10) / 10) : '—'}</dd>
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

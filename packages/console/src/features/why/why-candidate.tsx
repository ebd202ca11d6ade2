import type { CandidateTrace, SkippedLevel, UsedMeasure } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { seriesStyle } from '../../ui/charts/series.ts'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './why-candidate.module.css'

/** One CDN in one step: won or lost, by which figures, and how good those are. */
export function WhyCandidate({ candidate }: { candidate: CandidateTrace }) {
  const { t } = useTranslation(['why-panel', 'charts', 'why'])
  const format = useFormat()
  const words = usePlaceWords()
  const { lookOf } = useCdnLooks()
  const { availability, latency, rankedLatencyMs, throughputMbps, throughputFrom, chosen, percent, reason, vsrRuleId } =
    candidate
  const look = lookOf(candidate.cdnId)
  const isAdjusted = latency !== null && rankedLatencyMs !== null && Math.abs(latency.value - rankedLatencyMs) > 0.005
  const sameData =
    availability !== null &&
    latency !== null &&
    availability.level === latency.level &&
    availability.source === latency.source
  return (
    <li className={classes.candidate} data-chosen={chosen || undefined} style={seriesStyle(look.series)}>
      <div className={classes.who}>
        <CdnName name={look.name} series={look.series} strong={chosen} />
        {chosen && percent < 100 && <span className={`${classes.percent} num`}>{format.percent(percent)}</span>}
        <span className={classes.verdict}>{t(`why:candidate.${reason}`)}</span>
      </div>
      <dl className={classes.figures}>
        <div>
          <dt>{t('availability')}</dt>
          <dd className="num">{availability === null ? '—' : format.percent(availability.value)}</dd>
        </div>
        <div>
          <dt>{t(isAdjusted ? 'rankedLatency' : 'latency')}</dt>
          <dd
            className="num"
            title={
              isAdjusted && latency ? t('measuredLatency', { value: format.milliseconds(latency.value) }) : undefined
            }
          >
            {rankedLatencyMs === null ? '—' : format.milliseconds(Math.round(rankedLatencyMs * 10) / 10)}
          </dd>
        </div>
        {throughputMbps !== undefined && (
          <div>
            <dt>{t('throughput')}</dt>
            <dd className="num">{t('mbps', { number: format.number(Math.round(throughputMbps * 10) / 10) })}</dd>
          </div>
        )}
      </dl>
      {sameData && latency && availability.feed === undefined && latency.feed === undefined ? (
        <DataLine measure={latency} />
      ) : (
        <>
          {availability && <DataLine measure={availability} of={t('availability')} />}
          {latency && <DataLine measure={latency} of={t('latency')} />}
        </>
      )}
      {throughputFrom && (
        <p className={classes.data}>
          {`${t('throughput')}: ${[
            t(`why:source.${throughputFrom.source}`),
            words.level(throughputFrom.level),
            t('charts:samples', { count: throughputFrom.samples, number: format.number(throughputFrom.samples) }),
          ].join(' · ')}`}
        </p>
      )}
      {candidate.skipped && candidate.skipped.length > 0 && (
        <Skipped line={t('noFigure')} skipped={candidate.skipped} />
      )}
      {isAdjusted && latency && (
        <p className={classes.data}>{t('adjusted', { value: format.milliseconds(latency.value) })}</p>
      )}
      {vsrRuleId !== null && <p className={classes.data}>{t('vsr')}</p>}
    </li>
  )
}

/** Where a figure comes from: source, level, samples, age; and which finer levels were passed over. */
function DataLine({ measure, of }: { measure: UsedMeasure; of?: string }) {
  const { t } = useTranslation(['why-panel', 'charts', 'why'])
  const format = useFormat()
  const duration = useDuration()
  const words = usePlaceWords()
  const { source, level, samples, ageMs, skipped, feed } = measure
  const parts = [
    t(`why:source.${source}`),
    words.level(level),
    t('charts:samples', { count: samples, number: format.number(samples) }),
    t('age', { age: duration(ageMs / 1000) }),
    ...(feed
      ? [t('outside', { names: feed.names.join(', '), value: format.number(Math.round(feed.value * 10) / 10) })]
      : []),
  ]
  const line = `${of === undefined ? '' : `${of}: `}${parts.join(' · ')}`
  return skipped.length === 0 ? <p className={classes.data}>{line}</p> : <Skipped line={line} skipped={skipped} />
}

/** The levels that were passed over, one click away. */
function Skipped({ line, skipped }: { line: string; skipped: readonly SkippedLevel[] }) {
  const { t } = useTranslation(['why-panel', 'charts', 'why'])
  const format = useFormat()
  const words = usePlaceWords()
  return (
    <details className={classes.skipped}>
      <summary className={classes.data}>
        {line} <span className={classes.more}>{t('skipped', { count: skipped.length })}</span>
      </summary>
      <ul>
        {skipped.map(({ level, source, reason, samples }) => (
          <li key={`${level} ${source}`}>
            <span>{words.level(level)}</span>
            <span>{t(`why:source.${source}`)}</span>
            <span>
              {t(`why:skipped.${reason}`)}
              {samples > 0 && ` (${t('charts:samples', { count: samples, number: format.number(samples) })})`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

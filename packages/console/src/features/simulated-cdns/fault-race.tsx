import { analyticsDem, overview } from '@fairway/contract'
import { conditionOf } from '@fairway/domain'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useDuration } from '../../i18n/duration.ts'
import { useFormat } from '../../i18n/format.ts'
import { useConditionReason } from '../../ui/marks/condition-pill.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './fault-race.module.css'
import { type Observation, countedGoneMs, raceAway, raceBack } from './stopwatch.ts'
import type { FaultSet } from './use-fault-times.ts'

/** Longer ago than this a change is history, not a race. */
const SHOWN_MS = 10 * 60_000
const WINDOW_SECONDS = 600

type FaultRaceProps = {
  cdnId: string
  changed: FaultSet | null
  observations: readonly Observation[]
  place: Place | null
}

/**
 * The stopwatch of the last change, from what was recorded: when it was set, when probes saw it, and what DNS answered
 * visitors since.
 */
export function FaultRace({ cdnId, changed, observations, place }: FaultRaceProps) {
  const { t } = useTranslation('simulated-cdns')
  const format = useFormat()
  const duration = useDuration()
  const inPlace = { site: place?.site ?? '', domain: place?.domain ?? '' }
  const reason = useConditionReason()
  const home = useRead(overview.routes.get, { site: inPlace.site }, { enabled: place !== null }).data
  const events = home?.events ?? []
  const cdn = home?.cdns.find((one) => one.cdnId === cdnId)
  const counted = useRead(
    analyticsDem.routes.decisions,
    { ...inPlace, seconds: WINDOW_SECONDS },
    { enabled: place !== null },
  ).data
  const newest = observations.at(-1)?.at ?? changed?.at ?? 0
  if (!changed || newest - changed.at > SHOWN_MS) return <p className={classes.idle}>{t('race.idle')}</p>

  const isBack = changed.mode === 'up'
  const race = isBack ? raceBack(observations, cdnId, changed.at) : raceAway(observations, cdnId, changed.at)
  const down = events.find(
    (event) =>
      event.kind === 'cdn-down' &&
      event.cdnId === cdnId &&
      (isBack
        ? event.endedAt !== null && Date.parse(event.endedAt) >= changed.at
        : Date.parse(event.startedAt) >= changed.at),
  )
  const seenMs = down ? Date.parse(isBack ? (down.endedAt ?? down.startedAt) : down.startedAt) - changed.at : null
  const series = counted?.answers.find((one) => one.cdnId === cdnId)?.points ?? []
  const all = new Map<number, number>()
  for (const { points } of counted?.answers ?? [])
    for (const { at, value } of points) all.set(at, (all.get(at) ?? 0) + (value ?? 0))
  const goneMs =
    isBack || race !== null
      ? null
      : countedGoneMs(
          series.map((point) => ({ ...point, all: all.get(point.at) ?? 0 })),
          (counted?.intervalSeconds ?? 10) * 1000,
          changed.at,
        )
  const took = (ms: number | null) => (ms === null ? '…' : duration(ms / 1000))

  return (
    <div className={classes.race} role="status">
      <p className={classes.figure}>
        <span className="num" data-waiting={(race?.firstMs ?? goneMs) === null || undefined}>
          {took(race?.firstMs ?? goneMs)}
        </span>
        <span className={classes.what}>
          {isBack ? t('race.back') : t(goneMs === null ? 'race.away' : 'race.counted')}
        </span>
      </p>
      <ol className={classes.steps}>
        <li data-done>
          <span>{t('race.set', { mode: t(`mode.${changed.mode}`) })}</span>
          <span className="num">{format.time(changed.at)}</span>
        </li>
        <li data-done={seenMs !== null || undefined}>
          <span>{t(isBack ? 'race.seenBack' : 'race.seen')}</span>
          <span className="num">{seenMs === null ? t('race.notYet') : `+ ${took(seenMs)}`}</span>
        </li>
        {race && (
          <li data-done={race.firstMs !== null || undefined}>
            <span>{t(isBack ? 'race.firstBack' : 'race.first')}</span>
            <span className="num">{race.firstMs === null ? t('race.notYet') : `+ ${took(race.firstMs)}`}</span>
          </li>
        )}
        {race && (
          <li data-done={race.allMs !== null || undefined}>
            <span>
              {t(isBack ? 'race.allBack' : 'race.all', {
                moved: format.number(race.moved),
                total: format.number(race.visitors),
              })}
            </span>
            <span className="num">{race.allMs === null ? t('race.notYet') : `+ ${took(race.allMs)}`}</span>
          </li>
        )}
      </ol>
      {!race && goneMs === null && <p className={classes.note}>{t(isBack ? 'race.nobodyBack' : 'race.nobody')}</p>}
      {isBack && !race && cdn && (
        <p className={classes.note}>
          {t('race.whyNotBack')}: {reason(conditionOf(cdn))}
        </p>
      )}
    </div>
  )
}

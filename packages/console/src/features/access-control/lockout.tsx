import { accessControl } from '@fairway/contract'
import type { RouteInput, RouteOutput } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './access-control.module.css'
import { Remarks } from './remarks.tsx'

type Change = Pick<RouteInput<typeof accessControl.routes.effect>, 'add' | 'text'>
type Effect = RouteOutput<typeof accessControl.routes.effect>

const TYPING_MS = 350

/** Who would this lock out: share of the last day's requests, and whether the reader is among them. */
export function Lockout({
  place,
  change,
}: {
  place: Place
  /** Null while there is nothing. */ change: Change | null
}) {
  const { t } = useTranslation('access-control')
  const [settled] = useDebouncedValue(change, TYPING_MS)
  const { data, error, refetch, isPlaceholderData } = useRead(
    accessControl.routes.effect,
    { ...place, ...settled },
    { enabled: settled !== null },
  )
  return (
    <section className={classes.effect} aria-label={t('effect.title')} data-stale={isPlaceholderData || undefined}>
      <p className={classes.effectTitle}>{t('effect.title')}</p>
      {settled !== null && <Remarks place={place} drafts={settled} />}
      {settled === null && <p className={classes.quiet}>{t('effect.nothing')}</p>}
      {settled !== null && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {settled !== null && !error && !data && <Skeleton height={70} radius="sm" />}
      {settled !== null && !error && data && <Figures effect={data} />}
    </section>
  )
}

function Figures({ effect }: { effect: Effect }) {
  const { t } = useTranslation('access-control')
  const format = useFormat()
  const { requests, before, after, countries, you } = effect
  const share = (count: number) => format.percent(requests === 0 ? 0 : (100 * count) / requests)
  const told = ({ least, most }: Effect['before']) =>
    least === most ? share(most) : t('effect.between', { least: share(least), most: share(most) })
  return (
    <>
      {you.after && !you.before && <Notice tone="bad" title={t('effect.you', { address: you.address })} />}
      {!you.after && you.before && <Notice tone="info" title={t('effect.youBack', { address: you.address })} />}
      {requests === 0 ? (
        <p className={classes.quiet}>{t('effect.noRequests')}</p>
      ) : (
        <>
          <p>
            <span className={`${classes.figure ?? ''} num`}>{told(after)}</span>{' '}
            {t('effect.ofRequests', { requests: format.number(requests), before: told(before) })}
          </p>
          {countries.length > 0 && (
            <ul className={classes.countries} aria-label={t('effect.countries')}>
              {countries.map(({ country, requests: count }) => (
                <li key={country}>
                  {country === '' ? t('effect.unknown') : format.country(country)}{' '}
                  <span className="num">{share(count)}</span>
                </li>
              ))}
            </ul>
          )}
          {before.least === after.least && before.most === after.most && (
            <p className={classes.quiet}>{t('effect.same')}</p>
          )}
        </>
      )}
      <p className={classes.quiet}>{t('effect.note')}</p>
    </>
  )
}

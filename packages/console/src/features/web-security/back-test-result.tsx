import type { BackTest } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './back-test.module.css'

/** Who would be newly stopped and who newly let pass: by country, by path, and some of them whole. */
export function BackTestResult({ result }: { result: BackTest }) {
  const { t } = useTranslation('web-security')
  const format = useFormat()
  const { recorded, requests, from, to, newlyStopped, newlyPassed, otherwise, uncertain, stopped } = result
  if (recorded === 0 || from === null || to === null)
    return <EmptyTeach title={t('backTest.empty')} text={t('backTest.emptyText')} />
  return (
    <>
      <p className={classes.note}>
        {t('backTest.over', {
          recorded: format.number(recorded),
          count: requests,
          number: format.number(requests),
          from: format.dateTime(from),
          to: format.dateTime(to),
        })}{' '}
        {t('backTest.stopped', { before: share(stopped.before), after: share(stopped.after) })}
      </p>
      {newlyStopped.signedIn > 0 && (
        <Notice
          tone="warn"
          title={t('backTest.signedIn', { count: newlyStopped.signedIn, number: format.number(newlyStopped.signedIn) })}
        >
          {t('backTest.signedInText')}
        </Notice>
      )}
      <div className={classes.sides}>
        <Side of="stopped" turned={newlyStopped} share={share} />
        <Side of="passed" turned={newlyPassed} share={share} />
      </div>
      {otherwise > 0 && <p className={classes.note}>{t('backTest.otherwise', { share: share(otherwise) })}</p>}
      {uncertain > 0 && <p className={classes.note}>{t('backTest.uncertain', { share: share(uncertain) })}</p>}
    </>
  )

  function share(part: number): string {
    return format.percent(Math.round((part / Math.max(requests, 1)) * 10_000) / 100)
  }
}

function Side({
  of,
  turned,
  share,
}: {
  of: 'stopped' | 'passed'
  turned: BackTest['newlyStopped']
  share: (part: number) => string
}) {
  const { t } = useTranslation('web-security')
  const format = useFormat()
  return (
    <section className={classes.side} aria-label={t(`backTest.${of}Title`)}>
      <h3 className={classes.heading}>
        {t(`backTest.${of}Title`)}
        <Pill tone={turned.requests === 0 ? 'neutral' : of === 'stopped' ? 'warn' : 'info'}>
          {format.number(turned.requests)} · {share(turned.requests)}
        </Pill>
      </h3>
      {turned.requests === 0 ? (
        <p className={classes.note}>{t('backTest.none')}</p>
      ) : (
        <>
          <Shares name={t('backTest.countries')}>
            {turned.countries.slice(0, 4).map(({ value, requests }) => (
              <li key={value}>
                {value === '' ? t('backTest.unknown') : format.country(value)}{' '}
                <span className="num">{format.compact(requests)}</span>
              </li>
            ))}
          </Shares>
          <Shares name={t('backTest.paths')}>
            {turned.paths.slice(0, 4).map(({ value, requests }) => (
              <li key={value}>
                <code>{value}</code> <span className="num">{format.compact(requests)}</span>
              </li>
            ))}
          </Shares>
          <Shares name={t('backTest.examples')}>
            {turned.examples.slice(0, 4).map((one) => (
              <li key={one.id} title={one.agent}>
                <code>
                  {one.address} {one.method} {one.path}
                </code>
              </li>
            ))}
          </Shares>
        </>
      )}
    </section>
  )
}

function Shares({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <p className={classes.name}>{name}</p>
      <ul className={classes.shares}>{children}</ul>
    </div>
  )
}

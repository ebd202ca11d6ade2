import { domains } from '@fairway/contract'
import type { OriginInput, PreflightAddress } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './screen.module.css'

type PreflightCardProps = {
  place: Place
  origin: OriginInput
  /** Tells what is wrong with the form; false when something is. */ onCheck: () => boolean
  onProblems: (error: unknown) => void
}

/** Asks the origin from an edge node before anything is saved. */
export function PreflightCard({ place, origin, onCheck, onProblems }: PreflightCardProps) {
  const { t } = useTranslation('general-settings')
  const ask = useMutation({
    mutationFn: () => api(domains.routes.preflight, { ...place, origin }),
    onError: onProblems,
  })
  return (
    <Card
      title={t('preflight.title')}
      hint={ask.data ? t('preflight.from', { node: ask.data.node }) : undefined}
      end={
        <Button
          variant="default"
          size="xs"
          loading={ask.isPending}
          onClick={() => {
            if (onCheck()) ask.mutate()
          }}
        >
          {t('preflight.verb')}
        </Button>
      }
    >
      {ask.isError && <FailureNotice title={t('preflight.failed')} error={ask.error} />}
      {!ask.data && !ask.isError && <p className={classes.quiet}>{t('preflight.text')}</p>}
      <div role="status">
        {ask.data?.addresses.map((seen) => (
          <Seen key={seen.address} seen={seen} isChecked={origin.verifyCertificate === true} />
        ))}
      </div>
    </Card>
  )
}

function Seen({ seen, isChecked }: { seen: PreflightAddress; isChecked: boolean }) {
  const { t } = useTranslation('general-settings')
  const format = useFormat()
  const isRefused = isChecked && seen.tls?.trusted === false
  const tone =
    seen.error !== null || seen.redirectLoop || isRefused || (seen.status ?? 0) >= 500
      ? 'bad'
      : seen.tls && !seen.tls.trusted
        ? 'warn'
        : 'ok'
  return (
    <section className={classes.peer} aria-label={seen.address}>
      <div className={classes.peerHead}>
        <code>{seen.address}</code>
        <Pill tone={tone}>
          {seen.error !== null
            ? t(`preflight.error.${seen.error}`, { defaultValue: seen.error })
            : t('preflight.status', { status: seen.status })}
        </Pill>
        {seen.redirectLoop && <Pill tone="bad">{t('preflight.loop')}</Pill>}
      </div>
      <dl className={classes.facts}>
        {seen.peer !== null && seen.peer !== seen.address && (
          <Fact name={t('preflight.peer')}>
            <code>{seen.peer}</code>
          </Fact>
        )}
        {seen.connectMs !== null && (
          <Fact name={t('preflight.connect')}>
            <span className="num">{format.milliseconds(seen.connectMs)}</span>
          </Fact>
        )}
        {seen.firstByteMs !== null && (
          <Fact name={t('preflight.firstByte')}>
            <span className="num">{format.milliseconds(seen.firstByteMs)}</span>
          </Fact>
        )}
        {seen.tls && (
          <>
            <Fact name={t('preflight.tls')}>
              {seen.tls.protocol} · SNI <code>{seen.tls.serverName}</code>
            </Fact>
            <Fact name={t('preflight.certificate')}>
              {seen.tls.subject || '—'} · {t('preflight.issuer', { issuer: seen.tls.issuer })} ·{' '}
              {t('preflight.until', { date: seen.tls.validTo })}
              {seen.tls.problem !== null && <> · {t('preflight.distrusted', { why: seen.tls.problem })}</>}
            </Fact>
          </>
        )}
        {seen.redirectTo !== null && (
          <Fact name={t('preflight.redirect')}>
            <code>{seen.redirectTo}</code>
          </Fact>
        )}
        {seen.status !== null && (
          <Fact name={t('preflight.cache')}>
            {seen.cacheSeconds !== null
              ? t('preflight.cached', { time: format.seconds(seen.cacheSeconds) })
              : t(`preflight.notCached.${seen.cacheReason ?? 'silent'}`)}
          </Fact>
        )}
      </dl>
      {seen.redirectLoop && <p className={classes.problem}>{t('preflight.loopText')}</p>}
      {isRefused && <p className={classes.problem}>{t('preflight.refused')}</p>}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

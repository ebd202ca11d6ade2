import { type NsStatus, type Site, addSite } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './nameserver-card.module.css'
import { NsRequirements } from './ns-requirements.tsx'

/** Whether the parent zone names our nameservers: what it says now, since when we look, and a way to look again. */
export function NameserverCard({ site, status }: { site: Site; status: NsStatus }) {
  const { t } = useTranslation('nameservers')
  const canCheck = useCanCall(addSite.routes.checkNameservers)
  const check = useChange(addSite.routes.checkNameservers)
  return (
    <Card
      title={t('title')}
      hint={
        status.checkedAt && (
          <>
            {t('checked')} <Age inside at={status.checkedAt} />
          </>
        )
      }
      end={
        <>
          <NsPill status={status} />
          {canCheck && status.dnsState !== 'draft' && (
            <Button
              variant="default"
              size="xs"
              loading={check.isPending}
              onClick={() => check.mutate({ site: site.id })}
            >
              {t('again')}
            </Button>
          )}
        </>
      }
    >
      <NameserverDetails status={status} />
    </Card>
  )
}

/** What the parent says, requirement by requirement and server by server. */
export function NameserverDetails({ status }: { status: NsStatus }) {
  const { t } = useTranslation('nameservers')
  const format = useFormat()
  return (
    <div className={classes.stack} role="status">
      {status.dnsState === 'verified' && <p>{t('verified', { parent: status.parent ?? '' })}</p>}
      {status.dnsState === 'pending' && status.state === 'unchecked' && (
        <p className={classes.quiet}>{t('unchecked')}</p>
      )}
      {status.dnsState === 'pending' && status.reason && (
        <Notice
          tone={status.state === 'timed-out' ? 'warn' : 'info'}
          title={status.state === 'timed-out' ? t('timedOut') : undefined}
        >
          {t(`reason.${status.reason}`, { parent: status.parent ?? '' })}
        </Notice>
      )}
      {status.checkingUntil && (
        <p className={classes.quiet}>{t('until', { time: format.time(Date.parse(status.checkingUntil)) })}</p>
      )}
      {status.requirements.length > 0 && <NsRequirements status={status} />}
      {status.delegation.length > 0 && (
        <ul className={classes.list} aria-label={t('delegation')}>
          {status.delegation.map(({ name, glue, ours }) => (
            <li key={name} className={classes.server}>
              <code>{name}</code>
              {glue.length > 0 && <code className={classes.glue}>{glue.join(', ')}</code>}
              <Pill tone={ours ? 'ok' : 'neutral'}>{t(ours ? 'ours' : 'other')}</Pill>
              <Serial status={status} name={name} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function NsPill({ status }: { status: NsStatus }) {
  if (status.dnsState === 'verified') return <StatusPill state="verified" />
  if (status.state === 'checking') return <StatusPill state="checking" />
  return <StatusPill state={status.dnsState} />
}

/** What the server itself says about the zone. */
function Serial({ status, name }: { status: NsStatus; name: string }) {
  const { t } = useTranslation('nameservers')
  const found = status.serials.find((one) => one.name === name)
  if (!found) return null
  return (
    <span className={classes.glue}>
      {found.serial === null ? t('noAnswer') : t('serial', { serial: found.serial })}
    </span>
  )
}

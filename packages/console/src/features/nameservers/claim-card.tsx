import { type Claim, type NsStatus, type Site, addSite } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { isSettled } from './claim-words.ts'
import classes from './nameserver-card.module.css'
import { useNsStatus } from './use-ns-status.ts'

/** Whose the site's name is, and how to prove it: the pair of nameservers to set, or a record at the present DNS. */
export function ClaimCard({ site }: { site: Site }) {
  const { t } = useTranslation('nameservers')
  const { data: status, error, refetch } = useNsStatus(site.id)
  const check = useChange(addSite.routes.checkNameservers)
  const canCheck = useCanCall(addSite.routes.checkNameservers)
  const claim = status?.claim ?? site.claim
  return (
    <Card
      title={t('claim.title')}
      end={
        <>
          <ClaimPill claim={claim} />
          {canCheck && !isSettled(claim) && (
            <Button
              variant="default"
              size="xs"
              loading={check.isPending}
              onClick={() => check.mutate({ site: site.id })}
            >
              {t('claim.check')}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.stack} role="status">
        <ClaimWords claim={claim} />
        {error && !status && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!isSettled(claim) && <Proofs site={site} status={status} />}
      </div>
    </Card>
  )
}

export function ClaimPill({ claim }: { claim: Claim }) {
  const { t } = useTranslation('nameservers')
  const tone = claim.state === 'proven' ? 'ok' : claim.state === 'parked' ? 'bad' : 'warn'
  return <Pill tone={tone}>{t(`claim.state.${claim.state}`)}</Pill>
}

function ClaimWords({ claim }: { claim: Claim }) {
  const { t } = useTranslation('nameservers')
  const format = useFormat()
  const date = 'until' in claim && claim.until !== null ? format.date(Date.parse(claim.until)) : null
  if (claim.state === 'proven') return <p>{t(`claim.proven.${claim.by}`)}</p>
  if (claim.state === 'parked')
    return (
      <Notice tone="bad" title={t(`claim.parked.${claim.reason}`)}>
        {t('claim.parkedText')} {date !== null && t('claim.removed', { date })}
      </Notice>
    )
  if (claim.state === 'looking') return <Notice tone="warn">{t('claim.looking')}</Notice>
  if (claim.state === 'draft') return <p className={classes.quiet}>{t('claim.draft')}</p>
  return <p>{date === null ? t('claim.servedFree') : t('claim.served', { date })}</p>
}

function Proofs({ site, status }: { site: Site; status: NsStatus | undefined }) {
  const { t } = useTranslation('nameservers')
  const pair = (status ?? site).nameservers.global
  return (
    <ol className={classes.proofs}>
      <li>
        <p>{t('claim.byPair')}</p>
        <ul className={classes.list}>
          {pair.map((host) => (
            <li key={host} className={classes.server} data-copy-host>
              <code>{host}</code>
              <Copy value={host} />
            </li>
          ))}
        </ul>
      </li>
      <li>
        <p>{t('claim.byRecord')}</p>
        {status?.proof && (
          <dl className={classes.record}>
            {(['name', 'value'] as const).map((part) => (
              <div key={part} className={classes.server}>
                <dt>{t(`claim.record.${part}`)}</dt>
                <dd className={classes.server}>
                  <code>{status.proof?.[part]}</code>
                  <Copy value={status.proof?.[part] ?? ''} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {status?.proof?.seen === false && <p className={classes.quiet}>{t('claim.notSeen')}</p>}
      </li>
    </ol>
  )
}

import { type NsStatus, type Parity, addSite } from '@fairway/contract'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { Copy } from '../../ui/marks/copy.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { WizardGap } from '../../ui/page/wizard.tsx'
import { ClaimCard } from '../nameservers/claim-card.tsx'
import { NameserverCard } from '../nameservers/nameserver-card.tsx'
import { useNsStatus } from '../nameservers/use-ns-status.ts'
import classes from './add-site.module.css'
import { ParityCard, isComparing } from './parity-card.tsx'
import { StepFrame } from './step-frame.tsx'
import { useDraft } from './use-draft.ts'

const POLL_MS = 600

/** Last step: the old and the new answers side by side, the nameservers to set, and whether the parent names them. */
export function FinishScreen() {
  const { t } = useTranslation('add-site')
  const draft = useDraft()
  const { site } = draft
  const parity = useRead(
    addSite.routes.parity,
    { site: site.id },
    { everyMs: (now) => (now && isComparing(now) ? POLL_MS : false) },
  )
  const status = useNsStatus(site.id)
  return (
    <StepFrame
      step="finish"
      draft={draft}
      title={t('finish.title')}
      meaning={t('finish.meaning', { site: site.domainName })}
      beside={<StatusPill state={site.dnsState} />}
      footer={
        <>
          <WizardGap />
          <LinkButton to="/$site/{-$domain}/dns/dns-records" params={{ site: site.domainName, domain: undefined }}>
            {t('finish.records')}
          </LinkButton>
        </>
      }
    >
      {parity.data ? (
        <ParityCard site={site} parity={parity.data} />
      ) : (
        parity.error && <ErrorState error={parity.error} onRetry={() => void parity.refetch()} />
      )}
      <ClaimCard site={site} />
      {status.data && <SetsCard status={status.data} parity={parity.data} />}
      {status.data && <NameserverCard site={site} status={status.data} />}
    </StepFrame>
  )
}

/** Both sets of names, and the steps at the registrar; green only when nothing would answer otherwise. */
function SetsCard({ status, parity }: { status: NsStatus; parity: Parity | undefined }) {
  const { t } = useTranslation('add-site')
  return (
    <Card title={t('finish.nameservers')}>
      <div className={classes.stack}>
        <Verdict status={status} parity={parity} />
        <div className={classes.sets}>
          {(['global', 'china'] as const).map((set) => (
            <section key={set}>
              <h3 className={classes.setTitle}>{t(`finish.${set}`)}</h3>
              <ul>
                {status.nameservers[set].map((host) => (
                  <li key={host} className={classes.host} data-copy-host>
                    <code>{host}</code>
                    <Copy value={host} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <ol className={classes.steps}>
          {([1, 2, 3, 4] as const).map((step) => (
            <li key={step} className={classes.quiet}>
              {t(`finish.step${step}`, { parent: status.parent ?? '' })}
            </li>
          ))}
        </ol>
      </div>
    </Card>
  )
}

function Verdict({ status, parity }: { status: NsStatus; parity: Parity | undefined }) {
  const { t } = useTranslation('add-site')
  const isSame = parity?.state === 'done' && parity.differences === 0
  const isWhole = isSame && !(parity.proxied > 0 || parity.unscanned > 0)
  const isSafe = (isWhole || status.dnsState === 'verified') && !status.hasDs
  const Icon = isSafe ? IconCircleCheckFilled : IconAlertTriangle
  const words = status.hasDs
    ? t('finish.hasDs')
    : status.dnsState === 'verified'
      ? t('finish.already')
      : isWhole
        ? t('finish.safe')
        : parity?.state !== 'done'
          ? t('finish.notCompared')
          : parity.differences > 0
            ? t('finish.differs', { count: parity.differences })
            : parity.proxied > 0
              ? t('finish.proxied', { count: parity.proxied })
              : t('finish.unscanned', { count: parity.unscanned })
  return (
    <p className={classes.verdict} data-tone={isSafe ? 'ok' : 'warn'} role="status">
      <Icon size={18} aria-hidden />
      {words}
    </p>
  )
}

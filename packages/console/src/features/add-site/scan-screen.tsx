import { type Scan, addSite } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { WizardGap } from '../../ui/page/wizard.tsx'
import classes from './add-site.module.css'
import { DeleteDraft } from './delete-draft.tsx'
import { StepFrame } from './step-frame.tsx'
import { useDraft } from './use-draft.ts'
import { ZoneFileCard } from './zone-file-card.tsx'

const POLL_MS = 400

/** Second step: what the old nameservers tell, live. It goes on when nobody looks. */
export function ScanScreen() {
  const { t } = useTranslation('add-site')
  const draft = useDraft()
  const {
    data: scan,
    error,
    refetch,
  } = useRead(
    addSite.routes.scan,
    { site: draft.site.id },
    { everyMs: (now) => (now && isBusy(now) ? POLL_MS : false) },
  )
  return (
    <StepFrame
      step="scan"
      draft={draft}
      title={t('scan.title')}
      meaning={t('scan.meaning', { site: draft.site.domainName })}
      beside={scan && <StatusPill state={pillOf(scan)} />}
      footer={
        <>
          <DeleteDraft site={draft.site} />
          <WizardGap />
          <LinkButton to="/add-site/review-domains" search={draft.search}>
            {t('continue')}
          </LinkButton>
        </>
      }
    >
      {scan ? (
        <ScanCard site={draft.site.id} scan={scan} />
      ) : (
        error && <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      <ZoneFileCard site={draft.site} />
    </StepFrame>
  )
}

export const isBusy = ({ state }: Pick<Scan, 'state'>): boolean => state === 'waiting' || state === 'running'

function pillOf({ state }: Scan) {
  if (state === 'waiting' || state === 'running') return 'in-progress'
  return state === 'done' ? 'completed' : state === 'failed' ? 'failed' : 'inactive'
}

function ScanCard({ site, scan }: { site: string; scan: Scan }) {
  const { t } = useTranslation('add-site')
  const format = useFormat()
  const again = useChange(addSite.routes.startScan)
  const share = scan.state === 'done' ? 1 : scan.namesTotal ? scan.namesAsked / scan.namesTotal : 0
  const figures = [
    ['names', scan.foundNames],
    ['records', scan.foundRecords],
    ['asked', scan.namesAsked],
    ['queries', scan.queries],
  ] as const
  return (
    <Card
      title={t('scan.card')}
      end={
        !isBusy(scan) && (
          <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate({ site })}>
            {t('scan.again')}
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        <div
          className={classes.bar}
          role="progressbar"
          aria-label={t('scan.progress')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <div className={classes.fill} data-state={scan.state} style={{ width: `${share * 100}%` }} />
        </div>
        <dl className={classes.figures}>
          {figures.map(([key, value]) => (
            <div key={key} className={classes.figure}>
              <dt>{t(`scan.figure.${key}`)}</dt>
              <dd className="num">{format.number(value)}</dd>
            </div>
          ))}
        </dl>
        {scan.nameservers.length > 0 && (
          <ul className={classes.servers} aria-label={t('scan.servers')}>
            {scan.nameservers.map(({ name, addresses }) => (
              <li key={name} className={classes.server}>
                <code>{name}</code>
                <code className={classes.address}>{addresses.join(', ')}</code>
              </li>
            ))}
          </ul>
        )}
        <div role="status">
          <Outcome scan={scan} />
        </div>
        {!isBusy(scan) && scan.unanswered > 0 && (
          <Notice tone="warn" title={t('scan.unanswered', { count: scan.unanswered })}>
            {t('scan.unansweredText', { names: format.list(scan.unansweredNames) })}
          </Notice>
        )}
      </div>
    </Card>
  )
}

function Outcome({ scan }: { scan: Scan }) {
  const { t } = useTranslation('add-site')
  if (scan.problem)
    return (
      <Notice tone="warn" title={t('scan.none')}>
        {t(`problem.${scan.problem}`)}
      </Notice>
    )
  if (isBusy(scan)) return <p className={classes.quiet}>{t('scan.leave')}</p>
  if (scan.method === 'transfer')
    return (
      <Notice tone="info" title={t('scan.whole', { count: scan.foundNames })}>
        {t('scan.wholeText')}
      </Notice>
    )
  return (
    <Notice tone="info" title={t('scan.found', { count: scan.foundNames })}>
      {t(scan.hasWildcard ? 'scan.incompleteWildcard' : 'scan.incomplete')}
    </Notice>
  )
}

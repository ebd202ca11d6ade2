import { type CertificateReceipts, IssueStep, certificates } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { CertificateFacts, ChallengeFact } from './certificate-facts.tsx'
import classes from './certificates.module.css'

const UNDER_WAY_MS = 700
const NODE_STATE = { live: 'installed', waiting: 'installing', away: 'away', failed: 'error' } as const

/** One certificate: the order's steps while it is under way, what it is, and which nodes serve it. */
export function DetailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('certificates')
  const format = useFormat()
  const show = useSnackbar()
  const [asksRemoval, setAsksRemoval] = useState(false)
  const { data, error, refetch } = useRead(
    certificates.routes.get,
    { id },
    { everyMs: (seen) => (seen?.step !== null ? UNDER_WAY_MS : false) },
  )
  const canChange = useCanCall(certificates.routes.remove)
  const renew = useChange(certificates.routes.renew)
  const remove = useChange(certificates.routes.remove, {
    onDone: () => {
      show('certificate', { message: t('removed') })
      onClose()
    },
  })
  const leavesNone = remove.error instanceof ApiError && remove.error.code === 28022
  const isOrdered = data !== undefined && !data.type.startsWith('custom')
  const isWaiting = data?.status === 'waiting'
  const isStuck = data?.problem !== null && data?.problem !== undefined
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={data?.commonName ?? t('title')}
      size={720}
      footer={
        data &&
        canChange && (
          <>
            <Button variant="default" color="red" onClick={() => setAsksRemoval(true)}>
              {t('remove')}
            </Button>
            {isOrdered && (
              <Button
                variant={isStuck ? 'filled' : 'default'}
                loading={renew.isPending}
                disabled={data.step !== null && !isStuck}
                onClick={() => renew.mutate({ id })}
              >
                {t(isStuck ? 'tryNow' : 'renewNow')}
              </Button>
            )}
          </>
        )
      }
    >
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} radius="md" />)}
      {data && (
        <div className={classes.body}>
          <span className={classes.state}>
            <StatusPill state={data.status} />
            <span className={classes.step}>
              {t(`type.${data.type}`)} · {data.siteName}
            </span>
          </span>
          {data.problem !== null && (
            <Notice
              tone={isWaiting ? 'warn' : 'bad'}
              title={t(isWaiting ? 'waitingTitle' : data.step === 'deploy' ? 'refused' : 'failedTitle')}
            >
              {data.problem}
              {data.nextAt !== null && data.step !== 'deploy' && (
                <> {t('again', { time: format.dateTime(Date.parse(data.nextAt)) })}</>
              )}
            </Notice>
          )}
          {data.step !== null && data.problem === null && <OrderSteps certificate={data} />}
          {data.details ? (
            <CertificateFacts details={data.details} challenge={data.challenge} />
          ) : (
            <dl className={classes.facts}>
              <dt>{t('fact.names')}</dt>
              <dd>{data.names.join(', ')}</dd>
              <ChallengeFact challenge={data.challenge} />
            </dl>
          )}
          {data.nodes.length > 0 && (
            <section aria-label={t('nodes')}>
              <h3 className={classes.heading}>{t('nodes')}</h3>
              <ul className={classes.nodes}>
                {data.nodes.map((node) => (
                  <li key={node.nodeId}>
                    <span>{node.name}</span>
                    <span title={node.reason ?? undefined}>
                      <StatusPill state={NODE_STATE[node.state]} />
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {data.cdns.length > 0 && (
            <section aria-label={t('cdns')}>
              <h3 className={classes.heading}>{t('cdns')}</h3>
              <ul className={classes.nodes}>
                {data.cdns.map((cdn) => (
                  <li key={cdn.id}>
                    <span>
                      {cdn.name} · {cdn.host}
                    </span>
                    <span title={cdn.detail ?? (cdn.at === null ? undefined : format.dateTime(Date.parse(cdn.at)))}>
                      <StatusPill state={cdn.state} />
                    </span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
      {data && (
        <Confirm
          opened={asksRemoval}
          onClose={() => setAsksRemoval(false)}
          title={t('removeTitle', { name: data.commonName })}
          verb={t('remove')}
          danger
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id, confirm: leavesNone })}
        >
          {t('removeText')}
          {leavesNone && <Notice tone="bad">{t('removeLast')}</Notice>}
        </Confirm>
      )}
    </SideDrawer>
  )
}

function OrderSteps({ certificate: { step, type, challenge } }: { certificate: CertificateReceipts }) {
  const { t } = useTranslation('certificates')
  const steps = type.startsWith('custom') ? (['deploy'] as const) : IssueStep.options
  const at = steps.findIndex((one) => one === step)
  return (
    <ol className={classes.steps} aria-label={t('steps')}>
      {steps.map((one, index) => (
        <li
          key={one}
          data-state={index < at ? 'done' : index === at ? 'current' : 'todo'}
          aria-current={index === at ? 'step' : undefined}
        >
          <span className={classes.mark} aria-hidden>
            {index < at ? '✓' : index + 1}
          </span>
          {t(one === 'publish' && challenge === 'http-01' ? 'step.publishAtEdge' : `step.${one}`)}
        </li>
      ))}
    </ol>
  )
}

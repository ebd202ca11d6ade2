import { dnsPrimary } from '@fairway/contract'
import type { DnsPrimary, Site } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './dns-settings.module.css'
import { SetPrimary } from './set-primary.tsx'

const TONES: Record<DnsPrimary['state'], Tone> = { waiting: 'info', current: 'ok', failing: 'warn', expired: 'bad' }
const LOOK_MS = 5_000

/** Whether the zone is kept elsewhere and fetched from there, and how that goes. */
export function PrimaryCard({ site }: { site: Site }) {
  const { t } = useTranslation('dns-settings')
  const { data, error, refetch } = useRead(
    dnsPrimary.routes.get,
    { site: site.id },
    { everyMs: (known) => (known?.data ? LOOK_MS : false) },
  )
  const maySet = useCanCall(dnsPrimary.routes.set)
  const [setting, setSetting] = useState(false)
  const primary = data?.data ?? null
  return (
    <Card
      title={t('primary.title')}
      {...(primary
        ? {
            end: (
              <Pill tone={TONES[primary.state]} busy={primary.state === 'waiting' && primary.problem === null}>
                {t(`primary.state.${primary.state}`)}
              </Pill>
            ),
          }
        : {})}
    >
      <div className={classes.blocks}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={60} radius="md" />}
        {data && (
          <p className={classes.text}>{t(primary ? 'primary.isFetched' : 'primary.text', { site: site.domainName })}</p>
        )}
        {data && !primary && maySet && (
          <div className={classes.actions}>
            <Button variant="default" onClick={() => setSetting(true)}>
              {t('primary.set')}
            </Button>
          </div>
        )}
        {primary && <Known site={site} primary={primary} onChange={maySet ? () => setSetting(true) : null} />}
      </div>
      {data && (
        <SetPrimary
          key={primary ? 'change' : 'new'}
          site={site}
          primary={primary}
          opened={setting}
          onClose={() => setSetting(false)}
        />
      )}
    </Card>
  )
}

function Known({ site, primary, onChange }: { site: Site; primary: DnsPrimary; onChange: (() => void) | null }) {
  const { t } = useTranslation('dns-settings')
  const format = useFormat()
  const [leaving, setLeaving] = useState(false)
  const mayEdit = useCanCall(dnsPrimary.routes.remove)
  const refresh = useChange(dnsPrimary.routes.refresh)
  const remove = useChange(dnsPrimary.routes.remove, { onDone: () => setLeaving(false) })
  const { problem, servers, key, serial, refreshedAt, transferredAt, noticedAt, dueAt, expiresAt, state } = primary
  const never = <span className={classes.quiet}>{t('primary.never')}</span>
  const at = { site: site.id }
  return (
    <>
      {problem !== null && (
        <Notice tone={state === 'expired' ? 'bad' : 'warn'} title={t(`primary.problem.${problem}`)}>
          {t(`primary.help.${problem}`)}
        </Notice>
      )}
      <dl className={classes.fields}>
        <dt>{t('primary.servers')}</dt>
        <dd>
          {servers.map((server) => (
            <code key={server}>{server}</code>
          ))}
        </dd>
        <dt>{t('primary.key')}</dt>
        <dd>
          {key === null ? (
            <span className={classes.quiet}>{t('primary.noKey')}</span>
          ) : (
            <>
              <code>{key.name}</code>
              <span className={classes.quiet}>{key.algorithm}</span>
            </>
          )}
        </dd>
        <dt>{t('primary.serial')}</dt>
        <dd>{serial === null ? never : <code>{serial}</code>}</dd>
        <dt>{t('primary.refreshed')}</dt>
        <dd>{refreshedAt === null ? never : <Age at={refreshedAt} />}</dd>
        <dt>{t('primary.transferred')}</dt>
        <dd>{transferredAt === null ? never : <Age at={transferredAt} />}</dd>
        <dt>{t('primary.noticed')}</dt>
        <dd>{noticedAt === null ? never : <Age at={noticedAt} />}</dd>
        <dt>{t('primary.due')}</dt>
        <dd>{format.dateTime(Date.parse(dueAt))}</dd>
        {expiresAt !== null && (
          <>
            <dt>{t('primary.expires')}</dt>
            <dd>{format.dateTime(Date.parse(expiresAt))}</dd>
          </>
        )}
      </dl>
      <p className={classes.quiet}>{t('primary.notices')}</p>
      {mayEdit && (
        <div className={classes.actions}>
          <Button variant="default" loading={refresh.isPending} onClick={() => refresh.mutate(at)}>
            {t('primary.refresh')}
          </Button>
          {onChange && (
            <Button variant="default" onClick={onChange}>
              {t('primary.change')}
            </Button>
          )}
          <Button variant="subtle" color="red" onClick={() => setLeaving(true)}>
            {t('primary.leave')}
          </Button>
        </div>
      )}
      <Confirm
        opened={leaving}
        onClose={() => setLeaving(false)}
        title={t('primary.leaveTitle', { site: site.domainName })}
        verb={t('primary.leaveVerb')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate(at)}
      >
        {t('primary.leaveText')}
      </Confirm>
    </>
  )
}

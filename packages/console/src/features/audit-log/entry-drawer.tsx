import { type AuditDetail, type EntityChange, auditLog, versions } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Copy } from '../../ui/marks/copy.tsx'
import { DiffView, diffRows } from '../../ui/marks/diff-view.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { spoken, useChangeWords } from '../versions/change-words.ts'
import { useRevert } from '../versions/use-revert.ts'
import { useAuditWords } from './audit-words.ts'
import classes from './entry-drawer.module.css'

/** One entry whole: facts, before and after, its proof, and the way back where there is one. */
export function EntryDrawer({ number, onClose }: { number: number | undefined; onClose: () => void }) {
  const { t } = useTranslation('audit-log')
  // The drawer keeps what it shows while it slides out.
  const shown = useRef(number)
  if (number !== undefined) shown.current = number
  return (
    <SideDrawer
      opened={number !== undefined}
      onClose={onClose}
      size={720}
      title={t('entry', { number: shown.current ?? '' })}
    >
      {shown.current !== undefined && <Entry number={shown.current} onClose={onClose} />}
    </SideDrawer>
  )
}

function Entry({ number, onClose }: { number: number; onClose: () => void }) {
  const { data, error, refetch, isPlaceholderData } = useRead(auditLog.routes.detail, { number: String(number) })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || isPlaceholderData) return <Skeleton height={260} radius="md" />
  return (
    <div className={classes.entry}>
      <Facts entry={data} />
      <Changes entry={data} />
      <Revert entry={data} onClose={onClose} />
      <Proof entry={data} />
    </div>
  )
}

function Facts({ entry }: { entry: AuditDetail }) {
  const { t } = useTranslation('audit-log')
  const words = useAuditWords()
  const format = useFormat()
  const { action, at, domain, ip, siteName, source, version } = entry
  const facts: [string, React.ReactNode][] = [
    [
      t('column.action'),
      <>
        {words.action(action)} <code className={classes.code}>{action}</code>
      </>,
    ],
    [t('column.user'), words.who(entry)],
    [
      t('column.at'),
      <time key="at" className={classes.time} dateTime={at}>
        {format.exact(Date.parse(at))}
      </time>,
    ],
    [t('column.source'), words.source(source)],
    [t('column.ip'), ip === null ? '—' : <code className={classes.code}>{ip}</code>],
    ...(siteName === null
      ? []
      : [
          [
            t('site'),
            <Link key="site" className={classes.link} to="/$site/{-$domain}/home" params={{ site: siteName }}>
              {siteName}
            </Link>,
          ] satisfies [string, React.ReactNode],
        ]),
    ...(domain === null ? [] : [[t('column.domain'), domain] satisfies [string, React.ReactNode]]),
    ...(version === null ? [] : [[t('version'), format.number(version)] satisfies [string, React.ReactNode]]),
  ]
  return (
    <dl className={classes.facts} aria-label={t('facts')}>
      {facts.map(([label, value]) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Changes({ entry: { changes } }: { entry: AuditDetail }) {
  const { t } = useTranslation('audit-log')
  return (
    <section className={classes.part}>
      <h3 className={classes.head}>{t('changed')}</h3>
      {changes.length === 0 && <p className={classes.quiet}>{t('noChanges')}</p>}
      {changes.map((change) => (
        <ChangeDiff key={`${change.entity} ${change.id}`} change={change} />
      ))}
    </section>
  )
}

function ChangeDiff({ change }: { change: EntityChange }) {
  const words = useChangeWords()
  return (
    <div className={classes.change}>
      <p className={classes.did}>{words.did(change)}</p>
      <DiffView rows={diffRows(spoken(change.before), spoken(change.after), words.value, words.field)} />
    </div>
  )
}

function Revert({ entry: { revertible, siteId, version }, onClose }: { entry: AuditDetail; onClose: () => void }) {
  const { t } = useTranslation('audit-log')
  const canRevert = useCanCall(versions.routes.revert)
  const revert = useRevert(siteId ?? '')
  if (!revertible || !canRevert || version === null) return null
  return (
    <div className={classes.revert}>
      <p className={classes.quiet}>{t('revertText', { version })}</p>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={15} stroke={1.65} />}
        onClick={() => {
          onClose()
          void revert(version)
        }}
      >
        {t('revert')}
      </Button>
    </div>
  )
}

function Proof({ entry: { hash, hashBefore } }: { entry: AuditDetail }) {
  const { t } = useTranslation('audit-log')
  return (
    <section className={classes.part}>
      <h3 className={classes.head}>{t('proof')}</h3>
      <p className={classes.quiet}>{t('proofText')}</p>
      <dl className={classes.facts}>
        <div className={classes.fact}>
          <dt>{t('hash')}</dt>
          <dd className={classes.hash} data-copy-host>
            <code>{hash}</code>
            <Copy value={hash} name={t('hash')} />
          </dd>
        </div>
        <div className={classes.fact}>
          <dt>{t('hashBefore')}</dt>
          <dd className={classes.hash}>{hashBefore === '' ? t('first') : <code>{hashBefore}</code>}</dd>
        </div>
      </dl>
    </section>
  )
}

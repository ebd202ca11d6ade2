import { type BackupState, type OperatorOverview, operatorArea } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { StatRow } from '../../ui/page/stat-card.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { HoldsNotice } from './holds-notice.tsx'
import classes from './operator.module.css'

const REFRESH_MS = 5_000

/** Is the installation well, and what waits for the operator. */
export function OverviewScreen() {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const { isOperator } = useAccount()
  const { data, error, refetch } = useRead(
    operatorArea.routes.overview,
    {},
    { everyMs: REFRESH_MS, enabled: isOperator },
  )
  // The people of a partner have their customers, and no installation to look after.
  if (!isOperator) return <Navigate to="/operator/organizations" replace />
  return (
    <>
      <PageHeader
        title={t('overview.title')}
        meaning={t('overview.meaning')}
        actions={
          <LinkButton to="/operator/partners" search={{ open: 'new' }} variant="default">
            {t('partners:add')}
          </LinkButton>
        }
      />
      <HoldsNotice />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={260} radius="lg" />}
      {data && (
        <>
          {data.maintenanceMode && (
            <Notice
              tone="warn"
              title={t('overview.closed')}
              action={
                <LinkButton to="/operator/maintenance" variant="default" size="xs">
                  {t('maintenance.title')}
                </LinkButton>
              }
            >
              {t('overview.closedText')}
            </Notice>
          )}
          <StatRow
            label={t('overview.title')}
            stats={(['organizations', 'users', 'sites', 'partners', 'openTickets'] as const).map((key) => ({
              id: key,
              label: t(`overview.${key}`),
              value: <span className="num">{format.number(data[key])}</span>,
              ...(key === 'organizations' && data.suspended > 0
                ? { note: t('overview.suspended', { count: data.suspended }) }
                : {}),
            }))}
          />
          <div className={classes.grid}>
            <Card
              title={t('nodes.title')}
              end={
                <Link className="link" to="/operator/nodes">
                  {t('overview.open')}
                </Link>
              }
            >
              <Lines>
                <Line words={t('overview.nodesUp')}>
                  <Pill tone="ok">{format.number(data.nodes.up)}</Pill>
                </Line>
                <Line words={t('overview.nodesAway')}>
                  <Pill tone={data.nodes.away > 0 ? 'warn' : 'neutral'}>{format.number(data.nodes.away)}</Pill>
                </Line>
                <Line words={t('overview.nodesRefusing')}>
                  <Pill tone={data.nodes.refusing > 0 ? 'bad' : 'neutral'}>{format.number(data.nodes.refusing)}</Pill>
                </Line>
              </Lines>
            </Card>
            <Card
              title={t('jobs.title')}
              end={
                <Link className="link" to="/operator/jobs">
                  {t('overview.open')}
                </Link>
              }
            >
              <Lines>
                <Line words={t('overview.waiting')}>
                  <Pill tone="neutral">{format.number(data.jobs.waiting)}</Pill>
                </Line>
                <Line words={t('overview.failed')}>
                  <Pill tone={data.jobs.failed > 0 ? 'bad' : 'neutral'}>{format.number(data.jobs.failed)}</Pill>
                </Line>
              </Lines>
            </Card>
            <Card
              title={t('letters.title')}
              end={
                <Link className="link" to="/operator/outbox">
                  {t('overview.open')}
                </Link>
              }
            >
              <Lines>
                <Line words={t('overview.waiting')}>
                  <Pill tone="neutral">{format.number(data.letters.waiting)}</Pill>
                </Line>
                <Line words={t('overview.kept')}>
                  <Pill tone="neutral">{format.number(data.letters.kept)}</Pill>
                </Line>
                <Line words={t('overview.failed')}>
                  <Pill tone={data.letters.failed > 0 ? 'bad' : 'neutral'}>{format.number(data.letters.failed)}</Pill>
                </Line>
              </Lines>
            </Card>
            <BackupCard backups={data.backups} />
            {data.replicas.length > 0 && <ReplicaCard replicas={data.replicas} primaryReads={data.primaryReads} />}
          </div>
        </>
      )}
    </>
  )
}

/** The newest proven backup, and how far back and how near to now one could go. */
function BackupCard({ backups: { newestAt, provenAt, isOld, log } }: { backups: BackupState }) {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const time = (at: string | null) => (at === null ? t('overview.none') : format.dateTime(Date.parse(at)))
  return (
    <Card title={t('overview.backups')}>
      <Lines>
        <Line words={t('overview.newest')}>
          <Pill tone={newestAt === null || isOld ? 'warn' : 'ok'}>{time(newestAt)}</Pill>
        </Line>
        <Line words={t('overview.proven')}>
          <Pill tone={provenAt === null ? 'warn' : 'ok'}>{time(provenAt)}</Pill>
        </Line>
        {log && (
          <>
            <Line words={t('overview.anySecondFrom')}>
              <Pill tone={log.from === null ? 'warn' : 'neutral'}>{time(log.from)}</Pill>
            </Line>
            <Line words={t('overview.anySecondUntil')}>
              <Pill tone={log.until === null || log.trouble ? 'warn' : 'ok'}>{time(log.until)}</Pill>
            </Line>
            {log.bytes !== null && (
              <Line words={t('overview.chainSize')}>
                <Pill tone="neutral">{format.bytes(log.bytes)}</Pill>
              </Line>
            )}
          </>
        )}
      </Lines>
      {log?.trouble && (
        <p className={classes.muted}>
          {log.trouble === 'torn'
            ? t('overview.logTorn')
            : t('overview.logStopped', { size: format.bytes(log.waitingBytes) })}
        </p>
      )}
      {!log && <p className={classes.muted}>{t(newestAt === null ? 'overview.noBackup' : 'overview.noLog')}</p>}
    </Card>
  )
}

/** Who answers lists and charts, and what keeps a replica of the database from it. */
function ReplicaCard({ replicas, primaryReads }: Pick<OperatorOverview, 'replicas' | 'primaryReads'>) {
  const { t } = useTranslation('operator')
  const format = useFormat()
  return (
    <Card title={t('overview.replicas')}>
      <Lines>
        {replicas.map(({ name, reads, problem }) => (
          <Line key={name} words={name}>
            <Pill tone={problem === null ? 'ok' : 'warn'}>{format.number(reads)}</Pill>
          </Line>
        ))}
        <Line words={t('overview.primary')}>
          <Pill tone="neutral">{format.number(primaryReads)}</Pill>
        </Line>
      </Lines>
      {replicas.map(
        ({ name, problem }) =>
          problem !== null && (
            <p key={name} className={classes.muted}>
              {t(`overview.replica.${problem}`, { name })}
            </p>
          ),
      )}
    </Card>
  )
}

const Lines = ({ children }: { children: ReactNode }) => <div className={classes.lines}>{children}</div>
const Line = ({ words, children }: { words: string; children: ReactNode }) => (
  <div className={classes.line}>
    <span>{words}</span>
    {children}
  </div>
)

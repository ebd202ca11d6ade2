import { bulkConfigure, type BulkItem, type BulkItemState } from '@fairway/contract'
import { Button, Progress, Skeleton } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import classes from './bulk-configure.module.css'
import { useRefusalText } from './refusal-text.ts'

const UNDER_WAY_MS = 500
const TONE: Record<BulkItemState, Tone> = { waiting: 'info', done: 'ok', unchanged: 'neutral', failed: 'bad' }

/** How far a job is and how it went with each domain. It goes on when nobody looks. */
export function JobView({ id, onNew }: { id: string; onNew: () => void }) {
  const { t } = useTranslation('bulk-configure')
  const format = useFormat()
  const {
    data: job,
    error,
    refetch,
  } = useRead(
    bulkConfigure.routes.get,
    { id },
    { everyMs: (seen) => (seen?.finishedAt === null ? UNDER_WAY_MS : false) },
  )
  const retry = useChange(bulkConfigure.routes.retry, { onDone: () => void refetch() })
  const canRetry = useCanCall(bulkConfigure.routes.retry)
  if (!job)
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} radius="lg" />
  const { waiting, done, unchanged, failed } = job.counts
  const total = waiting + done + unchanged + failed
  return (
    <div className={classes.cards}>
      <Card
        title={t(`tab.${job.change.tab}`)}
        hint={t('job.by', { who: job.requestedBy, time: format.dateTime(Date.parse(job.createdAt)) })}
      >
        <div className={classes.panels}>
          <Progress
            value={((total - waiting) / total) * 100}
            aria-label={t('job.progress')}
            {...(failed > 0 ? { color: 'var(--c-warn)' } : {})}
          />
          <p className={classes.line} role="status">
            <span>
              {job.finishedAt === null
                ? t('job.running', { ended: total - waiting, count: total })
                : t('job.ended', { count: total })}
            </span>
            {(['done', 'unchanged', 'failed'] as const)
              .filter((state) => job.counts[state] > 0)
              .map((state) => (
                <Pill key={state} tone={TONE[state]}>
                  {t(`job.count.${state}`, { count: job.counts[state] })}
                </Pill>
              ))}
          </p>
          <div className={classes.actions}>
            {failed > 0 && waiting === 0 && canRetry && (
              <Button
                leftSection={<IconRefresh size={15} stroke={1.65} />}
                loading={retry.isPending}
                onClick={() => retry.mutate({ id })}
              >
                {t('job.retry', { count: failed })}
              </Button>
            )}
            <Button variant="default" onClick={onNew}>
              {t('job.new')}
            </Button>
          </div>
        </div>
      </Card>
      <Card title={t('job.domains')} flush>
        <ul className={classes.list}>
          {job.items.toSorted(failedFirst).map((item) => (
            <Item key={item.domainId} item={item} />
          ))}
        </ul>
      </Card>
    </div>
  )
}

const failedFirst = (a: BulkItem, b: BulkItem): number => Number(b.state === 'failed') - Number(a.state === 'failed')

function Item({ item: { name, siteName, state, code, fields, version } }: { item: BulkItem }) {
  const { t } = useTranslation('bulk-configure')
  const refusalText = useRefusalText()
  return (
    <li className={classes.item}>
      <p className={classes.line}>
        <span className={classes.name}>{name}</span>
        <span className={classes.site}>{siteName}</span>
        {version !== null && <span className={classes.site}>{t('job.version', { version })}</span>}
        <Pill tone={TONE[state]} busy={state === 'waiting'}>
          {t(`job.state.${state}`)}
        </Pill>
      </p>
      {code !== null && <p className={classes.why}>{t('job.code', { code, text: refusalText(code, fields) })}</p>}
    </li>
  )
}

import { bulkConfigure } from '@fairway/contract'
import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Card } from '../../ui/page/card.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './bulk-configure.module.css'

/** The last ten jobs, newest first. */
export function RecentJobs({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation('bulk-configure')
  const format = useFormat()
  const jobs = useRead(bulkConfigure.routes.list, {}).data?.data ?? []
  if (jobs.length === 0) return null
  return (
    <Card title={t('recent')} flush>
      <ul className={classes.list}>
        {jobs.map(({ id, change, requestedBy, createdAt, counts: { waiting, done, unchanged, failed } }) => (
          <li key={id} className={classes.item}>
            <p className={classes.line}>
              <UnstyledButton className={classes.open} onClick={() => onOpen(id)}>
                {t(`tab.${change.tab}`)}
              </UnstyledButton>
              <span className={classes.site}>
                {t('job.by', { who: requestedBy, time: format.dateTime(Date.parse(createdAt)) })}
              </span>
              <span className={classes.site}>{t('chosen', { count: waiting + done + unchanged + failed })}</span>
              {failed > 0 && <Pill tone="bad">{t('job.count.failed', { count: failed })}</Pill>}
              {waiting > 0 && (
                <Pill tone="info" busy>
                  {t('job.state.waiting')}
                </Pill>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

import { apiSchema } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import classes from './api-schema.module.css'
import { EndpointTable } from './endpoint-table.tsx'
import { SchemaSettings } from './schema-settings.tsx'

const EVERY_MS = 10_000

/** The requests of an API as traffic shows them: learned, looked through, put in force. */
export function EndpointsTab({ place }: { place: Place }) {
  const { t } = useTranslation('api-schema')
  const format = useFormat()
  const mayEdit = useCanCall(apiSchema.routes.update)
  const { data, error, refetch } = useRead(apiSchema.routes.get, place, {
    everyMs: (seen) => (seen?.learning ? EVERY_MS : false),
  })
  const update = useChange(apiSchema.routes.update)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} radius="lg" aria-busy="true" />
  if (!data.learning && data.learned === null && data.inForce === null)
    return (
      <div data-empty>
        <Card>
          <EmptyTeach
            title={t('empty.title')}
            text={t('empty.text')}
            action={
              mayEdit && (
                <Button loading={update.isPending} onClick={() => update.mutate({ ...place, learning: true })}>
                  {t('begin')}
                </Button>
              )
            }
          />
        </Card>
      </div>
    )
  return (
    <div className={classes.stack}>
      {data.relearned && <Notice tone="warn">{t('relearned')}</Notice>}
      <p className={classes.quiet}>
        {data.learned === null ? (
          t('nothingYet')
        ) : (
          <>
            {t('learnedFrom', { count: data.learned.requests, requests: format.number(data.learned.requests) })} ·{' '}
            {t('lastSeen')} <Age at={data.learned.until} />
          </>
        )}
      </p>
      <SchemaSettings place={place} schema={data} />
      <EndpointTable place={place} schema={data} />
    </div>
  )
}

import { webhooks } from '@fairway/contract'
import type { Webhook } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { DeliveryItem } from './delivery-item.tsx'
import classes from './delivery-log.module.css'

const STEP = 20

/** What was sent, newest first; it follows by itself. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const [shown, setShown] = useState(STEP)
  const { data, error, refetch } = useRead(
    webhooks.routes.deliveries,
    { id: webhook.id, page_size: shown },
    { everyMs: (known) => (known?.data.some(({ state }) => state === 'waiting') === true ? 3_000 : false) },
  )
  return (
    <section className={classes.log} aria-labelledby="deliveries">
      <h3 className={classes.title} id="deliveries">
        {t('deliveries')}
      </h3>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} radius="md" />}
      {data?.data.length === 0 && <p className={classes.none}>{t('noDeliveries')}</p>}
      {data && data.data.length > 0 && (
        <ul className={classes.list}>
          {data.data.map((delivery) => (
            <DeliveryItem key={delivery.id} webhook={webhook} delivery={delivery} />
          ))}
        </ul>
      )}
      {data && data.meta.total > data.data.length && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + STEP)}>
          {t('more')}
        </Button>
      )}
    </section>
  )
}

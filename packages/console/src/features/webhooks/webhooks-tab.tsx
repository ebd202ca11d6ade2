import { webhooks } from '@fairway/contract'
import type { Webhook } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { NewWebhook } from './new-webhook.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { VerifySnippet } from './verify-snippet.tsx'
import { WebhookDrawer } from './webhook-drawer.tsx'
import { WebhookPill } from './webhook-pill.tsx'
import classes from './webhooks-tab.module.css'

type WebhooksTabProps = { opened: string | undefined; onOpen: (webhook: string | undefined) => void }

/** The organisation's own systems that are called when something happens. */
export function WebhooksTab({ opened, onOpen }: WebhooksTabProps) {
  const { t } = useTranslation('webhooks')
  const { data, error, refetch } = useRead(webhooks.routes.list, {})
  const [secret, setSecret] = useState<string | null>(null)
  const mayCreate = useCanCall(webhooks.routes.create)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} radius="lg" />
  const add = mayCreate && (
    <Button size="xs" leftSection={<IconPlus size={15} stroke={1.9} />} onClick={() => onOpen('new')}>
      {t('add')}
    </Button>
  )
  const chosen = data.data.find(({ id }) => id === opened)
  return (
    <div className={classes.blocks}>
      <Card title={t('title')} hint={t('meaning')} end={data.data.length > 0 && add} flush>
        {data.data.length === 0 ? (
          <EmptyTeach
            title={t('none')}
            text={t('noneText')}
            steps={[t('step.add'), t('step.keep'), t('step.check')]}
            {...(add ? { action: add } : {})}
          />
        ) : (
          <ul className={classes.list}>
            {data.data.map((webhook) => (
              <Line key={webhook.id} webhook={webhook} onOpen={() => onOpen(webhook.id)} />
            ))}
          </ul>
        )}
      </Card>
      <VerifySnippet />
      <NewWebhook
        opened={opened === 'new' && mayCreate}
        privateAllowed={data.privateAllowed}
        onClose={() => onOpen(undefined)}
        onCreated={({ secret: shown }) => {
          setSecret(shown)
          onOpen(undefined)
        }}
      />
      {chosen && (
        <WebhookDrawer
          key={chosen.id}
          webhook={chosen}
          privateAllowed={data.privateAllowed}
          onClose={() => onOpen(undefined)}
          onSecret={setSecret}
        />
      )}
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </div>
  )
}

function Line({ webhook, onOpen }: { webhook: Webhook; onOpen: () => void }) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const { url, description, types, lastDeliveryAt } = webhook
  return (
    <li className={classes.item}>
      <button type="button" className={classes.line} onClick={onOpen}>
        <span className={classes.words}>
          <span className={classes.url}>{url}</span>
          <span className={classes.about}>
            {[description, format.list(types.map((type) => t(`notifications:type.${type}`)))]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
        <span className={classes.when}>{lastDeliveryAt === null ? t('neverCalled') : <Age at={lastDeliveryAt} />}</span>
        <WebhookPill webhook={webhook} />
      </button>
    </li>
  )
}

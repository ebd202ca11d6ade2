import { webhooks } from '@fairway/contract'
import type { Webhook, WebhookDelivery, WebhookTry } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import { FoldingItem } from '../../ui/page/folding-item.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { useRefreshNews } from '../notifications/use-news.ts'
import classes from './delivery-log.module.css'

const TONES: Record<WebhookDelivery['state'], Tone> = { waiting: 'info', sent: 'ok', failed: 'bad' }

/** One message: opened, what was sent and what came back at each try. */
export function DeliveryItem({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const { t } = useTranslation('webhooks')
  const format = useFormat()
  const refresh = useRefreshNews()
  const mayRedeliver = useCanCall(webhooks.routes.redeliver) && webhook.enabled
  const redeliver = useChange(webhooks.routes.redeliver, { onDone: refresh })
  const { state, tries, nextTryAt } = delivery
  const last = tries.at(-1)
  return (
    <FoldingItem
      title={<span className={classes.event}>{delivery.event}</span>}
      by={
        <>
          <Age at={delivery.createdAt} />
          {last ? ` · ${outcome(last)}` : ''}
          {tries.length > 1 ? ` · ${t('tries', { count: tries.length })}` : ''}
        </>
      }
      end={
        <Pill tone={TONES[state]} busy={state === 'waiting'}>
          {state === 'waiting' && tries.length > 0 && nextTryAt !== null
            ? t('nextTry', { time: format.time(Date.parse(nextTryAt)) })
            : t(`delivery.${state}`)}
        </Pill>
      }
    >
      {() => (
        <>
          {mayRedeliver && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconRefresh size={15} stroke={1.65} />}
              loading={redeliver.isPending}
              onClick={() => redeliver.mutate({ id: webhook.id, delivery: delivery.id })}
            >
              {t('redeliver')}
            </Button>
          )}
          <CodeSnippet label={t('body')} code={pretty(delivery.body)} />
          {tries.toReversed().map((tried) => (
            <div key={tried.at} className={classes.try}>
              <p className={classes.by}>
                {format.dateTime(Date.parse(tried.at))} · {outcome(tried)} · {format.milliseconds(tried.tookMs)}
                {tried.address === null ? '' : ` · ${tried.address}`}
              </p>
              <CodeSnippet
                label={t('requestHeaders')}
                code={Object.entries(tried.requestHeaders)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              />
              {tried.response !== null && tried.response !== '' && (
                <CodeSnippet label={t('response')} code={tried.response} />
              )}
            </div>
          ))}
        </>
      )}
    </FoldingItem>
  )

  function outcome({ status, problem }: WebhookTry): string {
    return status === null ? t('noAnswer', { why: problem ?? '' }) : t('answered', { status })
  }
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

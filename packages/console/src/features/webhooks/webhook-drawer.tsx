import { webhooks } from '@fairway/contract'
import type { Webhook } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconKey, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useRefreshNews } from '../notifications/use-news.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookFields, useWebhookForm } from './webhook-fields.tsx'
import classes from './webhook-drawer.module.css'

type WebhookDrawerProps = {
  webhook: Webhook
  privateAllowed: boolean
  onClose: () => void
  onSecret: (secret: string) => void
}

/** One webhook: its settings, a test, a new secret, and everything that was sent. */
export function WebhookDrawer({ webhook, privateAllowed, onClose, onSecret }: WebhookDrawerProps) {
  const { t } = useTranslation(['webhooks', 'shell'])
  const { id, url, description, types, enabled, disabledReason, previousSecretUntil } = webhook
  const format = useFormat()
  const refresh = useRefreshNews()
  const show = useSnackbar()
  const mayEdit = useCanCall(webhooks.routes.update)
  const mayRemove = useCanCall(webhooks.routes.remove)
  const mayTest = useCanCall(webhooks.routes.test)
  const [asked, setAsked] = useState<'remove' | 'rotate' | null>(null)
  const form = useWebhookForm({ url, description, types, enabled })
  const done = (message: string) => {
    refresh()
    show('webhook', { message })
  }
  const update = useChange(webhooks.routes.update, {
    subject: null,
    onDone: (saved) => {
      form.reset({ url: saved.url, description: saved.description, types: saved.types, enabled: saved.enabled })
      done(t('saved'))
    },
  })
  const remove = useChange(webhooks.routes.remove, {
    onDone: () => {
      done(t('removed'))
      onClose()
    },
  })
  const rotate = useChange(webhooks.routes.rotateSecret, {
    onDone: ({ secret }) => {
      setAsked(null)
      refresh()
      onSecret(secret)
    },
  })
  const test = useChange(webhooks.routes.test, { onDone: () => done(t('testSent')) })
  const submit = form.handleSubmit((values) =>
    update.mutate({ id, ...values }, { onError: (error) => form.takeFieldErrors(error) }),
  )
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={t('editTitle')}
      size={720}
      keepOpen={form.formState.isDirty}
      {...(mayEdit ? { onSubmit: () => void submit() } : {})}
      {...(mayRemove
        ? {
            beside: (
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={15} stroke={1.65} />}
                onClick={() => setAsked('remove')}
              >
                {t('remove')}
              </Button>
            ),
          }
        : {})}
      {...(mayEdit
        ? {
            footer: (
              <Button type="submit" loading={update.isPending} disabled={!form.formState.isDirty}>
                {t('save')}
              </Button>
            ),
          }
        : {})}
    >
      <div className={classes.blocks}>
        {disabledReason !== null && (
          <Notice tone="bad" title={t(`offBecause.${disabledReason}`)}>
            {t(`offText.${disabledReason}`)}
          </Notice>
        )}
        {update.error && form.formState.errors.url === undefined && (
          <FailureNotice title={t('notSaved')} error={update.error} />
        )}
        {mayEdit && <WebhookFields form={form} privateAllowed={privateAllowed} withSwitch />}
        {previousSecretUntil !== null && (
          <Notice tone="info">{t('bothSecrets', { time: format.dateTime(Date.parse(previousSecretUntil)) })}</Notice>
        )}
        {mayTest && (
          <div className={classes.actions}>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSend size={15} stroke={1.65} />}
              loading={test.isPending}
              disabled={!enabled}
              onClick={() => test.mutate({ id })}
            >
              {t('test')}
            </Button>
            {mayEdit && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconKey size={15} stroke={1.65} />}
                onClick={() => setAsked('rotate')}
              >
                {t('rotate')}
              </Button>
            )}
            {!enabled && <span className={classes.why}>{t('offNoTest')}</span>}
          </div>
        )}
        <DeliveryLog webhook={webhook} />
      </div>
      <Confirm
        opened={asked === 'remove'}
        onClose={() => setAsked(null)}
        title={t('removeTitle')}
        verb={t('remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        {t('removeText', { url })}
      </Confirm>
      <Confirm
        opened={asked === 'rotate'}
        onClose={() => setAsked(null)}
        title={t('rotateTitle')}
        verb={t('rotateVerb')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate({ id })}
      >
        {t('rotateText')}
      </Confirm>
    </SideDrawer>
  )
}

import { NOTIFICATION_TYPES, webhooks } from '@fairway/contract'
import type { RouteOutput } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useRefreshNews } from '../notifications/use-news.ts'
import { WebhookFields, useWebhookForm } from './webhook-fields.tsx'

type NewWebhookProps = {
  opened: boolean
  privateAllowed: boolean
  onClose: () => void
  onCreated: (created: RouteOutput<typeof webhooks.routes.create>) => void
}

export function NewWebhook({ opened, privateAllowed, onClose, onCreated }: NewWebhookProps) {
  const { t } = useTranslation(['webhooks', 'shell'])
  const refresh = useRefreshNews()
  const form = useWebhookForm({ url: '', description: '', types: [...NOTIFICATION_TYPES], enabled: true })
  const create = useChange(webhooks.routes.create, {
    subject: null,
    onDone: (created) => {
      form.reset()
      refresh()
      onCreated(created)
    },
  })
  const submit = form.handleSubmit((values) =>
    create.mutate(values, { onError: (error) => form.takeFieldErrors(error) }),
  )
  const close = () => {
    create.reset()
    onClose()
  }
  const isField = form.formState.errors.url !== undefined
  return (
    <SideDrawer
      opened={opened}
      onClose={close}
      title={t('addTitle')}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('add')}
          </Button>
        </>
      }
    >
      {create.error && !isField && <FailureNotice title={t('notSaved')} error={create.error} />}
      <WebhookFields form={form} privateAllowed={privateAllowed} />
    </SideDrawer>
  )
}

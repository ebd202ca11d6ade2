import { outsideFeeds, type RouteOutput } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { OutsideFeedFields, useOutsideFeedForm } from './outside-feed-fields.tsx'
import { useRefreshFeeds } from './use-refresh-feeds.ts'

type NewOutsideFeedProps = {
  opened: boolean
  onClose: () => void
  onCreated: (created: RouteOutput<typeof outsideFeeds.routes.create>) => void
}

export function NewOutsideFeed({ opened, onClose, onCreated }: NewOutsideFeedProps) {
  const { t } = useTranslation(['outside-feeds', 'shell'])
  const refresh = useRefreshFeeds()
  const form = useOutsideFeedForm({ name: '', weightPercent: 100, enabled: true })
  const create = useChange(outsideFeeds.routes.create, {
    subject: null,
    onDone: (created) => {
      form.reset()
      refresh()
      onCreated(created)
    },
  })
  const close = () => {
    create.reset()
    onClose()
  }
  const submit = form.handleSubmit((values) =>
    create.mutate(values, { onError: (error) => form.takeFieldErrors(error) }),
  )
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
            {t('addVerb')}
          </Button>
        </>
      }
    >
      {create.error && form.formState.errors.name === undefined && (
        <FailureNotice title={t('notSaved')} error={create.error} />
      )}
      <p>{t('addText')}</p>
      <OutsideFeedFields form={form} />
    </SideDrawer>
  )
}

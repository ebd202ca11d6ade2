import { type DemView, analyticsDem } from '@fairway/contract'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { AnalyticsDemSearch } from './search.ts'

/** Keeps the page under a name; one of that name is written anew. */
export function SaveViewDialog({
  page,
  views,
  onClose,
}: {
  page: AnalyticsDemSearch
  views: readonly DemView[]
  onClose: () => void
}) {
  const { t } = useTranslation(['analytics-dem', 'shell', 'validation'])
  const show = useSnackbar()
  const [name, setName] = useState('')
  const wanted = name.trim()
  const same = views.find((view) => view.name.toLowerCase() === wanted.toLowerCase())
  const onDone = () => {
    show('dem-view', { message: t('views.saved', { name: wanted }) })
    onClose()
  }
  const create = useChange(analyticsDem.routes.createView, { subject: null, onDone })
  const update = useChange(analyticsDem.routes.updateView, { subject: null, onDone })
  const failed = create.error ?? update.error
  const problem =
    failed instanceof ApiError ? validationText(t, failed.fields.find(({ path }) => path === 'name')?.message) : null
  const save = () => {
    if (wanted === '' || create.isPending || update.isPending) return
    const input = { name: wanted, page: AnalyticsDemSearch.parse(page) }
    if (same) update.mutate({ id: same.id, ...input })
    else create.mutate(input)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('views.save')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button loading={create.isPending || update.isPending} disabled={wanted === ''} onClick={save}>
            {t(same ? 'views.replace' : 'views.keep')}
          </Button>
        </>
      }
    >
      {failed && problem === null && <FailureNotice title={t('views.failed')} error={failed} />}
      <TextInput
        label={t('views.name')}
        description={t('views.about')}
        value={name}
        maxLength={60}
        data-autofocus
        error={problem}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
        }}
      />
    </Dialog>
  )
}

import { type StreamAsset, streamAssets } from '@fairway/contract'
import { Autocomplete, Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { change, useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useZodForm } from '../../ui/forms/use-zod-form.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { ALL, categoriesOf } from './all-assets.ts'
import classes from './stream-assets.module.css'

type Props = { opened: boolean; asset: StreamAsset; onClose: () => void; onMoved: () => void }
const Fields = streamAssets.routes.update.in.required()

/** Name and category of a video. Nothing else follows from them, so it is undone with one click. */
export function EditDrawer({ opened, asset, onClose, onMoved }: Props) {
  const { t } = useTranslation(['stream-assets', 'shell'])
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const { data: list } = useRead(streamAssets.routes.list, ALL)
  const form = useZodForm(Fields, { name: asset.name, category: asset.category })
  const save = useChange(streamAssets.routes.update, {
    subject: null,
    onDone: ({ id, name }) => {
      const before = { id, name: asset.name, category: asset.category }
      show('stream-assets', {
        message: t('edited', { name }),
        undo: () =>
          void change(queryClient, streamAssets.routes.update, before).then(onMoved, (error: unknown) =>
            reportFailure('stream-assets', error),
          ),
      })
      onMoved()
      onClose()
    },
  })
  const submit = form.handleSubmit((input) =>
    save.mutate({ id: asset.id, ...input }, { onError: (error) => form.takeFieldErrors(error) }),
  )
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('editTitle', { name: asset.name })}
      keepOpen={form.formState.isDirty}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={classes.page}>
        {save.error && form.formState.errors.name === undefined && (
          <FailureNotice title={t('notSaved')} error={save.error} />
        )}
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          maxLength={200}
          {...form.register('name')}
          error={form.problem('name')}
          required
        />
        <Autocomplete
          label={t('category')}
          description={t('categoryHint')}
          maxLength={80}
          data={categoriesOf(list?.data ?? [])}
          value={form.watch('category')}
          onChange={(category) => form.setValue('category', category, { shouldDirty: true, shouldValidate: true })}
          error={form.problem('category')}
        />
      </div>
    </SideDrawer>
  )
}

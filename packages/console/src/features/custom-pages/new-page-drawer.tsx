import { PageKind, customPages } from '@fairway/contract'
import { Button, TextInput, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './custom-pages.module.css'
import { PageEditor } from './page-editor.tsx'
import { usePageDraft } from './use-page-draft.ts'

/** A new page: a file or pasted text, judged line by line before it is sent. */
export function NewPageDrawer({
  site,
  onClose,
  onMade,
}: {
  site: string
  onClose: () => void
  onMade: (id: string) => void
}) {
  const { t } = useTranslation('custom-pages')
  const show = useSnackbar()
  const [kind, setKind] = useState<PageKind>('errors')
  const draft = usePageDraft(kind, { name: '', html: '' })
  const create = useChange(customPages.routes.create, {
    subject: null,
    onDone: ({ data }) => {
      show('page', { message: t('added', { name: data.name }) })
      onMade(data.id)
    },
  })
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={t('addTitle')}
      size={720}
      keepOpen={draft.isChanged}
      onSubmit={() => {
        if (draft.isGood) create.mutate({ site, kind, name: draft.name, html: draft.html })
      }}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending} disabled={!draft.isGood}>
            {t('add')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {create.error && <FailureNotice title={t('notSaved')} error={create.error} />}
        <div className={classes.group}>
          <Select
            label={t('column.kind')}
            value={kind}
            allowDeselect={false}
            onChange={(value) => setKind(PageKind.options.find((one) => one === value) ?? kind)}
            data={PageKind.options.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
          <p className={classes.quiet}>{t(`kindText.${kind}`)}</p>
        </div>
        <TextInput
          label={t('column.name')}
          description={t('nameHint')}
          value={draft.name}
          onChange={(event) => draft.setName(event.currentTarget.value)}
          maxLength={80}
          required
        />
        <PageEditor kind={kind} html={draft.html} problems={draft.problems} bytes={draft.bytes} onHtml={draft.take} />
      </div>
    </SideDrawer>
  )
}

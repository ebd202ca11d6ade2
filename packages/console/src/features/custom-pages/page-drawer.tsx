import { type CustomPageDetail, customPages } from '@fairway/contract'
import { Button, Skeleton, Tabs, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './custom-pages.module.css'
import { PageEditor } from './page-editor.tsx'
import { PageHistory } from './page-history.tsx'
import { PagePreview } from './page-preview.tsx'
import { usePageDraft } from './use-page-draft.ts'

export type PagePart = 'text' | 'preview' | 'history'
type PageDrawerProps = {
  site: string
  id: string
  part: PagePart
  onPart: (part: PagePart) => void
  onClose: () => void
}

export function PageDrawer({ site, id, part, onPart, onClose }: PageDrawerProps) {
  const { t } = useTranslation('custom-pages')
  const { data, error, refetch } = useRead(customPages.routes.get, { site, id })
  if (data)
    return <OpenPage key={`${data.digest} ${data.name}`} page={data} part={part} onPart={onPart} onClose={onClose} />
  return (
    <SideDrawer opened onClose={onClose} title={t('title')} size={720}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={400} radius="md" />}
    </SideDrawer>
  )
}

function OpenPage({
  page,
  part,
  onPart,
  onClose,
}: {
  page: CustomPageDetail
  part: PagePart
  onPart: (part: PagePart) => void
  onClose: () => void
}) {
  const { t } = useTranslation('custom-pages')
  const format = useFormat()
  const show = useSnackbar()
  const mayEdit = useCanCall(customPages.routes.update)
  const [asksRemoval, setAsksRemoval] = useState(false)
  const draft = usePageDraft(page.kind, page)
  const place = { site: page.siteId, id: page.id }
  const back = useChange(customPages.routes.update)
  const save = useChange(customPages.routes.update, {
    subject: null,
    onDone: () =>
      show('page', {
        message: t('saved', { name: draft.name }),
        undo: () => back.mutate({ ...place, name: page.name, digest: page.digest }),
      }),
  })
  const remove = useChange(customPages.routes.remove, {
    onDone: () => {
      show('page', { message: t('removed', { name: page.name }) })
      onClose()
    },
  })
  const isUsed = page.domains.length > 0
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={page.name}
      size={720}
      keepOpen={draft.isChanged}
      onSubmit={() => {
        if (draft.isGood && draft.isChanged) save.mutate({ ...place, name: draft.name, html: draft.html })
      }}
      beside={
        mayEdit && (
          <Button variant="default" color="red" onClick={() => setAsksRemoval(true)}>
            {t('remove')}
          </Button>
        )
      }
      footer={
        mayEdit && (
          <>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!draft.isGood || !draft.isChanged}>
              {t('save')}
            </Button>
          </>
        )
      }
    >
      {save.error && <FailureNotice title={t('notSaved')} error={save.error} />}
      <Tabs value={part} onChange={(next) => onPart(PARTS.find((one) => one === next) ?? 'text')} keepMounted={false}>
        <Tabs.List>
          {PARTS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`part.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="text" className={classes.part}>
          <TextInput
            label={t('column.name')}
            value={draft.name}
            readOnly={!mayEdit}
            onChange={(event) => draft.setName(event.currentTarget.value)}
            maxLength={80}
            required
          />
          <p className={classes.quiet}>
            {isUsed ? t('shownBy', { names: format.list(page.domains.map(({ name }) => name)) }) : t('shownByNone')}
          </p>
          <PageEditor
            kind={page.kind}
            html={draft.html}
            problems={draft.problems}
            bytes={draft.bytes}
            readOnly={!mayEdit}
            onHtml={draft.take}
          />
        </Tabs.Panel>
        <Tabs.Panel value="preview" className={classes.part}>
          <PagePreview site={page.siteId} kind={page.kind} html={draft.html} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className={classes.part}>
          <PageHistory page={page} mayEdit={mayEdit} />
        </Tabs.Panel>
      </Tabs>
      <Confirm
        opened={asksRemoval}
        onClose={() => setAsksRemoval(false)}
        title={t('removeTitle', { name: page.name })}
        verb={t('remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate(place)}
      >
        {isUsed ? t('removeUsed', { names: format.list(page.domains.map(({ name }) => name)) }) : t('removeText')}
      </Confirm>
    </SideDrawer>
  )
}

const PARTS = ['text', 'preview', 'history'] as const

import { type DemView, analyticsDem } from '@fairway/contract'
import { Button, Menu, TextInput } from '@mantine/core'
import { IconBookmark, IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { AnalyticsDemSearch } from './search.ts'
import classes from './views-menu.module.css'

type ViewsMenuProps = { page: AnalyticsDemSearch; onOpen: (page: AnalyticsDemSearch) => void }

/** The reader's own saved views: opened by a click, kept and taken away here. */
export function ViewsMenu({ page, onOpen }: ViewsMenuProps) {
  const { t } = useTranslation('analytics-dem')
  const canSee = useCanCall(analyticsDem.routes.views)
  const canSave = useCanCall(analyticsDem.routes.createView)
  const [saving, setSaving] = useState(false)
  const { data, error } = useRead(analyticsDem.routes.views, {}, { enabled: canSee })
  const show = useSnackbar()
  const remove = useChange(analyticsDem.routes.removeView, {
    onDone: () => show('dem-view', { message: t('views.removed') }),
  })
  if (!canSee) return null
  const views = data?.data ?? []
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={15} stroke={1.65} />}>
            {t('views.open')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('views.open')}>
          {views.map((view) => (
            <div key={view.id} className={classes.row}>
              <Menu.Item className={classes.view} onClick={() => onOpen(AnalyticsDemSearch.parse(view.page))}>
                {view.name}
              </Menu.Item>
              {canSave && (
                <Menu.Item
                  className={classes.remove}
                  aria-label={t('views.remove', { name: view.name })}
                  closeMenuOnClick={false}
                  onClick={() => remove.mutate({ id: view.id })}
                >
                  <IconTrash size={15} stroke={1.65} aria-hidden />
                </Menu.Item>
              )}
            </div>
          ))}
          {error && <Menu.Label>{t('views.away')}</Menu.Label>}
          {data && views.length === 0 && <Menu.Label>{t('views.none')}</Menu.Label>}
          {canSave && (
            <>
              <Menu.Divider />
              <Menu.Item
                leftSection={<IconDeviceFloppy size={15} stroke={1.65} />}
                disabled={data === undefined || views.length >= data.limit}
                onClick={() => setSaving(true)}
              >
                {t('views.save')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveDialog page={page} views={views} onClose={() => setSaving(false)} />}
    </>
  )
}

/** Keeps the page under a name; one of that name is written anew. */
function SaveDialog({
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

import { analyticsDem } from '@fairway/contract'
import { Button, Menu } from '@mantine/core'
import { IconBookmark, IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { AnalyticsDemSearch } from './search.ts'
import classes from './views-menu.module.css'

const SaveViewDialog = lazy(async () => ({ default: (await import('./save-view-dialog.tsx')).SaveViewDialog }))

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
      {saving && (
        <Suspense fallback={null}>
          <SaveViewDialog page={page} views={views} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  )
}

import { cacheRules, checkCachePath } from '@fairway/contract'
import type { NoCacheRule, PathType } from '@fairway/contract'
import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { PathFields } from './path-fields.tsx'
import classes from './screen.module.css'

const column = columnsFor<NoCacheRule>()

/** Paths that every CDN fetches anew each time. */
export function NoCacheTab({ place }: { place: Place }) {
  const { t } = useTranslation('cache-control')
  const { add } = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/cache-control/{-$tab}' })
  const navigate = useNavigate()
  const mayEdit = useCanCall(cacheRules.routes.createNoCache)
  const { data, error, refetch } = useRead(cacheRules.routes.noCache, { ...place, page_size: -1 })
  const { mutate: remove } = useChange(cacheRules.routes.removeNoCache)
  const open = (isOpen: boolean) =>
    void navigate({ to: '.', search: (before) => ({ ...before, add: isOpen || undefined }) })
  useShortcut('c', t('noCache.add'), () => open(true), mayEdit)
  const { site, domain } = place
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('type', {
          header: t('rule.type'),
          enableSorting: false,
          cell: ({ row }) => <Pill tone="info">{t(`type.${row.original.type}`)}</Pill>,
          meta: { widthPx: 150, card: 'lead' },
        }),
        column.accessor('path', {
          header: t('rule.path'),
          enableSorting: false,
          cell: ({ row }) => <code className={classes.code}>{row.original.path}</code>,
          meta: { leastPx: 220, card: 'title' },
        }),
        column.accessor('createdAt', {
          header: t('rule.added'),
          enableSorting: false,
          cell: ({ row }) => <Age at={row.original.createdAt} />,
          meta: { widthPx: 140, card: 'detail' },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('rule.actions')}</span>,
          cell: ({ row }) =>
            mayEdit && (
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('rule.removeNamed', { path: row.original.path })}
                onClick={() => remove({ site, domain, id: row.original.id })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            ),
          meta: { widthPx: 64, align: 'end', card: 'end' },
        }),
      ]),
    [t, mayEdit, remove, site, domain],
  )
  const button = mayEdit && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => open(true)}>
      {t('noCache.add')}
    </Button>
  )
  return (
    <>
      <div className={classes.bar}>
        <p>{t('noCache.text')}</p>
        {data && data.data.length > 0 && button}
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('tab.no-cache')}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ path }) => path}
          empty={
            <EmptyTeach title={t('noCache.emptyTitle')} text={t('noCache.emptyText')} action={button}>
              <code>/account/</code>
            </EmptyTeach>
          }
        />
      )}
      {add === true && mayEdit && <NoCacheDrawer place={place} onClose={() => open(false)} />}
    </>
  )
}

function NoCacheDrawer({ place, onClose }: { place: Place; onClose: () => void }) {
  const { t } = useTranslation(['cache-control', 'validation'])
  const { plan } = useAccount()
  const [type, setType] = useState<PathType>('directory')
  const [path, setPath] = useState('')
  const [touched, setTouched] = useState(false)
  const create = useChange(cacheRules.routes.createNoCache, { subject: null, onDone: onClose })
  const wrong = path === '' ? 'validation.required' : checkCachePath(type, path)
  const found = create.error instanceof ApiError ? create.error.fields[0]?.message : undefined
  const save = () => {
    setTouched(true)
    if (wrong === null) create.mutate({ ...place, type, path })
  }
  return (
    <SideDrawer
      opened
      onClose={onClose}
      keepOpen={path !== ''}
      onSubmit={save}
      title={t('noCache.addTitle')}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {t('noCache.add')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {create.error && found === undefined && <FailureNotice title={t('notSaved')} error={create.error} />}
        <PathFields
          type={type}
          path={path}
          onType={setType}
          onPath={setPath}
          advanced={plan.ability.includes('cache.advancedRules')}
          error={touched || found !== undefined ? validationText(t, found ?? wrong ?? undefined) : null}
          onBlur={() => {
            if (path !== '') setTouched(true)
          }}
        />
      </div>
    </SideDrawer>
  )
}

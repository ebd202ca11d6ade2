import { ByoPlatform, type ManagedCdnKey, managedCdnKeys } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { TestPill } from '../byo-cdn-keys/test-result.tsx'
import { ListPage } from '../operator/list-page.tsx'

const KeyDrawer = onDemand(async () => (await import('./key-drawer.tsx')).KeyDrawer)
const column = columnsFor<ManagedCdnKey>()

/** The operator's accounts at CDN vendors; each is a CDN that every organisation may install. */
export function ManagedCdnKeysScreen() {
  const { t } = useTranslation(['managed-cdn-keys', 'byo-cdn-keys'])
  const format = useFormat()
  const search = useSearch({ from: '/shell/operator/cdn-keys' })
  const navigate = useNavigate({ from: '/operator/cdn-keys' })
  const { data, ...answer } = useRead(managedCdnKeys.routes.list, {})
  const words = (search.search ?? '').toLowerCase()
  const rows = useMemo(
    () => data?.data.filter(({ platform }) => t(`byo-cdn-keys:platforms.${platform}`).toLowerCase().includes(words)),
    [data, words, t],
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('platform', {
          header: t('byo-cdn-keys:platform'),
          cell: ({ getValue }) => t(`byo-cdn-keys:platforms.${getValue()}`),
          meta: { leastPx: 180, card: 'title' },
        }),
        column.accessor('source', {
          header: t('managed-cdn-keys:kept'),
          cell: ({ getValue }) => t(`managed-cdn-keys:source.${getValue()}`),
          meta: { leastPx: 160, card: 'detail' },
        }),
        column.accessor('domainCount', {
          header: t('managed-cdn-keys:domains'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 110, align: 'end' },
        }),
        column.accessor(({ testedAt }) => testedAt ?? '', {
          id: 'test',
          header: t('byo-cdn-keys:test'),
          cell: ({ row: { original } }) => <TestPill testedAt={original.testedAt} problem={original.testProblem} />,
          meta: { widthPx: 170, card: 'end' },
        }),
        column.accessor('modifiedAt', {
          header: t('byo-cdn-keys:changed'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120 },
        }),
      ]),
    [t, format],
  )
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const free = ByoPlatform.options.filter(
    (platform) => !data?.data.some((row) => row.platform === platform && row.source === 'stored'),
  )
  const add = data && free.length > 0 && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => change({ open: 'new' })}>
      {t('byo-cdn-keys:add')}
    </Button>
  )
  const shown = data?.data.find(({ platform }) => platform === search.open) ?? null
  return (
    <ListPage
      title={t('managed-cdn-keys:title')}
      meaning={t('managed-cdn-keys:meaning')}
      label={t('managed-cdn-keys:title')}
      placeholder={t('managed-cdn-keys:filter')}
      search={search}
      filtered={false}
      columns={columns}
      actions={add}
      answer={{ ...answer, data: rows && { data: rows, meta: { total: rows.length } } }}
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ platform }) => platform}
      rowName={({ platform }) => t(`byo-cdn-keys:platforms.${platform}`)}
      onOpen={({ platform }) => change({ open: platform })}
      empty={{ title: t('managed-cdn-keys:none'), text: t('managed-cdn-keys:noneText'), action: add }}
    >
      {data && (
        <KeyDrawer
          key={search.open ?? 'closed'}
          opened={search.open === 'new' || shown !== null}
          saved={shown}
          free={free}
          onClose={() => change({ open: undefined })}
        />
      )}
    </ListPage>
  )
}

import { type StreamAsset, streamAssets } from '@fairway/contract'
import { Button, Skeleton, Tabs } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { useTypedSearch } from '../../ui/filters/use-typed-search.ts'
import { UnsteeredNotice } from '../signed-urls/unsteered-notice.tsx'
import { SignedCard } from '../signed-urls/signed-card.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ALL, categoriesOf, filterAssets } from './all-assets.ts'
import { AssetState } from './asset-state.tsx'
import { GoOnButton } from './go-on-button.tsx'
import { lengthText } from './length-text.ts'
import type { StreamAssetsSearch } from './search.ts'
import classes from './stream-assets.module.css'
import { NEW_VIDEOS, useUploads } from './uploads.ts'

const SOON_MS = 2_000
const STEADY_MS = 30_000
const BalancerPanel = lazy(async () => ({
  default: (await import('../stream-balancers/balancer-panel.tsx')).BalancerPanel,
}))
const UploadLine = lazy(async () => ({ default: (await import('./upload-line.tsx')).UploadLine }))
const UploadDrawer = onDemand(async () => (await import('./upload-drawer.tsx')).UploadDrawer)
const column = columnsFor<StreamAsset>()
const isMoving = ({ state }: StreamAsset): boolean => state !== 'ready' && state !== 'failed'

/** The videos of the organisation, and where new ones are uploaded. */
export function StreamAssetsScreen() {
  const { t } = useTranslation('stream-assets')
  const [isUploading, setUploading] = useState(false)
  const queryClient = useQueryClient()
  const search = useSearch({ from: '/shell/stream/assets' })
  const navigate = useNavigate({ from: '/stream/assets' })
  const set = (change: Partial<StreamAssetsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: !('tab' in change) })
  const typed = useTypedSearch(search.search ?? '', (text) => set({ search: text === '' ? undefined : text }))
  const mayEdit = useCanCall(streamAssets.routes.create)
  const { data, error, refetch } = useRead(streamAssets.routes.list, ALL, {
    everyMs: (list) => (list?.data.some(isMoving) ? SOON_MS : STEADY_MS),
  })
  const onMoved = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: [streamAssets.routes.list.path] }),
    [queryClient],
  )
  const columns = useColumns(mayEdit, onMoved)
  const sending = useUploads(NEW_VIDEOS)
  const isFilled = data ? data.data.length > 0 : !error
  const isFiltered = Boolean(search.search) || search.category !== undefined
  const shown = useMemo(() => data && filterAssets(data.data, search), [data, search])
  const categories = [...categoriesOf(data?.data ?? []), ''].map((value) => ({
    value,
    label: value || t('noCategory'),
    count: data?.data.filter(({ category }) => category === value).length ?? 0,
  }))
  const upload = mayEdit && (
    <Button leftSection={<IconUpload size={16} stroke={1.9} />} onClick={() => setUploading(true)}>
      {t('upload')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <>
            <LinkButton variant="default" to="/stream/assets/{-$sid}/setup">
              {t('setup')}
            </LinkButton>
            {upload}
          </>
        }
      />
      <Gate route={streamAssets.routes.list} meaning={t('meaning')}>
        <Tabs
          value={search.tab ?? 'videos'}
          onChange={(tab) => set({ tab: tab === 'balancer' ? 'balancer' : undefined })}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="videos">{t('tab.videos')}</Tabs.Tab>
            <Tabs.Tab value="balancer">{t('tab.balancer')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="videos" pt="md">
            {/* Their place is held until it is known that there is nothing. */}
            {isFilled && <SignedCard />}
            {sending.length > 0 && !isUploading && (
              <Card title={t('sending')}>
                <ul className={classes.rows} aria-label={t('files')}>
                  {sending.map((row) => (
                    <li key={row.key} className={classes.row}>
                      <Suspense>
                        <UploadLine row={row} />
                      </Suspense>
                    </li>
                  ))}
                </ul>
              </Card>
            )}
            {data && !data.canEncode && <Notice tone="warn">{t('noEncoder')}</Notice>}
            {isFilled && (
              <FilterBar
                search={typed.text}
                onSearch={typed.type}
                placeholder={t('filter')}
                onClear={isFiltered ? () => set({ search: undefined, category: undefined }) : undefined}
                count={
                  data && t(isFiltered ? 'countOf' : 'count', { shown: shown?.length ?? 0, count: data.data.length })
                }
              >
                <Facet
                  single
                  label={t('category')}
                  options={categories}
                  chosen={search.category === undefined ? [] : [search.category]}
                  onChange={([category]) => set({ category })}
                />
              </FilterBar>
            )}
            {error && !data ? (
              <ErrorState error={error} onRetry={() => void refetch()} />
            ) : (
              <DataTable
                label={t('title')}
                rows={shown}
                columns={columns}
                rowId={({ id }) => id}
                rowName={({ name }) => name}
                empty={
                  isFiltered ? (
                    <EmptyTeach title={t('nothing.title')} text={t('nothing.text')} />
                  ) : (
                    <EmptyTeach title={t('empty.title')} text={t('empty.text')} action={upload} />
                  )
                }
              />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="balancer" pt="md">
            <UnsteeredNotice />
            <Suspense fallback={<Skeleton height={320} radius="lg" />}>
              <BalancerPanel source="assets" />
            </Suspense>
          </Tabs.Panel>
        </Tabs>
      </Gate>
      <UploadDrawer opened={isUploading} onClose={() => setUploading(false)} onMoved={onMoved} />
    </>
  )
}

function useColumns(mayEdit: boolean, onMoved: () => void) {
  const { t } = useTranslation('stream-assets')
  const format = useFormat()
  return useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('name'),
          meta: { leastPx: 220, card: 'title' },
          cell: ({ row: { original } }) => (
            <Link to="/stream/assets/detail/$vid" params={{ vid: original.id }}>
              {original.name}
            </Link>
          ),
        }),
        column.accessor('state', {
          header: t('status'),
          meta: { widthPx: 230, card: 'lead' },
          cell: ({ row: { original } }) => (
            <span className={classes.state}>
              <AssetState asset={original} />
              {mayEdit && <GoOnButton of={NEW_VIDEOS} {...original} onMoved={onMoved} />}
            </span>
          ),
        }),
        column.accessor('category', {
          header: t('category'),
          meta: { widthPx: 140 },
          cell: ({ row: { original } }) => original.category || '—',
        }),
        column.accessor(({ renditions }) => renditions.at(-1)?.height ?? 0, {
          id: 'quality',
          header: t('quality'),
          meta: { widthPx: 120 },
          cell: ({ row: { original } }) => original.renditions.at(-1)?.name ?? '—',
        }),
        column.accessor(({ source }) => source?.seconds ?? 0, {
          id: 'length',
          header: t('length'),
          meta: { widthPx: 110 },
          cell: ({ row: { original } }) => (original.source === null ? '—' : lengthText(original.source.seconds)),
        }),
        column.accessor('size', {
          header: t('size'),
          meta: { widthPx: 120 },
          cell: ({ row: { original } }) => format.bytes(original.size),
        }),
        column.accessor('createdAt', {
          header: t('uploaded'),
          meta: { widthPx: 230, card: 'detail' },
          cell: ({ row: { original } }) => format.dateTime(Date.parse(original.createdAt)),
        }),
      ]),
    [t, format, mayEdit, onMoved],
  )
}

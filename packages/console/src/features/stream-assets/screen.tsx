import { type StreamAsset, streamAssets } from '@fairway/contract'
import { Button, Tabs } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { BalancerPanel } from '../stream-balancers/balancer-panel.tsx'
import { UnsteeredNotice } from '../signed-urls/unsteered-notice.tsx'
import { SignedCard } from '../signed-urls/signed-card.tsx'
import { AssetState } from './asset-state.tsx'
import { lengthText } from './length-text.ts'

const ALL = { page_size: -1, ordering: '-created_at' } as const
const SOON_MS = 2_000
const STEADY_MS = 30_000
const UploadDrawer = onDemand(async () => (await import('./upload-drawer.tsx')).UploadDrawer)
const column = columnsFor<StreamAsset>()
const isMoving = ({ state }: StreamAsset): boolean => state !== 'ready' && state !== 'failed'

/** The videos of the organisation, and where new ones are uploaded. */
export function StreamAssetsScreen() {
  const { t } = useTranslation('stream-assets')
  const [isUploading, setUploading] = useState(false)
  const queryClient = useQueryClient()
  const mayEdit = useCanCall(streamAssets.routes.create)
  const { data, error, refetch } = useRead(streamAssets.routes.list, ALL, {
    everyMs: (list) => (list?.data.some(isMoving) ? SOON_MS : STEADY_MS),
  })
  const columns = useColumns()
  const upload = mayEdit && (
    <Button leftSection={<IconUpload size={16} stroke={1.9} />} onClick={() => setUploading(true)}>
      {t('upload')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} actions={upload} />
      <Gate route={streamAssets.routes.list} meaning={t('meaning')}>
        <Tabs defaultValue="videos" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="videos">{t('tab.videos')}</Tabs.Tab>
            <Tabs.Tab value="balancer">{t('tab.balancer')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="videos" pt="md">
            {data && data.data.length > 0 && <SignedCard />}
            {data && !data.canEncode && <Notice tone="warn">{t('noEncoder')}</Notice>}
            {error && !data ? (
              <ErrorState error={error} onRetry={() => void refetch()} />
            ) : (
              <DataTable
                label={t('title')}
                rows={data?.data}
                columns={columns}
                rowId={({ id }) => id}
                rowName={({ name }) => name}
                empty={<EmptyTeach title={t('empty.title')} text={t('empty.text')} action={upload} />}
              />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="balancer" pt="md">
            <UnsteeredNotice />
            <BalancerPanel source="assets" />
          </Tabs.Panel>
        </Tabs>
      </Gate>
      <UploadDrawer
        opened={isUploading}
        onClose={() => setUploading(false)}
        onMoved={() => void queryClient.invalidateQueries({ queryKey: [streamAssets.routes.list.path] })}
      />
    </>
  )
}

function useColumns() {
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
          meta: { widthPx: 200, card: 'lead' },
          cell: ({ row: { original } }) => <AssetState asset={original} />,
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
    [t, format],
  )
}

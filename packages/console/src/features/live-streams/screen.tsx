import { type LiveStream, liveStreams } from '@fairway/contract'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { InputPill, TranscoderPill } from './live-state.tsx'

const ALL = { page_size: -1, ordering: '-created_at' } as const
const OFTEN_MS = 3_000
const STEADY_MS = 30_000
const column = columnsFor<LiveStream>()
const isIdle = ({ transcoderStatus }: LiveStream): boolean => transcoderStatus === 1 || transcoderStatus === -1

/** The live streams of the organisation. */
export function LiveStreamsScreen() {
  const { t } = useTranslation('live-streams')
  const mayEdit = useCanCall(liveStreams.routes.create)
  const { data, error, refetch } = useRead(liveStreams.routes.list, ALL, {
    everyMs: (list) => (list?.data.every(isIdle) === false ? OFTEN_MS : STEADY_MS),
  })
  const columns = useColumns()
  const create = mayEdit && (
    <LinkButton to="/stream/live-streams/create" leftSection={<IconPlus size={16} stroke={1.9} />}>
      {t('create')}
    </LinkButton>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <>
            <LinkButton variant="default" to="/stream/live-streams/{-$sid}/setup">
              {t('setup')}
            </LinkButton>
            {create}
          </>
        }
      />
      <Gate route={liveStreams.routes.list} meaning={t('meaning')}>
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
            empty={<EmptyTeach title={t('empty.title')} text={t('empty.text')} action={create} />}
          />
        )}
      </Gate>
    </>
  )
}

function useColumns() {
  const { t } = useTranslation('live-streams')
  const format = useFormat()
  return useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('name'),
          meta: { leastPx: 200, card: 'title' },
          cell: ({ row: { original } }) => (
            <Link to="/stream/live-streams/detail/$sid/{-$type}" params={{ sid: original.id }}>
              {original.name}
            </Link>
          ),
        }),
        column.accessor('transcoderStatus', {
          header: t('transcoderStatus'),
          meta: { widthPx: 170, card: 'lead' },
          cell: ({ row: { original } }) => <TranscoderPill status={original.transcoderStatus} />,
        }),
        column.accessor(({ input }) => input?.state ?? '', {
          id: 'input',
          header: t('signal'),
          meta: { widthPx: 180 },
          cell: ({ row: { original } }) => <InputPill stream={original} />,
        }),
        column.accessor('protocol', {
          header: t('protocolTitle'),
          meta: { widthPx: 100 },
          cell: ({ row: { original } }) => t(`protocol.${original.protocol}`),
        }),
        column.accessor('latency', {
          header: t('latencyTitle'),
          meta: { widthPx: 130 },
          cell: ({ row: { original } }) => t(`latency.${original.latency}`),
        }),
        column.accessor('createdAt', {
          header: t('created'),
          meta: { widthPx: 230, card: 'detail' },
          cell: ({ row: { original } }) => format.dateTime(Date.parse(original.createdAt)),
        }),
      ]),
    [t, format],
  )
}

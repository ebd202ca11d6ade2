import { type NodeDocument, type NodeRow, operatorArea } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { NodeRegion } from './node-region.tsx'
import { useRefreshing } from './use-refreshing.ts'
import { Age } from '../../ui/marks/age.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './operator.module.css'
import { LIST_SIZE } from './list-search.ts'

type Only = 'refused' | 'waiting'
const column = columnsFor<NodeDocument>()
const ADDRESS_SETTING: Readonly<Record<string, string>> = {
  dns: 'FAIRWAY_DNS_ADDRESSES',
  edge: 'FAIRWAY_EDGE_ADDRESSES',
}
const TONES = { live: 'ok', waiting: 'info', refused: 'bad' } as const

function stateOf({ ok, version, published }: NodeDocument): keyof typeof TONES {
  if (!ok) return 'refused'
  return published !== null && version < published ? 'waiting' : 'live'
}

/** The documents of one node: which version it serves, what waits, what it refused and in which words. */
export function NodeDrawer({
  node,
  only,
  onOnly,
  onClose,
}: {
  node: NodeRow | undefined
  only: Only | undefined
  onOnly: (only: Only | undefined) => void
  onClose: () => void
}) {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const kept = useRef<NodeRow | undefined>(node)
  if (node) kept.current = node
  const shown = kept.current
  const [asking, setAsking] = useState(false)
  const forget = useRefreshing(operatorArea.routes.forgetNode, '/operator/v2/nodes/', () => {
    setAsking(false)
    onClose()
  })
  const { data, error, refetch } = useRead(
    operatorArea.routes.nodeDocuments,
    { node: shown?.id ?? '', page_size: LIST_SIZE, only },
    { enabled: node !== undefined, everyMs: 5_000 },
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('label', {
          header: t('nodes.document'),
          cell: ({ row: { original } }) => (
            <span className={classes.words}>
              <span className={classes.strong}>{original.label ?? original.key}</span>{' '}
              <span className={classes.muted}>{original.kind}</span>
              {original.reason !== null && (
                <span className={classes.mono}>
                  <br />
                  {original.reason}
                </span>
              )}
            </span>
          ),
          meta: { leastPx: 220, card: 'title' },
        }),
        column.accessor('version', {
          header: t('nodes.version'),
          cell: ({ row: { original } }) => (
            <span className="num">
              {original.published !== null && original.published !== original.version
                ? `${original.version} / ${original.published}`
                : original.version}
            </span>
          ),
          meta: { widthPx: 96, align: 'end', card: 'detail' },
        }),
        column.accessor('ok', {
          header: t('nodes.state'),
          meta: { widthPx: 110, card: 'end' },
          cell: ({ row: { original } }) => {
            const state = stateOf(original)
            return <Pill tone={TONES[state]}>{t(`nodes.doc.${state}`)}</Pill>
          },
        }),
        column.accessor('at', {
          header: t('nodes.confirmed'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 110 },
        }),
      ]),
    [t],
  )
  return (
    <SideDrawer
      opened={node !== undefined}
      onClose={onClose}
      size={720}
      title={shown ? `${shown.name} · ${shown.role}` : ''}
      footer={
        shown?.health === 'away' && (
          <Button color="red" variant="default" onClick={() => setAsking(true)}>
            {t('nodes.forget')}
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        {shown?.addresses && (
          <p className={classes.muted}>
            {shown.addresses.inDns.length > 0
              ? t('nodes.inDns', { addresses: format.list(shown.addresses.inDns) })
              : shown.addresses.told.length > 0
                ? t('nodes.notInDns', { addresses: format.list(shown.addresses.told) })
                : t('nodes.noAddress', { setting: ADDRESS_SETTING[shown.role] })}
          </p>
        )}
        {shown?.shield && <NodeRegion key={shown.id} node={shown} shield={shown.shield} />}
        <Segmented
          label={t('nodes.show')}
          value={only ?? 'all'}
          onChange={(value) => onOnly(value === 'all' ? undefined : value)}
          options={[
            { value: 'all', label: t('nodes.all') },
            { value: 'waiting', label: t('nodes.waiting') },
            { value: 'refused', label: t('nodes.refused') },
          ]}
        />
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={t('nodes.documents')}
            rows={data?.data}
            columns={columns}
            rowId={({ kind, key }) => `${kind} ${key}`}
            rowName={({ label, key }) => label ?? key}
            empty={<EmptyTeach title={t('nodes.noDocuments')} />}
          />
        )}
      </div>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('nodes.forgetTitle', { name: shown?.name })}
        verb={t('nodes.forget')}
        danger
        busy={forget.isPending}
        onConfirm={() => {
          if (shown) forget.mutate({ node: shown.id })
        }}
      >
        <p>{t('nodes.forgetText')}</p>
      </Confirm>
    </SideDrawer>
  )
}

import { purges } from '@fairway/contract'
import type { Purge } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconEraser } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { PurgeDrawer } from './purge-drawer.tsx'
import classes from './screen.module.css'

const column = columnsFor<Purge>()
const WATCH_MS = 1_000
const PAGE_SIZE = 50

/** What was purged, and whether it is gone. */
export function PurgeTab({ place }: { place: Place }) {
  const { t } = useTranslation('cache-control')
  const format = useFormat()
  const { site, domain } = useScope()
  const { purge } = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/cache-control/{-$tab}' })
  const navigate = useNavigate()
  const mayPurge = useCanCall(purges.routes.create)
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useRead(
    purges.routes.list,
    { site: place.site, domain_id: place.domain, page, page_size: PAGE_SIZE },
    {
      everyMs: (seen) =>
        seen?.data.some(({ status }) => status === 'deploying' || status === 'rate-limited') ? WATCH_MS : false,
    },
  )
  const open = (id: string | undefined) => void navigate({ to: '.', search: (before) => ({ ...before, purge: id }) })
  const params = { site: site.domainName, domain: domain?.name }
  useShortcut(
    'c',
    t('purge.add'),
    () => void navigate({ to: '/$site/{-$domain}/multi-cdn/cache-control/purge/add', params }),
    mayPurge,
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('status', {
          header: t('purge.status'),
          enableSorting: false,
          cell: ({ row }) =>
            row.original.undoneAt === null ? (
              <StatusPill state={row.original.status} since={Date.parse(row.original.createdAt)} />
            ) : (
              <Pill tone="neutral">{t('purge.undone')}</Pill>
            ),
          meta: { widthPx: 190, card: 'lead' },
        }),
        column.accessor('kind', {
          header: t('purge.kind'),
          enableSorting: false,
          cell: ({ row }) => (
            <>
              {t(`kind.${row.original.kind}`)}
              {row.original.soft && <> · {t('purge.soft')}</>}
            </>
          ),
          meta: { widthPx: 150, card: 'detail' },
        }),
        column.accessor('targets', {
          header: t('purge.what'),
          enableSorting: false,
          cell: ({ row }) => <Targets purge={row.original} />,
          meta: { leastPx: 220, card: 'title' },
        }),
        column.accessor('requestedBy', {
          header: t('purge.by'),
          enableSorting: false,
          cell: ({ row }) => row.original.requestedBy,
          meta: { widthPx: 190 },
        }),
        column.accessor('createdAt', {
          header: t('purge.at'),
          enableSorting: false,
          cell: ({ row }) => <Age at={row.original.createdAt} />,
          meta: { widthPx: 120, card: 'end' },
        }),
      ]),
    [t],
  )
  const button = mayPurge && (
    <Button
      leftSection={<IconEraser size={16} stroke={1.9} />}
      renderRoot={(props) => (
        <Link {...props} to="/$site/{-$domain}/multi-cdn/cache-control/purge/add" params={params} />
      )}
    >
      {t('purge.add')}
    </Button>
  )
  const shown = data?.data.find(({ id }) => id === purge)
  return (
    <>
      <div className={classes.bar}>
        <p>{t('purge.text')}</p>
        {data && data.data.length > 0 && button}
      </div>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('tab.purge')}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          stale={isPlaceholderData}
          rowName={(row) => format.list(row.targets) || t('kind.all')}
          onOpen={({ id }) => open(id)}
          empty={<EmptyTeach title={t('purge.emptyTitle')} text={t('purge.emptyText')} action={button} />}
        />
      )}
      {data && <Pager page={page} pageSize={PAGE_SIZE} total={data.meta.total} onPage={setPage} />}
      {shown && <PurgeDrawer purge={shown} onClose={() => open(undefined)} />}
    </>
  )
}

function Targets({ purge: { kind, targets } }: { purge: Purge }) {
  const { t } = useTranslation('cache-control')
  const [first, ...rest] = targets
  if (kind === 'all' || first === undefined) return <span className={classes.quiet}>{t('purge.everything')}</span>
  return (
    <span className={classes.targets}>
      <code title={targets.join('\n')}>{first}</code>
      {rest.length > 0 && <span className={classes.quiet}>{t('purge.more', { count: rest.length })}</span>}
    </span>
  )
}

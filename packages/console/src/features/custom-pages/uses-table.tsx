import { type PageUse, customPages } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './custom-pages.module.css'

type Row = PageUse & { errorsPage: string | null; maintenancePage: string | null }

const column = columnsFor<Row>()

/** Which page each domain shows, and which of them are closed now. */
export function UsesTable({ site, onOpen }: { site: string; onOpen: (domainId: string) => void }) {
  const { t } = useTranslation('custom-pages')
  const uses = useRead(customPages.routes.uses, { site })
  const pages = useRead(customPages.routes.list, { site, page_size: -1 })
  const rows = useMemo(() => {
    const names = new Map(pages.data?.data.map(({ id, name }) => [id, name]))
    const named = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
    return uses.data?.data.map((use): Row => ({
      ...use,
      errorsPage: named(use.errorsPageId),
      maintenancePage: named(use.maintenancePageId),
    }))
  }, [uses.data, pages.data])
  const columns = useMemo(() => {
    const page = (name: string | null) => name ?? <span className={classes.quiet}>{t('brand.name')}</span>
    return column.columns([
      column.accessor('domain', {
        header: t('column.domain'),
        cell: ({ row }) => <span className={classes.name}>{row.original.domain}</span>,
        meta: { leastPx: 200, card: 'title' },
      }),
      column.accessor((row) => row.errorsPage ?? '', {
        id: 'errors',
        header: t('kind.errors'),
        cell: ({ row }) => page(row.original.errorsPage),
        meta: { leastPx: 160, card: 'detail' },
      }),
      column.accessor((row) => row.maintenancePage ?? '', {
        id: 'maintenance',
        header: t('kind.maintenance'),
        cell: ({ row }) => page(row.original.maintenancePage),
        meta: { leastPx: 160, card: 'detail' },
      }),
      column.accessor('inMaintenance', {
        header: t('column.state'),
        cell: ({ row }) => (
          <Pill tone={row.original.inMaintenance ? 'warn' : 'ok'}>
            {t(row.original.inMaintenance ? 'state.closed' : 'state.open')}
          </Pill>
        ),
        meta: { widthPx: 170, card: 'end' },
      }),
    ])
  }, [t])
  if (uses.error && !uses.data) return <ErrorState error={uses.error} onRetry={() => void uses.refetch()} />
  return (
    <DataTable
      label={t('tab.domains')}
      rows={rows}
      columns={columns}
      rowId={({ domainId }) => domainId}
      rowName={({ domain }) => domain}
      onOpen={({ domainId }) => onOpen(domainId)}
      empty={<EmptyTeach title={t('noDomain.title')} text={t('noDomain.text')} />}
    />
  )
}

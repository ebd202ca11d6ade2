import { type AuditFilter as Filter, type AuditLine, auditLog } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { AuditFilter } from './audit-filter.tsx'
import { useAuditWords } from './audit-words.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { DEFAULT_RANGE, boundsOf } from './range.ts'
import { RangeField } from './range-field.tsx'
import type { AuditLogSearch } from './search.ts'
import { useEntryColumns } from './use-entry-columns.tsx'

const PAGE_SIZE = 50

/** Everything that was changed in the organisation, by whom and from where, and what it was before. */
export function AuditLogScreen() {
  const { t } = useTranslation('audit-log')
  const { filter } = useAuditSearch()
  const canExport = useCanCall(auditLog.routes.export)
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          canExport && (
            <Button
              component="a"
              variant="default"
              href={exportHref(filter)}
              download
              leftSection={<IconDownload size={16} stroke={1.65} />}
            >
              {t('export')}
            </Button>
          )
        }
      />
      <Gate route={auditLog.routes.list} meaning={t('meaning')}>
        <Entries />
      </Gate>
    </>
  )
}

function useAuditSearch() {
  const search = useSearch({ from: '/shell/account/audit-log' })
  const navigate = useNavigate({ from: '/account/audit-log' })
  // The beginning of "the last 7 days" stays where it was when the page was opened: paging must not slide.
  const [openedAt] = useState(Date.now)
  const { range = DEFAULT_RANGE, search: text, who, action, site, domain, source } = search
  const filter: Filter = {
    ...boundsOf(range, openedAt),
    ...defined({ search: text, who, action, siteId: site, domainName: domain, source }),
  }
  /** Whatever is filtered otherwise begins at its first page. */
  const set = useCallback(
    (change: Partial<AuditLogSearch>) =>
      void navigate({
        search: (old) => ({ ...old, ...('entry' in change ? {} : { page: undefined }), ...change }),
        replace: !('entry' in change || 'page' in change),
      }),
    [navigate],
  )
  return { search, range, filter, set }
}

function Entries() {
  const { t } = useTranslation('audit-log')
  const words = useAuditWords()
  const format = useFormat()
  const { search, range, filter, set } = useAuditSearch()
  const { page = 1, sort = '-at' } = search
  const { data, error, refetch, isPlaceholderData } = useRead(auditLog.routes.list, {
    ...filter,
    page,
    page_size: PAGE_SIZE,
    ordering: sort,
  })
  const columns = useEntryColumns()
  const isFiltered = [search.search, search.who, search.action, search.site, search.domain, search.source].some(
    (part) => part !== undefined,
  )
  const clear = () =>
    set({ search: undefined, who: undefined, action: undefined, site: undefined, domain: undefined, source: undefined })
  const total = data?.meta.total
  return (
    <>
      <RangeField value={range} onChange={(next) => set({ range: next === DEFAULT_RANGE ? undefined : next })} />
      <AuditFilter
        search={search}
        onChange={set}
        onClear={isFiltered ? clear : undefined}
        count={total === undefined ? undefined : t('count', { count: total, replace: { count: format.number(total) } })}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          fill
          label={t('table')}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          rowName={(entry: AuditLine) => words.action(entry.action)}
          stale={isPlaceholderData}
          sort={sort}
          onSort={(next) => set({ sort: next === '-at' ? undefined : next })}
          onOpen={({ id }) => set({ entry: Number(id) })}
          empty={
            <EmptyTeach
              title={t('noneFound')}
              text={t('noneFoundText')}
              action={
                isFiltered && (
                  <Button variant="default" onClick={clear}>
                    {t('clearFilters')}
                  </Button>
                )
              }
            />
          }
        />
      )}
      {total !== undefined && (
        <Pager
          page={page}
          pageSize={PAGE_SIZE}
          total={total}
          onPage={(next) => set({ page: next === 1 ? undefined : next })}
        />
      )}
      <EntryDrawer number={search.entry} onClose={() => set({ entry: undefined })} />
    </>
  )
}

/** A link, so that the browser saves the answer while it comes, however long it is. */
function exportHref(filter: Filter): string {
  return `${auditLog.routes.export.path}?${new URLSearchParams(defined(filter)).toString()}`
}

function defined<T extends Record<string, string | undefined>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  // Holds because what is left is what has a value.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

import { type CustomPage, customPages } from '@fairway/contract'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Age } from '../../ui/marks/age.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './custom-pages.module.css'

type Wanted = { search?: string | undefined; sort?: string | undefined }
type PagesTableProps = {
  /** Undefined: of all sites. */ site: string | undefined
  search: Wanted
  onSearch: (change: Wanted) => void
  onOpen: (page: CustomPage) => void
  emptyText: string
  action: ReactNode
}

const column = columnsFor<CustomPage>()

export function PagesTable({ site, search, onSearch, onOpen, emptyText, action }: PagesTableProps) {
  const { t } = useTranslation('custom-pages')
  const input = {
    page_size: -1,
    ...(site === undefined ? {} : { site }),
    ...(search.search ? { search: search.search } : {}),
  }
  const { data, error, refetch, isPlaceholderData } = useRead(customPages.routes.list, input)
  const columns = useColumns(site === undefined)
  return (
    <>
      {(data?.data.length !== 0 || search.search !== undefined) && (
        <FilterBar
          search={search.search ?? ''}
          onSearch={(text) => onSearch({ search: text || undefined })}
          placeholder={t('filter')}
          count={t('count', { count: data?.data.length ?? 0 })}
        />
      )}
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('title')}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          sort={search.sort}
          onSort={(sort) => onSearch({ sort })}
          onOpen={onOpen}
          stale={isPlaceholderData}
          empty={
            search.search ? (
              <EmptyTeach title={t('nothing.title')} text={t('nothing.text')} />
            ) : (
              <EmptyTeach
                title={t('empty.title')}
                text={emptyText}
                steps={[t('empty.step1'), t('empty.step2'), t('empty.step3')]}
                action={action}
              />
            )
          }
        />
      )}
    </>
  )
}

function useColumns(withSite: boolean) {
  const { t } = useTranslation('custom-pages')
  const format = useFormat()
  return useMemo(
    () =>
      column.columns([
        column.accessor('kind', {
          header: t('column.kind'),
          cell: ({ row }) => <Pill tone={TONES[row.original.kind]}>{t(`kind.${row.original.kind}`)}</Pill>,
          meta: { widthPx: 150, card: 'lead' },
        }),
        column.accessor('name', {
          header: t('column.name'),
          cell: ({ row }) => <span className={classes.name}>{row.original.name}</span>,
          meta: { leastPx: 180, card: 'title' },
        }),
        ...(withSite
          ? [column.accessor('siteName', { header: t('column.site'), meta: { widthPx: 200, card: 'detail' } })]
          : []),
        column.accessor((row) => row.domains.length, {
          id: 'domains',
          header: t('column.domains'),
          cell: ({ row }) => <Domains page={row.original} />,
          meta: { leastPx: 200, card: 'detail' },
        }),
        column.accessor('sizeBytes', {
          header: t('column.size'),
          cell: ({ row }) => format.bytes(row.original.sizeBytes),
          meta: { widthPx: 100, align: 'end' },
        }),
        column.accessor('modifiedAt', {
          header: t('column.changed'),
          cell: ({ row }) => <Age at={row.original.modifiedAt} />,
          meta: { widthPx: 140, card: 'end' },
        }),
      ]),
    [t, format, withSite],
  )
}

function Domains({ page: { domains } }: { page: CustomPage }) {
  const { t } = useTranslation('custom-pages')
  const [first] = domains
  if (!first) return <span className={classes.quiet}>{t('unused')}</span>
  return (
    <span title={domains.map(({ name }) => name).join('\n')}>
      {first.name}
      {domains.length > 1 && <span className={classes.quiet}> {t('more', { count: domains.length - 1 })}</span>}
    </span>
  )
}

const TONES: Record<CustomPage['kind'], Tone> = {
  errors: 'bad',
  maintenance: 'warn',
  blocked: 'bad',
  'rate-limited': 'warn',
  challenge: 'info',
  captcha: 'info',
}

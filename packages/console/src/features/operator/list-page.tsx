import { useDebouncedCallback } from '@mantine/hooks'
import type { RowData } from '@tanstack/react-table'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Pager } from '../../ui/data-table/pager.tsx'
import type { Columns } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { LIST_SIZE } from './list-search.ts'

const TYPING_MS = 200

type ListChange = {
  search?: string | undefined
  sort?: string | undefined
  page?: number | undefined
  open?: string | undefined
}

type ListPageProps<Row extends RowData> = {
  title: string
  meaning: string
  /** Names the table for those who cannot see it. */
  label: string
  placeholder: string
  actions?: ReactNode
  /** Between the head and the table. */
  notice?: ReactNode
  facets?: ReactNode
  search: { search?: string | undefined; sort?: string | undefined; page?: number | undefined }
  /** Rows that one page was asked for. */
  pageSize?: number
  /** Undefined clears every filter. */
  onChange: (change: ListChange | undefined) => void
  filtered: boolean
  answer: {
    data?: { data: Row[]; meta: { total: number } } | undefined
    error: unknown
    refetch: () => unknown
    isPlaceholderData: boolean
  }
  columns: Columns<Row>
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  onOpen?: (row: Row) => void
  empty: { title: string; text: string; action?: ReactNode }
  children?: ReactNode
}

/** A list of the operator area: search, facets, table, and what is open beside it. */
export function ListPage<Row extends RowData>(props: ListPageProps<Row>) {
  const {
    title,
    meaning,
    label,
    placeholder,
    actions,
    notice,
    facets,
    search,
    pageSize = LIST_SIZE,
    onChange,
    filtered,
    answer,
    columns,
    rowId,
    rowName,
    onOpen,
    empty,
    children,
  } = props
  const { t } = useTranslation('operator')
  const [text, setText] = useState(search.search ?? '')
  useEffect(() => setText(search.search ?? ''), [search.search])
  const find = useDebouncedCallback(
    (value: string) => onChange({ search: value === '' ? undefined : value, page: undefined }),
    TYPING_MS,
  )
  const isFiltered = filtered || (search.search ?? '') !== ''
  const rows = answer.data?.data
  const page = search.page ?? 1
  const total = answer.data?.meta.total ?? 0
  // What was on a last page may be gone, or in an address that somebody was sent.
  const isBeyond = page > 1 && rows?.length === 0 && !answer.isPlaceholderData
  useEffect(() => {
    if (isBeyond) onChange({ page: undefined })
  })
  const count = rows === undefined ? undefined : t('count', { count: total })
  return (
    <>
      <PageHeader title={title} meaning={meaning} actions={actions} />
      {notice}
      <FilterBar
        search={text}
        placeholder={placeholder}
        {...(count === undefined ? {} : { count })}
        onSearch={(value) => {
          setText(value)
          find(value)
        }}
        onClear={isFiltered ? () => onChange(undefined) : undefined}
      >
        {facets}
      </FilterBar>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <DataTable
          fill
          label={label}
          rows={rows}
          columns={columns}
          rowId={rowId}
          rowName={rowName}
          stale={answer.isPlaceholderData}
          sort={search.sort}
          onSort={(sort) => onChange({ sort, page: undefined })}
          {...(onOpen ? { onOpen } : {})}
          empty={
            isFiltered ? (
              <EmptyTeach title={t('nothingFound')} text={t('nothingFoundText')} />
            ) : (
              <EmptyTeach title={empty.title} text={empty.text} action={empty.action} />
            )
          }
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={total}
          onPage={(next) => onChange({ page: next === 1 ? undefined : next })}
        />
      )}
      {children}
    </>
  )
}

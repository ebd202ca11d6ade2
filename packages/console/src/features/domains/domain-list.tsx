import { type DomainOfSite, domains } from '@fairway/contract'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { CATEGORIES, type Category, countValues, filterDomains } from './categories.ts'
import type { DomainsSearch } from './search.ts'
import { useDomainColumns } from './use-domain-columns.tsx'

const NONE: readonly DomainOfSite[] = []
const NO_VALUES: readonly string[] = []

type Props = {
  search: DomainsSearch
  onSearch: (change: Partial<DomainsSearch>) => void
  onOpen?: (domain: DomainOfSite) => void
  /** Buttons for the selected domains; makes them selectable. */
  bulk?: (domains: readonly DomainOfSite[]) => ReactNode
}

/** Every domain of every site, by words and categories. */
export function DomainList({
  search: { search: words = '', sort, status, site, cdn, tag },
  onSearch,
  onOpen,
  bulk,
}: Props) {
  const { t } = useTranslation(['domains', 'states'])
  const { lookOf } = useCdnLooks()
  const { data, error, refetch } = useRead(domains.routes.all, { page_size: -1, ordering: 'name' })
  const all = data?.data ?? NONE
  const choice = useMemo(() => ({ status, site, cdn, tag }), [status, site, cdn, tag])
  const rows = useMemo(() => data && filterDomains(data.data, words, choice), [data, words, choice])
  const columns = useDomainColumns()
  const nameOf = (category: Category, value: string) =>
    category === 'cdn' ? lookOf(value).name : category === 'status' ? t(`states:state.${value}`) : value
  const isNarrowed = words !== '' || CATEGORIES.some((category) => choice[category] !== undefined)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      {data?.data.length !== 0 && (
        <FilterBar
          search={words}
          onSearch={(text) => onSearch({ search: text || undefined })}
          placeholder={t('filter')}
          count={data && t('count', { count: rows?.length ?? 0 })}
          onClear={
            isNarrowed
              ? () =>
                  onSearch({ search: undefined, status: undefined, site: undefined, cdn: undefined, tag: undefined })
              : undefined
          }
        >
          {CATEGORIES.map((category) => (
            <Facet
              key={category}
              label={t(`category.${category}`)}
              options={countValues(all, category, words, choice).map(({ value, count }) => ({
                value,
                label: nameOf(category, value),
                count,
              }))}
              chosen={choice[category] ?? NO_VALUES}
              onChange={(chosen) => onSearch({ [category]: chosen.length > 0 ? chosen : undefined })}
            />
          ))}
        </FilterBar>
      )}
      <DataTable
        fill={bulk === undefined}
        label={t('title')}
        rows={rows}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        sort={sort}
        onSort={(next) => onSearch({ sort: next })}
        {...(onOpen ? { onOpen } : {})}
        {...(bulk ? { bulk } : {})}
        empty={
          all.length > 0 ? (
            <EmptyTeach title={t('nothing.title')} text={t('nothing.text')} />
          ) : (
            <EmptyTeach title={t('empty.title')} text={t('empty.text')} />
          )
        }
      />
    </>
  )
}

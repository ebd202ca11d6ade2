import { type DomainOfSite, type Site, domains } from '@fairway/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { sitesRead } from '../../shell/scope/scope.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { WithSide } from '../../ui/page/with-side.tsx'
import { CATEGORIES, type Category, countValues, filterDomains } from './categories.ts'
import { CategoryPanel } from './category-panel.tsx'
import classes from './domains.module.css'
import type { DomainsSearch } from './search.ts'
import { useDomainColumns } from './use-domain-columns.tsx'

const NONE: readonly DomainOfSite[] = []
const NO_SITES: readonly Site[] = []

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
  const { t } = useTranslation('domains')
  const { data, error, refetch } = useRead(domains.routes.all, { page_size: -1, ordering: 'name' })
  const all = data?.data ?? NONE
  const choice = useMemo(() => ({ status, site, cdn, tag }), [status, site, cdn, tag])
  const rows = useMemo(() => data && filterDomains(data.data, words, choice), [data, words, choice])
  const columns = useDomainColumns(useQuery(sitesRead).data?.data ?? NO_SITES)
  const toggle = (category: Category, value: string) => {
    const before = choice[category] ?? []
    const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
    onSearch({ [category]: after.length > 0 ? after : undefined })
  }
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <WithSide
      side={
        <aside className={classes.panel} aria-label={t('filters')}>
          {CATEGORIES.map((category) => (
            <CategoryPanel
              key={category}
              category={category}
              values={countValues(all, category, words, choice)}
              chosen={choice[category] ?? []}
              onToggle={(value) => toggle(category, value)}
            />
          ))}
        </aside>
      }
    >
      <FilterBar
        search={words}
        onSearch={(text) => onSearch({ search: text || undefined })}
        placeholder={t('filter')}
        count={t('count', { count: rows?.length ?? 0 })}
      />
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
    </WithSide>
  )
}

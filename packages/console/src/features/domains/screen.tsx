import { type DomainOfSite, domains } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/gate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/empty-teach.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { CATEGORIES, type Category, countValues, filterDomains } from './categories.ts'
import { CategoryPanel } from './category-panel.tsx'
import classes from './domains.module.css'
import type { DomainsSearch } from './route.ts'
import { useDomainColumns } from './use-domain-columns.tsx'

const NONE: readonly DomainOfSite[] = []

/** Every domain of every site, by what is wrong with it, where it belongs and which CDNs it has. */
export function DomainsScreen() {
  const { t } = useTranslation('domains')
  const search = useSearch({ from: '/shell/domains' })
  const navigate = useNavigate({ from: '/domains' })
  const set = (change: Partial<DomainsSearch>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const { data, error, refetch } = useRead(domains.routes.all, { page_size: -1, ordering: 'name' })
  const { search: words = '', sort, ...choice } = search
  const all = data?.data ?? NONE
  const rows = useMemo(() => data && filterDomains(data.data, words, choice), [data, words, choice.status, choice.site, choice.cdn, choice.tag])
  const columns = useDomainColumns()
  const toggle = (category: Category, value: string) => {
    const before = choice[category] ?? []
    const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
    set({ [category]: after.length > 0 ? after : undefined })
  }
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={domains.routes.all} meaning={t('meaning')}>
        {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} /> : (
          <div className={classes.root}>
            <aside className={classes.panel} aria-label={t('filters')}>
              {CATEGORIES.map((category) => <CategoryPanel key={category} category={category} values={countValues(all, category, words, choice)} chosen={choice[category] ?? []} onToggle={(value) => toggle(category, value)} />)}
            </aside>
            <div className={classes.main}>
              <FilterBar search={words} onSearch={(text) => set({ search: text || undefined })} placeholder={t('filter')} count={t('count', { count: rows?.length ?? 0 })} />
              <DataTable
                fill label={t('title')} rows={rows} columns={columns} rowId={({ id }) => id} rowName={({ name }) => name} sort={sort} onSort={(next) => set({ sort: next })}
                onOpen={({ siteName, name }) => void navigate({ to: '/$site/{-$domain}/home', params: { site: siteName, domain: name } })}
                empty={all.length > 0 ? <EmptyTeach title={t('nothing.title')} text={t('nothing.text')} /> : <EmptyTeach title={t('empty.title')} text={t('empty.text')} />}
              />
            </div>
          </div>
        )}
      </Gate>
    </>
  )
}

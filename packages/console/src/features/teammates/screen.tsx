import { type Teammate, TeammateStatus, teammates } from '@fairway/contract'
import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Gate } from '../../shell/access/gate.tsx'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Facet, FilterBar } from '../../ui/filters/filter-bar.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { InviteDrawer } from './invite-drawer.tsx'
import { nameOf } from './person-name.ts'
import { RolesDrawer } from './roles-drawer.tsx'
import { peopleRead } from './reads.ts'
import type { TeammatesSearch } from './search.ts'
import { useApiColumns, usePersonColumns } from './use-person-columns.tsx'

/** The people of the organisation: who they are, whether they are in, and what each of them may do. */
export function TeammatesScreen() {
  const { t } = useTranslation('teammates')
  const canInvite = useCanCall(teammates.routes.invite)
  const { set } = useTeammatesSearch()
  const open = () => set({ open: 'invite' })
  useShortcut('c', t('invite.open'), open, canInvite)
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          canInvite && (
            <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={open}>
              {t('invite.open')}
            </Button>
          )
        }
      />
      <Gate route={teammates.routes.list} meaning={t('meaning')}>
        <People />
      </Gate>
    </>
  )
}

function useTeammatesSearch() {
  const search = useSearch({ from: '/shell/account/teammate' })
  const navigate = useNavigate({ from: '/account/teammate' })
  const set = useCallback(
    (change: Partial<TeammatesSearch>) =>
      void navigate({ search: (old) => ({ ...old, ...change }), replace: !('open' in change || 'tab' in change) }),
    [navigate],
  )
  return { search, set }
}

function People() {
  const { t } = useTranslation('teammates')
  const { search, set } = useTeammatesSearch()
  const { data, error, refetch } = useQuery(peopleRead)
  const onRoles = useCallback((id: string) => set({ open: id }), [set])
  const columns = usePersonColumns(onRoles)
  const apiColumns = useApiColumns(onRoles)
  const all = data?.data
  const rows = useMemo(() => all && filterPeople(all, search), [all, search])
  const isFiltered = Boolean(search.search ?? search.status)
  const clear = () => set({ search: undefined, status: undefined })
  const person = all?.find(({ id }) => id === search.open)
  const taken = useMemo(() => new Set(all?.map(({ email }) => email)), [all])
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  const isApi = search.tab === 'api'
  return (
    <>
      <Tabs
        value={search.tab ?? 'people'}
        onChange={(tab) => set({ tab: tab === 'api' ? 'api' : undefined, sort: undefined })}
      >
        <Tabs.List>
          <Tabs.Tab value="people">{t('tab.people')}</Tabs.Tab>
          <Tabs.Tab value="api">{t('tab.api')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <FilterBar
        search={search.search ?? ''}
        onSearch={(text) => set({ search: text === '' ? undefined : text })}
        placeholder={t('filter')}
        onClear={isFiltered ? clear : undefined}
        {...(rows && all
          ? {
              count:
                rows.length === all.length
                  ? t('count', { count: all.length })
                  : t('countOf', { shown: rows.length, count: all.length }),
            }
          : {})}
      >
        <Facet
          single
          label={t('column.status')}
          options={TeammateStatus.options.map((status) => ({
            value: status,
            label: t(`status.${status}`),
            count: all?.filter((one) => one.status === status).length ?? 0,
          }))}
          chosen={search.status ? [search.status] : []}
          onChange={([status]) => set({ status })}
        />
      </FilterBar>
      <DataTable
        fill
        key={isApi ? 'api' : 'people'}
        label={t(isApi ? 'apiTable' : 'table')}
        rows={rows}
        columns={isApi ? apiColumns : columns}
        rowId={({ id }) => id}
        rowName={nameOf}
        sort={search.sort}
        onSort={(sort) => set({ sort })}
        onOpen={(one) => {
          if (one.may.roles) set({ open: one.id })
        }}
        empty={
          <EmptyTeach
            title={t('noneFound')}
            text={t('noneFoundText')}
            action={
              <Button variant="default" onClick={clear}>
                {t('clearFilters')}
              </Button>
            }
          />
        }
      />
      <InviteDrawer opened={search.open === 'invite'} onClose={() => set({ open: undefined })} taken={taken} />
      <RolesDrawer person={person?.may.roles === true ? person : undefined} onClose={() => set({ open: undefined })} />
    </>
  )
}

export function filterPeople(
  people: readonly Teammate[],
  { search = '', status }: Pick<TeammatesSearch, 'search' | 'status'>,
): Teammate[] {
  const text = search.trim().toLowerCase()
  return people.filter(
    (one) =>
      (status === undefined || one.status === status) &&
      (text === '' || `${nameOf(one)} ${one.email}`.toLowerCase().includes(text)),
  )
}

import { type UserRow, organizations } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import classes from '../operator/operator.module.css'
import { UserMenu } from './user-menu.tsx'
import { UserPills } from './user-pills.tsx'

/** Columns that the API sorts by. */
const SORTED = { email: 'email', organizationName: 'organization', login: 'login_at' }
const column = columnsFor<UserRow>()

/** Everybody who can sign in. */
export function UsersScreen() {
  const { t } = useTranslation('organizations')
  const { isOperator } = useAccount()
  const search = useSearch({ from: '/shell/operator/users' })
  const navigate = useNavigate({ from: '/operator/users' })
  const answer = useRead(organizations.routes.users, {
    page_size: LIST_SIZE,
    page: search.page,
    ...orderingOf(search.sort, SORTED),
    search: search.search,
    role: search.role,
    organization: search.organization,
  })
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('email', {
          header: t('email'),
          sortFn: 'alphanumeric',
          cell: ({ getValue }) => <span className={classes.strong}>{getValue()}</span>,
          meta: { leastPx: 220, card: 'title' },
        }),
        column.accessor(({ firstName, lastName }) => `${firstName} ${lastName}`.trim(), {
          id: 'person',
          header: t('person'),
          meta: { widthPx: 170 },
        }),
        column.accessor('organizationName', { header: t('organization'), meta: { leastPx: 150, card: 'detail' } }),
        column.display({
          id: 'state',
          header: t('state'),
          cell: ({ row: { original } }) => (
            <span className={classes.actions}>
              <UserPills user={original} />
            </span>
          ),
          meta: { leastPx: 170, card: 'detail' },
        }),
        column.accessor(({ loginAt }) => loginAt ?? '', {
          id: 'login',
          header: t('lastLogin'),
          cell: ({ row: { original } }) => (original.loginAt === null ? '—' : <Age at={original.loginAt} />),
          meta: { widthPx: 130 },
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('actions')}</span>,
          cell: ({ row: { original } }) => <UserMenu user={original} />,
          meta: { widthPx: 56, align: 'end', card: 'end' },
        }),
      ]),
    [t],
  )
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true })
  return (
    <ListPage
      title={t('usersTitle')}
      meaning={t('usersMeaning')}
      label={t('usersTitle')}
      placeholder={t('usersFilter')}
      search={search}
      filtered={search.role !== undefined || search.organization !== undefined}
      answer={answer}
      columns={columns}
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ email }) => email}
      empty={{ title: t('usersNone'), text: t('usersMeaning') }}
      facets={
        isOperator && (
          <Facet
            single
            label={t('roleFacet')}
            options={[
              { value: 'operator', label: t('operator') },
              { value: 'partner', label: t('administrator') },
            ]}
            chosen={search.role ? [search.role] : []}
            onChange={([role]) => change({ role })}
          />
        )
      }
    />
  )
}

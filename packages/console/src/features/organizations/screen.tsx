import { type OrganizationRow, operatorArea, organizations, partners } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount } from '../../shell/access/session.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import classes from '../operator/operator.module.css'
import { OrganizationDrawer } from './organization-drawer.tsx'
import { OrganizationState } from './organization-state.tsx'
import { Sell } from './sell.tsx'

const STATES = ['active', 'payment_failed', 'locked', 'suspended'] as const
/** Columns that the API sorts by. */
const SORTED = {
  name: 'name',
  planName: 'plan',
  partnerName: 'partner',
  siteCount: 'sites',
  userCount: 'users',
  createdAt: 'created_at',
}
const column = columnsFor<OrganizationRow>()

/** Every organisation of the installation, or of the partner whose people look. */
export function OrganizationsScreen() {
  const { t } = useTranslation('organizations')
  const format = useFormat()
  const { isOperator } = useAccount()
  const search = useSearch({ from: '/shell/operator/organizations' })
  const navigate = useNavigate({ from: '/operator/organizations' })
  const { plan, partner, state } = search
  const answer = useRead(organizations.routes.list, {
    page_size: LIST_SIZE,
    page: search.page,
    ...orderingOf(search.sort, SORTED),
    search: search.search,
    plan,
    partner,
    state,
  })
  const plans = useRead(operatorArea.routes.plans, {}).data?.data ?? []
  const brands =
    useRead(partners.routes.list, { page_size: LIST_SIZE, ordering: 'company_name' }, { enabled: isOperator }).data
      ?.data ?? []
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('name'),
          sortFn: 'alphanumeric',
          cell: ({ getValue }) => <span className={classes.strong}>{getValue()}</span>,
          meta: { leastPx: 200, card: 'title' },
        }),
        column.accessor('planName', { header: t('plan'), meta: { widthPx: 130, card: 'detail' } }),
        ...(isOperator ? [column.accessor('partnerName', { header: t('partner'), meta: { widthPx: 150 } })] : []),
        column.accessor('siteCount', {
          header: t('sites'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 90, align: 'end' },
        }),
        column.accessor('userCount', {
          header: t('users'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 90, align: 'end' },
        }),
        column.accessor('status', {
          header: t('state'),
          cell: ({ row: { original } }) => <OrganizationState organization={original} />,
          meta: { widthPx: 160, card: 'end' },
        }),
        column.accessor('createdAt', {
          header: t('since'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120, card: 'detail' },
        }),
      ]),
    [t, format, isOperator],
  )
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true })
  return (
    <ListPage
      title={t('title')}
      meaning={t(isOperator ? 'meaning' : 'meaningPartner')}
      label={t('title')}
      placeholder={t('filter')}
      search={search}
      filtered={plan !== undefined || partner !== undefined || state !== undefined}
      answer={answer}
      columns={columns}
      actions={isOperator && <Sell />}
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: id }) })}
      empty={{ title: t('none'), text: t('noneText') }}
      facets={
        <>
          <Facet
            single
            label={t('plan')}
            options={plans.map(({ id, name, organizationCount }) => ({
              value: id,
              label: name,
              count: organizationCount,
            }))}
            chosen={plan ? [plan] : []}
            onChange={([next]) => change({ plan: next })}
          />
          <Facet
            single
            label={t('state')}
            options={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            chosen={state ? [state] : []}
            onChange={([next]) => change({ state: next })}
          />
          {isOperator && brands.length > 1 && (
            <Facet
              single
              label={t('partner')}
              options={brands.map(({ id, companyName, organizationCount }) => ({
                value: id,
                label: companyName,
                count: organizationCount,
              }))}
              chosen={partner ? [partner] : []}
              onChange={([next]) => change({ partner: next })}
            />
          )}
        </>
      }
    >
      <OrganizationDrawer
        id={search.open}
        plans={plans}
        brands={brands}
        onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined }) })}
      />
    </ListPage>
  )
}

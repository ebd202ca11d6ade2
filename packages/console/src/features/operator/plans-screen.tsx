import { type PlanData, PLAN_FEATURES, operatorArea } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './operator.module.css'
import { PlanDrawer } from './plan-drawer.tsx'

const column = columnsFor<PlanData>()

/** What each plan may do and how much of it. */
export function PlansScreen() {
  const { t } = useTranslation('operator')
  const format = useFormat()
  const { sort, open } = useSearch({ from: '/shell/operator/plans' })
  const navigate = useNavigate({ from: '/operator/plans' })
  const { data, error, refetch } = useRead(operatorArea.routes.plans, {})
  const columns = useMemo(() => {
    const number = (field: 'siteLimit' | 'recordLimit' | 'cdnLimit' | 'organizationCount') =>
      column.accessor(field, {
        header: t(`plans.${field}`),
        cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
        meta: { widthPx: 120, align: 'end' },
      })
    return column.columns([
      column.accessor('name', {
        header: t('plans.name'),
        sortFn: 'alphanumeric',
        cell: ({ row: { original } }) => (
          <span>
            <span className={classes.strong}>{original.name}</span> <span className={classes.muted}>{original.id}</span>
          </span>
        ),
        meta: { leastPx: 180, card: 'title' },
      }),
      column.accessor(({ ability }) => ability.length, {
        id: 'ability',
        header: t('plans.ability'),
        cell: ({ getValue }) => t('plans.abilityOf', { count: getValue(), total: PLAN_FEATURES.length }),
        meta: { widthPx: 140, card: 'detail' },
      }),
      number('siteLimit'),
      number('recordLimit'),
      number('cdnLimit'),
      column.accessor('minimumTtlSeconds', {
        header: t('plans.minimumTtlSeconds'),
        cell: ({ getValue }) => format.seconds(getValue()),
        meta: { widthPx: 120, align: 'end' },
      }),
      number('organizationCount'),
    ])
  }, [t, format])
  return (
    <>
      <PageHeader title={t('plans.title')} meaning={t('plans.meaning')} />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t('plans.title')}
          rows={data?.data}
          columns={columns}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          sort={sort}
          onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }), replace: true })}
          onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, open: id }) })}
          empty={<EmptyTeach title={t('plans.none')} />}
        />
      )}
      <PlanDrawer
        plan={data?.data.find(({ id }) => id === open)}
        onClose={() => void navigate({ search: (before) => ({ ...before, open: undefined }) })}
      />
    </>
  )
}

import { vsrRules } from '@fairway/contract'
import type { VsrRule } from '@fairway/contract'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { type Place, vsrInput } from '../routing-strategies/strategies-read.ts'
import { useVisitorWords } from '../routing-strategies/visitor-words.ts'
import { VsrMenu } from './vsr-menu.tsx'
import { VsrSwitch } from './vsr-switch.tsx'
import classes from './vsr-list.module.css'

const column = columnsFor<VsrRule>()

/** Rules that let visitors stand somewhere else than their address says, for all CDNs or for one. */
export function VsrList({ place }: { place: Place }) {
  const { t } = useTranslation('vsr-rules')
  const { site, domain } = useScope()
  const navigate = useNavigate()
  const { data, error, refetch } = useRead(vsrRules.routes.list, vsrInput(place))
  const canEdit = useCanCall(vsrRules.routes.update)
  const canCreate = useCanCall(vsrRules.routes.create)
  const columns = useColumns(place)
  const { plan } = useAccount()
  const feature = vsrRules.routes.create.planFeature
  const isLacking = feature !== undefined && !plan.ability.includes(feature)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (isLacking && data?.data.length === 0)
    return (
      <Gate route={vsrRules.routes.create} meaning={t('meaning')}>
        {null}
      </Gate>
    )
  return (
    <>
      <p className={classes.meaning}>{t('meaning')}</p>
      {isLacking && data && (
        <Notice tone="warn" title={t('lacking.title')}>
          {t('lacking.text', { plan: plan.name })}
        </Notice>
      )}
      <DataTable
        label={t('title')}
        rows={data?.data}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        {...(canEdit
          ? {
              onOpen: ({ id }: VsrRule) =>
                void navigate({
                  to: '/$site/{-$domain}/dem/routing-strategies/vsrRule/edit/$id',
                  params: { site: site.domainName, domain: domain?.name, id },
                }),
            }
          : {})}
        empty={
          <EmptyTeach
            title={t('empty.title')}
            text={t('empty.text')}
            action={
              canCreate && (
                <Button
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to="/$site/{-$domain}/dem/routing-strategies/vsrRule/add"
                      params={{ site: site.domainName, domain: domain?.name }}
                    />
                  )}
                >
                  {t('add')}
                </Button>
              )
            }
          />
        }
      />
    </>
  )
}

function useColumns(place: Place): Columns<VsrRule> {
  const { t } = useTranslation('vsr-rules')
  const words = usePlaceWords()
  const visitors = useVisitorWords()
  const { lookOf } = useCdnLooks()
  const canRemove = useCanCall(vsrRules.routes.remove)
  return useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('name'),
          cell: ({ row }) => <strong className={classes.name}>{row.original.name}</strong>,
          meta: { leastPx: 160, card: 'title' },
        }),
        column.accessor(({ filter }) => visitors.short(filter), {
          id: 'who',
          header: t('who'),
          cell: ({ row }) => (
            <span title={visitors.short(row.original.filter)}>{visitors.short(row.original.filter)}</span>
          ),
          meta: { leastPx: 180, card: 'detail' },
        }),
        column.accessor(({ mimickedLocation }) => words.location(mimickedLocation), {
          id: 'as',
          header: t('as'),
          meta: { leastPx: 200, card: 'detail' },
          cell: ({ row }) => (
            <span className={classes.as}>
              {words.location(row.original.mimickedLocation)} <code>{row.original.mimickedAddress}</code>
            </span>
          ),
        }),
        column.accessor(({ cdnId }) => (cdnId === null ? t('allCdns') : lookOf(cdnId).name), {
          id: 'cdn',
          header: t('cdn'),
          meta: { widthPx: 170 },
          cell: ({ row }) =>
            row.original.cdnId === null ? (
              t('allCdns')
            ) : (
              <CdnName name={lookOf(row.original.cdnId).name} series={lookOf(row.original.cdnId).series} />
            ),
        }),
        column.display({
          id: 'enabled',
          header: t('on'),
          meta: { widthPx: 70, card: 'end' },
          cell: ({ row }) => <VsrSwitch place={place} rule={row.original} />,
        }),
        column.display({
          id: 'menu',
          header: () => <span className="sr-only">{t('menuHead')}</span>,
          meta: { widthPx: 56, align: 'end', card: 'end' },
          cell: ({ row }) => (canRemove ? <VsrMenu place={place} rule={row.original} /> : null),
        }),
      ]),
    [t, words, visitors, lookOf, canRemove, place.site, place.domain],
  )
}

import { shieldAssets } from '@fairway/contract'
import type { ShieldInstance } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'

const LOOK_MS = 5_000
const column = columnsFor<ShieldInstance>()

/** Every domain's shield at every node, by what the nodes have confirmed. */
export function ShieldAssetsScreen() {
  const { t } = useTranslation('shield-assets')
  const { data, error, refetch } = useRead(shieldAssets.routes.list, {}, { everyMs: LOOK_MS })
  const columns = useColumns()
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={shieldAssets.routes.list} meaning={t('meaning')}>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            rows={data?.data}
            columns={columns}
            rowId={({ domainId, node }) => `${domainId} ${node}`}
            rowName={({ domain, node }) => `${domain} ${node}`}
            empty={<EmptyTeach title={t('empty.title')} text={t('empty.text')} />}
          />
        )}
      </Gate>
    </>
  )
}

function useColumns() {
  const { t } = useTranslation('shield-assets')
  const format = useFormat()
  return useMemo(
    () =>
      column.columns([
        column.accessor('domain', {
          header: t('domain'),
          meta: { leastPx: 200, card: 'title' },
          cell: ({ row: { original } }) => (
            <Link to="/$site/{-$domain}/general-settings" params={{ site: original.siteName, domain: original.domain }}>
              {original.domain}
            </Link>
          ),
        }),
        column.accessor('state', {
          header: t('state'),
          meta: { widthPx: 220, card: 'lead' },
          cell: ({ row: { original } }) => (
            <span title={original.reason}>
              <StatusPill state={original.state} /> {original.away && <Pill tone="warn">{t('away')}</Pill>}
            </span>
          ),
        }),
        column.accessor('node', { header: t('node'), meta: { leastPx: 150, card: 'detail' } }),
        column.accessor(({ region }) => region ?? '', {
          id: 'region',
          header: t('region'),
          meta: { widthPx: 130 },
          cell: ({ row: { original } }) => original.region ?? '—',
        }),
        column.accessor(({ requests }) => (requests === null ? -1 : requests.own + requests.others), {
          id: 'requests',
          header: t('requests'),
          meta: { widthPx: 190, align: 'end' },
          cell: ({ row: { original: one } }) =>
            one.requests === null ? (
              '—'
            ) : (
              <span
                className="num"
                title={t('requestsOf', {
                  own: format.number(one.requests.own),
                  others: format.number(one.requests.others),
                })}
              >
                {format.number(one.requests.own + one.requests.others)}
              </span>
            ),
        }),
        column.accessor('provider', {
          header: t('provider'),
          meta: { widthPx: 160 },
          cell: ({ row: { original } }) => t(`provider_${original.provider}`),
        }),
        column.accessor(({ startedAt }) => startedAt ?? '', {
          id: 'startedAt',
          header: t('started'),
          meta: { widthPx: 180 },
          cell: ({ row: { original } }) =>
            original.startedAt === null ? '—' : format.dateTime(Date.parse(original.startedAt)),
        }),
      ]),
    [t, format],
  )
}

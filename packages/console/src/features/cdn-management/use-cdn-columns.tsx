import { cdnManagement } from '@fairway/contract'
import type { DomainCdn } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/access/session.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { DataQuality } from '../../ui/marks/data-quality.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { EnableCdn } from './enable-cdn.tsx'
import { CdnCell, HealthCell, IncrementCell, LatencyCell, ShareCell, StateCell } from './cdn-cells.tsx'
import { CdnMenu } from './cdn-menu.tsx'

/** With its part of the domain's answers in the last minutes; null before it is known. */
export type ShownCdn = DomainCdn & { share: number | null }

const column = columnsFor<ShownCdn>()

/**
 * The table's columns; the same object until rights or language change, since new ones would close a row's open menu.
 * Shares, which come every few seconds, are in the rows.
 */
export function useCdnColumns(place: Place, minimumSamples: number): Columns<ShownCdn> {
  const { t } = useTranslation('cdn-management')
  const canEdit = useCanCall(cdnManagement.routes.update)
  const { site, domain } = place
  return useMemo(() => {
    const at = { site, domain }
    return column.columns([
      column.accessor('name', {
        header: t('column.cdn'),
        sortFn: 'alphanumeric',
        cell: ({ row }) => <CdnCell cdn={row.original} />,
        meta: { leastPx: 200, card: 'title' },
      }),
      column.accessor('state', {
        header: t('column.state'),
        cell: ({ row }) => <StateCell cdn={row.original} />,
        meta: { widthPx: 150, card: 'detail' },
      }),
      column.accessor(({ health }) => health.availability ?? -1, {
        id: 'health',
        header: t('column.health'),
        cell: ({ row }) => <HealthCell cdn={row.original} />,
        meta: { widthPx: 168, card: 'detail' },
      }),
      column.accessor(({ health }) => health.latencyMs ?? Number.MAX_VALUE, {
        id: 'latency',
        header: t('column.latency'),
        cell: ({ row }) => <LatencyCell cdn={row.original} />,
        meta: { widthPx: 88, align: 'end' },
      }),
      column.accessor(({ health }) => health.samples, {
        id: 'samples',
        header: t('column.data'),
        cell: ({ row }) => <DataQuality samples={row.original.health.samples} minimum={minimumSamples} />,
        meta: { widthPx: 124 },
      }),
      column.accessor(({ share }) => share ?? -1, {
        id: 'share',
        header: t('column.share'),
        cell: ({ row }) => <ShareCell cdn={row.original} share={row.original.share} />,
        meta: { widthPx: 150 },
      }),
      column.display({
        id: 'increment',
        header: t('column.increment'),
        cell: ({ row }) => <IncrementCell place={at} cdn={row.original} canEdit={canEdit} />,
        meta: { widthPx: 104 },
      }),
      column.display({
        id: 'enabled',
        header: t('column.enabled'),
        cell: ({ row }) => <EnableCdn place={at} cdn={row.original} share={row.original.share} />,
        meta: { widthPx: 74, card: 'end' },
      }),
      column.display({
        id: 'menu',
        header: () => <span className="sr-only">{t('column.menu')}</span>,
        cell: ({ row }) => (canEdit ? <CdnMenu place={at} cdn={row.original} share={row.original.share} /> : null),
        meta: { widthPx: 56, align: 'end', card: 'end' },
      }),
    ])
  }, [t, canEdit, site, domain, minimumSamples])
}

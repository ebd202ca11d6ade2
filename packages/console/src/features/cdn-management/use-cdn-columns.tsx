import { cdnManagement } from '@fairway/contract'
import type { DomainCdn, Overview } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCanCall } from '../../shell/session.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { DataQuality } from '../../ui/data-quality.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { EnableCdn } from './enable-cdn.tsx'
import { CdnCell, HealthCell, IncrementCell, LatencyCell, ShareCell, StateCell } from './cdn-cells.tsx'
import { CdnMenu } from './cdn-menu.tsx'

const column = columnsFor<DomainCdn>()

/** The table's columns; the same object until rights, language or the shares change. */
export function useCdnColumns(place: Place, minimumSamples: number, shares: Overview | undefined): Columns<DomainCdn> {
  const { t } = useTranslation('cdn-management')
  const canEdit = useCanCall(cdnManagement.routes.update)
  const { site, domain } = place
  // The measurements come every few seconds; the columns change only when a share does.
  const shareKey = shares?.cdns.map(({ cdnId, share }) => `${cdnId}=${share.toFixed(1)}`).join('&') ?? ''
  return useMemo(() => {
    const at = { site, domain }
    const shareOf = new Map(shareKey.split('&').filter((part) => part !== '').map((part) => {
      const [cdnId = '', share = '0'] = part.split('=')
      return [cdnId, Number(share)]
    }))
    return column.columns([
      column.accessor('name', { header: t('column.cdn'), sortFn: 'alphanumeric', cell: ({ row }) => <CdnCell cdn={row.original} />, meta: { leastPx: 200, card: 'title' } }),
      column.accessor('state', { header: t('column.state'), cell: ({ row }) => <StateCell cdn={row.original} />, meta: { widthPx: 150, card: 'detail' } }),
      column.accessor(({ health }) => health.availability ?? -1, { id: 'health', header: t('column.health'), cell: ({ row }) => <HealthCell health={row.original.health} />, meta: { widthPx: 168, card: 'detail' } }),
      column.accessor(({ health }) => health.latencyMs ?? Number.MAX_VALUE, { id: 'latency', header: t('column.latency'), cell: ({ row }) => <LatencyCell cdn={row.original} />, meta: { widthPx: 88, align: 'end' } }),
      column.accessor(({ health }) => health.samples, { id: 'samples', header: t('column.data'), cell: ({ row }) => <DataQuality samples={row.original.health.samples} minimum={minimumSamples} />, meta: { widthPx: 124 } }),
      column.accessor(({ cdnId }) => shareOf.get(cdnId) ?? 0, { id: 'share', header: t('column.share'), cell: ({ row }) => <ShareCell cdn={row.original} share={shareOf.get(row.original.cdnId) ?? null} />, meta: { widthPx: 150 } }),
      column.display({ id: 'increment', header: t('column.increment'), cell: ({ row }) => <IncrementCell place={at} cdn={row.original} canEdit={canEdit} />, meta: { widthPx: 104 } }),
      column.display({ id: 'enabled', header: t('column.enabled'), cell: ({ row }) => <EnableCdn place={at} cdn={row.original} share={shareOf.get(row.original.cdnId) ?? 0} />, meta: { widthPx: 74, card: 'end' } }),
      column.display({ id: 'menu', header: () => <span className="sr-only">{t('column.menu')}</span>, cell: ({ row }) => (canEdit ? <CdnMenu place={at} cdn={row.original} share={shareOf.get(row.original.cdnId) ?? 0} /> : null), meta: { widthPx: 56, align: 'end', card: 'end' } }),
    ])
  }, [t, canEdit, site, domain, minimumSamples, shareKey])
}

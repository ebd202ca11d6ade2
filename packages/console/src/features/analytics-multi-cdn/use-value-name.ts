import { cdnManagement, domains, type TrafficDimension } from '@fairway/contract'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

/** How people read a value of a dimension, and the colour of a CDN. The edge under its own name logs no CDN. */
export function useValueName(): {
  nameOf: (by: TrafficDimension, value: string) => string
  cdnOf: (cdnId: string) => { name: string; series: number }
} {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const platforms = useRead(cdnManagement.routes.platforms, { page_size: -1 }).data
  const all = useRead(domains.routes.all, { page_size: -1, ordering: 'name' }).data
  const edgeId = platforms?.data.find(({ driver }) => driver === 'fairway-edge')?.id
  const names = useMemo(
    () =>
      new Map((all?.data ?? []).flatMap((row) => [[row.id, row.name] as const, [row.siteId, row.siteName] as const])),
    [all],
  )
  const cdnOf = useCallback(
    (cdnId: string) =>
      cdnId !== '' ? lookOf(cdnId) : edgeId === undefined ? { name: t('edge'), series: 6 } : lookOf(edgeId),
    [lookOf, edgeId, t],
  )
  const nameOf = useCallback(
    (by: TrafficDimension, value: string) => {
      if (by === 'cdn') return cdnOf(value).name
      if (by === 'country') return value === '' ? t('unknownCountry') : format.country(value)
      if (by === 'status') return t(`class.${value}`)
      if (by === 'cache') return t(`cache.${value}`)
      return names.get(value) ?? t('gone', { id: value.slice(0, 8) })
    },
    [cdnOf, names, t, format],
  )
  return { nameOf, cdnOf }
}

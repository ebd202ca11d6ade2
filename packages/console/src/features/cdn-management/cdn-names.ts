import { cdnManagement } from '@fairway/contract'
import { useMemo } from 'react'
import { useRead } from '../../api/queries.ts'

export type CdnLook = { id: string; name: string; series: number }

/**
 * Name and series colour of a CDN by its id. One that is not known (any more) goes by its id in the colour of *other*.
 */
export function useCdnLooks(): { lookOf: (cdnId: string) => CdnLook; all: readonly CdnLook[] } {
  const { data } = useRead(cdnManagement.routes.platforms, { page_size: -1 })
  return useMemo(() => {
    const all = (data?.data ?? [])
      .map(({ id, name, series }) => ({ id, name, series }))
      .sort((a, b) => a.series - b.series)
    const byId = new Map(all.map((look) => [look.id, look]))
    return { all, lookOf: (cdnId) => byId.get(cdnId) ?? { id: cdnId, name: cdnId, series: 6 } }
  }, [data])
}

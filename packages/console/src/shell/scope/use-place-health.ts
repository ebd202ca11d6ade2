import { type Domain, type Site, overview } from '@fairway/contract'
import { type ConditionState, conditionOf, worstCondition } from '@fairway/domain'
import { useRead } from '../../api/queries.ts'

const REFRESH_MS = 15_000

/** The worst condition of the CDNs of a place and how many are in it; null where there are none. */
export function usePlaceHealth(
  site: Pick<Site, 'id'>,
  domain: Pick<Domain, 'id'> | null,
): { state: ConditionState; count: number; total: number } | null {
  const { data } = useRead(overview.routes.get, domain ? { site: site.id, domain: domain.id } : { site: site.id }, {
    everyMs: REFRESH_MS,
  })
  if (!data) return { state: 'loading', count: 0, total: 0 }
  if (data.cdns.length === 0) return null
  return { ...worstCondition(data.cdns.map(conditionOf)), total: data.cdns.length }
}

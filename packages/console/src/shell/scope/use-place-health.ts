import { type Domain, type Site, overview } from '@fairway/contract'
import { type ConditionState, conditionOf, worstCondition } from '@fairway/domain'
import { useRead } from '../../api/queries.ts'

const REFRESH_MS = 15_000

/** `word` says it, `state` is how bad it is; so many (`count`) of the CDNs are in that state. */
export type PlaceHealth = {
  state: ConditionState
  word: ConditionState | 'origin-down' | 'unread'
  count: number
  total: number
}

/**
 * An origin that does not answer, or the worst condition of the CDNs of a place and how many are in it; null where there
 * are none.
 */
export function usePlaceHealth(site: Pick<Site, 'id'>, domain: Pick<Domain, 'id'> | null): PlaceHealth | null {
  const { data, errorUpdateCount } = useRead(
    overview.routes.get,
    domain ? { site: site.id, domain: domain.id } : { site: site.id },
    { everyMs: REFRESH_MS },
  )
  if (!data) {
    // What was known stays; who knows nothing, and cannot be told, is not kept waiting.
    return errorUpdateCount > 0
      ? { state: 'unknown', word: 'unread', count: 0, total: 0 }
      : { state: 'loading', word: 'loading', count: 0, total: 0 }
  }
  const total = data.cdns.length
  if (data.events.some(({ kind, endedAt }) => kind === 'origin-down' && endedAt === null))
    return { state: 'down', word: 'origin-down', count: 0, total }
  if (total === 0) return null
  const worst = worstCondition(data.cdns.map(conditionOf))
  return { ...worst, word: worst.state, total }
}

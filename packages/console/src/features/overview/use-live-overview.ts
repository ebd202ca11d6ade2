import { overview } from '@fairway/contract'
import type { Overview } from '@fairway/contract'
import { useEffect, useMemo, useRef } from 'react'
import { useRead } from '../../api/queries.ts'
import { type Remembered, rememberCountries, withCounts } from './live-model.ts'

const REFRESH_MS = 2000
/** The shortest window that the API counts: the map follows a failover within seconds. */
const NOW_SECONDS = 10
/**
 * A country that asks seldom stays on the map for so long after its last answer: as long as a window is that nobody has
 * said otherwise of.
 */
const REMEMBERED_SECONDS = 60

/**
 * Home's figures, asked again and again. Countries are those of the last seconds, and of the last minute where those
 * had none.
 */
export function useLiveOverview(place: { site: string; domain?: string }) {
  // The same question as the health in the bar above asks, so that it is asked once.
  const first = useRead(overview.routes.get, place)
  const now = useRead(
    overview.routes.get,
    { ...place, window: NOW_SECONDS },
    { everyMs: REFRESH_MS, enabled: !first.isPending },
  )
  const memory = useRef<Remembered>(new Map())
  const counted = useRef<Overview | null>(null)
  useEffect(() => {
    memory.current = new Map()
    counted.current = null
  }, [place.site, place.domain])
  const newest = now.data ?? first.data
  const data = useMemo((): Overview | undefined => {
    if (!newest) return undefined
    if (memory.current.size === 0 && first.data)
      memory.current = rememberCountries(new Map(), first.data, REMEMBERED_SECONDS)
    memory.current = rememberCountries(memory.current, newest, REMEMBERED_SECONDS)
    if (newest.analyticsAvailable) counted.current = newest
    return { ...withCounts(newest, counted.current), countries: [...memory.current.values()].map(({ row }) => row) }
  }, [newest, first.data])
  return { data, error: now.error ?? first.error, refetch: now.refetch, isRefetchError: now.isRefetchError }
}

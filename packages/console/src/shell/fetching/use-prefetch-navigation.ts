import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { navEntries } from '../nav/navigation.ts'
import { useNavigation } from '../nav/use-navigation.ts'
import { mayPrefetch, networkNow } from './prefetch.ts'

/** At the latest, even when the browser finds no idle moment. */
const IDLE_TIMEOUT_MS = 2000

/**
 * Fetches the program of the navigation's screens while nothing else is to do, so that the first click shows them at
 * once.
 */
export function usePrefetchNavigation(): void {
  const router = useRouter()
  const sections = useNavigation()
  useEffect(() => {
    // Safari has no idle callback; there the pages are fetched when a pointer comes near.
    if (typeof requestIdleCallback === 'undefined' || !mayPrefetch(networkNow())) return
    const routes: Record<string, (typeof router.routesByPath)[keyof typeof router.routesByPath]> = router.routesByPath
    const screens = navEntries(sections).flatMap(({ entry }) => (entry.to === null ? [] : (routes[entry.to] ?? [])))
    const fetches = [
      () => import('../palette/palette.tsx'),
      ...screens.map((route) => () => router.loadRouteChunk(route)),
    ]
    let handle = 0
    // One after the other: all at once would stand in the way of what the page itself asks for, and be read in one long
    // breath.
    const fetchNext = () => {
      const next = fetches.shift()
      if (!next) return
      // A file that cannot be fetched now is fetched when the page is opened, and complained of there.
      void Promise.resolve(next())
        .catch(() => null)
        .then(wait)
    }
    const wait = () => {
      if (fetches.length > 0) handle = requestIdleCallback(fetchNext, { timeout: IDLE_TIMEOUT_MS })
    }
    wait()
    return () => {
      fetches.length = 0
      cancelIdleCallback(handle)
    }
  }, [router, sections])
}

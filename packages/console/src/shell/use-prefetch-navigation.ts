import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { navEntries } from './navigation.ts'
import { useNavigation } from './use-navigation.ts'
import { mayPrefetch, networkNow } from './prefetch.ts'

/** At the latest, even when the browser finds no idle moment. */
const IDLE_TIMEOUT_MS = 2000

/** Fetches the program of the navigation's screens while nothing else is to do, so that the first click shows them at once. */
export function usePrefetchNavigation(): void {
  const router = useRouter()
  const sections = useNavigation()
  useEffect(() => {
    // Safari has no idle callback; there the pages are fetched when a pointer comes near.
    if (typeof requestIdleCallback === 'undefined' || !mayPrefetch(networkNow())) return
    const handle = requestIdleCallback(() => {
      void import('./palette.tsx').catch(() => null)
      const routes: Record<string, (typeof router.routesByPath)[keyof typeof router.routesByPath]> = router.routesByPath
      for (const { entry } of navEntries(sections)) {
        const route = entry.to === null ? undefined : routes[entry.to]
        // A file that cannot be fetched now is fetched when the page is opened, and complained of there.
        if (route) void Promise.resolve(router.loadRouteChunk(route)).catch(() => null)
      }
    }, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(handle)
  }, [router, sections])
}

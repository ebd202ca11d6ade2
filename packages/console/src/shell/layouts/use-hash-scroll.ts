import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Until a page that was just opened has its height. */
const AFTER_MS = 500

/**
 * Scrolls to the place that the address names behind `#`. The distance from the top is the style sheet's
 * (`scroll-padding-top`).
 */
export function useHashScroll(): void {
  const target = useRouterState({ select: ({ location }) => `${location.pathname}#${location.hash}` })
  useEffect(() => {
    const hash = target.slice(target.indexOf('#') + 1)
    if (hash === '') return
    const timer = setTimeout(
      () =>
        document
          .getElementById(hash)
          ?.scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' }),
      AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [target])
}

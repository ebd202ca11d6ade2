import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type NavSection, navigationFor } from './navigation.ts'
import { useAccount } from '../access/session.ts'

/** The navigation of who is signed in here: what is built, not hidden by the partner, and theirs. */
export function useNavigation(): readonly NavSection[] {
  const user = useAccount()
  const isBuilt = useIsBuilt()
  return useMemo(() => navigationFor({ user, isBuilt }), [user, isBuilt])
}

/** Is there a screen at this full path, or below it? */
export function useIsBuilt(): (path: string) => boolean {
  const router = useRouter()
  return useMemo(() => {
    const paths = Object.keys(router.routesByPath)
    return (path) => paths.some((one) => one === path || one.startsWith(`${path}/`))
  }, [router])
}

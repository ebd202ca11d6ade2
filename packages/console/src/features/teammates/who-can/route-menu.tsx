import { useRouterState } from '@tanstack/react-router'
import { featureOfPath } from './features-of-paths.ts'
import { PageMenu } from './page-menu.tsx'

/** The menu of the page that is open. */
export function RouteMenu() {
  const fullPath = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '' })
  const feature = featureOfPath(fullPath)
  return feature === null ? null : <PageMenu key={feature} feature={feature} />
}

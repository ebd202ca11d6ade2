import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const PagesSearch = z.object({
  tab: z.enum(['pages', 'domains']).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** The page that is open. */
  show: z.uuid().optional().catch(undefined),
  /** What is open of it: its text, what visitors see, or what it was before. */
  part: z.enum(['text', 'preview', 'history']).optional().catch(undefined),
  /** The drawer for a new page is open. */
  add: z.boolean().optional().catch(undefined),
  /** The domain whose pages are chosen. */
  use: z.uuid().optional().catch(undefined),
  /** The brand's own pages are shown. */
  brand: z.boolean().optional().catch(undefined),
})

export const customPagesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'multi-cdn/custom-page',
  validateSearch: PagesSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SitePagesScreen'),
})

export const allCustomPagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/multi-cdn/custom-page',
  validateSearch: PagesSearch.pick({ search: true, sort: true }),
  component: lazyRouteComponent(() => import('./all-screen.tsx'), 'AllPagesScreen'),
})

import { BYO_PLATFORMS } from '@fairway/contract/lean'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { ListSearch } from '../operator/list-search.ts'

const PATH = '/account/bring-my-cdn-account'

export const byoCdnKeysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: PATH,
  validateSearch: ListSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ByoCdnKeysScreen'),
})

export const addByoCdnKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: `${PATH}/add`,
  validateSearch: z.object({ platform: z.enum(BYO_PLATFORMS).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./form-screens.tsx'), 'AddKeyScreen'),
})

export const editByoCdnKeyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: `${PATH}/edit/{-$id}`,
  component: lazyRouteComponent(() => import('./form-screens.tsx'), 'EditKeyScreen'),
})

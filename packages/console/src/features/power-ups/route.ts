import { POWER_UP_STATUSES, REVIEW_STATES } from '@fairway/contract/lean'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { ListSearch } from '../operator/list-search.ts'
import { OpenPowerUp } from './search.ts'

/** `custom`: the form of a custom CDN, `new` or the id of the one that is changed. */
export const marketplaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/marketplace/{-$category}/{-$childCategory}',
  validateSearch: z.object({
    search: z.string().max(200).optional().catch(undefined),
    custom: z.string().max(60).optional().catch(undefined),
    ...OpenPowerUp,
  }),
  component: lazyRouteComponent(() => import('./marketplace-screen.tsx'), 'MarketplaceScreen'),
})

export const installedPowerUpsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/marketplace/installed-power-ups',
  validateSearch: z.object({
    kind: z.literal('services').optional().catch(undefined),
    search: z.string().max(200).optional().catch(undefined),
    status: z.enum(POWER_UP_STATUSES).optional().catch(undefined),
    sort: z.string().max(40).optional().catch(undefined),
    ...OpenPowerUp,
  }),
  component: lazyRouteComponent(() => import('./installed-screen.tsx'), 'InstalledPowerUpsScreen'),
})

export const operatorReviewsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/reviews',
  validateSearch: ListSearch.extend({ state: z.enum(REVIEW_STATES).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./reviews-screen.tsx'), 'ReviewsScreen'),
})

export const operatorCdnOffersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/cdn-offers',
  validateSearch: ListSearch,
  component: lazyRouteComponent(() => import('./offers-screen.tsx'), 'OffersScreen'),
})

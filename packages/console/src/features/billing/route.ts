import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { rootRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { isBillingTab, BillingSearch, ChosenPlanSearch } from './search.ts'

/** `/account/billing` is its invoices; an unknown tab leads there too. */
export const billingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/billing/{-$type}',
  validateSearch: BillingSearch,
  beforeLoad: ({ params: { type } }) => {
    if (type !== undefined && !isBillingTab(type))
      throw redirect({ to: '/account/billing/{-$type}', params: { type: undefined }, replace: true })
  },
  component: lazyRouteComponent(() => import('./screen.tsx'), 'BillingScreen'),
})

export const selectPlanRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/select-plan',
  validateSearch: ChosenPlanSearch,
  component: lazyRouteComponent(() => import('./select-plan-screen.tsx'), 'SelectPlanScreen'),
})

export const upgradePlanRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/upgrade-plan',
  validateSearch: ChosenPlanSearch,
  component: lazyRouteComponent(() => import('./upgrade-plan-screen.tsx'), 'UpgradePlanScreen'),
})

export const pricingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  component: lazyRouteComponent(() => import('./pricing-screen.tsx'), 'PricingScreen'),
})

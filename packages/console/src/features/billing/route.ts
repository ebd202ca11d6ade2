import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { rootRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const BILLING_TABS = ['invoice', 'payment', 'plan'] as const
export type BillingTab = (typeof BILLING_TABS)[number]
export const isBillingTab = (text: string | undefined): text is BillingTab => BILLING_TABS.some((tab) => tab === text)

const BillingSearch = z.object({
  status: z.enum(['posted', 'unpaid', 'paid']).optional().catch(undefined),
  /** The open invoice. */
  invoice: z.string().max(60).optional().catch(undefined),
  month: z.literal('previous').optional().catch(undefined),
})
export type BillingSearch = z.infer<typeof BillingSearch>

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

const Chosen = z.object({ plan: z.string().max(60).optional().catch(undefined) })

export const selectPlanRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/select-plan',
  validateSearch: Chosen,
  component: lazyRouteComponent(() => import('./select-plan-screen.tsx'), 'SelectPlanScreen'),
})
export const upgradePlanRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/upgrade-plan',
  validateSearch: Chosen,
  component: lazyRouteComponent(() => import('./upgrade-plan-screen.tsx'), 'UpgradePlanScreen'),
})
export const pricingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/pricing',
  component: lazyRouteComponent(() => import('./pricing-screen.tsx'), 'PricingScreen'),
})

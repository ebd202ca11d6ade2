import { TICKET_STATES } from '@fairway/contract/lean'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { ListSearch } from '../operator/list-search.ts'

const State = z.enum(TICKET_STATES).optional().catch(undefined)

/** `code` is the error that led here, `request` the call to look at; both go into the ticket. */
export const supportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/support',
  validateSearch: ListSearch.extend({
    state: State,
    code: z.number().int().optional().catch(undefined),
    request: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .optional()
      .catch(undefined),
    domain: z.string().max(253).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SupportScreen'),
})

export const myTicketsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/my-tickets',
  beforeLoad: () => {
    throw redirect({ to: '/support', replace: true })
  },
})

export const operatorTicketsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/tickets',
  validateSearch: ListSearch.extend({ state: State }),
  component: lazyRouteComponent(() => import('./operator-screen.tsx'), 'OperatorTicketsScreen'),
})

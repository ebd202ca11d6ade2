import { JOB_KINDS, JOB_STATES, LETTER_STATES } from '@fairway/contract/lean'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { AuditRangeSearch } from '../audit-log/range.ts'
import { ListSearch } from './list-search.ts'

export const operatorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
})

export const operatorNodesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/nodes',
  validateSearch: ListSearch.extend({ only: z.enum(['refused', 'waiting']).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./nodes-screen.tsx'), 'NodesScreen'),
})

export const operatorMaintenanceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/maintenance',
  component: lazyRouteComponent(() => import('./maintenance-screen.tsx'), 'MaintenanceScreen'),
})

export const operatorLettersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/outbox',
  validateSearch: ListSearch.extend({ state: z.enum(LETTER_STATES).optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./letters-screen.tsx'), 'LettersScreen'),
})

export const operatorJobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/jobs',
  validateSearch: ListSearch.extend({
    state: z.enum(JOB_STATES).optional().catch(undefined),
    kind: z.enum(JOB_KINDS).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('./jobs-screen.tsx'), 'JobsScreen'),
})

export const operatorPlansRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/plans',
  validateSearch: ListSearch,
  component: lazyRouteComponent(() => import('./plans-screen.tsx'), 'PlansScreen'),
})

export const operatorAuditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/audit',
  validateSearch: ListSearch.extend({ range: AuditRangeSearch, organization: z.uuid().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./audit-screen.tsx'), 'AuditScreen'),
})

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { AuditLogSearch } from './search.ts'

export const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account/audit-log',
  validateSearch: AuditLogSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AuditLogScreen'),
})

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'

export const CertificatesSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  sort: z.string().max(40).optional().catch(undefined),
  /** The certificate whose details are open. */
  show: z.uuid().optional().catch(undefined),
  /** The dialog that makes a new one is open. */
  setup: z.boolean().optional().catch(undefined),
})

export const certificatesRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'multi-cdn/ssl',
  validateSearch: CertificatesSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SiteCertificatesScreen'),
})

export const allCertificatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/multi-cdn/ssl',
  validateSearch: CertificatesSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AllCertificatesScreen'),
})

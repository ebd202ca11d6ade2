import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { CertificatesSearch } from './search.ts'

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

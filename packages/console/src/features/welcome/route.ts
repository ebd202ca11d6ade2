import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { scopeRoute, shellRoute } from '../../shell/layouts/layout-routes.tsx'
import { productAt } from './catalogue.ts'

const ProductScreen = lazyRouteComponent(() => import('./product-screen.tsx'), 'ProductScreen')
const findProduct = ({ params }: { params: Parameters<typeof productAt>[0] }) => {
  if (!productAt(params)) throw notFound()
}

export const welcomeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./products-screen.tsx'), 'ProductsScreen'),
})
export const productRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/welcome/$category/$childCategory/{-$grandChildCategory}',
  loader: findProduct,
  component: ProductScreen,
})
/** The same while a site, and maybe a domain, is chosen: *site-domain-welcome*. */
export const scopedProductRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'welcome/$category/$childCategory/{-$grandChildCategory}',
  loader: findProduct,
  component: ProductScreen,
})

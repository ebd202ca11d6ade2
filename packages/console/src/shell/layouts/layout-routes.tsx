import { auth } from '@fairway/contract'
import type { QueryClient } from '@tanstack/react-query'
import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { Suspense, lazy } from 'react'
import { z } from 'zod'
import { read } from '../../api/queries.ts'
import { ErrorPage, NotFoundPage, RootErrorPage, RootNotFoundPage } from '../errors/error-page.tsx'
import { Root } from '../root.tsx'
import { accountRead } from '../access/session.ts'
import { guardNavigation } from '../guards/guard-navigation.ts'
import { draft } from '../guards/guards.ts'
import { targetOf } from '../guards/route-rules.ts'
import { domainsRead, rememberSite, siteNamed, siteToOpen } from '../scope/scope.ts'

export type RouterContext = { queryClient: QueryClient }

/**
 * `soc=1` is the support mode, which stays while one goes on; `layout=addAssets` shows a page without the navigation.
 */
const RootSearch = z.object({
  soc: z.literal(1).optional().catch(undefined),
  layout: z.literal('addAssets').optional().catch(undefined),
})

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  validateSearch: RootSearch,
  search: { middlewares: [retainSearchParams(['soc'])] },
  beforeLoad: guardNavigation,
  component: Root,
  errorComponent: RootErrorPage,
  notFoundComponent: RootNotFoundPage,
})

/** Everything a signed-in user sees. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  // The strip of the site stands from the start; a page of no site waits for none.
  loader: async ({ context, location }) => {
    const { site } = targetOf(location.pathname)
    if (site !== undefined) await siteNamed(context.queryClient, site)
  },
  component: lazyRouteComponent(() => import('./shell-layout.tsx'), 'ShellLayout'),
  errorComponent: RootErrorPage,
})

/** Screens of a site, with or without a chosen domain. Children give paths such as `dns/dns-records`. */
export const scopeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/$site/{-$domain}',
  loader: async ({ context, params }) => {
    const site = await siteNamed(context.queryClient, params.site)
    if (!site) throw notFound()
    const verdict = draft(site, await context.queryClient.ensureQueryData(accountRead))
    if (verdict !== null && 'to' in verdict) throw redirect({ href: verdict.to, replace: true })
    rememberSite(site)
    await context.queryClient.ensureQueryData(domainsRead(site.id))
  },
  component: Outlet,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
})

/** `/` is never shown: the guards send everyone on. */
export const indexRoute = createRoute({ getParentRoute: () => rootRoute, path: '/' })

const NoSite = lazy(async () => ({ default: (await import('../scope/no-site.tsx')).NoSite }))

/** `/home` is the home of the site last used; without any site it teaches what would be there. */
export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/home',
  loader: async ({ context }) => {
    const site = await siteToOpen(context.queryClient)
    if (site)
      throw redirect({
        to: '/$site/{-$domain}/home',
        params: { site: site.domainName, domain: undefined },
        replace: true,
      })
  },
  // Nearly everybody is sent on: its program is not fetched beside the answer to that.
  component: () => (
    <Suspense fallback={null}>
      <NoSite />
    </Suspense>
  ),
})

/** Where a site leads whose setting up is left to others. */
export const draftSiteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/draft-site',
  validateSearch: z.object({ zone_name: z.string().catch('') }),
  component: lazyRouteComponent(() => import('../scope/draft-site.tsx'), 'DraftSite'),
})

/** Where people wait for others to pay. */
export const onHoldRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/on-hold',
  component: lazyRouteComponent(() => import('../scope/on-hold.tsx'), 'OnHold'),
})

const firstRunRead = { ...read(auth.routes.firstRun, {}), staleTime: 0 }

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: async ({ context }) => {
    const { needed } = await context.queryClient.fetchQuery(firstRunRead).catch(() => ({ needed: false }))
    if (needed) throw redirect({ to: '/setup' })
  },
  validateSearch: z.object({
    next: z.string().startsWith('/').optional().catch(undefined),
    notice: z.enum(['password', 'ended']).optional().catch(undefined),
  }),
  component: lazyRouteComponent(() => import('../../features/auth/login-screen.tsx'), 'LoginScreen'),
})

export const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  beforeLoad: async ({ context }) => {
    const { needed } = await context.queryClient.fetchQuery(firstRunRead)
    if (!needed) throw redirect({ to: '/login' })
  },
  component: lazyRouteComponent(() => import('../../features/auth/setup-screen.tsx'), 'SetupScreen'),
})

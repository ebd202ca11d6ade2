import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { type RouterContext, rootRoute, scopeRoute } from '../../shell/layouts/layout-routes.tsx'
import { accountRead } from '../../shell/access/session.ts'
import { draft } from '../../shell/guards/guards.ts'
import { RootErrorPage } from '../../shell/errors/error-page.tsx'
import { setUpSitesRead, siteNamed } from '../../shell/scope/scope.ts'

/** Which draft a step is about; the name is for people, the id counts. */
const DraftSearch = z.object({
  zone_id: z.string().max(60).optional().catch(undefined),
  zone_name: z.string().max(253).optional().catch(undefined),
})
export type DraftSearch = z.infer<typeof DraftSearch>

const ReviewSearch = DraftSearch.extend({
  search: z.string().max(200).optional().catch(undefined),
  record: z.string().max(60).optional().catch(undefined),
})

/** Everything about adding: a header of its own, no navigation. */
export const addAssetsRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'add-assets',
  loader: ({ context }) => context.queryClient.ensureQueryData(setUpSitesRead),
  component: lazyRouteComponent(() => import('../../shell/layouts/shell-layout.tsx'), 'AddAssets'),
  errorComponent: RootErrorPage,
})

const nameRoute = createRoute({
  getParentRoute: () => addAssetsRoute,
  path: '/add-site',
  component: lazyRouteComponent(() => import('./name-screen.tsx'), 'NameScreen'),
})

type StepContext = { context: RouterContext; deps: DraftSearch }

/** A step is about a site that exists, and about a draft unless it is the last one. */
async function siteOfStep({ context, deps }: StepContext, wantsDraft: boolean): Promise<void> {
  const name = deps.zone_id ?? deps.zone_name
  const site = name === undefined || name === '' ? undefined : await siteNamed(context.queryClient, name)
  if (!site) throw redirect({ to: '/add-site', replace: true })
  const verdict = wantsDraft ? draft(site, await context.queryClient.ensureQueryData(accountRead)) : null
  // Who may not finish it is not led through its steps.
  if (verdict !== null && 'to' in verdict && verdict.to.startsWith('/draft-site'))
    throw redirect({ href: verdict.to, replace: true })
  const search = { zone_id: site.id, zone_name: site.domainName }
  if (deps.zone_id !== site.id)
    throw redirect({ to: wantsDraft ? '/add-site/review-domains' : '/add-site/finish-setup', search, replace: true })
  if ((site.zoneStatus === 0) !== wantsDraft)
    throw redirect({ to: wantsDraft ? '/add-site/finish-setup' : '/add-site/review-domains', search, replace: true })
}

const draftOf = ({ search: { zone_id, zone_name } }: { search: DraftSearch }): DraftSearch => ({ zone_id, zone_name })

const scanRoute = createRoute({
  getParentRoute: () => addAssetsRoute,
  path: '/add-site/quick-scan',
  validateSearch: DraftSearch,
  loaderDeps: draftOf,
  loader: (step) => siteOfStep(step, true),
  component: lazyRouteComponent(() => import('./scan-screen.tsx'), 'ScanScreen'),
})

const domainsRoute = createRoute({
  getParentRoute: () => addAssetsRoute,
  path: '/add-site/review-domains',
  validateSearch: ReviewSearch,
  loaderDeps: draftOf,
  loader: (step) => siteOfStep(step, true),
  component: lazyRouteComponent(() => import('./domains-screen.tsx'), 'DomainsScreen'),
})

const recordsRoute = createRoute({
  getParentRoute: () => addAssetsRoute,
  path: '/add-site/review-dns-records',
  validateSearch: ReviewSearch,
  loaderDeps: draftOf,
  loader: (step) => siteOfStep(step, true),
  component: lazyRouteComponent(() => import('./records-screen.tsx'), 'RecordsScreen'),
})

const finishRoute = createRoute({
  getParentRoute: () => addAssetsRoute,
  path: '/add-site/finish-setup',
  validateSearch: DraftSearch,
  loaderDeps: draftOf,
  loader: (step) => siteOfStep(step, false),
  component: lazyRouteComponent(() => import('./finish-screen.tsx'), 'FinishScreen'),
})

export const addDomainRoute = createRoute({
  getParentRoute: () => scopeRoute,
  path: 'add-domain',
  component: lazyRouteComponent(() => import('./add-domain-screen.tsx'), 'AddDomainScreen'),
})

export const addAssets = addAssetsRoute.addChildren([domainsRoute, finishRoute, nameRoute, recordsRoute, scanRoute])

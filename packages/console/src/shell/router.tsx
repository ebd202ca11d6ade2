import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { userProfileRoute } from '../features/account/route.ts'
import { addAssets, addDomainRoute } from '../features/add-site/route.ts'
import { analyticsDemRoute } from '../features/analytics-dem/route.ts'
import { allTrafficRoute, analyticsMultiCdnRoute } from '../features/analytics-multi-cdn/route.ts'
import {
  forgotPasswordRoute,
  googleCallbackRoute,
  mfaVerifyRoute,
  resetPasswordRoute,
  signupRoute,
  surveyRoute,
  verifyEmailRoute,
  verifyInviteRoute,
} from '../features/auth/route.ts'
import { domainsRoute } from '../features/domains/route.ts'
import { allCertificatesRoute, certificatesRoute } from '../features/certificates/route.ts'
import { addPurgeRoute, cacheControlRoute } from '../features/cache-control/route.ts'
import { billingRoute, pricingRoute, selectPlanRoute, upgradePlanRoute } from '../features/billing/route.ts'
import { allCustomPagesRoute, customPagesRoute } from '../features/custom-pages/route.ts'
import { cdnManagementRoute } from '../features/cdn-management/route.ts'
import { analyticsDnsRoute, dnsRequestsRoute } from '../features/dns-requests/route.ts'
import { dnsRecordsRoute } from '../features/dns-records/route.ts'
import { dnsSettingsRoute } from '../features/dns-settings/route.ts'
import { informationCenterRoute } from '../features/notifications/route.ts'
import { bulkConfigureRoute } from '../features/bulk-configure/route.ts'
import { addByoCdnKeyRoute, byoCdnKeysRoute, editByoCdnKeyRoute } from '../features/byo-cdn-keys/route.ts'
import { managedCdnKeysRoute } from '../features/managed-cdn-keys/route.ts'
import {
  operatorAuditRoute,
  operatorJobsRoute,
  operatorLettersRoute,
  operatorMaintenanceRoute,
  operatorNodesRoute,
  operatorPlansRoute,
  operatorRoute,
} from '../features/operator/route.ts'
import { organizationsRoute, usersRoute } from '../features/organizations/route.ts'
import { partnerRoute, partnersRoute } from '../features/partners/route.ts'
import { myTicketsRoute, operatorTicketsRoute, supportRoute } from '../features/support-tickets/route.ts'
import { operatorPricingRoute } from '../features/plans/route.ts'
import { overviewRoute } from '../features/overview/route.ts'
import { addStrategyRoute, editStrategyRoute, routingStrategiesRoute } from '../features/routing-strategies/route.ts'
import { gameDayRoute } from '../features/simulated-cdns/route.ts'
import { auditLogRoute } from '../features/audit-log/route.ts'
import { teammatesRoute } from '../features/teammates/route.ts'
import { addVsrRuleRoute, editVsrRuleRoute } from '../features/vsr-rules/route.ts'
import { costReductionRoute } from '../features/cost-reduction/route.ts'
import { errorCatalogueRoute } from '../features/error-catalogue/route.ts'
import { generalSettingsRoute, originProtocolRoute } from '../features/general-settings/route.ts'
import { guideRoute, scopedGuideRoute, screenGuideRoute } from '../features/guide/route.ts'
import { loginAsRoute } from '../features/login-as/route.ts'
import { maintenanceRoute } from '../features/maintenance/route.ts'
import { marketplaceLandingRoute, misspeltLandingRoute } from '../features/marketplace-landing/route.ts'
import {
  installedPowerUpsRoute,
  marketplaceRoute,
  operatorCdnOffersRoute,
  operatorReviewsRoute,
} from '../features/power-ups/route.ts'
import { productRoute, scopedProductRoute, welcomeRoute } from '../features/welcome/route.ts'
import { mayPrefetch, networkNow } from './fetching/prefetch.ts'
import {
  homeRoute,
  indexRoute,
  loginRoute,
  rootRoute,
  scopeRoute,
  setupRoute,
  shellRoute,
} from './layouts/layout-routes.tsx'

/** Screens below a site; one line each, sorted. */
const scoped = scopeRoute.addChildren([
  addDomainRoute,
  addPurgeRoute,
  addStrategyRoute,
  addVsrRuleRoute,
  analyticsDemRoute,
  analyticsDnsRoute,
  analyticsMultiCdnRoute,
  cacheControlRoute,
  cdnManagementRoute,
  certificatesRoute,
  customPagesRoute,
  dnsRecordsRoute,
  dnsRequestsRoute,
  dnsSettingsRoute,
  editStrategyRoute,
  editVsrRuleRoute,
  generalSettingsRoute,
  originProtocolRoute,
  overviewRoute,
  routingStrategiesRoute,
  scopedGuideRoute,
  scopedProductRoute,
])

/** Screens of the account or the installation; one line each, sorted. */
const routeTree = rootRoute.addChildren([
  addAssets,
  costReductionRoute,
  errorCatalogueRoute,
  forgotPasswordRoute,
  googleCallbackRoute,
  indexRoute,
  loginAsRoute,
  loginRoute,
  maintenanceRoute,
  marketplaceLandingRoute,
  mfaVerifyRoute,
  misspeltLandingRoute,
  pricingRoute,
  resetPasswordRoute,
  selectPlanRoute,
  setupRoute,
  signupRoute,
  surveyRoute,
  verifyEmailRoute,
  verifyInviteRoute,
  shellRoute.addChildren([
    allCertificatesRoute,
    allCustomPagesRoute,
    allTrafficRoute,
    domainsRoute,
    addByoCdnKeyRoute,
    auditLogRoute,
    billingRoute,
    bulkConfigureRoute,
    byoCdnKeysRoute,
    editByoCdnKeyRoute,
    gameDayRoute,
    guideRoute,
    homeRoute,
    informationCenterRoute,
    installedPowerUpsRoute,
    marketplaceRoute,
    myTicketsRoute,
    operatorAuditRoute,
    operatorCdnOffersRoute,
    operatorJobsRoute,
    operatorLettersRoute,
    operatorMaintenanceRoute,
    operatorNodesRoute,
    managedCdnKeysRoute,
    operatorPlansRoute,
    operatorPricingRoute,
    operatorReviewsRoute,
    operatorRoute,
    operatorTicketsRoute,
    organizationsRoute,
    partnerRoute,
    partnersRoute,
    productRoute,
    scoped,
    screenGuideRoute,
    supportRoute,
    teammatesRoute,
    upgradePlanRoute,
    userProfileRoute,
    usersRoute,
    welcomeRoute,
  ]),
])

export function makeRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    // Query decides what is fresh; the router only says when to look.
    defaultPreload: mayPrefetch(networkNow()) ? 'intent' : false,
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    scrollRestoration: true,
    trailingSlash: 'never',
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}

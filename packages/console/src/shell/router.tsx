import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import {
  accountTakeoverRoute,
  addFailedLoginRoute,
  addStuffingRoute,
  editFailedLoginRoute,
  editStuffingRoute,
} from '../features/account-takeover-prevention/route.ts'
import { userProfileRoute } from '../features/account/route.ts'
import { addAssets, addDomainRoute } from '../features/add-site/route.ts'
import { analyticsDemRoute } from '../features/analytics-dem/route.ts'
import { allTrafficRoute, analyticsMultiCdnRoute } from '../features/analytics-multi-cdn/route.ts'
import { analyticsOriginShieldRoute } from '../features/analytics-origin-shield/route.ts'
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
import {
  apiProtectionRoute,
  apiRuleRoute,
  createApiRuleRoute,
  editApiRuleRoute,
} from '../features/api-protection/route.ts'
import { domainsRoute } from '../features/domains/route.ts'
import { allCertificatesRoute, certificatesRoute } from '../features/certificates/route.ts'
import { accessControlRoute } from '../features/access-control/route.ts'
import { shieldRegionRoute } from '../features/shield-regions/route.ts'
import { botManagementRoute } from '../features/bot-management/route.ts'
import { addFirewallRuleRoute, editFirewallRuleRoute, firewallRulesRoute } from '../features/firewall-rules/route.ts'
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
import { whiteLabelRoute } from '../features/white-label/route.ts'
import { myTicketsRoute, operatorTicketsRoute, supportRoute } from '../features/support-tickets/route.ts'
import { operatorPricingRoute } from '../features/plans/route.ts'
import { addBeaconCodeRoute, allAddBeaconCodeRoute, allPulseRoute, pulseRoute } from '../features/pulse/route.ts'
import { editPrivateDataRoute, privateDataRoute, typedPrivateDataRoute } from '../features/private-data/route.ts'
import { overviewRoute } from '../features/overview/route.ts'
import { dataFeedsRoute } from '../features/data-feeds/route.ts'
import { routeMapRoute } from '../features/route-map/route.ts'
import { addStrategyRoute, editStrategyRoute, routingStrategiesRoute } from '../features/routing-strategies/route.ts'
import { gameDayRoute } from '../features/simulated-cdns/route.ts'
import { auditLogRoute } from '../features/audit-log/route.ts'
import { teammatesRoute } from '../features/teammates/route.ts'
import { addVsrRuleRoute, editVsrRuleRoute } from '../features/vsr-rules/route.ts'
import { attackTrialRoute } from '../features/attack-trial/route.ts'
import { crsRulesRoute } from '../features/crs-rules/route.ts'
import { costReductionRoute } from '../features/cost-reduction/route.ts'
import { errorCatalogueRoute } from '../features/error-catalogue/route.ts'
import { generalSettingsRoute, originProtocolRoute } from '../features/general-settings/route.ts'
import {
  allDataFeedsRoute,
  allDnsRequestsRoute,
  allPerformanceRoute,
  allRouteMapRoute,
  allStrategiesRoute,
  guideRoute,
  scopedGuideRoute,
  screenGuideRoute,
} from '../features/guide/route.ts'
import { loginAsRoute } from '../features/login-as/route.ts'
import { maintenanceRoute } from '../features/maintenance/route.ts'
import { marketplaceLandingRoute, misspeltLandingRoute } from '../features/marketplace-landing/route.ts'
import {
  installedPowerUpsRoute,
  marketplaceRoute,
  operatorCdnOffersRoute,
  operatorReviewsRoute,
} from '../features/power-ups/route.ts'
import {
  addHeaderRuleRoute,
  editHeaderRuleRoute,
  httpHeaderRewriteRoute,
} from '../features/http-header-rewrite/route.ts'
import { addOriginRuleRoute, editOriginRuleRoute, originRulesRoute } from '../features/origin-rules/route.ts'
import {
  assetsAddCdnRoute,
  assetsSetupRoute,
  liveAddCdnRoute,
  liveSetupRoute,
  scopedAssetsAddCdnRoute,
  scopedAssetsSetupRoute,
  scopedLiveAddCdnRoute,
  scopedLiveSetupRoute,
  scopedStreamAddCdnRoute,
  scopedStreamSetupRoute,
  streamAddCdnRoute,
  streamSetupRoute,
} from '../features/stream-setup/route.ts'
import {
  createLiveStreamRoute,
  liveStreamRoute,
  liveStreamsRoute,
  simulationRoute,
} from '../features/live-streams/route.ts'
import { signedUrlsRoute } from '../features/signed-urls/route.ts'
import {
  streamAudienceRoute,
  streamPerformanceRoute,
  streamUsageRoute,
  streamViewRoute,
  streamViewsRoute,
} from '../features/stream-analytics/route.ts'
import { streamAssetRoute, streamAssetsRoute } from '../features/stream-assets/route.ts'
import { shieldAssetsRoute } from '../features/shield-assets/route.ts'
import { productRoute, scopedProductRoute, welcomeRoute } from '../features/welcome/route.ts'
import { mayPrefetch, networkNow } from './fetching/prefetch.ts'
import {
  draftSiteRoute,
  homeRoute,
  indexRoute,
  loginRoute,
  onHoldRoute,
  rootRoute,
  scopeRoute,
  setupRoute,
  shellRoute,
} from './layouts/layout-routes.tsx'

/** Screens below a site; one line each, sorted. */
const scoped = scopeRoute.addChildren([
  accessControlRoute,
  addBeaconCodeRoute,
  addDomainRoute,
  accountTakeoverRoute,
  addFailedLoginRoute,
  addFirewallRuleRoute,
  addHeaderRuleRoute,
  addOriginRuleRoute,
  addStuffingRoute,
  apiProtectionRoute,
  apiRuleRoute,
  createApiRuleRoute,
  editApiRuleRoute,
  editFailedLoginRoute,
  editStuffingRoute,
  addPurgeRoute,
  addStrategyRoute,
  addVsrRuleRoute,
  analyticsDemRoute,
  analyticsDnsRoute,
  analyticsMultiCdnRoute,
  analyticsOriginShieldRoute,
  botManagementRoute,
  shieldRegionRoute,
  cacheControlRoute,
  cdnManagementRoute,
  certificatesRoute,
  attackTrialRoute,
  crsRulesRoute,
  customPagesRoute,
  dnsRecordsRoute,
  dnsRequestsRoute,
  dnsSettingsRoute,
  editFirewallRuleRoute,
  editHeaderRuleRoute,
  editOriginRuleRoute,
  editStrategyRoute,
  editVsrRuleRoute,
  firewallRulesRoute,
  generalSettingsRoute,
  httpHeaderRewriteRoute,
  originProtocolRoute,
  originRulesRoute,
  overviewRoute,
  routeMapRoute,
  dataFeedsRoute,
  pulseRoute,
  routingStrategiesRoute,
  scopedGuideRoute,
  scopedProductRoute,
  scopedAssetsAddCdnRoute,
  scopedAssetsSetupRoute,
  scopedLiveAddCdnRoute,
  scopedLiveSetupRoute,
  scopedStreamAddCdnRoute,
  scopedStreamSetupRoute,
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
    allAddBeaconCodeRoute,
    allCertificatesRoute,
    allCustomPagesRoute,
    allPulseRoute,
    allTrafficRoute,
    domainsRoute,
    streamAssetRoute,
    streamAssetsRoute,
    streamAudienceRoute,
    streamPerformanceRoute,
    streamUsageRoute,
    streamViewRoute,
    streamViewsRoute,
    liveStreamsRoute,
    createLiveStreamRoute,
    liveStreamRoute,
    simulationRoute,
    assetsAddCdnRoute,
    assetsSetupRoute,
    liveAddCdnRoute,
    liveSetupRoute,
    streamAddCdnRoute,
    streamSetupRoute,
    signedUrlsRoute,
    shieldAssetsRoute,
    addByoCdnKeyRoute,
    auditLogRoute,
    billingRoute,
    bulkConfigureRoute,
    byoCdnKeysRoute,
    editByoCdnKeyRoute,
    editPrivateDataRoute,
    privateDataRoute,
    typedPrivateDataRoute,
    gameDayRoute,
    guideRoute,
    allDnsRequestsRoute,
    allPerformanceRoute,
    allStrategiesRoute,
    allRouteMapRoute,
    allDataFeedsRoute,
    draftSiteRoute,
    onHoldRoute,
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
    whiteLabelRoute,
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

import { type OpenIdProvider, openIdProvider } from '@fairway/drivers'
import type { Config, Database } from '@fairway/platform'
import type { Slice } from '../http/register.ts'
import type { PublicationHub } from '../publish/feed-stream.ts'
import { accessControlSlice } from './access-control/service.ts'
import { accountSlice } from './account/service.ts'
import { addSiteSlice } from './add-site/service.ts'
import { analyticsDemSlice } from './analytics-dem/service.ts'
import { analyticsMultiCdnSlice } from './analytics-multi-cdn/service.ts'
import { analyticsOriginShieldSlice } from './analytics-origin-shield/service.ts'
import { attackTrialSlice } from './attack-trial/service.ts'
import { apiProtectionSlice } from './api-protection/service.ts'
import { apiSchemaSlice } from './api-schema/service.ts'
import { apiKeysSlice } from './api-keys/service.ts'
import { auditLogSlice } from './audit-log/service.ts'
import { authSlice } from './auth/service.ts'
import { botManagementSlice } from './bot-management/service.ts'
import { bulkConfigureSlice } from './bulk-configure/service.ts'
import { byoCdnKeysSlice } from './byo-cdn-keys/service.ts'
import { cacheRulesSlice } from './cache-rules/service.ts'
import { billingSlice } from './billing/service.ts'
import { cdnManagementSlice } from './cdn-management/service.ts'
import { certificatesSlice } from './certificates/service.ts'
import { contactFormSlice } from './contact-form/service.ts'
import { crsRulesSlice } from './crs-rules/service.ts'
import { credentialStuffingSlice } from './credential-stuffing/service.ts'
import { customPagesSlice } from './custom-pages/service.ts'
import { dataFeedsSlice } from './data-feeds/service.ts'
import { dnsRecordsSlice } from './dns-records/service.ts'
import { dnsPrimarySlice } from './dns-primary/service.ts'
import { dnsSecondariesSlice } from './dns-secondaries/service.ts'
import { dnssecSlice } from './dnssec/service.ts'
import { dnsRequestsSlice } from './dns-requests/service.ts'
import { domainsSlice } from './domains/service.ts'
import { failedLoginSlice } from './failed-login/service.ts'
import { firewallRulesSlice } from './firewall-rules/service.ts'
import { httpHeaderRewriteSlice } from './http-header-rewrite/service.ts'
import { managedCdnKeysSlice } from './managed-cdn-keys/service.ts'
import { nodesSlice } from './nodes/service.ts'
import { notificationsSlice } from './notifications/service.ts'
import { operatorSlice } from './operator/service.ts'
import { organizationsSlice } from './organizations/service.ts'
import { originRulesSlice } from './origin-rules/service.ts'
import { overviewSlice } from './overview/service.ts'
import { partnersSlice } from './partners/service.ts'
import { passkeysSlice } from './passkeys/service.ts'
import { purgesSlice } from './purges/service.ts'
import { plansSlice } from './plans/service.ts'
import { powerUpsSlice } from './power-ups/service.ts'
import { outsideFeedsSlice } from './outside-feeds/service.ts'
import { privateDataSlice } from './private-data/service.ts'
import { pulseSlice } from './pulse/service.ts'
import { routeMapSlice } from './route-map/service.ts'
import { routingStrategiesSlice } from './routing-strategies/service.ts'
import { sessionsSlice } from './sessions/service.ts'
import { simulatedCdnsSlice } from './simulated-cdns/service.ts'
import { sitesSlice } from './sites/service.ts'
import { steeringCasesSlice } from './steering-cases/service.ts'
import { liveStreamsSlice } from './live-streams/service.ts'
import { streamBalancersSlice } from './stream-balancers/service.ts'
import { streamThumbnailsSlice } from './stream-thumbnails/service.ts'
import { streamCaptionsSlice } from './stream-captions/service.ts'
import { streamChaptersSlice } from './stream-chapters/service.ts'
import { streamPeersSlice } from './stream-peers/service.ts'
import { signedUrlsSlice } from './signed-urls/service.ts'
import { streamAnalyticsSlice } from './stream-analytics/service.ts'
import { streamAssetsSlice } from './stream-assets/service.ts'
import { supportTicketsSlice } from './support-tickets/service.ts'
import { teammatesSlice } from './teammates/service.ts'
import { versionsSlice } from './versions/service.ts'
import { vsrRulesSlice } from './vsr-rules/service.ts'
import { shieldAssetsSlice } from './shield-assets/service.ts'
import { shieldRegionsSlice } from './shield-regions/service.ts'
import { webSecuritySlice } from './web-security/service.ts'
import { webhooksSlice } from './webhooks/service.ts'
import { whiteLabelSlice } from './white-label/service.ts'
import { zoneFilesSlice } from './zone-files/service.ts'

export type SliceNeeds = { hub: PublicationHub; database: Database; config: Config }

/** Every feature that the API serves, one line each. */
export const slices = ({ hub, database, config }: SliceNeeds, google = googleOf(config)): Slice[] => [
  accessControlSlice,
  accountSlice(google),
  addSiteSlice,
  analyticsDemSlice,
  analyticsMultiCdnSlice,
  analyticsOriginShieldSlice,
  apiKeysSlice,
  apiProtectionSlice,
  apiSchemaSlice,
  attackTrialSlice,
  auditLogSlice,
  authSlice(google),
  botManagementSlice,
  bulkConfigureSlice,
  byoCdnKeysSlice,
  cacheRulesSlice,
  billingSlice,
  cdnManagementSlice,
  certificatesSlice,
  contactFormSlice,
  crsRulesSlice,
  credentialStuffingSlice,
  customPagesSlice,
  dnsRecordsSlice,
  dnsPrimarySlice,
  dnsSecondariesSlice,
  dnssecSlice,
  dnsRequestsSlice,
  domainsSlice,
  failedLoginSlice,
  firewallRulesSlice,
  httpHeaderRewriteSlice,
  nodesSlice(hub),
  managedCdnKeysSlice,
  notificationsSlice,
  operatorSlice,
  organizationsSlice,
  originRulesSlice,
  overviewSlice(database),
  partnersSlice,
  passkeysSlice,
  plansSlice,
  powerUpsSlice,
  outsideFeedsSlice,
  privateDataSlice,
  pulseSlice,
  purgesSlice,
  routeMapSlice,
  dataFeedsSlice,
  routingStrategiesSlice,
  sessionsSlice,
  simulatedCdnsSlice,
  sitesSlice,
  steeringCasesSlice,
  streamAnalyticsSlice,
  streamAssetsSlice,
  streamCaptionsSlice,
  streamThumbnailsSlice,
  streamChaptersSlice,
  streamPeersSlice,
  liveStreamsSlice,
  streamBalancersSlice,
  signedUrlsSlice,
  supportTicketsSlice,
  teammatesSlice,
  versionsSlice,
  vsrRulesSlice,
  shieldAssetsSlice,
  shieldRegionsSlice,
  webSecuritySlice,
  webhooksSlice,
  whiteLabelSlice,
  zoneFilesSlice,
]

/** The OpenID provider of the settings; null while no client id is set. */
function googleOf({ googleIssuer, googleClientId, googleClientSecret }: Config): OpenIdProvider | null {
  return googleClientId
    ? openIdProvider({ issuer: googleIssuer, clientId: googleClientId, clientSecret: googleClientSecret })
    : null
}

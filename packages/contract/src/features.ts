import { accessControl } from './access-control.ts'
import { account } from './account.ts'
import { addSite } from './add-site.ts'
import { analyticsDem } from './analytics-dem.ts'
import { analyticsMultiCdn } from './analytics-multi-cdn.ts'
import { analyticsOriginShield } from './analytics-origin-shield.ts'
import { credentialStuffing, failedLogin } from './account-takeover.ts'
import { apiKeys } from './api-keys.ts'
import { apiProtection } from './api-protection.ts'
import { apiSchema } from './api-schema.ts'
import { attackTrial } from './attack-trial.ts'
import { auditLog } from './audit-log.ts'
import { auth } from './auth.ts'
import { botManagement } from './bot-management.ts'
import { bulkConfigure } from './bulk-configure.ts'
import { byoCdnKeys } from './byo-cdn-keys.ts'
import { billing } from './billing.ts'
import { cacheRules } from './cache-rules.ts'
import { cdnManagement } from './cdn-management.ts'
import { certificates } from './certificates.ts'
import { contactForm } from './contact-form.ts'
import { crsRules } from './crs-rules.ts'
import { customPages } from './custom-pages.ts'
import { dnsRecords } from './dns-records.ts'
import { dataFeeds } from './data-feeds.ts'
import { dnsPrimary } from './dns-primary.ts'
import { dnsSecondaries } from './dns-secondaries.ts'
import { dnssec } from './dnssec.ts'
import { dnsRequests } from './dns-requests.ts'
import { domains } from './domains.ts'
import { firewallRules } from './firewall-rules.ts'
import { httpHeaderRewrite } from './http-header-rewrite.ts'
import { managedCdnKeys } from './managed-cdn-keys.ts'
import { nodes } from './nodes.ts'
import { notifications } from './notifications.ts'
import { operatorArea } from './operator.ts'
import { organizations } from './organizations.ts'
import { originRules } from './origin-rules.ts'
import { overview } from './overview.ts'
import { passkeys } from './passkeys.ts'
import { partners } from './partners.ts'
import { plans } from './plans.ts'
import { powerUps } from './power-ups.ts'
import { outsideFeeds } from './outside-feeds.ts'
import { privateData } from './private-data.ts'
import { pulse } from './pulse.ts'
import { purges } from './purges.ts'
import { routingStrategies } from './routing-strategies.ts'
import { sessions } from './sessions.ts'
import { simulatedCdns } from './simulated-cdns.ts'
import { sites } from './sites.ts'
import { routeMap } from './route-map.ts'
import { steeringCases } from './steering-cases.ts'
import { liveStreams } from './live-streams.ts'
import { signedUrls } from './signed-urls.ts'
import { streamAnalytics } from './stream-analytics.ts'
import { streamAssets } from './stream-assets.ts'
import { streamThumbnails } from './stream-thumbnails.ts'
import { streamChapters } from './stream-chapters.ts'
import { streamPeers } from './stream-peers.ts'
import { streamCaptions } from './stream-captions.ts'
import { streamBalancers } from './stream-balancers.ts'
import { supportTickets } from './support-tickets.ts'
import { teammates } from './teammates.ts'
import { versions } from './versions.ts'
import { vsrRules } from './vsr-rules.ts'
import { shieldAssets } from './shield-assets.ts'
import { shieldRegions } from './shield-regions.ts'
import { webSecurity } from './web-security.ts'
import { webhooks } from './webhooks.ts'
import { whiteLabel } from './white-label.ts'
import { zoneFiles } from './zone-files.ts'

/** Every feature of the API, one line each. */
export const FEATURES = {
  accessControl,
  account,
  addSite,
  analyticsDem,
  analyticsMultiCdn,
  analyticsOriginShield,
  apiKeys,
  apiProtection,
  apiSchema,
  attackTrial,
  auditLog,
  auth,
  botManagement,
  bulkConfigure,
  byoCdnKeys,
  billing,
  cacheRules,
  cdnManagement,
  certificates,
  contactForm,
  crsRules,
  credentialStuffing,
  customPages,
  dnsRecords,
  dnsPrimary,
  dnsSecondaries,
  dnssec,
  dnsRequests,
  domains,
  failedLogin,
  firewallRules,
  httpHeaderRewrite,
  nodes,
  notifications,
  managedCdnKeys,
  operatorArea,
  organizations,
  originRules,
  overview,
  passkeys,
  partners,
  plans,
  powerUps,
  outsideFeeds,
  privateData,
  pulse,
  purges,
  routingStrategies,
  sessions,
  simulatedCdns,
  sites,
  routeMap,
  dataFeeds,
  steeringCases,
  streamAnalytics,
  streamAssets,
  streamCaptions,
  streamThumbnails,
  streamChapters,
  streamPeers,
  streamBalancers,
  liveStreams,
  signedUrls,
  supportTickets,
  teammates,
  versions,
  vsrRules,
  shieldAssets,
  shieldRegions,
  webSecurity,
  webhooks,
  whiteLabel,
  zoneFiles,
} as const

/** Of the application, as `/config` tells it. */
export const VERSION = '2.40.5'

/** Limits and constants of the product, from the requirements. */
export const LIMITS = {
  sitesPerAccount: 20,
  recordsPerSite: 50,
  cdnsPerDomain: 10,
  ttlSeconds: { min: 30, max: 86_400 },
  recordWeight: 1_000,
  recordsPerChange: 20_000,
  strategiesPerDomain: 50,
  vsrRulesPerDomain: 50,
  webhooksPerOrganization: 10,
  addressesPerOrigin: 50,
  cacheRulesPerDomain: 50,
  cacheExpirySeconds: { min: 7_200, max: 2_419_200 },
  keepaliveSeconds: { min: 1, max: 100 },
  customPagesPerSite: 10,
  customPageBytes: 1_500_000,
  purgeTargets: 10,
  tagsPerDomain: 20,
  bulkDomains: 500,
  nameserverCheckMs: 600_000,
  scanQueriesPerSecond: 300,
  recentHistory: 10,
  configPollMs: 30_000,
  snackbarMs: 5_000,
  beacon: { bodyBytes: 16_384, rttMs: { min: 1, max: 60_000 }, samplesPerPost: 64 },
  zoneFile: { characters: 1_000_000, records: 20_000, errors: 100 },
  zoneChangeGuard: { share: 0.3, fromRecords: 10 },
} as const

/**
 * What each page is about: the contract's name of the feature, by the page's path; below a site, the path after it. The
 * longest beginning counts.
 */
export const FEATURE_OF_PATH: Readonly<Record<string, string>> = {
  '/account/audit-log': 'audit-log',
  '/account/billing': 'billing',
  '/account/bring-my-cdn-account': 'byo-cdn-keys',
  '/account/teammate': 'teammates',
  '/domains': 'domains',
  '/domains/bulk-configure': 'bulk-configure',
  'add-domain': 'domains',
  'analytics/dem': 'analytics-dem',
  'analytics/dns': 'dns-requests',
  '/analytics/multi-cdn': 'analytics-multi-cdn',
  'analytics/multi-cdn': 'analytics-multi-cdn',
  'dem/data-feeds': 'data-feeds',
  'dem/route-map': 'route-map',
  '/dem/private-data': 'private-data',
  '/dem/pulse': 'pulse',
  'dem/pulse': 'pulse',
  'dem/routing-strategies': 'routing-strategies',
  'dns/dns-records': 'dns-records',
  'dns/dns-request': 'dns-requests',
  'dns/settings': 'dnssec',
  'general-settings': 'domains',
  home: 'overview',
  'multi-cdn/cache-control': 'cache-rules',
  'multi-cdn/cdn-management': 'cdn-management',
  'multi-cdn/custom-page': 'custom-pages',
  'multi-cdn/ssl': 'certificates',
  'origin-protocol': 'domains',
  '/origin-shield/assets': 'shield-assets',
  '/stream/assets': 'stream-assets',
  '/stream/live-streams': 'live-streams',
  '/stream/add-cdn': 'stream-balancers',
  '/stream/setup': 'stream-assets',
  '/stream/signed-urls': 'signed-urls',
  'origin-shield/access-control': 'access-control',
  'origin-shield/bot-management': 'bot-management',
  'origin-shield/account-takeover-prevention': 'failed-login',
  'origin-shield/api-protection': 'api-protection',
  'origin-shield/firewall-rules': 'firewall-rules',
  'origin-shield/http-header-rewrite': 'http-header-rewrite',
  'origin-shield/origin-rules': 'origin-rules',
  'origin-shield/region': 'shield-regions',
}

const BELOW_SITE = '/$site/{-$domain}/'

/** The feature of a route's full path; null for pages that are about nothing somebody may or may not do. */
export function featureOfPath(fullPath: string): string | null {
  const path = fullPath.startsWith(BELOW_SITE) ? fullPath.slice(BELOW_SITE.length) : fullPath
  const fitting = Object.keys(FEATURE_OF_PATH).filter((start) => path === start || path.startsWith(`${start}/`))
  const longest = fitting.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? null : (FEATURE_OF_PATH[longest] ?? null)
}

import type { PlanFeature } from '@fairway/contract'

export const CATEGORIES = ['dns', 'DEM', 'multi-cdn', 'origin-shield', 'stream', 'marketplace', 'account'] as const
export type Category = (typeof CATEGORIES)[number]

/** What a welcome page tells of. */
export type Product = {
  /** Texts: `welcome:page.<key>`. */
  key: string
  /** Address below `/welcome/`: `category/child` or `category/child/grandchild`. */
  path: string
  category: Category
  /** Ability of the plan that opens it; null when it comes with every plan. */
  needs: PlanFeature | null
  /** Full path of its screen; null while this installation has no such product. */
  to: string | null
}

const SITE = '/$site/{-$domain}'

/** Every feature that a plan may lack has its page here, and so have the products that are not there yet. */
export const PRODUCTS: readonly Product[] = [
  {
    key: 'cnameFlattening',
    path: 'dns/cname-flattening',
    category: 'dns',
    needs: 'dns.cnameFlattening',
    to: `${SITE}/dns/dns-records`,
  },
  { key: 'wildcard', path: 'dns/wildcard', category: 'dns', needs: 'zone.wildcard', to: `${SITE}/dns/dns-records` },
  {
    key: 'staticRouting',
    path: 'dem/static-routing',
    category: 'DEM',
    needs: 'dns.staticRouting',
    to: `${SITE}/dem/routing-strategies`,
  },
  {
    key: 'dynamicRouting',
    path: 'dem/routing-strategies',
    category: 'DEM',
    needs: 'dns.dynamicRouting',
    to: `${SITE}/dem/routing-strategies`,
  },
  {
    key: 'geoFilter',
    path: 'dem/location-filter',
    category: 'DEM',
    needs: 'dns.geoFilter',
    to: `${SITE}/dem/routing-strategies`,
  },
  { key: 'pulse', path: 'dem/pulse', category: 'DEM', needs: null, to: `${SITE}/dem/pulse` },
  { key: 'vsr', path: 'dem/visitor-regions', category: 'DEM', needs: 'dns.vsr', to: `${SITE}/dem/routing-strategies` },
  {
    key: 'multiCdn',
    path: 'multi-cdn/cdn-management',
    category: 'multi-cdn',
    needs: 'multiCdn.enable',
    to: `${SITE}/multi-cdn/cdn-management`,
  },
  {
    key: 'honorOrigin',
    path: 'multi-cdn/honor-origin',
    category: 'multi-cdn',
    needs: 'cache.honorOrigin',
    to: `${SITE}/multi-cdn/cache-control`,
  },
  {
    key: 'advancedRules',
    path: 'multi-cdn/advanced-cache-rules',
    category: 'multi-cdn',
    needs: 'cache.advancedRules',
    to: `${SITE}/multi-cdn/cache-control`,
  },
  {
    key: 'byoCdn',
    path: 'multi-cdn/bring-my-cdn-account',
    category: 'multi-cdn',
    needs: 'byoCdn.enable',
    to: '/account/bring-my-cdn-account',
  },
  {
    key: 'websocket',
    path: 'multi-cdn/websocket',
    category: 'multi-cdn',
    needs: 'zone.websocket',
    to: `${SITE}/general-settings`,
  },
  {
    key: 'certificates',
    path: 'multi-cdn/certificates',
    category: 'multi-cdn',
    needs: 'ssl.zeroSSL',
    to: `${SITE}/multi-cdn/ssl`,
  },
  {
    key: 'bulkConfigure',
    path: 'multi-cdn/bulk-configure',
    category: 'multi-cdn',
    needs: 'bulkConfig.enable',
    to: '/domains/bulk-configure',
  },
  {
    key: 'shieldProtection',
    path: 'origin-shield/protection',
    category: 'origin-shield',
    needs: 'waf.enable',
    to: `${SITE}/origin-shield/firewall-rules`,
  },
  {
    key: 'shieldAssets',
    path: 'origin-shield/assets',
    category: 'origin-shield',
    needs: 'waf.enable',
    to: '/origin-shield/assets',
  },
  {
    key: 'shieldGeo',
    path: 'origin-shield/access-control/geo',
    category: 'origin-shield',
    needs: 'waf.acl.geo',
    to: `${SITE}/origin-shield/access-control`,
  },
  {
    key: 'streamAudience',
    path: 'stream/analytics/audience',
    category: 'stream',
    needs: 'vsp.enable',
    to: '/stream/analytics/audience',
  },
  {
    key: 'streamPerformance',
    path: 'stream/analytics/performance',
    category: 'stream',
    needs: 'vsp.enable',
    to: '/stream/analytics/performance',
  },
  {
    key: 'streamUsage',
    path: 'stream/analytics/usage',
    category: 'stream',
    needs: 'vsp.enable',
    to: '/stream/analytics/stream-usage',
  },
  { key: 'streamAssets', path: 'stream/assets', category: 'stream', needs: 'vsp.enable', to: '/stream/assets' },
  {
    key: 'liveStreams',
    path: 'stream/live-streams',
    category: 'stream',
    needs: 'vsp.enable',
    to: '/stream/live-streams',
  },
  { key: 'signedUrls', path: 'stream/signed-urls', category: 'stream', needs: 'vsp.enable', to: '/stream/signed-urls' },
  { key: 'powerUps', path: 'marketplace/power-ups', category: 'marketplace', needs: null, to: '/marketplace' },
  {
    key: 'teammates',
    path: 'account/teammate',
    category: 'account',
    needs: 'teammate.enable',
    to: '/account/teammate',
  },
]

export function productAt({
  category,
  childCategory,
  grandChildCategory,
}: {
  category?: string | undefined
  childCategory?: string | undefined
  grandChildCategory?: string | undefined
}): Product | undefined {
  const path = [category, childCategory, grandChildCategory].filter((part) => part !== undefined).join('/')
  return PRODUCTS.find((product) => product.path === path)
}

/**
 * `included`: open now. `not-in-plan`: another plan has it. `not-here`: no plan of this installation can have it yet.
 */
export type Standing = 'included' | 'not-in-plan' | 'not-here'

export function standingOf(
  { needs, to }: Pick<Product, 'needs' | 'to'>,
  ability: readonly string[],
  isBuilt: (path: string) => boolean,
): Standing {
  if (to === null || !isBuilt(to)) return 'not-here'
  return needs === null || ability.includes(needs) ? 'included' : 'not-in-plan'
}

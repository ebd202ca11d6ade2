/** Abilities a plan may have; routes and screens name the one they need. */
export const PLAN_FEATURES = [
  'multiCdn.enable',
  'dns.staticRouting',
  'dns.dynamicRouting',
  'dns.geoFilter',
  'dns.vsr',
  'dns.cnameFlattening',
  'waf.enable',
  'waf.acl.geo',
  'vsp.enable',
  'zone.websocket',
  'zone.wildcard',
  'ssl.zeroSSL',
  'cache.honorOrigin',
  'cache.advancedRules',
  'bulkConfig.enable',
  'byoCdn.enable',
  'teammate.enable',
] as const
export type PlanFeature = (typeof PLAN_FEATURES)[number]

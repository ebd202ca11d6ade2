import type { RouteRules } from './situation.ts'

const login: RouteRules = { entry: 'login' }
const open: RouteRules = { entry: 'public' }
const ofSite: RouteRules = { entry: 'signed-in' }
/** Pages of the account: they need no site. */
const ofAccount: RouteRules = { entry: 'signed-in', skip: ['site'] }
/** Where people get help whatever is missing. */
const ofHelp: RouteRules = { entry: 'signed-in', skip: ['survey', 'plan', 'payment', 'site'] }

/** Who gets into which page: by the first segments of its path. */
const RULES: Readonly<Record<string, RouteRules>> = {
  account: ofAccount,
  'account/audit-log': { ...ofAccount, permission: 'ViewAuditLog' },
  'account/billing': {
    entry: 'signed-in',
    skip: ['payment', 'site'],
    permission: 'ViewSubscription',
    partnerFeature: 'billing',
  },
  'account/bring-my-cdn-account': { ...ofAccount, audience: 'enterprise' },
  'account/teammate': {
    ...ofAccount,
    permission: 'ViewUser',
    feature: { ability: 'teammate.enable', welcome: 'account/teammate' },
  },
  'account/user-profile': { ...ofAccount, partnerFeature: 'account' },
  'add-site': ofAccount,
  'dem/private-data': { ...ofAccount, partnerFeature: 'pulse' },
  'dem/pulse': { ...ofAccount, partnerFeature: 'pulse' },
  // Their screens belong to a site: without one they lead to its choice.
  dem: ofSite,
  docs: open,
  'draft-site': ofAccount,
  analytics: { ...ofSite, feature: { ability: 'multiCdn.enable', welcome: 'multi-cdn/cdn-management' } },
  'analytics/dem': ofSite,
  'analytics/dns': ofSite,
  domains: { entry: 'signed-in', audience: 'enterprise' },
  'domains/bulk-configure': {
    entry: 'signed-in',
    audience: 'enterprise',
    feature: { ability: 'bulkConfig.enable', welcome: 'multi-cdn/bulk-configure' },
  },
  'forgot-password': login,
  guide: ofAccount,
  home: ofSite,
  login,
  // Before any check of a token: these bring one of their own.
  loginas: { entry: 'public', inMaintenance: 'all' },
  maintenance: { entry: 'public', inMaintenance: 'all' },
  'mfa-verify': login,
  marketplace: { ...ofAccount, permission: 'ViewSite', partnerFeature: 'powerUps' },
  // Lists over all sites; their places below a site have rules of their own.
  'multi-cdn': { ...ofSite, feature: { ability: 'multiCdn.enable', welcome: 'multi-cdn/cdn-management' } },
  mvp: open,
  'my-tickets': { ...ofHelp, partnerFeature: 'support' },
  oauth: open,
  'on-hold': ofHelp,
  operator: {
    entry: 'signed-in',
    inMaintenance: 'operator',
    skip: ['survey', 'plan', 'payment', 'site'],
    audience: 'operator',
  },
  'origin-shield': { ...ofSite, feature: { ability: 'waf.enable', welcome: 'origin-shield/assets' } },
  pricing: { entry: 'public', partnerFeature: 'price' },
  redirect: open,
  'reset-password': open,
  'select-plan': { entry: 'signed-in', skip: ['plan', 'payment', 'site'] },
  setup: login,
  signup: login,
  // Videos belong to the organisation, with or without a site.
  'stream/add-cdn': { ...ofAccount, feature: { ability: 'vsp.enable', welcome: 'stream/assets' } },
  'stream/setup': { ...ofAccount, feature: { ability: 'vsp.enable', welcome: 'stream/assets' } },
  'stream/analytics': { ...ofAccount, feature: { ability: 'vsp.enable', welcome: 'stream/analytics/audience' } },
  'stream/assets': { ...ofAccount, feature: { ability: 'vsp.enable', welcome: 'stream/assets' } },
  'stream/live-streams': { ...ofAccount, feature: { ability: 'vsp.enable', welcome: 'stream/live-streams' } },
  'stream/signed-urls': { ...ofAccount, feature: { ability: 'vsp.enable', welcome: 'stream/signed-urls' } },
  // Where a partner answers by mail, its address stands there.
  support: ofHelp,
  survey: { entry: 'signed-in', skip: ['survey', 'plan', 'payment', 'site'] },
  'upgrade-plan': { ...ofAccount, partnerFeature: 'price' },
  'verify-email': open,
  'verify-invite-email': open,
  welcome: ofAccount,
}

/** Below a site, or a site and a domain. */
const RULES_OF_SITE: Readonly<Record<string, RouteRules>> = {
  'analytics/origin-shield': {
    entry: 'signed-in',
    feature: { ability: 'waf.enable', welcome: 'origin-shield/protection' },
  },
  'dem/pulse': { entry: 'signed-in', partnerFeature: 'pulse' },
  'multi-cdn': { entry: 'signed-in', feature: { ability: 'multiCdn.enable', welcome: 'multi-cdn/cdn-management' } },
  'origin-shield': { entry: 'signed-in', feature: { ability: 'waf.enable', welcome: 'origin-shield/protection' } },
  stream: { entry: 'signed-in', feature: { ability: 'vsp.enable', welcome: 'stream/assets' } },
}

export type Target = { rules: RouteRules; site?: string; domain?: string }

/** What a path names and who gets in there. What is none of our pages begins with a site, and then maybe a domain. */
export function targetOf(pathname: string): Target {
  const [first, ...rest] = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  if (first === undefined) return { rules: { entry: 'root' } }
  const [second] = rest
  const rules = RULES[`${first}/${second}`] ?? RULES[first]
  if (rules) return { rules }
  const hasDomain = second !== undefined && (second.includes('.') || ALL_DOMAINS.has(second) || ID.test(second))
  const [section = '', page] = hasDomain ? rest.slice(1) : rest
  return {
    rules: RULES_OF_SITE[`${section}/${page}`] ?? RULES_OF_SITE[section] ?? ofSite,
    site: first,
    ...(hasDomain ? { domain: second } : {}),
  }
}

const ALL_DOMAINS = new Set(['all', 'no-domain'])
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

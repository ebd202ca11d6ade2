import type { ApiTier, GrantedPermission } from '@fairway/contract'

/** What a teammate may be given a level of; `site` is DNS, multi-CDN and Origin Shield together. */
export const RESOURCES = ['site', 'teammate', 'dem', 'auditLog', 'billing'] as const
export type Resource = (typeof RESOURCES)[number]

export const LEVELS = ['none', 'viewer', 'editor', 'admin'] as const
export type Level = (typeof LEVELS)[number]

export const API_TIERS = [1, 2, 3, 4] as const satisfies readonly ApiTier[]

/**
 * A user's levels and the tier that their API keys may have; what is not named is `none`. The organisation's first user
 * is its owner and may do everything.
 */
export type Role =
  | { owner: true }
  | { owner?: false; levels: Partial<Record<Resource, Level>>; apiTier?: ApiTier | null }

/**
 * What each level adds to the ones below it. People are invited by an editor of teammates; suspended, removed and given
 * roles by an admin, who also looks after what the organisation's other systems are told. The keys of its own CDN
 * accounts belong to whoever runs its CDNs.
 */
const ADDED: Readonly<Record<Resource, Readonly<Record<Exclude<Level, 'none'>, readonly GrantedPermission[]>>>> = {
  site: { viewer: ['ViewSite'], editor: ['AddSite', 'EditSite', 'ViewCdnKey'], admin: ['RemoveSite', 'EditCdnKey'] },
  teammate: {
    viewer: ['ViewUser'],
    editor: ['AddUser'],
    admin: ['EditUser', 'RemoveUser', 'ViewApiKey', 'EditApiKey', 'ViewWebhook', 'EditWebhook'],
  },
  dem: { viewer: ['ViewPerformancePolicy'], editor: ['EditPerformancePolicy'], admin: [] },
  auditLog: { viewer: ['ViewAuditLog'], editor: [], admin: [] },
  billing: { viewer: ['ViewSubscription'], editor: ['EditSubscription'], admin: [] },
}

/**
 * Whose permissions a key has, as far as its tier goes. What deletes, purges or handles certificates has none of its own
 * beside those of a site: the routes say the tier that they need.
 */
const TIERS: Readonly<Record<ApiTier, readonly GrantedPermission[]>> = {
  1: ['ViewSite', 'ViewPerformancePolicy'],
  2: ['AddSite', 'EditSite', 'EditPerformancePolicy'],
  3: ['RemoveSite'],
  4: [],
}

/** Whoever may use the API handles their own keys; what a key may do is its tier's. */
const WITH_ANY_TIER: readonly GrantedPermission[] = ['ViewApiKey', 'EditApiKey']

/**
 * The permissions a role gives; in a read-only (sandbox) organisation only those that view. The operator's permission
 * is no role's.
 */
export function permissionsOf(role: Role, { readOnly = false } = {}): Set<GrantedPermission> {
  const granted = RESOURCES.flatMap((resource) =>
    upTo(resource, role.owner ? 'admin' : (role.levels[resource] ?? 'none')),
  )
  if (!role.owner && role.apiTier) granted.push(...WITH_ANY_TIER)
  return new Set(readOnly ? granted.filter(isViewing) : granted)
}

/** The tier that a role's API keys may have at most; null for none. */
export const apiTierOf = (role: Role): ApiTier | null => (role.owner ? 4 : (role.apiTier ?? null))

/** The permissions of an API key; each tier includes those below it. */
export const permissionsOfTier = (tier: ApiTier): Set<GrantedPermission> =>
  new Set(API_TIERS.filter((one) => one <= tier).flatMap((one) => TIERS[one]))

function upTo(resource: Resource, level: Level): GrantedPermission[] {
  const reached = LEVELS.slice(1, LEVELS.indexOf(level) + 1)
  return reached.flatMap((one) => (one === 'none' ? [] : ADDED[resource][one]))
}

const isViewing = (permission: GrantedPermission): boolean => permission.startsWith('View')

import { type AnyRoute, type ApiTier, type GrantedPermission, type PartnerFeature, tierFor } from '@fairway/contract'

/** Whose call is judged: what they may do by their role, and what the organisation they are in closes. */
export type Caller = {
  permissions: ReadonlySet<GrantedPermission>
  isOperator: boolean
  /** The partner whose organisations this person looks after. */
  administersPartnerId: string | null
  hiddenFeatures: ReadonlySet<PartnerFeature>
  /** Read-only demonstration organisation. */
  sandbox: boolean
  /** Who looks on as this user; null for the user itself. */
  impostor: string | null
  /** The key that calls for this user; null for the user in person. */
  apiKeyId: string | null
  /** What that key may do, 0 (nothing any more) to 4; null for the user in person. */
  keyTier: number | null
}

/** `tier` is what an API key needs for it, when a key of that tier could do it; null when something else is in the way. */
export type Refusal = { why: string; tier: ApiTier | null }

type Declared = Pick<
  AnyRoute,
  'permission' | 'method' | 'audit' | 'partnerFeature' | 'scope' | 'personal' | 'lasting' | 'inSession' | 'apiTier'
>

/**
 * Why a signed-in person may not call a route, from its declaration; null when they may. The API asks this for every
 * call, and *Who can do this?* for every person.
 */
export function mayNotCall(caller: Caller, route: Declared): Refusal | null {
  if (route.permission === 'public') return null
  const closed = isClosed(caller, route)
  if (closed !== null) return { why: closed, tier: null }
  const tier = tierFor(route)
  if (caller.keyTier !== null && caller.keyTier < tier && route.permission !== 'operator')
    return { why: `for API keys of tier ${tier}`, tier }
  return route.permission === 'signed-in' || holds(caller, route) ? null : { why: 'without the permission', tier: null }
}

/** What is in the way whatever the caller holds. */
function isClosed(caller: Caller, route: Declared): string | null {
  if (route.permission === 'node') return 'for nodes'
  const refused = notInPerson(caller, route)
  if (refused !== null) return refused
  if (route.partnerFeature && caller.hiddenFeatures.has(route.partnerFeature)) return 'the partner hides it'
  if (caller.sandbox && route.method !== 'GET' && route.audit && route.audit !== LEAVING)
    return 'the sandbox is read-only'
  return null
}

/** Signing out changes nothing in an organisation. */
const LEAVING = 'auth.logout'

/** What is the person's own, or lasts, is closed to whoever looks on; the own to keys and who share an account, too. */
function notInPerson(
  { impostor, apiKeyId, sandbox }: Caller,
  { personal, lasting, inSession, permission, method }: Declared,
): string | null {
  if ((personal || lasting) && impostor !== null) return 'whoever looks on may not do this'
  if (personal && sandbox) return "the sandbox is everybody's"
  return apiKeyId !== null && (personal || inSession || (permission === 'signed-in' && method !== 'GET'))
    ? 'an API key is not the person'
    : null
}

function holds({ permissions, isOperator, administersPartnerId }: Caller, { permission, scope }: Declared): boolean {
  if (permission === 'operator') return isOperator || (scope === 'partner' && administersPartnerId !== null)
  // Holds because the kinds that are no granted permission have been answered above.
  return permissions.has(permission as GrantedPermission)
}

import type { AnyRoute, GrantedPermission, PartnerFeature } from '@fairway/contract'

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
}

type Declared = Pick<
  AnyRoute,
  'permission' | 'method' | 'audit' | 'partnerFeature' | 'scope' | 'personal' | 'inSession'
>

/**
 * Why a signed-in person may not call a route, from its declaration; null when they may. The API asks this for every
 * call, and *Who can do this?* for every person.
 */
export function mayNotCall(caller: Caller, route: Declared): string | null {
  if (route.permission === 'public') return null
  if (route.permission === 'node') return 'for nodes'
  const refused = notInPerson(caller, route)
  if (refused !== null) return refused
  if (route.partnerFeature && caller.hiddenFeatures.has(route.partnerFeature)) return 'the partner hides it'
  if (caller.sandbox && route.method !== 'GET' && route.audit && route.audit !== LEAVING)
    return 'the sandbox is read-only'
  return route.permission === 'signed-in' || holds(caller, route) ? null : 'without the permission'
}

/** Signing out changes nothing in an organisation. */
const LEAVING = 'auth.logout'

/** What is the person's own is closed to whoever acts for them, and to those who share an account. */
function notInPerson(
  { impostor, apiKeyId, sandbox }: Caller,
  { personal, inSession, permission, method }: Declared,
): string | null {
  if (personal && impostor !== null) return 'whoever looks on may not do this'
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

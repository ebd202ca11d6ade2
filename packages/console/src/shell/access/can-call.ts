import type { AccountInfo, PartnerFeature, Permission } from '@fairway/contract'

export type Guarded = {
  permission: Permission
  planFeature?: string
  partnerFeature?: PartnerFeature
  scope?: 'installation' | 'partner'
  lasting?: true
}

/** May this user call that route? Its own declaration answers. */
export function canCall(
  user: Pick<AccountInfo, 'plan' | 'isOperator' | 'permissions'> &
    Partial<Pick<AccountInfo, 'hideFeature' | 'administersPartner' | 'impostor'>>,
  { permission, planFeature, partnerFeature, scope, lasting }: Guarded,
): boolean {
  // The banner of the look says why.
  if (lasting && typeof user.impostor === 'string') return false
  if (planFeature !== undefined && !user.plan.ability.includes(planFeature)) return false
  if (partnerFeature !== undefined && user.hideFeature?.includes(partnerFeature)) return false
  if (permission === 'public' || permission === 'signed-in') return true
  if (permission === 'operator') return user.isOperator || (scope === 'partner' && user.administersPartner === true)
  return user.permissions.includes(permission)
}

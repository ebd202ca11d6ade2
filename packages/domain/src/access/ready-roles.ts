import type { ReadyRole, RoleId } from '@fairway/contract'

/** Roles for the work that people usually have; each level in them may be changed afterwards. */
export const READY_ROLES: Readonly<Record<ReadyRole, readonly RoleId[]>> = {
  viewer: ['site-viewer', 'teammate-viewer', 'dem-viewer', 'auditLog-viewer', 'billing-viewer'],
  'dns-editor': ['site-editor', 'dem-viewer', 'api-tier-2'],
  steering: ['site-viewer', 'dem-editor'],
  security: ['site-editor', 'teammate-viewer', 'auditLog-viewer'],
  billing: ['billing-editor'],
  administrator: ['site-admin', 'teammate-admin', 'dem-admin', 'auditLog-admin', 'billing-admin', 'api-tier-4'],
}

/** The ready role that these roles are, whatever their order; null when they are put together otherwise. */
export function readyRoleOf(roleIds: readonly RoleId[]): ReadyRole | null {
  const text = (ids: readonly RoleId[]) => [...ids].sort().join()
  for (const [role, ids] of Object.entries(READY_ROLES)) if (text(ids) === text(roleIds)) return role as ReadyRole
  return null
}

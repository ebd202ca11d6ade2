/**
 * Who may call a route. `public`: anyone. `signed-in`: any user. `operator`: users with the operator role. `node`:
 * serving nodes with the node token.
 * The others are given by roles.
 */
export const PERMISSIONS = [
  'public',
  'signed-in',
  'operator',
  'node',
  'AddSite',
  'ViewSite',
  'EditSite',
  'RemoveSite',
  'AddUser',
  'ViewUser',
  'EditUser',
  'RemoveUser',
  'ViewPerformancePolicy',
  'EditPerformancePolicy',
  'ViewSubscription',
  'EditSubscription',
  'ViewAuditLog',
  'ViewApiKey',
  'EditApiKey',
  'ViewWebhook',
  'EditWebhook',
  'ViewCdnKey',
  'EditCdnKey',
] as const
export type Permission = (typeof PERMISSIONS)[number]
export type GrantedPermission = Exclude<Permission, 'public' | 'signed-in' | 'node'>

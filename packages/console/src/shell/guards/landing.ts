import type { AccountInfo } from '@fairway/contract'

/** Only a path of ours: `//elsewhere` and `/\elsewhere` would leave the console. */
export function isPathInside(path: string | undefined): path is string {
  return path !== undefined && /^\/(?![/\\])/.test(path)
}

/** Where signing in leads to when nothing was asked for. */
export function landingOf({
  organizationMasterApp,
  organizationAwsCustomerId,
  plan,
  permissions,
  hideFeature,
}: Pick<
  AccountInfo,
  'organizationMasterApp' | 'organizationAwsCustomerId' | 'plan' | 'permissions' | 'hideFeature'
>): string {
  // Who may see no site has come for the invoices, as far as those may be seen.
  if (!permissions.includes('ViewSite'))
    return permissions.includes('ViewSubscription') && !hideFeature.includes('billing') ? '/account/billing' : '/home'
  if (organizationMasterApp !== 'web') return '/stream/analytics/audience'
  return organizationAwsCustomerId !== null && plan.ability.includes('waf.enable') ? '/origin-shield/assets' : '/home'
}

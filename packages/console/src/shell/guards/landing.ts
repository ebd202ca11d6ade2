import type { AccountInfo } from '@fairway/contract'

/** Only a path of ours: `//elsewhere` and `/\elsewhere` would leave the console. */
export function isPathInside(path: string | undefined): path is string {
  return path !== undefined && /^\/(?![/\\])/.test(path)
}

/** Where the bare address leads to. Who may see no site has come for the invoices, as far as those may be seen. */
export function homeOf({ permissions, hideFeature }: Pick<AccountInfo, 'permissions' | 'hideFeature'>): string {
  const onlyPays = !permissions.includes('ViewSite') && permissions.includes('ViewSubscription')
  return onlyPays && !hideFeature.includes('billing') ? '/account/billing' : '/home'
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
  if (!permissions.includes('ViewSite')) return homeOf({ permissions, hideFeature })
  if (organizationMasterApp !== 'web') return '/stream/analytics/audience'
  return organizationAwsCustomerId !== null && plan.ability.includes('waf.enable') ? '/origin-shield/assets' : '/home'
}

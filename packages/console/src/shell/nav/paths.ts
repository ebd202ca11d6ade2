/**
 * Pages that other pages only lead to when they are there (`useIsBuilt`), so they are addresses and not the router's
 * own types.
 */
export const PATHS: Readonly<Record<'signup' | 'support' | 'upgradePlan' | 'userProfile', string>> = {
  signup: '/signup',
  support: '/support',
  upgradePlan: '/upgrade-plan',
  userProfile: '/account/user-profile',
}

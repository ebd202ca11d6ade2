import type { AccountInfo, Site } from '@fairway/contract'
import { canCall } from '../access/can-call.ts'
import { homeOf, isPathInside } from './landing.ts'
import type { Check, Guard, Situation, Verdict } from './situation.ts'

export const MAINTENANCE = '/maintenance'
export const PAYMENT = '/account/billing/payment?layout=addAssets'
export const ON_HOLD = '/on-hold'

/**
 * Closed for maintenance: for everyone but who looks on as somebody, customers of partners that ignore it, and the
 * operator where it is ended.
 */
export const maintenance: Guard = ({
  href,
  rules: { entry, inMaintenance },
  account,
  partner,
  maintenanceMode,
  next,
}) => {
  if (!maintenanceMode || account?.impostor || partner?.ignoreMaintenanceMode)
    return href === MAINTENANCE ? { to: '/' } : null
  if (inMaintenance === 'all') return null
  if (inMaintenance === 'operator' && (account === null || account.isOperator)) return null
  // The operator signs in to end it, and comes from there.
  return entry === 'login' && next?.startsWith('/operator') ? null : { to: MAINTENANCE }
}

/** Nobody without a session gets further than the pages for them. */
export const signIn: Guard = ({ href, rules: { entry }, account }) => {
  if (account !== null || entry === 'public' || entry === 'login') return null
  return { to: entry === 'root' ? '/login' : `/login?next=${encodeURIComponent(href)}` }
}

/** Who is signed in has no business at the bare address or where one signs in; support may look. */
export const signedInAlready: Guard = ({ rules: { entry }, account, supportMode, next }) => {
  if (account === null) return null
  if (entry === 'root') return { to: homeOf(account) }
  if (entry !== 'login' || supportMode) return null
  return { to: isPathInside(next) ? next : homeOf(account) }
}

/** A new account proves its address first. */
export const verify = asked('verify', ({ hasEmailVerified }) => (hasEmailVerified ? null : { to: '/verify-email' }))

export const survey = asked('survey', ({ organizationIndustry, organizationJobTitle, organizationCode }) =>
  organizationIndustry === null && organizationJobTitle === null && organizationCode !== ENTERPRISE
    ? { to: '/survey' }
    : null,
)

export const plan = asked('plan', ({ planChosen }) => (planChosen ? null : { to: '/select-plan' }))

export const payment = asked('payment', (account, { supportMode }) => {
  if (account.organizationStatus === 'active' || supportMode) return null
  // Who has no way to pay is told who has.
  const maySee = canCall(account, { permission: 'ViewSubscription' }) && !account.hideFeature.includes('billing')
  return { to: maySee ? PAYMENT : ON_HOLD }
})

/** Without a site the web application begins with one; who may not add any is taught what would be there. */
export const firstSite = asked('site', (account) => {
  const { organizationMasterApp, siteCount } = account
  return organizationMasterApp === 'web' && siteCount === 0 && canCall(account, { permission: 'AddSite' })
    ? { to: '/add-site' }
    : null
})

/** What the partner hides, and what is for others, is not there; what the role does not include is refused. */
export const closed: Guard = ({ rules: { partnerFeature, audience, permission }, account, partner }) => {
  const hidden = account?.hideFeature ?? partner?.hideFeature ?? []
  if (partnerFeature !== undefined && hidden.includes(partnerFeature)) return { status: 404 }
  if (account === null) return null
  if (audience === 'operator' && !account.isOperator && !account.administersPartner) return { status: 404 }
  if (audience === 'enterprise' && account.organizationCode !== ENTERPRISE) return { status: 403 }
  return permission === undefined || canCall(account, { permission }) ? null : { status: 403 }
}

/** A feature that the plan lacks is shown on its welcome page. */
export const feature: Guard = ({ rules, account, place: { site, domain } }) => {
  if (rules.feature === undefined || account === null || account.plan.ability.includes(rules.feature.ability))
    return null
  const place = [site, domain].filter((part) => part !== undefined).map((part) => `/${encodeURIComponent(part)}`)
  return { to: `${place.join('')}/welcome/${rules.feature.welcome}` }
}

/**
 * `all` and `no-site` in the place of a site mean the whole account: its home, or the guide to a screen of sites. `all`
 * and `no-domain` for a domain are read by the screens.
 */
export const wholeAccount: Guard = ({ href, place: { site } }) => {
  if (site !== 'all' && site !== 'no-site') return null
  const [, , ...rest] = pathOf(href).split('/')
  const [category, childCategory] = rest[0] === 'all' || rest[0] === 'no-domain' ? rest.slice(1) : rest
  return { to: category === undefined || childCategory === undefined ? '/home' : `/guide/${category}/${childCategory}` }
}

/**
 * A draft is not served, so there is nothing to show of it: it goes on where it was left, for who may; others are told
 * so in words.
 */
export function draft(
  { id, domainName, zoneStatus }: Pick<Site, 'id' | 'domainName' | 'zoneStatus'>,
  account: AccountInfo,
): Verdict {
  if (zoneStatus !== 0) return null
  const name = `zone_name=${encodeURIComponent(domainName)}`
  return canCall(account, { permission: 'EditSite' })
    ? { to: `/add-site/review-domains?zone_id=${encodeURIComponent(id)}&${name}` }
    : { to: `/draft-site?${name}` }
}

/**
 * May the header without navigation lead home? Only an account in good standing, and only when there is something
 * there.
 */
export function canGoHome(
  { organizationStatus, organizationMasterApp }: Pick<AccountInfo, 'organizationStatus' | 'organizationMasterApp'>,
  supportMode: boolean,
  sites: readonly Pick<Site, 'zoneStatus'>[],
): boolean {
  return (
    (organizationStatus === 'active' || supportMode) &&
    (organizationMasterApp !== 'web' || sites.some(({ zoneStatus }) => zoneStatus !== 0))
  )
}

/** `EnterpriseCustomer` marks the customers for whom much is arranged by people. */
export const ENTERPRISE = 'EnterpriseCustomer'

/** In the order in which they ask; the first that objects decides. */
const CHAIN: readonly Guard[] = [
  maintenance,
  signIn,
  signedInAlready,
  verify,
  survey,
  plan,
  payment,
  firstSite,
  closed,
  wholeAccount,
  feature,
]

export function verdictOn(situation: Situation): Verdict {
  for (const guard of CHAIN) {
    const verdict = guard(situation)
    if (verdict !== null) return verdict
  }
  return null
}

const pathOf = (href: string): string => href.replace(/[?#].*$/, '')

/** Asks signed-in people something, unless the route leaves it out. A demonstration is for looking: it asks nothing. */
function asked(check: Check, ask: (account: AccountInfo, situation: Situation) => Verdict): Guard {
  return (situation) => {
    const { rules, account } = situation
    if (account === null || rules.entry !== 'signed-in' || account.sandboxMode || rules.skip?.includes(check))
      return null
    return ask(account, situation)
  }
}

import type { AccountInfo, PartnerFeature, PartnerInfo, Permission, PlanFeature } from '@fairway/contract'

/** Checks that a route may leave out: a page that does what a check asks for must not be behind it. */
export type Check = 'verify' | 'survey' | 'plan' | 'payment' | 'site'

/** What a route says about who gets in. */
export type RouteRules = {
  /**
   * `public`: everyone. `login`: people who are not signed in yet. `root`: the bare address. `signed-in`: everyone
   * else's default.
   */
  entry: 'public' | 'login' | 'root' | 'signed-in'
  /** Open while everything is closed for maintenance: to all, or to the operator alone. */
  inMaintenance?: 'all' | 'operator'
  skip?: readonly Check[]
  permission?: Permission
  audience?: 'operator' | 'enterprise'
  /** Not there for customers of a partner that hides it. */
  partnerFeature?: PartnerFeature
  /**
   * Ability that the plan must have, and the welcome page to those who lack it: `category/child` or
   * `category/child/grandchild`.
   */
  feature?: { ability: PlanFeature; welcome: string }
}

/** Everything that a decision at the door depends on. */
export type Situation = {
  /** Path and query, without a language in front. */
  href: string
  rules: RouteRules
  /** Of the address: the site and domain it is about. */
  place: { site?: string | undefined; domain?: string | undefined }
  /** `soc=1`: somebody of support looks on. */
  supportMode: boolean
  /** `next` of a login page. */
  next: string | undefined
  account: AccountInfo | null
  /** What the partner's settings say; null while they could not be read. */
  partner: Pick<PartnerInfo, 'ignoreMaintenanceMode' | 'hideFeature'> | null
  maintenanceMode: boolean
}

/** Where to instead, or what is shown in its place; null lets in. */
export type Verdict = { to: string } | { status: 403 | 404 } | null

export type Guard = (situation: Situation) => Verdict

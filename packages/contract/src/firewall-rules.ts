import { z } from 'zod'
import { ChallengeMode } from './security-switches.ts'
import { LIMITS } from './limits.ts'
import { HeaderName } from './http-header-rewrite.ts'
import { RuleOrder, RulesQuery, SecurityRuleInput, SecurityRuleRow } from './security-rules.ts'
import { changed, del, feature, get, page, post, put } from './route.ts'

/** What requests are counted by; several are counted together. */
export const RateLimitKey = z.discriminatedUnion('by', [
  z.object({ by: z.literal('address') }),
  z.object({ by: z.literal('path') }),
  z.object({ by: z.literal('header'), name: HeaderName }),
  z.object({ by: z.literal('cookie'), name: z.string().regex(/^[\w.-]{1,64}$/, 'validation.cookieName') }),
])
export type RateLimitKey = z.infer<typeof RateLimitKey>

export const RateLimit = z.object({
  requests: z.int().min(LIMITS.rateLimit.requests.min).max(LIMITS.rateLimit.requests.max),
  /** The window that slides over the requests. */
  seconds: z.int().min(LIMITS.rateLimit.seconds.min).max(LIMITS.rateLimit.seconds.max),
  /** How long whoever went beyond is answered 429. */
  blockSeconds: z.int().min(LIMITS.rateLimit.blockSeconds.min).max(LIMITS.rateLimit.blockSeconds.max),
  keys: z.array(RateLimitKey).min(1).max(4),
})
export type RateLimit = z.infer<typeof RateLimit>

/**
 * A whole address, or one whose host is made from the one asked for (`https://m.{host}`), to which path and query are
 * added.
 */
export const RedirectTarget = z
  .string()
  .trim()
  .max(1000)
  .regex(
    /^https?:\/\/(?:[a-z0-9.-]*\{host\}(?::\d{1,5})?|[A-Za-z0-9.-]+(?::\d{1,5})?(?:[/?#][\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*)?)$/,
    'validation.redirectTarget',
  )

export const FirewallAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('block') }),
  /** No later rule and no bot management looks at it. */
  z.object({ type: z.literal('pass') }),
  z.object({ type: z.literal('rate-limit'), limit: RateLimit }),
  z.object({ type: z.literal('redirect'), location: RedirectTarget }),
  z.object({ type: z.literal('challenge'), mode: ChallengeMode.default('browser-standard') }),
  /** Is written down, and nothing else. */
  z.object({ type: z.literal('simulate') }),
])
export type FirewallAction = z.infer<typeof FirewallAction>

export const FirewallRuleInput = SecurityRuleInput.extend({ action: FirewallAction })
export type FirewallRuleInput = z.infer<typeof FirewallRuleInput>
export const FirewallRule = FirewallRuleInput.extend({
  ...SecurityRuleRow.shape,
  /** Requests that it fitted in the days that the threat log is kept; null where that is not known now. */
  hits: z.int().nullable(),
  lastHitAt: z.iso.datetime().nullable(),
})
export type FirewallRule = z.infer<typeof FirewallRule>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/firewall-rules'
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security'] } as const

export const firewallRules = feature('firewall-rules', {
  list: get(`${AT}/`, {
    fromReplica: true,
    in: RulesQuery,
    out: page(FirewallRule),
    permission: 'ViewSite',
    errors: [],
  }),
  get: get(`${AT}/{id}/`, { out: FirewallRule, permission: 'ViewSite', errors: [] }),
  create: post(`${AT}/`, {
    ...common,
    in: FirewallRuleInput,
    out: changed(FirewallRule),
    errors: [26904],
    audit: 'firewallRule.create',
  }),
  clone: post(`${AT}/{id}/clone/`, {
    ...common,
    out: changed(FirewallRule),
    errors: [26904],
    audit: 'firewallRule.create',
    summary: 'The same rule once more, switched off, right behind it.',
  }),
  copy: post(`${AT}/{id}/copy/`, {
    ...common,
    in: z.object({ domains: z.array(z.uuid()).min(1).max(500) }),
    out: changed(
      z.object({
        copied: z.int(),
        /** The version of each other site that has it now; that of this site stands beside the data. */
        elsewhere: z.array(z.object({ site: z.string(), version: z.int() })),
      }),
    ),
    errors: [26904],
    audit: 'firewallRule.create',
    summary: "The same rule at the end of other domains' lists, of this and other sites: on all of them or on none.",
  }),
  update: put(`${AT}/{id}/`, {
    ...common,
    in: FirewallRuleInput,
    out: changed(FirewallRule),
    errors: [],
    audit: 'firewallRule.update',
  }),
  reorder: put(`${AT}/order/`, {
    ...common,
    in: RuleOrder,
    out: changed(z.object({ ids: z.array(z.string()) })),
    errors: [409],
    audit: 'firewallRule.reorder',
    summary: 'The order in which rules are read: the ids of all of them.',
  }),
  remove: del(`${AT}/{id}/`, {
    ...common,
    out: changed(z.object({ id: z.string() })),
    errors: [],
    audit: 'firewallRule.remove',
  }),
})

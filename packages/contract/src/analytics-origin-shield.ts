import { z } from 'zod'
import { ChartMark } from './analytics-dem.ts'
import { SHIELD_DIMENSIONS } from './lean.ts'
import { EpochSeconds, LATEST_SECOND } from './formats/epoch-seconds.ts'
import { feature, get } from './route.ts'
import { SecurityAction, SecurityPart } from './web-security.ts'

/** What is told apart by. `domain` is the id of a domain, `rule` that of a rule or entry, or a word for a whole part. */
export type ShieldDimension = (typeof SHIELD_DIMENSIONS)[number]

/** What is narrowed to. Without a site it is that of all sites; a domain comes with its site. */
export const ShieldFilter = z.object({
  site: z.uuid().optional(),
  domain: z.uuid().optional(),
  /** Several with commas between them. */
  part: z
    .string()
    .regex(/^[a-z-]+(,[a-z-]+){0,7}$/)
    .optional(),
  action: SecurityAction.optional(),
  rule: z.string().max(64).optional(),
  /** Empty is unknown. */
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/)
    .optional(),
})
export type ShieldFilter = z.infer<typeof ShieldFilter>

const Query = ShieldFilter.extend({
  seconds: z.coerce
    .number()
    .int()
    .min(60)
    .max(31 * 86_400)
    .default(86_400),
  /** Epoch seconds; the window ends here. Default now. */
  until: EpochSeconds.optional(),
})

const COUNTS = {
  /** All that were asked of the edge. */ requests: z.int(),
  bytes: z.int(),
  /** Answered by web security instead of the site: blocked, rate limited, redirected, challenged. */ stopped: z.int(),
  stoppedBytes: z.int(),
  /** Challenges that were asked. */ challenged: z.int(),
  /** Challenges that were solved. */ solved: z.int(),
  /** What a rule would have stopped, and only wrote down. */ simulated: z.int(),
}
export const ShieldCounts = z.object(COUNTS)
export type ShieldCounts = z.infer<typeof ShieldCounts>

export const ShieldReport = z.object({
  intervalSeconds: z.int(),
  points: z.array(z.object({ /** Epoch ms. */ at: z.number(), ...COUNTS })),
  totals: ShieldCounts,
  /** The window of the same length that ends where this one begins. */ before: ShieldCounts,
  marks: z.array(ChartMark),
})
export type ShieldReport = z.infer<typeof ShieldReport>

const Share = z.object({
  value: z.string(),
  /** Of a rule or domain, where it is still there. */ name: z.string().nullable(),
  requests: z.int(),
  bytes: z.int(),
})
export const ShieldBreakdown = z.object({
  intervalSeconds: z.int(),
  total: z.int(),
  /** The six values with most requests, then one line `other` when there are more. */
  series: z.array(
    z.object({
      value: z.string(),
      name: z.string().nullable(),
      other: z.boolean(),
      points: z.array(z.object({ at: z.number(), requests: z.int(), bytes: z.int() })),
    }),
  ),
  /** Most first, at most 100. */
  shares: z.array(Share),
  distinct: z.int(),
})
export type ShieldBreakdown = z.infer<typeof ShieldBreakdown>

export const CrawlerVisits = z.object({
  /** Part of the user agent. */ agent: z.string(),
  name: z.string(),
  /** Requests of its owner's machines. */ verified: z.int(),
  /** Before anything was found out about the address. */ unverified: z.int(),
  /** Of others under its name. */ false: z.int(),
})
export type CrawlerVisits = z.infer<typeof CrawlerVisits>

/** One request that web security did not let pass without a word. */
export const Threat = z.object({
  /** What the visitor's page printed. */ incident: z.string(),
  /** Epoch ms. */ at: z.number(),
  siteId: z.string(),
  domainId: z.string(),
  domain: z.string(),
  node: z.string(),
  category: SecurityPart,
  action: SecurityAction,
  ruleId: z.string(),
  /** Null for a part as a whole, and for a rule that is gone. */ ruleName: z.string().nullable(),
  reason: z.string(),
  address: z.string(),
  country: z.string(),
  /** Autonomous system, `AS64496`; empty is unknown. */ network: z.string(),
  method: z.string(),
  path: z.string(),
  /** Without the question mark; values of secret parameters are left out and a control character stands for them. */
  query: z.string(),
  agent: z.string(),
  status: z.int(),
  bytes: z.int(),
  /** What the rule found; null when it looks at nothing of the request. */
  matched: z.object({ field: z.string(), name: z.string(), text: z.string() }).nullable(),
  /** How many the row stands for: in a flood not each is written down. */ weight: z.int(),
})
export type Threat = z.infer<typeof Threat>

const LOGINS = {
  /** All below. */ attempts: z.int(),
  /** As the rule judges the origin's answer. */ succeeded: z.int(),
  failed: z.int(),
  /** The origin did not answer, or with what is neither a failure of the rule nor a success. */ unjudged: z.int(),
  /** Not let through to the origin. */ keptOut: z.int(),
}
const LoginCounts = z.object(LOGINS)
export type LoginCounts = z.infer<typeof LoginCounts>

/** How the logins at one path went. */
export const LoginPath = z.object({
  /** As the rules say it, `*` at the end for all below; null for what rules counted that are gone. */
  path: z.string().nullable(),
  /** Null where no rule counts logins: only leaked passwords are told there. */ logins: LoginCounts.nullable(),
  /** Of the logins that reached the origin, those with a password known from a breach; null while nobody looks. */
  leaked: z.int().nullable(),
  /** Each interval of the range; null before the first rule was there, and after the present. */
  points: z.array(z.object({ /** Epoch ms. */ at: z.number(), logins: LoginCounts.nullable(), leaked: z.int() })),
})
export type LoginPath = z.infer<typeof LoginPath>

const AT = '/analytics/v2/origin-shield'

export const analyticsOriginShield = feature('analytics-origin-shield', {
  report: get(`${AT}/`, {
    fromReplica: true,
    in: Query,
    out: ShieldReport,
    permission: 'ViewSite',
    errors: [503],
    summary: 'What was asked of the edge over time, and what web security stopped of it, beside the window before.',
  }),
  breakdown: get(`${AT}/breakdown/`, {
    fromReplica: true,
    in: Query.extend({ by: z.enum(SHIELD_DIMENSIONS).default('action') }),
    out: ShieldBreakdown,
    permission: 'ViewSite',
    errors: [503],
    summary: 'What web security stopped, asked or simulated, told apart by one dimension.',
  }),
  crawlers: get(`${AT}/crawlers/`, {
    fromReplica: true,
    in: Query.omit({ part: true, action: true, rule: true }),
    out: z.object({ data: z.array(CrawlerVisits) }),
    permission: 'ViewSite',
    errors: [503],
    summary: 'Who called itself a crawler, by what looking its address up in both directions has said. Most first.',
  }),
  logins: get(`${AT}/logins/`, {
    fromReplica: true,
    in: Query.pick({ seconds: true, until: true }).extend({ site: z.uuid(), domain: z.uuid() }),
    out: z.object({
      intervalSeconds: z.int(),
      /** Most attempts first. Empty: no rule is about a login, and none was. */ data: z.array(LoginPath),
    }),
    permission: 'ViewSite',
    errors: [503],
    summary: 'How logins went over time by their paths: tried, succeeded, failed, kept out, with leaked passwords.',
  }),
  /** Newest first. */
  threats: get(`${AT}/threats/`, {
    fromReplica: true,
    in: Query.extend({
      /** An incident id or its beginning, an address, a rule, or a part of path or user agent. */
      search: z.string().max(200).optional(),
      address: z.string().max(45).optional(),
      /** Epoch ms: only what is older, for the next page. */ before: z.coerce
        .number()
        .int()
        .min(0)
        .max(LATEST_SECOND * 1000)
        .optional(),
      limit: z.coerce.number().int().min(1).max(1000).default(100),
    }),
    out: z.object({
      data: z.array(Threat),
      /** All that fit, each counted as often as it stands for. */ total: z.int(),
    }),
    permission: 'ViewSite',
    errors: [503],
    summary: 'The threat log: every request that web security did not let pass without a word.',
  }),
  threat: get(`${AT}/threats/{incident}/`, {
    fromReplica: true,
    in: z.object({ site: z.uuid().optional() }),
    out: z.object({
      threat: Threat,
      /** The same address at the same site, a day before and after, newest first, at most 50, this one among them. */
      others: z.array(Threat),
      visitor: z.object({
        requests: z.int(),
        stopped: z.int(),
        /** Epoch ms. */ firstAt: z.number(),
        lastAt: z.number(),
        paths: z.int(),
      }),
    }),
    permission: 'ViewSite',
    errors: [503],
    summary: 'One incident by the id that the visitor’s page printed, with what else this visitor did.',
  }),
})

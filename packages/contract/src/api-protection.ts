import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { RuleName } from './security-expressions.ts'
import { RuleOrder, RulesQuery, SecurityRuleRow } from './security-rules.ts'
import { changed, del, feature, get, page, post, put } from './route.ts'

/** One path, or with `*` at its end everything that begins so. Files of a website have no server that makes tokens. */
export const ApiPath = z
  .string()
  .trim()
  .max(255)
  .regex(/^\/[^\s?#*\\%\p{Cc}]*\*?$/u, 'validation.apiPath')
  .refine((path) => !/\/\.{0,2}(?:\/|$)/.test(path.slice(1).replace(/\*$/, 'x')), 'validation.apiPath')

/** What tokens are made with. */
export const ApiSecret = z
  .string()
  .min(LIMITS.apiProtection.key.min, `validation.min:${LIMITS.apiProtection.key.min}`)
  .max(LIMITS.apiProtection.key.max, `validation.max:${LIMITS.apiProtection.key.max}`)
  .regex(/^[\x21-\x7e]+$/, 'validation.plainText')

export const SCRIPT_LANGUAGES = ['python', 'php', 'go', 'node'] as const
export const ScriptLanguage = z.enum(SCRIPT_LANGUAGES)
export type ScriptLanguage = z.infer<typeof ScriptLanguage>

const { tokenSeconds, queries, blockSeconds } = LIMITS.apiProtection

/** A rule as it is kept, but for its key. */
export const ApiRuleContent = z.object({
  path: ApiPath,
  /** How long a token holds. */
  tokenSeconds: z.int().min(tokenSeconds.min).max(tokenSeconds.max).default(3600),
  /** Of the query, where the token stands. */
  parameter: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,8}$/, 'validation.apiParameter')
    .default('token'),
  /** Requests of one token a minute; who goes beyond is answered 429 for so long. */
  rateLimitQueries: z.int().min(queries.min).max(queries.max).default(600),
  rateLimitBlockSeconds: z.int().min(blockSeconds.min).max(blockSeconds.max).default(60),
  /** `simulate`: a token that is missing or wrong is written down, and nothing else. */
  mode: z.enum(['block', 'simulate']).default('block'),
  /** Of the script that the customer's server runs. */
  language: ScriptLanguage.default('python'),
})

const Common = { name: RuleName, enabled: z.boolean().default(true) }
export const ApiRuleInput = ApiRuleContent.extend({
  ...Common,
  /** Left out: the one that is there stays. A new rule needs one. */
  key: ApiSecret.optional(),
})
export type ApiRuleInput = z.infer<typeof ApiRuleInput>
export const ApiRule = ApiRuleContent.extend({ ...Common, ...SecurityRuleRow.omit({ shadowedBy: true }).shape })
export type ApiRule = z.infer<typeof ApiRule>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/api-protection'
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security'] } as const

/** Paths that answer only to who carries a token which the customer's own server has made. */
export const apiProtection = feature('api-protection', {
  list: get(`${AT}/`, { in: RulesQuery, out: page(ApiRule), permission: 'ViewSite', errors: [] }),
  get: get(`${AT}/{id}/`, { out: ApiRule, permission: 'ViewSite', errors: [] }),
  key: get(`${AT}/{id}/key/`, {
    out: z.object({ key: z.string() }),
    permission: 'EditSite',
    planFeature: 'waf.enable',
    lasting: true,
    errors: [],
    summary: 'The key in the clear, for the script on the customer’s server.',
  }),
  create: post(`${AT}/`, {
    ...common,
    in: ApiRuleInput,
    out: changed(ApiRule),
    errors: [26904],
    audit: 'apiRule.create',
  }),
  update: put(`${AT}/{id}/`, {
    ...common,
    in: ApiRuleInput,
    out: changed(ApiRule),
    errors: [],
    audit: 'apiRule.update',
  }),
  reorder: put(`${AT}/order/`, {
    ...common,
    in: RuleOrder,
    out: changed(z.object({ ids: z.array(z.string()) })),
    errors: [409],
    audit: 'apiRule.reorder',
    summary: 'The order in which rules are read: the first one for a path decides.',
  }),
  remove: del(`${AT}/{id}/`, {
    ...common,
    out: changed(z.object({ id: z.string() })),
    errors: [],
    audit: 'apiRule.remove',
  }),
})

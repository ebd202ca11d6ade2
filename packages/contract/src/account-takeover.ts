import { z } from 'zod'
import { ApiPath } from './api-protection.ts'
import { HeaderName } from './http-header-rewrite.ts'
import { LIMITS } from './limits.ts'
import { RuleName } from './security-expressions.ts'
import { RuleOrder, RulesQuery, SecurityRuleRow } from './security-rules.ts'
import { changed, del, feature, get, page, post, put } from './route.ts'

const { attempts, seconds } = LIMITS.takeover

/** How a login's content is written: `form` is that of HTML, in either of its codings. */
export const LoginPayload = z.enum(['form', 'json'])
export type LoginPayload = z.infer<typeof LoginPayload>

/** Of a form's field, or of JSON's; dots lead into what is nested. */
export const LoginField = z
  .string()
  .trim()
  .regex(/^[^\s"&=\p{Cc}]{1,64}$/u, 'validation.loginField')

const Keyword = z
  .string()
  .trim()
  .min(1, 'validation.required')
  .max(100)
  .regex(/^\P{Cc}+$/u, 'validation.plainText')

/** By what an answer of the origin says that a login has failed. */
export const LoginFailure = z.discriminatedUnion('by', [
  z.object({ by: z.literal('status'), status: z.int().min(200).max(599) }),
  /** Any of them, in the first 64 KB. */
  z.object({ by: z.literal('body'), keywords: z.array(Keyword).min(1, 'validation.required').max(20) }),
  z.object({
    by: z.literal('header'),
    name: HeaderName,
    operator: z.enum(['exists', 'equals', 'contains']),
    value: z.string().max(200).default(''),
  }),
])
export type LoginFailure = z.infer<typeof LoginFailure>

const FailedLoginFields = z.object({
  path: ApiPath,
  methods: z
    .array(z.enum(['GET', 'POST', 'PUT', 'PATCH']))
    .min(1, 'validation.required')
    .default(['POST']),
  /** Logins tried in the duration, right and wrong ones, from one address or for one account. */
  maxAttempts: z.int().min(attempts.min).max(attempts.max),
  /** Of these, those that failed; fewer. */
  maxFailed: z
    .int()
    .min(1)
    .max(attempts.max - 1),
  /** How far back is counted, and how long whoever went beyond is kept out. */
  seconds: z.int().min(seconds.min).max(seconds.max).default(600),
  failure: LoginFailure,
  /** Where the account's name stands, to count by account too; it is only ever kept as a digest. */
  account: z.object({ payload: LoginPayload, field: LoginField }).nullable().default(null),
})
const isMore = ({ maxAttempts, maxFailed }: { maxAttempts: number; maxFailed: number }): boolean =>
  maxAttempts > maxFailed
const more = { path: ['maxAttempts'], message: 'validation.moreThanFailed' }

/** A rule as it is kept. */
export const FailedLoginContent = FailedLoginFields.refine(isMore, more)
const Common = { name: RuleName, enabled: z.boolean().default(true) }
const Row = SecurityRuleRow.omit({ shadowedBy: true }).shape

export const FailedLoginInput = FailedLoginFields.extend(Common).refine(isMore, more)
export type FailedLoginInput = z.infer<typeof FailedLoginInput>
export const FailedLoginRule = FailedLoginFields.extend({ ...Common, ...Row })
export type FailedLoginRule = z.infer<typeof FailedLoginRule>

export const CredentialStuffingContent = z.object({
  path: ApiPath,
  payload: LoginPayload.default('form'),
  accountField: LoginField,
  passwordField: LoginField,
})
export const CredentialStuffingInput = CredentialStuffingContent.extend(Common)
export type CredentialStuffingInput = z.infer<typeof CredentialStuffingInput>
export const CredentialStuffingRule = CredentialStuffingInput.extend(Row)
export type CredentialStuffingRule = z.infer<typeof CredentialStuffingRule>

/** What an origin is told of a login whose password is known from a breach. */
export const LEAKED_HEADER = 'X-Credential-Leaked'

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/account-takeover-prevention'
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security'] } as const
const read = { permission: 'ViewSite', errors: [] } as const
const order = { in: RuleOrder, out: changed(z.object({ ids: z.array(z.string()) })), errors: [409] } as const
const gone = { out: changed(z.object({ id: z.string() })), errors: [] } as const

/** Who guesses passwords is kept out, by address and by account. */
export const failedLogin = feature('failed-login', {
  list: get(`${AT}/failed-login/`, { ...read, in: RulesQuery, out: page(FailedLoginRule) }),
  get: get(`${AT}/failed-login/{id}/`, { ...read, out: FailedLoginRule }),
  create: post(`${AT}/failed-login/`, {
    ...common,
    in: FailedLoginInput,
    out: changed(FailedLoginRule),
    errors: [26904],
    audit: 'failedLoginRule.create',
  }),
  update: put(`${AT}/failed-login/{id}/`, {
    ...common,
    in: FailedLoginInput,
    out: changed(FailedLoginRule),
    errors: [],
    audit: 'failedLoginRule.update',
  }),
  reorder: put(`${AT}/failed-login/order/`, { ...common, ...order, audit: 'failedLoginRule.reorder' }),
  remove: del(`${AT}/failed-login/{id}/`, { ...common, ...gone, audit: 'failedLoginRule.remove' }),
})

/** Origins are told of logins with passwords that are known from breaches. */
export const credentialStuffing = feature('credential-stuffing', {
  list: get(`${AT}/credential-stuffing/`, { ...read, in: RulesQuery, out: page(CredentialStuffingRule) }),
  get: get(`${AT}/credential-stuffing/{id}/`, { ...read, out: CredentialStuffingRule }),
  create: post(`${AT}/credential-stuffing/`, {
    ...common,
    in: CredentialStuffingInput,
    out: changed(CredentialStuffingRule),
    errors: [26904],
    audit: 'credentialStuffingRule.create',
  }),
  update: put(`${AT}/credential-stuffing/{id}/`, {
    ...common,
    in: CredentialStuffingInput,
    out: changed(CredentialStuffingRule),
    errors: [],
    audit: 'credentialStuffingRule.update',
  }),
  reorder: put(`${AT}/credential-stuffing/order/`, { ...common, ...order, audit: 'credentialStuffingRule.reorder' }),
  remove: del(`${AT}/credential-stuffing/{id}/`, { ...common, ...gone, audit: 'credentialStuffingRule.remove' }),
})

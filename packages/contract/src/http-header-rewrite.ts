import { z } from 'zod'
import { HeaderValue } from './security-expressions.ts'
import { RuleOrder, RulesQuery, SecurityRuleInput, SecurityRuleRow } from './security-rules.ts'
import { changed, del, feature, get, page, post, put } from './route.ts'

export const HeaderName = z
  .string()
  .trim()
  .regex(/^[a-z0-9_-]{1,64}$/, 'validation.headerName')

/** Headers that HTTP itself lives by, and those between our own servers: no rule may touch them. */
export const PROTECTED_HEADERS = [
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'cdn-loop',
  'via',
] as const

/** What stands for something of the request in a value: `::COUNTRY::`. */
export const HEADER_TOKENS = [
  'CLIENT_IP',
  'COUNTRY',
  'HOST',
  'METHOD',
  'NETWORK',
  'PATH',
  'REGION',
  'REQUEST_ID',
  'SCHEME',
  'TLS_VERSION',
] as const

export const HeaderOperation = z.object({
  operation: z.enum(['set', 'add', 'remove']),
  header: HeaderName.refine(
    (name) => !PROTECTED_HEADERS.some((one) => one === name) && !name.startsWith('x-fairway-'),
    'validation.protectedHeader',
  ),
  /** Ignored when it is removed. */
  value: HeaderValue.default(''),
})
export type HeaderOperation = z.infer<typeof HeaderOperation>

export const HeaderRuleInput = SecurityRuleInput.extend({
  /** `request`: what the origin is sent. `response`: what the visitor gets. */
  direction: z.enum(['request', 'response']),
  /** Each header once. */
  operations: z
    .array(HeaderOperation)
    .min(1)
    .max(20)
    .refine((all) => new Set(all.map(({ header }) => header)).size === all.length, 'validation.headerTwice'),
})
export type HeaderRuleInput = z.infer<typeof HeaderRuleInput>
export const HeaderRule = HeaderRuleInput.extend(SecurityRuleRow.shape)
export type HeaderRule = z.infer<typeof HeaderRule>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/http-header-rewrite'
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security'] } as const

/** All rules that are about a request do their work, one after the other. */
export const httpHeaderRewrite = feature('http-header-rewrite', {
  list: get(`${AT}/`, { fromReplica: true, in: RulesQuery, out: page(HeaderRule), permission: 'ViewSite', errors: [] }),
  get: get(`${AT}/{id}/`, { out: HeaderRule, permission: 'ViewSite', errors: [] }),
  create: post(`${AT}/`, {
    ...common,
    in: HeaderRuleInput,
    out: changed(HeaderRule),
    errors: [26904],
    audit: 'headerRule.create',
  }),
  update: put(`${AT}/{id}/`, {
    ...common,
    in: HeaderRuleInput,
    out: changed(HeaderRule),
    errors: [],
    audit: 'headerRule.update',
  }),
  reorder: put(`${AT}/order/`, {
    ...common,
    in: RuleOrder,
    out: changed(z.object({ ids: z.array(z.string()) })),
    errors: [409],
    audit: 'headerRule.reorder',
  }),
  remove: del(`${AT}/{id}/`, {
    ...common,
    out: changed(z.object({ id: z.string() })),
    errors: [],
    audit: 'headerRule.remove',
  }),
})

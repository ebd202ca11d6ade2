import { z } from 'zod'
import { IpAddress } from './formats/cidr.ts'
import { Location } from './geography.ts'
import { ExpressionProblem, SecurityExpression } from './security-expressions.ts'
import { BackTest, SecurityChange } from './back-test.ts'
import { SECURITY_ACTIONS, SECURITY_PARTS } from './lean.ts'
import { AccessEntryInput } from './access-control.ts'
import { ApiRuleInput } from './api-protection.ts'
import { BotManagement } from './bot-management.ts'
import { CrsSettings } from './crs-rules.ts'
import { FirewallRuleInput } from './firewall-rules.ts'
import { HeaderRuleInput } from './http-header-rewrite.ts'
import { OriginRuleInput } from './origin-rules.ts'
import { feature, get, post } from './route.ts'

/** The parts of web security, in the order in which a request meets them. */
export const SecurityPart = z.enum(SECURITY_PARTS)
export type SecurityPart = z.infer<typeof SecurityPart>

/** What became of a request. */
export const SecurityAction = z.enum(SECURITY_ACTIONS)
export type SecurityAction = z.infer<typeof SecurityAction>

/** What one part or rule made of a request. */
export const SecurityStep = z.object({
  part: SecurityPart,
  /** Of the rule or entry; empty for a part as a whole. */
  ruleId: z.string(),
  name: z.string(),
  /** `passed-over`: not looked at, because what came before has decided. */
  outcome: z.enum(['matched', 'not-matched', 'passed-over', 'off']),
  /** What it would do, or did. */
  action: SecurityAction.nullable(),
  /** Why, by a word of the catalogue: `whitelisted`, `under-limit`, `cleared`, `suspicion`, … */
  reason: z.string(),
})
export type SecurityStep = z.infer<typeof SecurityStep>

export const SecurityVerdict = z.object({
  action: SecurityAction,
  /** What decided; null when nothing did. */
  part: SecurityPart.nullable(),
  ruleId: z.string(),
  reason: z.string(),
  /** Status that the visitor gets from the edge itself; 0 when the request goes on. */
  status: z.int(),
  location: z.string(),
  trace: z.array(SecurityStep),
  /** Headers as they are changed, in order. */
  headers: z.array(
    z.object({
      direction: z.enum(['request', 'response']),
      operation: z.enum(['set', 'add', 'remove']),
      header: z.string(),
      value: z.string(),
    }),
  ),
  /** The origin rule that fits; empty for none. */
  originRuleId: z.string(),
})
export type SecurityVerdict = z.infer<typeof SecurityVerdict>

const Text = z.string().refine((text) => !/[\r\n\0]/.test(text), 'validation.plainText')
/** A request as it might come. */
export const TriedRequest = z
  .object({
    method: z
      .string()
      .regex(/^[A-Z]{1,20}$/, 'validation.method')
      .default('GET'),
    address: IpAddress,
    scheme: z.enum(['http', 'https']).default('https'),
    /** Path and query. */
    target: Text.max(8000).startsWith('/', 'validation.uriPath').default('/'),
    protocol: z.enum(['HTTP/1.0', 'HTTP/1.1', 'HTTP/2.0', 'HTTP/3.0']).default('HTTP/2.0'),
    tlsVersion: z.enum(['1.2', '1.3']).default('1.3'),
    headers: z
      .array(z.object({ name: Text.max(100), value: Text.max(8000) }))
      .max(100)
      .default([]),
    body: z.string().max(100_000).default(''),
    /** `base64`: bytes that are no text, such as those of a compressed body. */
    bodyForm: z.enum(['text', 'base64']).default('text'),
    /** The visitor has solved a challenge. */
    cleared: z.boolean().default(false),
  })
  .refine(({ body, bodyForm }) => bodyForm === 'text' || z.base64().safeParse(body).success, {
    path: ['body'],
    message: 'validation.base64',
  })
export type TriedRequest = z.infer<typeof TriedRequest>

const ruleDraft = {
  /** The rule that is being changed; null for a new one, which is read last. */ id: z.uuid().nullable(),
}
/** A change that has not been saved: the request is held against the rules with it, too. */
export const SecurityDraft = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('access-control'),
    add: z.array(AccessEntryInput).max(100).default([]),
    remove: z.array(z.uuid()).max(100).default([]),
  }),
  z.object({ part: z.literal('bot-management'), settings: BotManagement.partial() }),
  z.object({ ...ruleDraft, part: z.literal('firewall-rules'), rule: FirewallRuleInput }),
  /** Without a key, the one that the rule has. */
  z.object({ ...ruleDraft, part: z.literal('api-protection'), rule: ApiRuleInput }),
  z.object({ part: z.literal('crs-rules'), settings: CrsSettings.partial() }),
  z.object({ ...ruleDraft, part: z.literal('http-header-rewrite'), rule: HeaderRuleInput }),
  z.object({ ...ruleDraft, part: z.literal('origin-rules'), rule: OriginRuleInput }),
])
export type SecurityDraft = z.infer<typeof SecurityDraft>

/** What becomes of a request, and where it would be fetched: the domain's own settings where no rule says otherwise. */
export const TriedVerdict = z.object({
  verdict: SecurityVerdict,
  origin: z.object({
    address: z.string(),
    port: z.int(),
    protocol: z.enum(['http', 'https']),
    hostHeader: z.string(),
    sni: z.string(),
    /** Of the rule that chose it; empty for the domain's own. */ ruleName: z.string(),
  }),
})
export type TriedVerdict = z.infer<typeof TriedVerdict>

/** How many a list holds, and how many it may: by the plan, else by the product. */
const Quota = z.object({ used: z.int(), most: z.int() })
export const SecurityQuotas = z.object({
  /** Whitelist and blacklist together. */ 'access-control': Quota,
  'firewall-rules': Quota,
  'api-protection': Quota,
  'failed-login': Quota,
  'credential-stuffing': Quota,
  'http-header-rewrite': Quota,
  'origin-rules': Quota,
})
export type SecurityQuotas = z.infer<typeof SecurityQuotas>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/web-security'

export const webSecurity = feature('web-security', {
  /** How web security stands on a domain. Traffic is looked at while its origin shield is in use. */
  get: get(`${AT}/`, {
    out: z.object({
      enabled: z.boolean(),
      /** Requests of the last minutes that rule sets could not inspect; null while nobody knows. */
      uninspected: z.int().nullable(),
      counts: z.object({
        whitelist: z.int(),
        blacklist: z.int(),
        firewallRules: z.int(),
        headerRules: z.int(),
        originRules: z.int(),
      }),
    }),
    permission: 'ViewSite',
    errors: [],
  }),
  quotas: get(`${AT}/quotas/`, {
    out: SecurityQuotas,
    permission: 'ViewSite',
    errors: [],
    summary: 'How full the lists of a domain are.',
  }),
  try: post(`${AT}/try/`, {
    in: TriedRequest.safeExtend({ draft: SecurityDraft.optional() }),
    out: TriedVerdict.extend({
      enabled: z.boolean(),
      location: Location,
      /** With the draft; null without one. */ withDraft: TriedVerdict.nullable(),
    }),
    permission: 'ViewSite',
    errors: [],
    audit: null,
    changes: [],
    summary: 'What the edge would make of a request, by the rules as they are saved, and with a draft of one, and why.',
  }),
  backTest: post(`${AT}/back-test/`, {
    in: z.object({
      change: SecurityChange,
      /** The newest so many recorded requests. */ most: z.int().min(1).max(100_000).default(20_000),
    }),
    out: BackTest,
    permission: 'ViewSite',
    errors: [503, 26902],
    audit: null,
    changes: [],
    summary: 'What a change of rules would have made of recorded requests, by the evaluator that the edge runs.',
  }),
  expression: post(`${AT}/expressions/`, {
    in: z
      .object({ text: z.string().max(20_000).optional(), expression: SecurityExpression.optional() })
      .refine(({ text, expression }) => (text === undefined) !== (expression === undefined), 'validation.required'),
    out: z.object({
      text: z.string(),
      expression: SecurityExpression.nullable(),
      problems: z.array(ExpressionProblem),
    }),
    permission: 'ViewSite',
    errors: [],
    audit: null,
    changes: [],
    summary: 'An expression from text to form or from form to text, with what is wrong with it and where.',
  }),
})

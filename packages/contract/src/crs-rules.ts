import { z } from 'zod'
import { LIMITS } from './limits.ts'
import { ListQuery, changed, del, feature, get, page, post, put } from './route.ts'
import { CrsSwitches } from './security-switches.ts'

/** What becomes of a request that a rule finds something in: `block` counts towards the threshold. */
export const CrsRuleAction = z.enum(['simulate', 'block', 'pass'])
export type CrsRuleAction = z.infer<typeof CrsRuleAction>

/** Rules by what they look for; `protocol` is what lies beyond the three sets: protocol, scanners, uploads. */
export const CrsSet = z.enum(['xss', 'sql-injection', 'generic-injection', 'protocol'])
export type CrsSet = z.infer<typeof CrsSet>

export const CrsSettings = z.object({
  ...CrsSwitches.shape,
  /** The whole rule set, whatever `sets` says. */
  full: z.boolean(),
  sets: z.object({ xss: z.boolean(), sqlInjection: z.boolean(), genericInjection: z.boolean() }),
  /** A request is blocked from this score on; a critical finding counts 5, error 4, warning 3, notice 2. */
  threshold: z.int().min(LIMITS.crs.threshold.min).max(LIMITS.crs.threshold.max),
  /** How much of a body is inspected, in KiB. */
  bodyLimitKb: z.int().min(LIMITS.crs.bodyLimitKb.min).max(LIMITS.crs.bodyLimitKb.max),
  longBodies: z.enum(['inspect-beginning', 'block']),
  /** What becomes of requests that cannot be inspected because the inspection has failed. */
  onFailure: z.enum(['pass', 'block']),
})
export type CrsSettings = z.infer<typeof CrsSettings>

/** Number of a rule, as its rule set counts. */
export const CrsRuleId = z.int().min(1).max(999_999_999)

const Plain = z.string().refine((text) => !/\p{Cc}/u.test(text), 'validation.plainText')
/** Something that a rule finds and that is harmless here. Empty texts and null are any. */
export const CrsExclusionInput = z
  .object({
    ruleId: CrsRuleId.nullable().default(null),
    /** A path, or the beginning of paths with `*` behind it. */
    path: Plain.max(1000)
      .regex(/^(?:\/.*)?$/, 'validation.uriPath')
      .default(''),
    /** Of a parameter, a field of JSON (`user.name`), a cookie or a header. */
    parameter: Plain.max(128).default(''),
    note: Plain.max(200).default(''),
  })
  // All of it empty would be the same as switching everything off, said by accident.
  .refine(({ ruleId, path, parameter }) => ruleId !== null || path !== '' || parameter !== '', {
    path: ['ruleId'],
    message: 'validation.required',
  })
export type CrsExclusionInput = z.infer<typeof CrsExclusionInput>
export const CrsExclusion = CrsExclusionInput.safeExtend({ id: z.string() })
export type CrsExclusion = z.infer<typeof CrsExclusion>

export const CrsRule = z.object({
  ruleId: CrsRuleId,
  set: CrsSet,
  message: z.string(),
  severity: z.enum(['critical', 'error', 'warning', 'notice']),
  paranoiaLevel: z.int(),
  enabled: z.boolean(),
  action: CrsRuleAction,
  /** What it does where nobody has said it. */
  defaultAction: CrsRuleAction,
  /** What it counts towards the threshold; a hint less than its severity, and once a request. */
  score: z.int(),
  isHint: z.boolean(),
  /** The domain's level and sets ask it. */
  isAsked: z.boolean(),
})
export type CrsRule = z.infer<typeof CrsRule>

/** What an edge node is asked to hold against the rule set. */
export const InspectionQuestion = z.object({
  scope: z.enum(['full', 'sets']),
  level: z.int().min(1).max(4),
  method: z.string().regex(/^[A-Z]{1,20}$/),
  target: z.string().regex(/^[^\s\0]+$/),
  headers: z.array(z.object({ name: z.string(), value: z.string().regex(/^[^\r\n\0]*$/) })),
  /** Base64. */
  body: z.string(),
})
export type InspectionQuestion = z.infer<typeof InspectionQuestion>
export const InspectionAnswer = z.object({
  findings: z.array(z.object({ ruleId: z.string(), score: z.number(), variable: z.string(), matched: z.string() })),
  failed: z.string(),
})
export type InspectionAnswer = z.infer<typeof InspectionAnswer>

/** A node's word on its inspection. */
export const InspectionState = z.object({
  node: z.string(),
  /** `waiting`: no domain of this node has needed it yet. `unknown`: the node has not said. */
  state: z.enum(['running', 'waiting', 'failed', 'unknown']),
  ruleSet: z.string(),
  /** Why it fails, or why newer files were not taken and those before stay: with file and line. */
  problem: z.string(),
})
export type InspectionState = z.infer<typeof InspectionState>

/** How the inspection stands on the edge nodes. */
export const CrsInspection = z.object({
  /** Name and version as its files say; empty when none is installed. */
  ruleSet: z.string(),
  rules: z.int(),
  nodes: z.array(InspectionState),
})
export type CrsInspection = z.infer<typeof CrsInspection>

const Filter = {
  action: CrsRuleAction.optional(),
  enabled: z.enum(['true', 'false']).optional(),
  set: CrsSet.optional(),
}
export const CrsRulesQuery = ListQuery.extend({ ...Filter, ordering: z.string().max(64).default('ruleId') })

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/crs-rules'
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security'] } as const

export const crsRules = feature('crs-rules', {
  get: get(`${AT}/`, {
    out: CrsSettings.extend({ exclusions: z.array(CrsExclusion), inspection: CrsInspection }),
    permission: 'ViewSite',
    errors: [],
  }),
  update: put(`${AT}/`, {
    ...common,
    in: CrsSettings.partial(),
    out: changed(CrsSettings),
    errors: [],
    audit: 'crsRules.update',
  }),
  rules: get(`${AT}/rules/`, {
    fromReplica: true,
    in: CrsRulesQuery,
    out: page(CrsRule),
    permission: 'ViewSite',
    errors: [],
    summary: 'The rules of the installed rule set with what each does for this domain; `search` is a rule id or words.',
  }),
  apply: put(`${AT}/rules/`, {
    ...common,
    in: z
      .object({
        ruleIds: z.array(CrsRuleId).min(1).max(LIMITS.crs.rules),
        enabled: z.boolean().optional(),
        action: CrsRuleAction.optional(),
      })
      .refine(({ enabled, action }) => enabled !== undefined || action !== undefined, 'validation.required'),
    out: changed(z.object({ count: z.int() })),
    errors: [],
    audit: 'crsRules.apply',
    summary: 'The same for several rules: switches them on or off, or says what they do.',
  }),
  exclude: post(`${AT}/exclusions/`, {
    ...common,
    in: CrsExclusionInput,
    out: changed(CrsExclusion),
    errors: [26904],
    audit: 'crsRules.exclude',
  }),
  include: del(`${AT}/exclusions/{id}/`, {
    ...common,
    out: changed(z.object({ id: z.string() })),
    errors: [],
    audit: 'crsRules.include',
    summary: 'Ends an exclusion.',
  }),
})

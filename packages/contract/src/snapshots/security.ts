import { z } from 'zod'
import { CredentialStuffingContent, FailedLoginContent } from '../account-takeover.ts'
import { ApiRuleContent } from '../api-protection.ts'
import { ApiSchemaSettings, SchemaEndpoint } from '../api-schema.ts'
import { BotManagement } from '../bot-management.ts'
import { CrsExclusionInput, CrsRuleAction, CrsRuleId, CrsSettings } from '../crs-rules.ts'
import { FirewallAction } from '../firewall-rules.ts'
import { HeaderOperation } from '../http-header-rewrite.ts'
import { OriginOverride } from '../origin-rules.ts'
import { SecurityExpression } from '../security-expressions.ts'

const rule = { id: z.string(), name: z.string(), expression: SecurityExpression.nullable() }

/** Of a node that has been told nothing about rule sets: none is asked. */
const NO_CRS = {
  enabled: false,
  mode: 'block',
  full: false,
  sets: { xss: false, sqlInjection: false, genericInjection: false },
  paranoiaLevel: 1,
  threshold: 5,
  bodyLimitKb: 128,
  longBodies: 'inspect-beginning',
  onFailure: 'pass',
  rules: [],
  exclusions: [],
} as const

/** What the edge asks of the requests for one domain. Rules that are switched off are left out. */
export const SecurityPolicy = z.object({
  access: z.array(
    z.object({
      id: z.string(),
      list: z.enum(['whitelist', 'blacklist']),
      kind: z.enum(['address', 'place']),
      value: z.string(),
      network: z.string().nullable(),
      exclude: z.boolean(),
      /** Epoch seconds; 0 is for good. */
      until: z.int(),
    }),
  ),
  bots: BotManagement,
  firewall: z.array(z.object({ ...rule, action: FirewallAction })),
  crs: CrsSettings.extend({
    /** Those that differ from what they do by themselves. */
    rules: z.array(z.object({ ruleId: CrsRuleId, enabled: z.boolean(), action: CrsRuleAction })),
    exclusions: z.array(CrsExclusionInput),
  }).default(() => ({ ...NO_CRS, sets: { ...NO_CRS.sets }, rules: [], exclusions: [] })),
  /** `key` is sealed for nodes. */
  api: z.array(ApiRuleContent.extend({ id: z.string(), name: z.string(), key: z.string() })).default([]),
  /** What requests of the API look like; endpoints only while they are held against them. */
  schema: ApiSchemaSettings.extend({ endpoints: z.array(SchemaEndpoint) }).default(() => ({
    learning: false,
    paths: ['/*'],
    mode: 'off' as const,
    endpoints: [],
  })),
  failedLogins: z.array(FailedLoginContent.safeExtend({ id: z.string(), name: z.string() })).default([]),
  credentialStuffing: z.array(CredentialStuffingContent.extend({ id: z.string(), name: z.string() })).default([]),
  headers: z.array(
    z.object({ ...rule, direction: z.enum(['request', 'response']), operations: z.array(HeaderOperation) }),
  ),
  origins: z.array(z.object({ ...rule, origin: OriginOverride })),
})
export type SecurityPolicy = z.infer<typeof SecurityPolicy>

/** Web security of a site's domains that have it, at one version. */
export const EdgeSecurity = z.object({
  siteId: z.string(),
  organizationId: z.string(),
  version: z.int(),
  domains: z.array(z.object({ domainId: z.string(), host: z.string(), policy: SecurityPolicy })),
})
export type EdgeSecurity = z.infer<typeof EdgeSecurity>

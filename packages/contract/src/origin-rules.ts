import { z } from 'zod'
import { HostName } from './formats/fqdn.ts'
import { RuleOrder, RulesQuery, SecurityRuleInput, SecurityRuleRow } from './security-rules.ts'
import { changed, del, feature, get, page, post, put } from './route.ts'

const Address = z.union([z.ipv4(), z.ipv6(), HostName], { error: 'validation.fqdnOrIpAddress' })

/** Where these requests go instead; null leaves what the domain says. */
export const OriginOverride = z
  .object({
    address: Address.nullable().default(null),
    port: z
      .int()
      .min(1, 'validation.originPortCheck')
      .max(65535, 'validation.originPortCheck')
      .nullable()
      .default(null),
    protocol: z.enum(['http', 'https']).nullable().default(null),
    hostHeader: HostName.nullable().default(null),
    /** Name that the origin is greeted with over TLS, and that its certificate must be for. */
    sni: HostName.nullable().default(null),
  })
  .refine((one) => Object.values(one).some((value) => value !== null), 'validation.required')
export type OriginOverride = z.infer<typeof OriginOverride>

export const OriginRuleInput = SecurityRuleInput.extend({ origin: OriginOverride })
export type OriginRuleInput = z.infer<typeof OriginRuleInput>
export const OriginRule = OriginRuleInput.extend(SecurityRuleRow.shape)
export type OriginRule = z.infer<typeof OriginRule>

const AT = '/wafmgmt/v2/sites/{site}/domains/{domain}/origin-rules'
const common = { permission: 'EditSite', planFeature: 'waf.enable', changes: ['edge-security', 'edge-site'] } as const

/** The first rule that is about a request decides where it is fetched. */
export const originRules = feature('origin-rules', {
  list: get(`${AT}/`, { fromReplica: true, in: RulesQuery, out: page(OriginRule), permission: 'ViewSite', errors: [] }),
  get: get(`${AT}/{id}/`, { out: OriginRule, permission: 'ViewSite', errors: [] }),
  create: post(`${AT}/`, {
    ...common,
    in: OriginRuleInput,
    out: changed(OriginRule),
    errors: [26904],
    audit: 'originRule.create',
  }),
  update: put(`${AT}/{id}/`, {
    ...common,
    in: OriginRuleInput,
    out: changed(OriginRule),
    errors: [],
    audit: 'originRule.update',
  }),
  reorder: put(`${AT}/order/`, {
    ...common,
    in: RuleOrder,
    out: changed(z.object({ ids: z.array(z.string()) })),
    errors: [409],
    audit: 'originRule.reorder',
  }),
  remove: del(`${AT}/{id}/`, {
    ...common,
    out: changed(z.object({ id: z.string() })),
    errors: [],
    audit: 'originRule.remove',
  }),
})

import { ruleHits } from '@fairway/analytics'
import { FirewallAction, firewallRules, type FirewallRule, type FirewallRuleInput } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { ruleList } from '../web-security/rule-list.ts'

const ENDS: ReadonlySet<string> = new Set(['block', 'pass', 'redirect'])

const verbs = ruleList<FirewallRuleInput, FirewallRule>({
  part: 'firewall-rules',
  word: 'firewall rule',
  most: async ({ tx, actor }) => (await maximaOf(tx, actor.organizationId)).firewallRulesPerDomain,
  does: ({ action }) => action,
  present: (row, does) => ({ ...row, action: FirewallAction.parse(does), hits: null, lastHitAt: null }),
  ends: (does) => ENDS.has(FirewallAction.parse(does).type),
})

export const firewallRulesSlice = slice(firewallRules, {
  ...verbs,
  copy: (context, input) => verbs.copy(context, input, firewallRules.routes.copy),
  async list(context, query) {
    const list = await verbs.list(context, query)
    return { ...list, data: await withHits(context, list.data) }
  },
})

/** Rules are shown whether the store counts or not, and not later for it. */
const PATIENCE_MS = 1500

async function withHits({ services, actor, domain }: Context, rules: FirewallRule[]): Promise<FirewallRule[]> {
  if (rules.length === 0) return rules
  const question = ruleHits(services.events, {
    organizationId: actor.organizationId,
    domainId: domain.id,
    part: 'firewall-rules',
  })
  const hits = await askStore(question, PATIENCE_MS).catch((error: unknown) => {
    if (error instanceof Failure) return null
    throw error
  })
  if (hits === null) return rules
  return rules.map((rule) => {
    const known = hits.get(rule.id)
    return {
      ...rule,
      hits: known?.hits ?? 0,
      lastHitAt: known === undefined ? null : new Date(known.lastHitAt).toISOString(),
    }
  })
}

import type { MovedVisitors, SteeringPolicy } from '@fairway/contract'
import type { Context } from '../../http/context.ts'
import { policyOf } from '../routing-strategies/explain.ts'
import { clientsOfDay, movedVisitors } from '../routing-strategies/moved-visitors.ts'
import type { VsrSettings } from './store.ts'

/** Two decisions for each, within one call. */
const MOST_CLIENTS = 1000

/**
 * Whom a rule would move: the last day's sampled clients of the domain, decided for with the saved policy and with the
 * rule in it. `id` is the rule that it replaces; a new one stands last, as a saved one does.
 */
export async function vsrEffect(context: Context, id: string | null, rule: VsrSettings): Promise<MovedVisitors> {
  const { tx, site, domain } = context
  const before = await policyOf(tx, { ...domain, organization_id: site.organization_id })
  const asked = await clientsOfDay(context, domain.id, MOST_CLIENTS)
  return movedVisitors(context, asked, before, withRule(before, id, rule))
}

function withRule(policy: SteeringPolicy, id: string | null, rule: VsrSettings): SteeringPolicy {
  const entry = { ...rule, id: id ?? 'draft' }
  return {
    ...policy,
    vsrRules:
      id === null
        ? [...policy.vsrRules, entry]
        : policy.vsrRules.map((existing) => (existing.id === id ? entry : existing)),
  }
}

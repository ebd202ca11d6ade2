import { type PlanFeature, plans } from '@fairway/contract'
import { useRead } from '../../api/queries.ts'
import { useAccount } from '../../shell/access/session.ts'

/**
 * Names of the plans that have an ability, the cheapest first; none while they are not known or the partner shows no
 * prices.
 */
export function usePlansWith(ability: PlanFeature | null): string[] {
  const { hideFeature } = useAccount()
  const { data } = useRead(plans.routes.list, {}, { enabled: ability !== null && !hideFeature.includes('price') })
  return (data?.data ?? [])
    .filter((plan) => ability !== null && plan.ability.includes(ability))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name)
}

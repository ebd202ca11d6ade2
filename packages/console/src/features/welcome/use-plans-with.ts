import { type Maximum, type Plan, type PlanFeature, plans } from '@fairway/contract'
import { useRead } from '../../api/queries.ts'
import { useAccount } from '../../shell/access/session.ts'

/**
 * Names of the plans that have an ability, the cheapest first; none while they are not known or the partner shows no
 * prices.
 */
export function usePlansWith(ability: PlanFeature | null): string[] {
  return usePlans(ability !== null)
    .filter((plan) => ability !== null && plan.ability.includes(ability))
    .map(({ name }) => name)
}

/** Plans to go over to that have an ability and allow more than so many, the cheapest first, with how many. */
export function usePlansAllowing(ability: PlanFeature, maximum: Maximum | null, most: number) {
  return usePlans(maximum !== null).flatMap(({ name, maxima, ability: has, upgrade }) =>
    maximum !== null && upgrade && has.includes(ability) && maxima[maximum] > most
      ? [{ name, most: maxima[maximum] }]
      : [],
  )
}

function usePlans(enabled: boolean): Plan[] {
  const { hideFeature } = useAccount()
  const { data } = useRead(plans.routes.list, {}, { enabled: enabled && !hideFeature.includes('price') })
  return (data?.data ?? []).toSorted((one, other) => one.rank - other.rank)
}

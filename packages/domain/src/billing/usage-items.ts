import { METERS, type MeterAmounts, type PlanPrice, type UsageItem, type UsageType } from '@fairway/contract'
import { usageAmount } from './usage-lines.ts'

type Given = {
  used: Partial<Record<UsageType, number>>
  quotas: Partial<Record<UsageType, number>>
  rates: PlanPrice['rates']
  billed: boolean
}
const ORDER: readonly UsageType[] = ['mcdn', 'dns', ...METERS]

/** Used of quota, with the share in percent and whether it is over. */
export function usageItems({ used, quotas, rates, billed }: Given): UsageItem[] {
  return ORDER.map((type) => {
    const amount = used[type] ?? 0
    const quota = quotas[type] ?? null
    const rate = type === 'mcdn' || type === 'dns' ? undefined : rates[type]
    return {
      type,
      quota,
      used: amount,
      unit: type === 'cdnTraffic' ? 'bytes' : 'count',
      progress: quota === null ? 0 : quota === 0 ? (amount > 0 ? 100 : 0) : Math.round((amount / quota) * 10_000) / 100,
      overUsage: quota !== null && amount > quota,
      overMinor: billed && rate ? usageAmount(amount, quota ?? 0, rate) : null,
    }
  })
}

/** Whether any allowance is used up. */
export const quotaReached = (used: MeterAmounts, allowances: MeterAmounts): boolean =>
  Object.entries(allowances).some(([meter, most]) => (used[meter as keyof MeterAmounts] ?? 0) >= most)

export type CostInput = {
  /** Delivered in a month, terabytes of 1000 GB. */
  trafficTb: number
  /** Price of a gigabyte at the present CDN and at the one beside it, in USD. */
  presentUsdPerGb: number
  otherUsdPerGb: number
  /** Share of the visitors sent to the other one, 0 to 100. */
  otherPercent: number
}

export type Savings = { presentUsd: number; futureUsd: number; savedUsd: number; savedPercent: number }

/**
 * What a month costs with one CDN, and with a part of the visitors sent to another. Negative savings are told as they
 * are.
 */
export function savingsOf({ trafficTb, presentUsdPerGb, otherUsdPerGb, otherPercent }: CostInput): Savings {
  const gigabytes = trafficTb * 1000
  const presentUsd = gigabytes * presentUsdPerGb
  const futureUsd = gigabytes * (presentUsdPerGb * (1 - otherPercent / 100) + otherUsdPerGb * (otherPercent / 100))
  const savedUsd = presentUsd - futureUsd
  return { presentUsd, futureUsd, savedUsd, savedPercent: presentUsd === 0 ? 0 : (savedUsd / presentUsd) * 100 }
}

import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** What a plan may bound for each domain or site, and the most that the product takes of it. */
export const MAXIMA = {
  cacheRulesPerDomain: LIMITS.cacheRulesPerDomain,
  staticStrategiesPerDomain: LIMITS.strategiesPerDomain,
  dynamicStrategiesPerDomain: LIMITS.strategiesPerDomain,
  vsrRulesPerDomain: LIMITS.vsrRulesPerDomain,
  customPagesPerSite: LIMITS.customPagesPerSite,
  firewallRulesPerDomain: LIMITS.firewallRulesPerDomain,
  apiProtectionRulesPerDomain: LIMITS.apiProtectionRulesPerDomain,
  accessEntriesPerDomain: LIMITS.accessEntriesPerDomain,
} as const
export type Maximum = keyof typeof MAXIMA

const upTo = (most: number) => z.int().min(0).max(most)
export const Maxima = z.object({
  cacheRulesPerDomain: upTo(MAXIMA.cacheRulesPerDomain),
  staticStrategiesPerDomain: upTo(MAXIMA.staticStrategiesPerDomain),
  dynamicStrategiesPerDomain: upTo(MAXIMA.dynamicStrategiesPerDomain),
  vsrRulesPerDomain: upTo(MAXIMA.vsrRulesPerDomain),
  customPagesPerSite: upTo(MAXIMA.customPagesPerSite),
  firewallRulesPerDomain: upTo(MAXIMA.firewallRulesPerDomain),
  apiProtectionRulesPerDomain: upTo(MAXIMA.apiProtectionRulesPerDomain),
  accessEntriesPerDomain: upTo(MAXIMA.accessEntriesPerDomain),
})
export type Maxima = z.infer<typeof Maxima>

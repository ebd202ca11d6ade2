import type { DomainCdn, RoutingStrategy, StrategyInput } from '@fairway/contract'
import { METHOD_FEATURES } from '@fairway/domain'
import type { z } from 'zod'
import { inputOf } from '../strategy-input.ts'
import { METHODS } from './method-cards.tsx'

export type StrategyDraft = z.input<typeof StrategyInput>

/** What the form begins with: the strategy, or a new one with every CDN and the best method of the plan. */
export function draftOf(
  strategy: RoutingStrategy | null,
  cdns: readonly DomainCdn[],
  ability: readonly string[],
): StrategyDraft {
  if (strategy) return inputOf(strategy)
  return {
    name: '',
    enabled: true,
    method: METHODS.find((method) => ability.includes(METHOD_FEATURES[method])) ?? METHODS[0],
    filter: { places: [], networks: [], cidrs: [] },
    targets: cdns.filter(({ enabled }) => enabled).map(({ cdnId }) => ({ cdnId, weight: 1 })),
    availabilityThreshold: 90,
    omitRum: false,
    omitSum: false,
    requireAllData: false,
    visitorPercent: null,
    minimumMbps: null,
    preferThroughput: false,
    ttlSeconds: null,
    whenNoData: 'pass',
    whenBelow: 'pass',
  }
}

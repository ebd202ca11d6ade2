import type { DomainCdn, SteeringMethod } from '@fairway/contract'
import { METHOD_FEATURES } from '@fairway/domain'
import type { StrategyDraft } from './strategy-draft.ts'

/** Usual aims, in the order in which they are offered. */
export const AIMS = ['fastest', 'reliable', 'wide', 'shares', 'primary', 'geography', 'canary'] as const
export type Aim = (typeof AIMS)[number]

export type Filled = Omit<StrategyDraft, 'name' | 'enabled'>

const METHOD_OF: Record<Aim, SteeringMethod> = {
  fastest: 'best-latency',
  reliable: 'best-availability',
  wide: 'best-latency',
  shares: 'weighted-distribution',
  primary: 'static-route',
  geography: 'static-route',
  canary: 'static-route',
}

/** What the first CDN of a division gets; the others share the rest. */
const FIRST_WEIGHT = 70
const CANARY_PERCENT = 5
/** Visitors on trial are worth a stricter limit than the usual one. */
const STRICT = 95

/** What a film in full high definition takes. */
const WIDE_MBPS = 5

/** What the plan must have for an aim: that of its method, and of places where it names some. */
export const needsOf = (aim: Aim): string[] => [
  METHOD_FEATURES[METHOD_OF[aim]],
  ...(aim === 'geography' ? ['dns.geoFilter'] : []),
]

/** What the editor is filled with for an aim: everything but the name and whether it is on. */
export function filledFor(aim: Aim, cdns: readonly DomainCdn[]): Filled {
  const enabled = cdns.filter((cdn) => cdn.enabled)
  const ids = (enabled.length > 0 ? enabled : cdns).map(({ cdnId }) => cdnId)
  const usual: Filled = {
    method: METHOD_OF[aim],
    filter: { places: [], networks: [], cidrs: [] },
    targets: ids.map((cdnId) => ({ cdnId, weight: 1 })),
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
  switch (aim) {
    case 'fastest':
    case 'reliable':
      return { ...usual, whenNoData: 'even-split', whenBelow: 'most-available' }
    case 'wide':
      return {
        ...usual,
        minimumMbps: WIDE_MBPS,
        preferThroughput: true,
        whenNoData: 'even-split',
        whenBelow: 'most-available',
      }
    case 'shares':
      return { ...usual, targets: shares(ids), whenNoData: 'even-split', whenBelow: 'most-available' }
    case 'primary':
      return { ...usual, whenNoData: 'first-target', whenBelow: 'most-available' }
    case 'geography':
      return { ...usual, filter: { places: ['continent:EU'], networks: [], cidrs: [] } }
    case 'canary':
      // What is on trial has nobody behind it: whoever it fails is read on to the next strategy.
      return {
        ...usual,
        targets: ids.slice(-1).map((cdnId) => ({ cdnId, weight: 1 })),
        visitorPercent: CANARY_PERCENT,
        availabilityThreshold: STRICT,
      }
  }
}

function shares(ids: readonly string[]): StrategyDraft['targets'] {
  const rest = ids.length - 1
  return ids.map((cdnId, index) => ({
    cdnId,
    weight: index === 0 ? FIRST_WEIGHT : Math.max(1, Math.round((100 - FIRST_WEIGHT) / rest)),
  }))
}

import type { CdnState } from '@fairway/contract'

/** Best first: what a domain is when its CDNs differ. */
const BEST_FIRST: readonly CdnState[] = [
  'operational',
  'deploying',
  'waiting-ssl',
  'waiting-approval',
  'under-review',
  'action-required',
  'available',
  'review-failed',
  'failed',
  'delete-unsuccessful',
  'deleting',
  'unavailable',
]

/** The state of a domain by those of its CDNs: without any it is available while multi-CDN is on, else unavailable. */
export function cdnStatus(states: readonly CdnState[], steered: boolean): CdnState {
  const best = BEST_FIRST.find((state) => states.includes(state)) ?? 'available'
  return steered ? best : 'unavailable'
}

const USABLE: ReadonlySet<CdnState> = new Set([
  'operational',
  'available',
  'deploying',
  'waiting-ssl',
  'waiting-approval',
  'under-review',
])

/** Selectors offer domains whose CDN status is completed, usable or in progress. */
export const isDisabled = (status: CdnState): boolean => !USABLE.has(status)

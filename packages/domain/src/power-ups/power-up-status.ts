import type { CdnState, PowerUpStatus } from '@fairway/contract'

const STATUS: Readonly<Record<CdnState, PowerUpStatus>> = {
  operational: 'installed',
  available: 'installed',
  deploying: 'installing',
  'waiting-ssl': 'installing',
  'under-review': 'under-review',
  'waiting-approval': 'under-review',
  'review-failed': 'review-failed',
  deleting: 'delete-in-progress',
  'delete-unsuccessful': 'delete-unsuccessful',
  'action-required': 'action-required',
  failed: 'action-required',
  unavailable: 'action-required',
}

/** How a CDN on a domain stands as a power-up. */
export const powerUpStatus = (state: CdnState): PowerUpStatus => STATUS[state]

/** Every state of a CDN that is that of the power-up. */
export const statesOfStatus = (status: PowerUpStatus): CdnState[] =>
  (Object.keys(STATUS) as CdnState[]).filter((state) => STATUS[state] === status)

const MOST_URGENT_FIRST: readonly PowerUpStatus[] = [
  'action-required',
  'delete-unsuccessful',
  'review-failed',
  'under-review',
  'installing',
  'delete-in-progress',
  'installed',
]

/** Of several domains, the one that asks most for attention; null when there is none. */
export const mostUrgent = (statuses: readonly PowerUpStatus[]): PowerUpStatus | null =>
  MOST_URGENT_FIRST.find((status) => statuses.includes(status)) ?? null

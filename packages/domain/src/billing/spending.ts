import type { ErrorCode } from '@fairway/contract'

/** What keeps an organisation from making new costs; each was found by the worker, or by a charge. */
export type SpendingFacts = {
  status: 'active' | 'payment_failed' | 'locked'
  trialOver: boolean
  quotaReached: boolean
  capReached: boolean
  /** Signed up, and has taken no plan yet: nobody would ever be billed. */ planMissing: boolean
}

/** Why something that costs may not be made now, or null; the one that has to be mended first comes first. */
export function spendingProblem({
  status,
  trialOver,
  quotaReached,
  capReached,
  planMissing,
}: SpendingFacts): ErrorCode | null {
  if (status === 'locked') return 909994
  if (trialOver || planMissing) return 7486
  if (quotaReached) return 909996
  return capReached ? 7493 : null
}

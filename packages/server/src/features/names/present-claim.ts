import type { Claim } from '@fairway/contract'
import { claimUntil } from '@fairway/domain'
import type { Config } from '@fairway/platform'
import { claimRules } from './held.ts'
import type { ClaimRow } from './store.ts'

/** A claim as its organisation may see it: nothing of anybody else's. */
export function presentClaim(
  config: Config,
  row: Pick<ClaimRow, 'domain_name' | 'claim' | 'claim_reason' | 'claim_since' | 'claimed_at' | 'proven_by'>,
): Claim {
  const since = row.claim_since.toISOString()
  if (row.claim === 'draft') return { state: 'draft' }
  if (row.claim === 'looking') return { state: 'looking', since }
  if (row.claim === 'proven') return { state: 'proven', since, by: row.proven_by ?? 'house' }
  const ends = claimUntil(
    {
      state: row.claim,
      reason: row.claim_reason,
      since: row.claim_since.getTime(),
      claimedAt: row.claimed_at.getTime(),
    },
    claimRules(config, row.domain_name),
  )
  const until = ends === null ? null : new Date(ends).toISOString()
  if (row.claim === 'served') return { state: 'served', since, until }
  return { state: 'parked', since, reason: row.claim_reason ?? 'no-proof', until }
}

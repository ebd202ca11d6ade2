import { type SpendingFacts, spendingProblem } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { Failure } from './failure.ts'

/** Of an organisation `o`: it has chosen no plan, though its partner lets it. */
export const PLAN_MISSING = `(o.plan_chosen_at IS NULL AND NOT EXISTS (SELECT FROM partner r WHERE r.id = o.partner_id AND r.hide_feature && '{price,billing}'))`

/**
 * Keeps a locked account, one that has chosen no plan, a trial that is over, a used-up quota and a reached spending limit
 * from making new costs. What is there goes on.
 */
export async function refuseSpending(tx: Tx, organizationId: string): Promise<void> {
  const rows = await tx.query<SpendingFacts>(
    `SELECT o.status, b.trial_over_at IS NOT NULL AS "trialOver", b.quota_reached_at IS NOT NULL AS "quotaReached", b.cap_reached_at IS NOT NULL AS "capReached", ${PLAN_MISSING} AS "planMissing"
     FROM billing_account b JOIN organization o ON o.id = b.organization_id WHERE b.organization_id = $1`,
    [organizationId],
  )
  const problem = rows[0] ? spendingProblem(rows[0]) : null
  if (problem) throw new Failure(problem)
}

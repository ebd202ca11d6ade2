import { MAXIMA, type Maxima } from '@fairway/contract'
import type { RecordPlan } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

/** The product's own limits, narrowed by what a plan bounds. */
export const narrowed = (bounds: Partial<Maxima>): Maxima => ({ ...MAXIMA, ...bounds })

/** What the plan of an organisation bounds. */
export async function maximaOf(tx: Tx, organizationId: string): Promise<Maxima> {
  const [row] = await tx.query<{ maxima: Partial<Maxima> }>(
    'SELECT p.maxima FROM organization o JOIN plan p ON p.id = o.plan_id WHERE o.id = $1',
    [organizationId],
  )
  return narrowed(row?.maxima ?? {})
}

/** The least TTL, in seconds, that the plan of an organisation allows. */
export async function minimumTtlOf(tx: Tx, organizationId: string): Promise<number> {
  return (
    (
      await tx.query<{ seconds: number }>(
        'SELECT p.minimum_ttl_seconds AS seconds FROM organization o JOIN plan p ON p.id = o.plan_id WHERE o.id = $1',
        [organizationId],
      )
    )[0]?.seconds ?? 30
  )
}

/** What the plan of an organisation, with what it added to it, says about records. */
export async function recordPlanOf(tx: Tx, organizationId: string): Promise<RecordPlan> {
  const [row] = await tx.query<RecordPlan>(
    'SELECT p.minimum_ttl_seconds AS "minimumTtlSeconds", organization_ability(o.id) AS ability FROM organization o JOIN plan p ON p.id = o.plan_id WHERE o.id = $1',
    [organizationId],
  )
  return row ?? { minimumTtlSeconds: 30, ability: [] }
}

import type { ChallengeMode } from '@fairway/contract'
import type { Softening } from '@fairway/domain'
import type { Tx } from '@fairway/platform'

type SofteningRow = Softening & { people: number; gaveUp: number; changedAt: Date }
type Row = { rule: string; mode: ChallengeMode; steps: number; people: number; gave_up: number; changed_at: Date }

/** Whether a domain's challenges may be softened. */
export async function softens(tx: Tx, domainId: string): Promise<boolean> {
  const [row] = await tx.query<{ softening: boolean }>('SELECT softening FROM challenge_friction WHERE id = $1', [
    domainId,
  ])
  return row?.softening ?? true
}

export async function setSoftens(
  tx: Tx,
  place: { organizationId: string; siteId: string; domainId: string },
  softening: boolean,
): Promise<void> {
  await tx.query(
    'INSERT INTO challenge_friction (id, organization_id, site_id, softening) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET softening = $4, modified_at = now()',
    [place.domainId, place.organizationId, place.siteId, softening],
  )
}

/** What is softened at a domain, and what rests; nothing where it may not be. */
export async function softeningsOf(tx: Tx, domainId: string): Promise<SofteningRow[]> {
  if (!(await softens(tx, domainId))) return []
  const rows = await tx.query<Row>(
    'SELECT rule, mode, steps, people, gave_up, changed_at FROM challenge_softening WHERE domain_id = $1 ORDER BY rule',
    [domainId],
  )
  return rows.map(({ gave_up, changed_at, ...row }) => ({ ...row, gaveUp: gave_up, changedAt: changed_at }))
}

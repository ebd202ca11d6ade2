import type { Tx } from '@fairway/platform'

export type PulseRow = {
  organization_id: string
  key: string
  start_delay_seconds: number
  repeat_delay_seconds: number
  batch_number: number
}

export async function ownPulse(tx: Tx, organizationId: string): Promise<PulseRow | undefined> {
  return (await tx.query<PulseRow>('SELECT * FROM pulse WHERE organization_id = $1', [organizationId]))[0]
}

export async function updatePulse(
  tx: Tx,
  organizationId: string,
  settings: { startDelaySeconds: number; repeatDelaySeconds: number; batchNumber: number },
): Promise<void> {
  await tx.query(
    'UPDATE pulse SET start_delay_seconds = $2, repeat_delay_seconds = $3, batch_number = $4 WHERE organization_id = $1',
    [organizationId, settings.startDelaySeconds, settings.repeatDelaySeconds, settings.batchNumber],
  )
  await tx.query(`SELECT pg_notify('pulse', $1)`, [organizationId])
}

/** Ids of the organisations that have a beacon key. */
export async function pulseOrganizations(tx: Tx): Promise<string[]> {
  return (await tx.query<{ id: string }>('SELECT organization_id AS id FROM pulse ORDER BY organization_id')).map(
    (row) => row.id,
  )
}

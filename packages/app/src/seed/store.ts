import type { Tx } from '@fairway/platform'

/**
 * The time the demo's past was written, or null. Health events of the past carry a mark, so that they are written once.
 */
export async function hasPastEvents(tx: Tx, organizationId: string): Promise<boolean> {
  return (
    (
      await tx.query(`SELECT FROM health_event WHERE organization_id = $1 AND detail ? 'past' LIMIT 1`, [
        organizationId,
      ])
    ).length > 0
  )
}

export async function insertPastEvent(
  tx: Tx,
  event: { organizationId: string; cdnId: string; title: string; startedAt: Date; endedAt: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO health_event (organization_id, kind, cdn_id, title, detail, started_at, ended_at) VALUES ($1, 'cdn-down', $2, $3, '{"past": true}', $4, $5)`,
    [event.organizationId, event.cdnId, event.title, event.startedAt, event.endedAt],
  )
}

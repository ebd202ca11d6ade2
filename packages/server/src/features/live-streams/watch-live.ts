import type { Tx } from '@fairway/platform'
import { endIncident, notify } from '../notifications/notify.ts'

/** A short break that the encoder mends by itself need not be told. */
const TOLD_SECONDS = 8

const incidentOf = (id: string): string => `live-input-lost:${id}`

/** Tells of encoders that stopped sending while their stream is on, and when they are back or it was switched off. */
export async function watchLive(tx: Tx): Promise<void> {
  // One worker at a time, so that nobody tells twice.
  await tx.query('SELECT pg_advisory_xact_lock(4717)')
  const lost = await tx.query<{ id: string; organization_id: string; name: string; at: Date }>(
    `SELECT id, organization_id, name, (input->>'since')::timestamptz AS at FROM stream_live
     WHERE is_on AND deleted_at IS NULL AND input->>'state' = 'lost' AND (input->>'since')::timestamptz < now() - make_interval(secs => $1)`,
    [TOLD_SECONDS],
  )
  for (const { id, organization_id: organizationId, name, at } of lost)
    await notify(tx, {
      organizationId,
      event: 'live-input-lost',
      fields: { stream: name },
      incident: incidentOf(id),
      at,
    })
  const over = await tx.query<{ organization_id: string; incident: string }>(
    `SELECT n.organization_id, n.incident FROM notification n JOIN stream_live l ON n.incident = 'live-input-lost:' || l.id
     WHERE n.ended_at IS NULL AND (l.input->>'state' = 'live' OR NOT l.is_on OR l.deleted_at IS NOT NULL)`,
  )
  for (const { organization_id: organizationId, incident } of over) await endIncident(tx, organizationId, incident)
}

import type { Tx } from '@fairway/platform'
import { endIncident, notify } from '../notifications/notify.ts'

/** What failed long ago, maybe before it was told of at all, is no news. */
const NEWS_DAYS = 14

const UNTOLD = `stream_asset a WHERE a.state = 'failed' AND a.deleted_at IS NULL AND a.created_at > now() - interval '${NEWS_DAYS} days'
  AND NOT EXISTS (SELECT FROM notification n WHERE n.incident = 'video-failed:' || a.id AND n.ended_at IS NULL)`
const OVER = `notification n WHERE n.event = 'video-failed' AND n.incident IS NOT NULL AND n.ended_at IS NULL
  AND NOT EXISTS (SELECT FROM stream_asset a WHERE n.incident = 'video-failed:' || a.id AND a.state = 'failed' AND a.deleted_at IS NULL)`

export const FAILED_DUE = `SELECT FROM ${UNTOLD} UNION ALL SELECT FROM ${OVER}`

/** Tells of videos, and of files that were to replace one, that could not be made playable; over when they are gone. */
export async function watchFailed(tx: Tx): Promise<void> {
  // One worker at a time, so that nobody tells twice.
  await tx.query('SELECT pg_advisory_xact_lock(4719)')
  const failed = await tx.query<{ id: string; organization_id: string; name: string; code: number; reason: string }>(
    `SELECT a.id, a.organization_id, a.name, coalesce(a.reason_code, 30013) AS code, a.reason FROM ${UNTOLD}`,
  )
  for (const { id, organization_id: organizationId, name: video, code, reason } of failed)
    await notify(tx, {
      organizationId,
      event: 'video-failed',
      fields: { video, code, reason },
      incident: `video-failed:${id}`,
    })
  const over = await tx.query<{ organization_id: string; incident: string }>(
    `SELECT n.organization_id, n.incident FROM ${OVER}`,
  )
  for (const { organization_id: organizationId, incident } of over) await endIncident(tx, organizationId, incident)
}

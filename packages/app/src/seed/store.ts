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

export const hasFilm = async (tx: Tx, organizationId: string): Promise<boolean> =>
  (await tx.query('SELECT FROM stream_asset WHERE organization_id = $1 LIMIT 1', [organizationId])).length > 0

/** A video whose file is there already, and the word to the edge that there is one. */
export async function insertFilm(
  tx: Tx,
  film: { id: string; organizationId: string; name: string; size: number; category: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO stream_asset (id, organization_id, name, size, category, created_by) VALUES ($1, $2, $3, $4, $5, 'Fairway')`,
    [film.id, film.organizationId, film.name, film.size, film.category],
  )
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) VALUES ($1::uuid, 'edge-site', 'stream:' || $1::uuid::text)`,
    [film.organizationId],
  )
  await tx.query(`SELECT pg_notify('outbox', '')`)
}

/** A live stream that shows a test picture or is off; its key is known to nobody, and a new one is made by who wants to send. */
export async function insertLiveStream(
  tx: Tx,
  stream: { organizationId: string; name: string; keyHash: string; isOnAir: boolean },
): Promise<void> {
  await tx.query(
    `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, is_on, test_picture, created_by)
     VALUES ($1, $2, 'normal', 2, 1800, $3, $4, CASE WHEN $4 THEN 'waves' END, 'Fairway') ON CONFLICT DO NOTHING`,
    [stream.organizationId, stream.name, stream.keyHash, stream.isOnAir],
  )
}

/** What the demo shows by itself is off, whoever it belongs to. */
export const endTestPictures = (tx: Tx): Promise<unknown> =>
  tx.query(
    `UPDATE stream_live SET is_on = false, revision = revision + 1, test_picture = NULL WHERE test_picture IS NOT NULL AND test_until IS NULL`,
  )

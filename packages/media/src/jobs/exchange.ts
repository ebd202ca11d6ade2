import type { VideoSource } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { partsOf, thumbnailFolder } from './part-of.ts'

/** Who watches may finish a film of up to so many seconds. */
const MOST_GRACE_SECONDS = 4 * 3600
const LEAST_GRACE_SECONDS = 60

type Old = {
  organization_id: string
  size: string
  source: VideoSource | null
  file_id: string
  upload_in: string
  file_name: string
  ready_at: Date | null
  playable_at: Date | null
  chapters_number: number | null
}

/**
 * A replacement is whole: the video takes what was made of it, in one step, and the row of the replacement takes what
 * the video had. That is removed then as every removed video is, and what was encoded stays counted. Playlists are
 * written with this; what was of the old film is removed after.
 */
export async function exchange(tx: Tx, replacementId: string, assetId: string): Promise<void> {
  const [old] = await tx.query<Old>(
    `SELECT organization_id, size, source, coalesce(file_id, id) AS file_id, coalesce(file_name, name) AS file_name, upload_in, ready_at, playable_at, chapters_number
     FROM stream_asset WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
    [assetId],
  )
  if (!old) return
  const gone = await oldFolders(tx, assetId, old)
  await tx.query(
    `UPDATE stream_asset a SET size = r.size, source = r.source, file_id = coalesce(r.file_id, r.id), file_name = r.name, upload_in = r.upload_in, state = 'ready', reason_code = NULL, reason = '',
       progress = NULL, seconds_left = NULL, ready_at = now(), playable_at = now(), replaced_at = now(), has_poster = true, folders = a.folders + 1, chapters_applied = false,
       chapters_number = CASE WHEN a.chapters_number IS NULL THEN NULL ELSE a.folders + 1 END
     FROM stream_asset r WHERE a.id = $1 AND r.id = $2`,
    [assetId, replacementId],
  )
  const [{ at_once: atOnce } = { at_once: true }] = await tx.query<{ at_once: boolean }>(
    'UPDATE stream_asset SET size = $2, source = $3, file_id = $4, file_name = $5, ready_at = $6, upload_in = $7, playable_at = $8, deleted_at = now() WHERE id = $1 RETURNING at_once',
    [
      replacementId,
      old.size,
      old.source && JSON.stringify(old.source),
      old.file_id,
      old.file_name,
      old.ready_at,
      old.upload_in,
      old.playable_at,
    ],
  )
  // No two jobs of a video have one place, not even in between.
  await tx.query('UPDATE stream_job SET asset_id = $2, seq = seq + 1000 WHERE asset_id = $1', [assetId, replacementId])
  await tx.query('UPDATE stream_job SET asset_id = $1 WHERE asset_id = $2 AND seq < 1000', [assetId, replacementId])
  await tx.query('UPDATE stream_download SET asset_id = $2 WHERE asset_id = $1', [assetId, replacementId])
  const grace = atOnce ? 0 : Math.min(MOST_GRACE_SECONDS, LEAST_GRACE_SECONDS + (old.source?.seconds ?? 0))
  await tx.query(
    `INSERT INTO stream_gone (organization_id, asset_id, folder, deleted_at) SELECT $1, $2, folder, now() + make_interval(secs => $4) FROM unnest($3::text[]) folder ON CONFLICT DO NOTHING`,
    [old.organization_id, assetId, gone, grace],
  )
}

/** A picture of one's own stays; a moment of the old film is none of the new one. */
async function oldFolders(tx: Tx, assetId: string, old: Old): Promise<string[]> {
  const jobs = await tx.query<{ name: string; attempt: number }>(
    'SELECT name, attempt FROM stream_job WHERE asset_id = $1',
    [assetId],
  )
  const pictures = await tx.query<{ number: number; shown_number: number | null }>(
    `DELETE FROM stream_thumbnail WHERE asset_id = $1 AND kind <> 'picture' RETURNING number, shown_number`,
    [assetId],
  )
  return [
    ...jobs.flatMap(partsOf),
    ...pictures.flatMap(({ number, shown_number: shown }) => [number, shown ?? number]).map(thumbnailFolder),
    ...(old.chapters_number === null ? [] : [`chapters-${old.chapters_number}`]),
  ]
}

import type { Tx } from '@fairway/platform'

export type StoredAsset = {
  id: string
  organization_id: string
  stored_in: string
  files_revision: number
  file_id: string
  upload_in: string
}
const STORED = 'id, organization_id, stored_in, files_revision, coalesce(file_id, id) AS file_id, upload_in'

/**
 * The next video that is whole and not put away as it is now. One that is about to be replaced waits: its folder is
 * written to. What was put somewhere before goes there again.
 */
export async function takeToStore(
  tx: Tx,
  runner: string,
  { place, except }: { place: string; except: readonly string[] },
): Promise<StoredAsset | undefined> {
  // One at a time: what this runner is said to put away still, it has let fall.
  await tx.query('UPDATE stream_asset SET storer = NULL WHERE storer = $1', [runner])
  const [row] = await tx.query<StoredAsset>(
    `UPDATE stream_asset SET storer = $1, stored_in = CASE stored_in WHEN '' THEN $2 ELSE stored_in END WHERE id = (
       SELECT a.id FROM stream_asset a WHERE a.stored_revision < a.files_revision AND a.deleted_at IS NULL AND a.state IN ('ready', 'failed') AND a.is_playable AND a.chapters_applied
         AND a.replaces IS NULL AND a.storer IS NULL AND (a.stored_in <> '' OR $2 <> '') AND a.id <> ALL ($3)
         AND NOT EXISTS (SELECT FROM stream_asset r WHERE r.replaces = a.id AND r.deleted_at IS NULL)
       ORDER BY a.ready_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING ${STORED}`,
    [runner, place, except],
  )
  return row
}

/** Whether it is still this runner's to put away, and nobody has removed it. */
export async function isStillWanted(tx: Tx, id: string, runner: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM stream_asset WHERE id = $1 AND storer = $2 AND deleted_at IS NULL', [
    id,
    runner,
  ])
  return rows.length > 0
}

/** What was written meanwhile is another revision, and is put away after this. */
export const stored = (tx: Tx, { id, files_revision: revision }: StoredAsset, runner: string): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET storer = NULL, stored_revision = $3 WHERE id = $1 AND storer = $2', [
    id,
    runner,
    revision,
  ])

export const letGo = (tx: Tx, id: string, runner: string): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET storer = NULL WHERE id = $1 AND storer = $2', [id, runner])

/** Removed on the disk, so that nobody gets it any more, and not yet where the rest of it lies. */
export const removedStored = (tx: Tx): Promise<StoredAsset[]> =>
  tx.query(
    `SELECT ${STORED} FROM stream_asset WHERE stored_in <> '' AND deleted_at IS NOT NULL AND files_removed_at IS NOT NULL AND storer IS NULL ORDER BY deleted_at LIMIT 50`,
  )

export const storedRemoved = (tx: Tx, id: string): Promise<unknown> =>
  tx.query(`UPDATE stream_asset SET stored_in = '' WHERE id = $1`, [id])

/**
 * Files as they were uploaded that nobody wants any more: of removed videos, and those that were none. What could not be looked
 * into (30013) may be a film.
 */
export const uploadsUnwanted = (
  tx: Tx,
): Promise<Pick<StoredAsset, 'id' | 'organization_id' | 'file_id' | 'upload_in'>[]> =>
  tx.query(
    `SELECT ${STORED} FROM stream_asset WHERE upload_in <> '' AND ((deleted_at IS NOT NULL AND files_removed_at IS NOT NULL) OR (state = 'failed' AND source IS NULL AND reason_code IS DISTINCT FROM 30013)) LIMIT 50`,
  )

export const uploadRemoved = (tx: Tx, id: string): Promise<unknown> =>
  tx.query(`UPDATE stream_asset SET upload_in = '' WHERE id = $1`, [id])

export const foldersStored = (tx: Tx): Promise<(StoredAsset & { folder: string })[]> =>
  tx.query(
    `SELECT a.id, a.organization_id, a.stored_in, a.files_revision, coalesce(a.file_id, a.id) AS file_id, a.upload_in, g.folder FROM stream_gone g JOIN stream_asset a ON a.id = g.asset_id
     WHERE a.stored_in <> '' AND a.deleted_at IS NULL AND a.storer IS NULL AND g.files_removed_at IS NOT NULL AND g.stored_removed_at IS NULL LIMIT 50`,
  )

export const storedFolderRemoved = (tx: Tx, assetId: string, folder: string): Promise<unknown> =>
  tx.query('UPDATE stream_gone SET stored_removed_at = now() WHERE asset_id = $1 AND folder = $2', [assetId, folder])

/** Videos in their order from one on, that have been put somewhere. */
export const putAwayAfter = (tx: Tx, id: string): Promise<StoredAsset[]> =>
  tx.query(
    `SELECT ${STORED} FROM stream_asset WHERE stored_in <> '' AND stored_revision > 0 AND deleted_at IS NULL AND id > $1 ORDER BY id LIMIT 500`,
    [id],
  )

export const waitingToBeStored = async (tx: Tx): Promise<number> =>
  (
    await tx.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM stream_asset WHERE stored_revision < files_revision AND deleted_at IS NULL AND state IN ('ready', 'failed') AND is_playable AND replaces IS NULL`,
    )
  )[0]?.n ?? 0

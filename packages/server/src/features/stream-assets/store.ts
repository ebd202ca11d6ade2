import type { Chapter, Rendition, StreamAssetState, VideoSource } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { isUuid } from '../../http/tenant.ts'

export type AssetRow = {
  id: string
  organization_id: string
  name: string
  category: string
  size: number
  state: StreamAssetState
  reason_code: number | null
  reason: string
  progress: number | null
  seconds_left: number | null
  is_playable: boolean
  has_poster: boolean
  source: VideoSource | null
  created_by: string
  created_at: Date
  ready_at: Date | null
  chapters: Chapter[]
  chapters_number: number | null
  chapters_applied: boolean
  renditions: Rendition[]
  recorded_from: { id: string; name: string } | null
}

const ROW = `a.*, coalesce((SELECT jsonb_agg(jsonb_build_object('name', j.name, 'width', j.spec->'width', 'height', j.spec->'height', 'state', j.state,
    'averageBitrate', j.made->'averageBitrate', 'peakBitrate', j.made->'peakBitrate') ORDER BY j.seq) FROM stream_job j WHERE j.asset_id = a.id AND j.kind = 'video'), '[]') AS renditions,
    (SELECT jsonb_build_object('id', l.id, 'name', l.name) FROM stream_recording r JOIN stream_live l ON l.id = r.live_id WHERE r.id = a.id AND l.deleted_at IS NULL) AS recorded_from
  FROM stream_asset a WHERE a.deleted_at IS NULL`

export async function listAssets(
  tx: Tx,
  { search, order, limit, offset }: { search: string | undefined; order: string; limit: number | null; offset: number },
): Promise<{ rows: AssetRow[]; total: number }> {
  const rows = await tx.query<AssetRow & { total: number }>(
    `SELECT count(*) OVER ()::int AS total, ${ROW} AND ($1::text IS NULL OR position(lower($1) IN lower(a.name || ' ' || a.category)) > 0) ORDER BY ${order}, a.id LIMIT $2 OFFSET $3`,
    [search ?? null, limit, offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

export const assetById = async (tx: Tx, id: string): Promise<AssetRow | undefined> =>
  (await tx.query<AssetRow>(`SELECT ${ROW} AND a.id = $1`, [id]))[0]

/** @throws Failure 404 */
export async function videoOf(tx: Tx, id: string): Promise<AssetRow> {
  const row = isUuid(id) ? await assetById(tx, id) : undefined
  if (!row) throw new Failure(404)
  return row
}

export async function isNameTaken(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM stream_asset WHERE deleted_at IS NULL AND lower(name) = lower($1)', [name])
  return rows.length > 0
}

export const countAssets = async (tx: Tx): Promise<number> =>
  (await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM stream_asset WHERE deleted_at IS NULL'))[0]?.n ?? 0

export async function insertAsset(
  tx: Tx,
  asset: { organizationId: string; name: string; category: string; size: number; createdBy: string },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO stream_asset (organization_id, name, category, size, created_by) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [asset.organizationId, asset.name, asset.category, asset.size, asset.createdBy],
  )
  return row?.id ?? ''
}

export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [id])
  // The mark of the whole video stands for its folders, too.
  await tx.query('DELETE FROM stream_caption WHERE asset_id = $1', [id])
  await tx.query('DELETE FROM stream_gone WHERE asset_id = $1', [id])
}

/** Whether a machine that encodes was heard of in the last half minute. */
export async function canEncode(tx: Tx): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM stream_runner WHERE can_encode AND seen_at > now() - interval '30 seconds' LIMIT 1`,
  )
  return rows.length > 0
}

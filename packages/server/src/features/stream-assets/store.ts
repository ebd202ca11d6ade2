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
  has_dash: boolean | null
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
  file_id: string | null
  file_name: string | null
  replaced_at: Date | null
  replacement: ReplacementRow | null
  poster_number: number | null
  upload_in: string
  loaded: number
}
/** As JSON, with times as text. */
export type ReplacementRow = Pick<
  AssetRow,
  | 'id'
  | 'name'
  | 'size'
  | 'loaded'
  | 'upload_in'
  | 'state'
  | 'reason_code'
  | 'reason'
  | 'progress'
  | 'seconds_left'
  | 'created_by'
> & { created_at: string; at_once: boolean }

const FILE = `SELECT jsonb_build_object('state', CASE d.state WHEN 'done' THEN 'ready' WHEN 'failed' THEN 'failed' ELSE 'making' END, 'size', d.size,
      'until', CASE d.state WHEN 'done' THEN to_char((d.done_at + interval '24 hours') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END) FROM stream_download d WHERE d.job_id = j.id`
const ROW = `a.*, coalesce((SELECT jsonb_agg(jsonb_build_object('name', j.name, 'width', j.spec->'width', 'height', j.spec->'height', 'state', j.state,
    'averageBitrate', j.made->'averageBitrate', 'peakBitrate', j.made->'peakBitrate', 'file', (${FILE})) ORDER BY j.seq) FROM stream_job j WHERE j.asset_id = a.id AND j.kind = 'video'), '[]') AS renditions,
    (SELECT jsonb_build_object('id', l.id, 'name', l.name) FROM stream_recording r JOIN stream_live l ON l.id = r.live_id WHERE r.id = a.id AND l.deleted_at IS NULL) AS recorded_from,
    (SELECT to_jsonb(r) FROM stream_asset r WHERE r.replaces = a.id AND r.deleted_at IS NULL) AS replacement,
    (SELECT t.shown_number FROM stream_thumbnail t WHERE t.asset_id = a.id) AS poster_number
  FROM stream_asset a WHERE a.deleted_at IS NULL AND a.replaces IS NULL`

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
  const rows = await tx.query(
    'SELECT FROM stream_asset WHERE deleted_at IS NULL AND replaces IS NULL AND lower(name) = lower($1)',
    [name],
  )
  return rows.length > 0
}

export const countAssets = async (tx: Tx): Promise<number> =>
  (
    await tx.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM stream_asset WHERE deleted_at IS NULL AND replaces IS NULL',
    )
  )[0]?.n ?? 0

const NOT_DONE = `deleted_at IS NULL AND NOT is_playable AND (state <> 'failed' OR reason_code = 30013)`

/**
 * Bytes of files on this disk that are not paid for by being kept: of videos that were uploaded to it and do not play,
 * also where one that could not be encoded is kept, and of qualities that are made into files, by their bit rate until
 * they are.
 */
export const bytesPending = async (tx: Tx): Promise<number> =>
  (
    await tx.query<{ bytes: number }>(
      `SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM (
         SELECT size::float8 AS bytes FROM stream_asset WHERE upload_in = '' AND ${NOT_DONE}
         UNION ALL SELECT coalesce(d.size::float8, (j.made->>'averageBitrate')::float8 / 8 * (a.source->>'seconds')::float8)
         FROM stream_download d JOIN stream_job j ON j.id = d.job_id JOIN stream_asset a ON a.id = d.asset_id WHERE d.state <> 'failed') pending`,
    )
  )[0]?.bytes ?? 0

/** The same of files that are uploaded to elsewhere; no quality is made into a file there. */
export const bytesElsewhere = async (tx: Tx): Promise<number> =>
  (
    await tx.query<{ bytes: number }>(
      `SELECT coalesce(sum(size), 0)::float8 AS bytes FROM stream_asset WHERE upload_in <> '' AND ${NOT_DONE}`,
    )
  )[0]?.bytes ?? 0

export async function insertAsset(
  tx: Tx,
  asset: {
    organizationId: string
    name: string
    category: string
    size: number
    uploadIn: string
    createdBy: string
  },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO stream_asset (organization_id, name, category, size, upload_in, created_by, arrived_at) VALUES ($1, $2, $3, $4, $5, $6, now()) RETURNING id',
    [asset.organizationId, asset.name, asset.category, asset.size, asset.uploadIn, asset.createdBy],
  )
  return row?.id ?? ''
}

/** The name of the file itself stays known: what is downloaded keeps its ending. */
export const describe = (
  tx: Tx,
  id: string,
  { name, category }: { name: string; category: string },
): Promise<unknown> =>
  tx.query(
    `UPDATE stream_asset SET file_name = CASE WHEN name = $2 THEN file_name ELSE coalesce(file_name, name) END, name = $2, category = $3
     WHERE id = $1 AND deleted_at IS NULL`,
    [id, name, category],
  )

export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx.query('UPDATE stream_asset SET deleted_at = now() WHERE id = $1', [id])
  await tx.query('UPDATE stream_asset SET deleted_at = now() WHERE replaces = $1 AND deleted_at IS NULL', [id])
  // The mark of the whole video stands for its folders, too.
  await tx.query('DELETE FROM stream_caption WHERE asset_id = $1', [id])
  await tx.query('DELETE FROM stream_thumbnail WHERE asset_id = $1', [id])
  await tx.query('DELETE FROM stream_gone WHERE asset_id = $1', [id])
}

/** A file that is awaited: of a video, or of what is to take its place. */
export type AwaitedFile = Pick<AssetRow, 'id' | 'organization_id' | 'size' | 'state' | 'upload_in'>
export const awaitedFile = async (tx: Tx, id: string): Promise<AwaitedFile | undefined> =>
  (
    await tx.query<AwaitedFile>(
      'SELECT id, organization_id, size, state, upload_in FROM stream_asset WHERE id = $1 AND deleted_at IS NULL',
      [id],
    )
  )[0]

/** Notes how much has arrived in the place that a file is uploaded to; false when nobody waits for it any more. */
export async function noteArrived(tx: Tx, id: string, bytes: number): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE stream_asset SET loaded = greatest(loaded, $2), arrived_at = now() WHERE id = $1 AND deleted_at IS NULL AND state <> 'failed' RETURNING id`,
    [id, bytes],
  )
  return rows.length > 0
}

/** A quality that is whole, and the file that was made of it, if any. */
export async function renditionOf(
  tx: Tx,
  assetId: string,
  name: string,
): Promise<{ jobId: string; fileId: string | null; state: string | null; size: number | null } | undefined> {
  const [row] = await tx.query<{ jobId: string; fileId: string | null; state: string | null; size: number | null }>(
    `SELECT j.id AS "jobId", d.id AS "fileId", d.state, d.size::float8 AS size FROM stream_job j LEFT JOIN stream_download d ON d.job_id = j.id
     WHERE j.asset_id = $1 AND j.name = $2 AND j.kind = 'video' AND j.state = 'done'`,
    [assetId, name],
  )
  return row
}

/** Once for all who ask for it; what failed is tried again. */
export const wantFile = (
  tx: Tx,
  { organization_id: organizationId, id }: AssetRow,
  jobId: string,
  createdBy: string,
): Promise<unknown> =>
  tx.query(
    `INSERT INTO stream_download (organization_id, asset_id, job_id, created_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (job_id) DO UPDATE SET state = 'waiting', attempt = 0, done_at = NULL WHERE stream_download.state = 'failed'`,
    [organizationId, id, jobId, createdBy],
  )

/** Whether a machine that encodes was heard of in the last half minute. */
export async function canEncode(tx: Tx): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM stream_runner WHERE can_encode AND seen_at > now() - interval '30 seconds' LIMIT 1`,
  )
  return rows.length > 0
}

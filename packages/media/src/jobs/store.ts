import type { CaptionKind, Chapter, ErrorCode, VideoSource } from '@fairway/contract'
import type { Rung } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Made } from '../ffmpeg/measure.ts'

export type AssetRow = { id: string; organization_id: string; size: number; source: VideoSource | null }
export type HeldAsset = AssetRow & { chapters: Chapter[]; chapters_number: number | null }
export type JobRow = {
  id: number
  organization_id: string
  asset_id: string
  kind: 'audio' | 'video' | 'pictures' | 'recording'
  name: string
  spec: Rung
  cost: number
  state: 'waiting' | 'running' | 'done' | 'failed'
  attempt: number
  made: Made | null
}

/** A runner is one process of the role; several may run, on one machine or on many. */
export async function noteRunner(tx: Tx, runner: string, canEncode: boolean): Promise<void> {
  await tx.query(
    'INSERT INTO stream_runner (node, can_encode) VALUES ($1, $2) ON CONFLICT (node) DO UPDATE SET can_encode = $2, seen_at = now()',
    [runner, canEncode],
  )
  await tx.query(`DELETE FROM stream_runner WHERE seen_at < now() - interval '1 day'`)
}

/** Jobs of a runner that has not been heard of for this many seconds are anybody's. */
const LEASE_SECONDS = 8

/** What ran when its runner died is to be begun anew; what a living one does is left alone. */
export const takeBack = (tx: Tx): Promise<unknown> =>
  tx.query(
    `UPDATE stream_job j SET state = 'waiting', runner = NULL WHERE j.state = 'running'
       AND NOT EXISTS (SELECT FROM stream_runner r WHERE r.node = j.runner AND r.seen_at > now() - make_interval(secs => $1))`,
    [LEASE_SECONDS],
  )

/** A runner that stops in peace keeps nobody waiting. */
export async function leave(tx: Tx, runner: string): Promise<void> {
  await tx.query('DELETE FROM stream_runner WHERE node = $1', [runner])
  await takeBack(tx)
}

export const uploading = (tx: Tx): Promise<(AssetRow & { is_old: boolean })[]> =>
  tx.query(
    `SELECT id, organization_id, size, source, created_at < now() - interval '7 days' AS is_old FROM stream_asset WHERE state = 'uploading' AND deleted_at IS NULL`,
  )

export const queued = (tx: Tx): Promise<AssetRow[]> =>
  tx.query(
    `SELECT id, organization_id, size, source FROM stream_asset WHERE state = 'queued' AND deleted_at IS NULL ORDER BY created_at`,
  )

export const removed = (tx: Tx): Promise<AssetRow[]> =>
  tx.query(
    `SELECT id, organization_id, size, source FROM stream_asset WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL`,
  )

export async function setState(tx: Tx, id: string, state: 'queued'): Promise<void> {
  await tx.query(`UPDATE stream_asset SET state = $2 WHERE id = $1 AND deleted_at IS NULL`, [id, state])
}

export async function fail(tx: Tx, id: string, code: ErrorCode, reason: string): Promise<void> {
  await tx.query(
    `UPDATE stream_asset SET state = 'failed', reason_code = $2, reason = $3, progress = NULL, seconds_left = NULL WHERE id = $1`,
    [id, code, reason],
  )
  await tx.query(`UPDATE stream_job SET state = 'failed' WHERE asset_id = $1 AND state <> 'done'`, [id])
}

export async function plan(tx: Tx, asset: AssetRow, source: VideoSource, jobs: PlannedJob[]): Promise<void> {
  await tx.query(
    `UPDATE stream_asset SET state = 'processing', source = $2, progress = 0, started_at = now() WHERE id = $1`,
    [asset.id, JSON.stringify(source)],
  )
  for (const [seq, job] of jobs.entries())
    await tx.query(
      `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, spec, cost) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
      [asset.organization_id, asset.id, seq, job.kind, job.name, JSON.stringify(job.spec), job.cost],
    )
}
export type PlannedJob = { kind: JobRow['kind']; name: string; spec: Rung | Record<string, never>; cost: number }

/** The next job: what makes something playable first goes first. */
export async function takeJob(tx: Tx, runner: string): Promise<(JobRow & { source: VideoSource }) | undefined> {
  const [job] = await tx.query<JobRow>(
    `UPDATE stream_job SET state = 'running', attempt = attempt + 1, runner = $1 WHERE id = (
       SELECT j.id FROM stream_job j JOIN stream_asset a ON a.id = j.asset_id WHERE j.state = 'waiting' AND a.state = 'processing' AND a.deleted_at IS NULL
       ORDER BY j.seq, a.created_at LIMIT 1 FOR UPDATE OF j SKIP LOCKED) RETURNING *`,
    [runner],
  )
  if (!job) return undefined
  const [asset] = await tx.query<{ source: VideoSource }>('SELECT source FROM stream_asset WHERE id = $1', [
    job.asset_id,
  ])
  return asset && { ...job, source: asset.source }
}

export const jobsOf = (tx: Tx, assetId: string): Promise<JobRow[]> =>
  tx.query('SELECT * FROM stream_job WHERE asset_id = $1 ORDER BY seq', [assetId])

/** False when the video was removed meanwhile. */
export async function noteProgress(tx: Tx, id: string, progress: number, secondsLeft: number | null): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE stream_asset SET progress = $2, seconds_left = $3 WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
    [id, progress, secondsLeft],
  )
  return rows.length > 0
}

export const markPlayable = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET is_playable = true WHERE id = $1', [id])

/** An attempt that was taken from its runner meanwhile counts for nothing: another makes it anew. */
export async function finishJob(tx: Tx, job: JobRow, made: Made | null): Promise<void> {
  const mine = await tx.query(
    `UPDATE stream_job SET state = 'done', made = $2 WHERE id = $1 AND attempt = $3 AND state = 'running' RETURNING id`,
    [job.id, made && JSON.stringify(made), job.attempt],
  )
  if (mine.length === 0) return
  if (job.kind === 'pictures' || job.kind === 'recording')
    await tx.query('UPDATE stream_asset SET has_poster = true WHERE id = $1', [job.asset_id])
  await tx.query(
    `UPDATE stream_asset SET state = 'ready', progress = NULL, seconds_left = NULL, ready_at = now() WHERE id = $1 AND state = 'processing' AND NOT EXISTS (SELECT FROM stream_job WHERE asset_id = $1 AND state <> 'done')`,
    [job.asset_id],
  )
}

/** False when the video was removed meanwhile. */
export async function noteFile(tx: Tx, id: string, bytes: number): Promise<boolean> {
  const rows = await tx.query('UPDATE stream_asset SET size = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING id', [
    id,
    bytes,
  ])
  return rows.length > 0
}

export const filesRemoved = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET files_removed_at = now() WHERE id = $1', [id])

/** The video, with everything that others do to it kept waiting until the transaction ends. */
export const holdAsset = async (tx: Tx, id: string): Promise<HeldAsset | undefined> =>
  (
    await tx.query<HeldAsset>(
      'SELECT id, organization_id, size, source, chapters, chapters_number FROM stream_asset WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
      [id],
    )
  )[0]

export type CaptionRow = {
  number: number
  language: string
  label: string
  kind: CaptionKind
  is_default: boolean
  body: string
}

export const captionsOf = (tx: Tx, assetId: string): Promise<CaptionRow[]> =>
  tx.query<CaptionRow>(
    'SELECT number, language, label, kind, is_default, body FROM stream_caption WHERE asset_id = $1 ORDER BY language, kind',
    [assetId],
  )

/** The playlist of a video says what it should. */
export async function textsApplied(tx: Tx, assetId: string): Promise<void> {
  await tx.query('UPDATE stream_caption SET applied_at = now() WHERE asset_id = $1 AND applied_at IS NULL', [assetId])
  await tx.query('UPDATE stream_asset SET chapters_applied = true WHERE id = $1 AND NOT chapters_applied', [assetId])
}

/** Videos whose playlist does not say yet what it should, or that have folders to be removed. */
export const textsChanged = async (tx: Tx): Promise<string[]> =>
  (
    await tx.query<{ id: string }>(
      `SELECT a.id FROM stream_caption c JOIN stream_asset a ON a.id = c.asset_id WHERE c.applied_at IS NULL AND a.is_playable AND a.deleted_at IS NULL
       UNION SELECT id FROM stream_asset WHERE NOT chapters_applied AND is_playable AND deleted_at IS NULL
       UNION SELECT a.id FROM stream_gone g JOIN stream_asset a ON a.id = g.asset_id WHERE g.files_removed_at IS NULL AND a.deleted_at IS NULL`,
    )
  ).map(({ id }) => id)

export const foldersGone = async (tx: Tx, assetId: string): Promise<string[]> =>
  (
    await tx.query<{ folder: string }>(
      'SELECT folder FROM stream_gone WHERE asset_id = $1 AND files_removed_at IS NULL',
      [assetId],
    )
  ).map(({ folder }) => folder)

export const folderRemoved = (tx: Tx, assetId: string, folder: string): Promise<unknown> =>
  tx.query('UPDATE stream_gone SET files_removed_at = clock_timestamp() WHERE asset_id = $1 AND folder = $2', [
    assetId,
    folder,
  ])

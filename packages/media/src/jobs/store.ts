import type { CaptionKind, Chapter, ErrorCode, VideoSource } from '@fairway/contract'
import type { Rung } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Made } from '../ffmpeg/measure.ts'
import { exchange } from './exchange.ts'
import { firstAttempt, thumbnailFolder } from './part-of.ts'

export type AssetRow = {
  id: string
  organization_id: string
  /** The video whose folder everything is made in: its own, or the one that it replaces. */ home_id: string
  file_id: string
  edition: number
  size: number
  source: VideoSource | null
  /** Where its file was uploaded to; empty: to the disk of the home. */ upload_in: string
}
const ASSET =
  'id, organization_id, size, source, edition, upload_in, coalesce(replaces, id) AS home_id, coalesce(file_id, id) AS file_id'
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
  /** Attempts up to this one count no more. */ vain_from: number
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

const isSilent = (runner: string) =>
  `NOT EXISTS (SELECT FROM stream_runner r WHERE r.node = ${runner} AND r.seen_at > now() - interval '${LEASE_SECONDS} seconds')`
const RAN = `j.state = 'running' AND ${isSilent('j.runner')}`
const STORED = `a.storer IS NOT NULL AND ${isSilent('a.storer')}`

/** Whether `takeBack` has something to do. */
export async function isLeft(tx: Tx): Promise<boolean> {
  const left = await tx.query(
    `SELECT FROM stream_job j WHERE ${RAN} UNION ALL SELECT FROM stream_download j WHERE ${RAN} UNION ALL SELECT FROM stream_asset a WHERE ${STORED} LIMIT 1`,
  )
  return left.length > 0
}

/** What ran when its runner died is to be begun anew; what a living one does is left alone. */
export async function takeBack(tx: Tx): Promise<void> {
  for (const table of ['stream_job', 'stream_download'])
    await tx.query(`UPDATE ${table} j SET state = 'waiting', runner = NULL WHERE ${RAN}`)
  await tx.query(`UPDATE stream_asset a SET storer = NULL WHERE ${STORED}`)
}

/** A runner that stops in peace keeps nobody waiting. */
export async function leave(tx: Tx, runner: string): Promise<void> {
  await tx.query('DELETE FROM stream_runner WHERE node = $1', [runner])
  await takeBack(tx)
}

/** A runner does one job at a time: what is said to run of its own before it takes another, it has let fall. */
const putBack = async (tx: Tx, table: 'stream_job' | 'stream_download', runner: string): Promise<void> => {
  await tx.query(`UPDATE ${table} SET state = 'waiting', runner = NULL WHERE state = 'running' AND runner = $1`, [
    runner,
  ])
}

/** Later each time, in seconds; so many times in all, twelve hours at most. */
const LONGEST_WAIT_SECONDS = 3600
export const MOST_VAIN_ATTEMPTS = 20
const waitAfter = (attempts: number): number => Math.min(LONGEST_WAIT_SECONDS, 2 ** Math.min(20, attempts))

export type UploadingRow = AssetRow & {
  loaded: number
  /** Too long under way, however much comes. */ is_old: boolean
  /** Since something came, as was written down; 0 where it was not, as by an API of before. */ quiet_seconds: number
}
export const uploading = (tx: Tx): Promise<UploadingRow[]> =>
  tx.query(
    `SELECT ${ASSET}, loaded, created_at < now() - interval '7 days' AS is_old,
       coalesce(extract(epoch FROM now() - arrived_at), 0)::float8 AS quiet_seconds FROM stream_asset WHERE state = 'uploading' AND deleted_at IS NULL ORDER BY created_at, id`,
  )

/** Organisations of whose files so many bytes were brought here and are not done; those that play take room as well. */
export const organizationsWith = async (tx: Tx, bytes: number): Promise<string[]> =>
  (
    await tx.query<{ organization_id: string }>(
      `SELECT organization_id FROM stream_asset WHERE upload_in <> '' AND state IN ('queued', 'processing') AND deleted_at IS NULL GROUP BY organization_id HAVING sum(size) >= $1`,
      [bytes],
    )
  ).map(({ organization_id: id }) => id)

/** Of what is uploaded to elsewhere, what is there. */
export const arrived = (tx: Tx, id: string, bytes: number): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET loaded = $2, arrived_at = now() WHERE id = $1', [id, bytes])

/**
 * The next one to be looked into now, and none of those that were just now.
 * @param served organisations, the one that was served last behind the others: who is not among them is first
 */
export const nextQueued = async (
  tx: Tx,
  served: readonly string[],
  seen: readonly string[],
): Promise<(AssetRow & { attempts: number }) | undefined> =>
  (
    await tx.query<AssetRow & { attempts: number }>(
      `SELECT ${ASSET}, attempts FROM stream_asset WHERE state = 'queued' AND deleted_at IS NULL AND (next_try_at IS NULL OR next_try_at <= now())
       AND NOT id = ANY ($2) ORDER BY array_position($1::uuid[], organization_id) NULLS FIRST, created_at LIMIT 1`,
      [served, seen],
    )
  )[0]

/** It could not be looked into, by no fault of its own. */
export const lookAgain = (tx: Tx, { id, attempts }: { id: string; attempts: number }): Promise<unknown> =>
  tx.query(
    `UPDATE stream_asset SET attempts = attempts + 1, next_try_at = now() + make_interval(secs => $2) WHERE id = $1 AND state = 'queued'`,
    [id, waitAfter(attempts)],
  )

export const removed = (tx: Tx): Promise<AssetRow[]> =>
  tx.query(`SELECT ${ASSET} FROM stream_asset WHERE deleted_at IS NOT NULL AND files_removed_at IS NULL`)

export async function setState(tx: Tx, id: string, state: 'queued'): Promise<void> {
  await tx.query(`UPDATE stream_asset SET state = $2 WHERE id = $1 AND deleted_at IS NULL`, [id, state])
}

export async function fail(tx: Tx, id: string, code: ErrorCode, reason: string): Promise<void> {
  await tx.query(
    `UPDATE stream_asset SET state = 'failed', reason_code = $2, reason = $3, progress = NULL, seconds_left = NULL WHERE id = $1`,
    [id, code, reason],
  )
  await tx.query(
    `UPDATE stream_job SET state = 'failed', ended_at = now() WHERE asset_id = $1 AND state NOT IN ('done', 'failed')`,
    [id],
  )
}

/** The whole video has failed with a job; false, and nothing, where the job is another runner's by now. */
export async function failJob(tx: Tx, job: JobRow, runner: string, reason: string): Promise<boolean> {
  const mine = await tx.query(
    `SELECT FROM stream_job WHERE id = $1 AND attempt = $2 AND runner = $3 AND state = 'running' FOR UPDATE`,
    [job.id, job.attempt, runner],
  )
  if (mine.length === 0) return false
  await fail(tx, job.asset_id, 30013, reason)
  return true
}

export async function plan(tx: Tx, asset: AssetRow, source: VideoSource, jobs: PlannedJob[]): Promise<void> {
  await tx.query(
    `UPDATE stream_asset SET state = 'processing', source = $2, progress = 0, started_at = now() WHERE id = $1`,
    [asset.id, JSON.stringify(source)],
  )
  for (const [seq, job] of jobs.entries())
    await tx.query(
      `INSERT INTO stream_job (organization_id, asset_id, seq, kind, name, spec, cost, attempt) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      [
        asset.organization_id,
        asset.id,
        seq,
        job.kind,
        job.name,
        JSON.stringify(job.spec),
        job.cost,
        firstAttempt(asset.edition),
      ],
    )
}
export type PlannedJob = { kind: JobRow['kind']; name: string; spec: Rung | Record<string, never>; cost: number }

export type TakenJobs = Pick<AssetRow, 'home_id' | 'file_id' | 'upload_in' | 'size'> & {
  source: VideoSource
  jobs: [JobRow, ...JobRow[]]
}

/** Shorter side of what is made beside others: larger ones would need more memory than one ffmpeg may have. */
const MOST_SHORT_TOGETHER = 1080

/** Whose films were encoded in so many hours waits behind others. */
const SHARED_HOURS = 1

/**
 * The next job: of the organisation for which least is done just now and was lately, turns included, so that one with many films keeps
 * nobody waiting; of its own, what makes something playable first goes first. The cheapest picture is made alone, so that it is soon
 * there; the others together, so that the file is read once for all of them.
 */
export async function takeJobs(tx: Tx, runner: string): Promise<TakenJobs | undefined> {
  await putBack(tx, 'stream_job', runner)
  const [job] = await tx.query<JobRow>(
    `WITH used AS (SELECT organization_id, sum(cost) AS cost FROM (
         SELECT organization_id, cost FROM stream_job WHERE ended_at > now() - make_interval(hours => $2)
         UNION ALL SELECT organization_id, cost FROM stream_job WHERE state = 'running'
         UNION ALL SELECT organization_id, turn_cost FROM stream_job WHERE state = 'waiting' AND turn_ended_at > now() - make_interval(hours => $2)) lately GROUP BY organization_id)
     UPDATE stream_job SET state = 'running', attempt = attempt + 1, runner = $1 WHERE id = (
       SELECT j.id FROM stream_job j JOIN stream_asset a ON a.id = j.asset_id LEFT JOIN used u ON u.organization_id = j.organization_id
       WHERE j.state = 'waiting' AND a.state = 'processing' AND a.deleted_at IS NULL AND (j.next_try_at IS NULL OR j.next_try_at <= now())
       ORDER BY coalesce(u.cost, 0), j.seq, a.created_at LIMIT 1 FOR UPDATE OF j SKIP LOCKED) RETURNING *`,
    [runner, SHARED_HOURS],
  )
  if (!job) return undefined
  const beside =
    job.kind === 'video'
      ? await tx.query<JobRow>(
          `UPDATE stream_job SET state = 'running', attempt = attempt + 1, runner = $1 WHERE id IN (
             SELECT id FROM stream_job WHERE asset_id = $2 AND kind = 'video' AND state = 'waiting'
               AND least((spec->>'width')::int, (spec->>'height')::int) <= $3
               AND EXISTS (SELECT FROM stream_job WHERE asset_id = $2 AND kind = 'video' AND state = 'done') FOR UPDATE SKIP LOCKED) RETURNING *`,
          [runner, job.asset_id, MOST_SHORT_TOGETHER],
        )
      : []
  const [asset] = await tx.query<AssetRow & { source: VideoSource }>(
    `SELECT ${ASSET} FROM stream_asset WHERE id = $1`,
    [job.asset_id],
  )
  if (!asset) return undefined
  const { source, home_id, file_id, upload_in, size } = asset
  return { source, home_id, file_id, upload_in, size, jobs: [job, ...beside.sort((a, b) => a.cost - b.cost)] }
}

/** No attempt was made at them: what they need is away, or has no room. Others go first for a while. */
export const jobsWait = (tx: Tx, jobs: readonly JobRow[], seconds: number): Promise<unknown> =>
  tx.query(
    `UPDATE stream_job SET state = 'waiting', runner = NULL, attempt = attempt - 1, next_try_at = now() + make_interval(secs => $3)
     WHERE id = ANY ($1) AND state = 'running' AND attempt = ANY ($2)`,
    [jobs.map(({ id }) => id), jobs.map(({ attempt }) => attempt), seconds],
  )

/** An attempt at them came to nothing, by no fault of the file: another one follows, later each time. */
export const jobsAgain = (tx: Tx, jobs: readonly JobRow[], runner: string, vain: number): Promise<unknown> =>
  tx.query(
    `UPDATE stream_job SET state = 'waiting', runner = NULL, next_try_at = now() + make_interval(secs => $4)
     WHERE id = ANY ($1) AND state = 'running' AND attempt = ANY ($2) AND runner = $3`,
    [jobs.map(({ id }) => id), jobs.map(({ attempt }) => attempt), runner, waitAfter(vain)],
  )

/** Whether a job of another organisation could be begun now. */
export const othersWait = async (tx: Tx, organization: string): Promise<boolean> =>
  (
    await tx.query(
      `SELECT FROM stream_job j JOIN stream_asset a ON a.id = j.asset_id WHERE j.state = 'waiting' AND j.organization_id <> $1
         AND a.state = 'processing' AND a.deleted_at IS NULL AND (j.next_try_at IS NULL OR j.next_try_at <= now()) LIMIT 1`,
      [organization],
    )
  ).length > 0

/**
 * Others have their turn first, who are taken at once; what this attempt has made is gone on with.
 * @param shares of each job, made in this turn: so much of its cost its organisation has had
 */
const YIELD_SECONDS = 5
export const jobsYield = (
  tx: Tx,
  jobs: readonly JobRow[],
  runner: string,
  shares: readonly number[],
): Promise<unknown> =>
  tx.query(
    `UPDATE stream_job j SET state = 'waiting', runner = NULL, next_try_at = now() + make_interval(secs => $5), turn_ended_at = now(),
       turn_cost = j.cost * t.share + CASE WHEN j.turn_ended_at > now() - make_interval(hours => $6) THEN j.turn_cost ELSE 0 END
     FROM unnest($1::bigint[], $2::int[], $3::float8[]) AS t (id, attempt, share)
     WHERE j.id = t.id AND j.state = 'running' AND j.attempt = t.attempt AND j.runner = $4`,
    [jobs.map(({ id }) => id), jobs.map(({ attempt }) => attempt), shares, runner, YIELD_SECONDS, SHARED_HOURS],
  )

export const jobsOf = (tx: Tx, assetId: string): Promise<JobRow[]> =>
  tx.query('SELECT * FROM stream_job WHERE asset_id = $1 ORDER BY seq', [assetId])

/** False when the video was removed, or its encoding stopped, meanwhile. */
export async function noteProgress(tx: Tx, id: string, progress: number, secondsLeft: number | null): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE stream_asset SET progress = $2, seconds_left = $3 WHERE id = $1 AND deleted_at IS NULL AND state = 'processing' RETURNING id`,
    [id, progress, secondsLeft],
  )
  return rows.length > 0
}

export const markPlayable = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET is_playable = true, playable_at = coalesce(playable_at, now()) WHERE id = $1', [id])

/** Whether there is a presentation for DASH, too. */
export const noteDash = (tx: Tx, id: string, hasDash: boolean): Promise<unknown> =>
  tx.query('UPDATE stream_asset SET has_dash = $2 WHERE id = $1 AND has_dash IS DISTINCT FROM $2', [id, hasDash])

/** Some videos behind one, in their order, whose playlist was written before there was DASH. */
export const dashUnknown = async (tx: Tx, id: string): Promise<string[]> =>
  (
    await tx.query<{ id: string }>(
      'SELECT id FROM stream_asset WHERE has_dash IS NULL AND is_playable AND deleted_at IS NULL AND id > $1 ORDER BY id LIMIT 50',
      [id],
    )
  ).map((row) => row.id)

/** An attempt that was taken from its runner meanwhile counts for nothing: another makes it anew. */
export async function finishJob(tx: Tx, job: JobRow, made: Made | null): Promise<void> {
  const mine = await tx.query(
    `UPDATE stream_job SET state = 'done', made = $2, ended_at = now() WHERE id = $1 AND attempt = $3 AND state = 'running' RETURNING id`,
    [job.id, made && JSON.stringify(made), job.attempt],
  )
  if (mine.length === 0) return
  // The playlist is to be written, also when this process dies before it has.
  await tx.query('UPDATE stream_asset SET chapters_applied = false WHERE id = $1 AND is_playable', [job.asset_id])
  if (job.kind === 'pictures' || job.kind === 'recording')
    await tx.query('UPDATE stream_asset SET has_poster = true WHERE id = $1', [job.asset_id])
  const [ready] = await tx.query<{ replaces: string | null }>(
    `UPDATE stream_asset SET state = 'ready', progress = NULL, seconds_left = NULL, ready_at = now() WHERE id = $1 AND state = 'processing' AND deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM stream_job WHERE asset_id = $1 AND state <> 'done') RETURNING replaces`,
    [job.asset_id],
  )
  if (ready?.replaces) await exchange(tx, job.asset_id, ready.replaces)
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
      `SELECT ${ASSET}, chapters, chapters_number FROM stream_asset WHERE id = $1 AND deleted_at IS NULL FOR UPDATE`,
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
  await tx.query('UPDATE stream_asset SET chapters_applied = true, files_revision = files_revision + 1 WHERE id = $1', [
    assetId,
  ])
}

/** Videos whose playlist does not say yet what it should, or that have folders to be removed. */
export const textsChanged = async (tx: Tx): Promise<string[]> =>
  (
    await tx.query<{ id: string }>(
      `SELECT a.id FROM stream_caption c JOIN stream_asset a ON a.id = c.asset_id WHERE c.applied_at IS NULL AND a.is_playable AND a.deleted_at IS NULL
       UNION SELECT id FROM stream_asset WHERE NOT chapters_applied AND is_playable AND deleted_at IS NULL
       UNION SELECT a.id FROM stream_gone g JOIN stream_asset a ON a.id = g.asset_id WHERE g.files_removed_at IS NULL AND g.deleted_at <= clock_timestamp() AND a.deleted_at IS NULL`,
    )
  ).map(({ id }) => id)

export const foldersGone = async (tx: Tx, assetId: string): Promise<string[]> =>
  (
    await tx.query<{ folder: string }>(
      'SELECT folder FROM stream_gone WHERE asset_id = $1 AND files_removed_at IS NULL AND deleted_at <= clock_timestamp()',
      [assetId],
    )
  ).map(({ folder }) => folder)

export const folderRemoved = (tx: Tx, assetId: string, folder: string): Promise<unknown> =>
  tx.query('UPDATE stream_gone SET files_removed_at = clock_timestamp() WHERE asset_id = $1 AND folder = $2', [
    assetId,
    folder,
  ])

const LATER_SECONDS = 30

export type WantedThumbnail = {
  asset_id: string
  organization_id: string
  file_id: string
  upload_in: string
  size: number
  source: VideoSource
  state: 'processing' | 'ready' | 'failed'
  /** Seconds of the film; null: where it is taken from by itself. */ at: number | null
  picture: Buffer | null
  number: number
}

/** The next one, of whom `served` has not, or longest ago. */
export const thumbnailWanted = async (tx: Tx, served: readonly string[]): Promise<WantedThumbnail | undefined> =>
  (
    await tx.query<WantedThumbnail>(
      `SELECT t.asset_id, t.organization_id, coalesce(a.file_id, a.id) AS file_id, a.upload_in, a.size, a.source, a.state, t.at, t.picture, t.number FROM stream_thumbnail t JOIN stream_asset a ON a.id = t.asset_id
       WHERE t.applied_at IS NULL AND t.reason_code IS NULL AND a.deleted_at IS NULL AND a.is_playable AND a.source IS NOT NULL AND (t.next_try_at IS NULL OR t.next_try_at <= now())
       ORDER BY array_position($1::uuid[], t.organization_id) NULLS FIRST, t.changed_at LIMIT 1`,
      [served],
    )
  )[0]

/** What it is made of is not here yet, or has no room: others go first for a while. */
export const thumbnailWaits = (tx: Tx, { asset_id: id, number }: WantedThumbnail): Promise<unknown> =>
  tx.query(
    'UPDATE stream_thumbnail SET next_try_at = now() + make_interval(secs => $3) WHERE asset_id = $1 AND number = $2',
    [id, number, LATER_SECONDS],
  )

/** Viewers get it from now on, and the one before goes; nothing when another was chosen meanwhile. */
export async function thumbnailMade(tx: Tx, { asset_id: id, number }: WantedThumbnail): Promise<void> {
  const [before] = await tx.query<{ organization_id: string; shown_number: number | null }>(
    'SELECT organization_id, shown_number FROM stream_thumbnail WHERE asset_id = $1 AND number = $2 FOR UPDATE',
    [id, number],
  )
  if (!before) return
  await tx.query(
    'UPDATE stream_thumbnail SET applied_at = clock_timestamp(), shown_number = number, picture = NULL WHERE asset_id = $1',
    [id],
  )
  // Also the mark that the playlist, and what stands beside it, is to be written: this process may die before it has.
  await tx.query('UPDATE stream_asset SET has_poster = true, chapters_applied = false WHERE id = $1', [id])
  if (before.shown_number === null || before.shown_number === number) return
  await tx.query(
    'INSERT INTO stream_gone (organization_id, asset_id, folder) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [before.organization_id, id, thumbnailFolder(before.shown_number)],
  )
}

export const thumbnailFailed = (
  tx: Tx,
  { asset_id: id, number }: WantedThumbnail,
  code: ErrorCode,
  reason: string,
): Promise<unknown> =>
  tx.query(
    'UPDATE stream_thumbnail SET reason_code = $3, reason = $4, picture = NULL WHERE asset_id = $1 AND number = $2',
    [id, number, code, reason],
  )

/** Number of the picture that viewers get by their owner's choice. */
export const shownThumbnail = async (tx: Tx, assetId: string): Promise<number | null> =>
  (
    await tx.query<{ shown_number: number | null }>('SELECT shown_number FROM stream_thumbnail WHERE asset_id = $1', [
      assetId,
    ])
  )[0]?.shown_number ?? null

export type DownloadRow = {
  id: string
  organization_id: string
  asset_id: string
  attempt: number
  /** Of the rendition's folder. */ part: number
  name: string
  /** How large it will be, about. */ bytes: number
}

/** How long the file of a rendition is kept. */
const DOWNLOAD_HOURS = 24

/** Of the organisation for which least was made into files lately, by the length of its films, the oldest. */
export async function takeDownload(tx: Tx, runner: string): Promise<(DownloadRow & { attempt: number }) | undefined> {
  await putBack(tx, 'stream_download', runner)
  const [row] = await tx.query<DownloadRow>(
    `WITH used AS (SELECT d.organization_id, sum((a.source->>'seconds')::float8) AS seconds FROM stream_download d JOIN stream_asset a ON a.id = d.asset_id
         WHERE d.state = 'running' OR d.done_at > now() - make_interval(hours => $2) GROUP BY 1)
     UPDATE stream_download d SET state = 'running', runner = $1, attempt = d.attempt + 1 FROM stream_job j WHERE j.id = d.job_id AND d.id = (
       SELECT w.id FROM stream_download w JOIN stream_asset a ON a.id = w.asset_id LEFT JOIN used u ON u.organization_id = w.organization_id
       WHERE w.state = 'waiting' AND a.deleted_at IS NULL AND (w.next_try_at IS NULL OR w.next_try_at <= now())
       ORDER BY coalesce(u.seconds, 0), w.created_at LIMIT 1 FOR UPDATE OF w SKIP LOCKED)
     RETURNING d.id, d.organization_id, d.asset_id, d.attempt, j.attempt AS part, j.name,
       coalesce((j.made->>'averageBitrate')::float8 / 8 * (SELECT (source->>'seconds')::float8 FROM stream_asset WHERE id = d.asset_id), 0) AS bytes`,
    [runner, SHARED_HOURS],
  )
  return row
}

/** False when nobody waits for it any more. */
export async function downloadDone(tx: Tx, { id, attempt }: DownloadRow, size: number): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE stream_download d SET state = 'done', size = $3, done_at = now() FROM stream_asset a
     WHERE a.id = d.asset_id AND a.deleted_at IS NULL AND d.id = $1 AND d.attempt = $2 AND d.state = 'running' RETURNING d.id`,
    [id, attempt, size],
  )
  return rows.length > 0
}

export const downloadFailed = (tx: Tx, { id, attempt }: DownloadRow): Promise<unknown> =>
  tx.query(`UPDATE stream_download SET state = 'failed', done_at = now() WHERE id = $1 AND attempt = $2`, [id, attempt])

/** Another attempt follows. */
export const downloadAgain = (tx: Tx, { id, attempt }: DownloadRow): Promise<unknown> =>
  tx.query(
    `UPDATE stream_download SET state = 'waiting', runner = NULL, next_try_at = now() + make_interval(secs => $3) WHERE id = $1 AND attempt = $2 AND state = 'running'`,
    [id, attempt, waitAfter(attempt)],
  )

export const downloadWaits = (tx: Tx, { id, attempt }: DownloadRow): Promise<unknown> =>
  tx.query(
    `UPDATE stream_download SET state = 'waiting', runner = NULL, attempt = attempt - 1, next_try_at = now() + make_interval(secs => $3) WHERE id = $1 AND attempt = $2 AND state = 'running'`,
    [id, attempt, LATER_SECONDS],
  )

export const downloadsOver = async (tx: Tx): Promise<string[]> =>
  (
    await tx.query<{ id: string }>(
      `SELECT d.id FROM stream_download d JOIN stream_asset a ON a.id = d.asset_id
       WHERE d.state <> 'running' AND (a.deleted_at IS NOT NULL OR d.done_at < now() - make_interval(hours => $1))`,
      [DOWNLOAD_HOURS],
    )
  ).map(({ id }) => id)

export const downloadRemoved = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('DELETE FROM stream_download WHERE id = $1', [id])

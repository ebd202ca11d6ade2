import {
  LIMITS,
  type LiveInput,
  type LiveLatency,
  type LiveProtocol,
  type LiveRecording,
  type LiveStreamInput,
} from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type LiveRow = {
  id: string
  organization_id: string
  name: string
  protocol: LiveProtocol
  origin_url: string | null
  latency: LiveLatency
  key_frame_seconds: number
  rewind_seconds: number
  is_recorded: boolean
  key_made_at: Date
  is_on: boolean
  revision: number
  applied_revision: number | null
  is_runner_there: boolean
  age_seconds: number
  running_since: Date | null
  input: LiveInput | null
  renditions: { name: string; width: number; height: number }[]
  is_playable: boolean
  asked_at: Date | null
  is_tested: boolean
  test_until: Date | null
  created_by: string
  created_at: Date
}

const ROW = `l.id, l.organization_id, l.name, l.protocol, l.origin_url, l.latency, l.key_frame_seconds, l.rewind_seconds, l.is_recorded, l.key_made_at, l.is_on, l.revision, l.applied_revision,
  l.running_since, l.input, l.renditions, l.is_playable, l.asked_at, l.test_picture IS NOT NULL AND coalesce(l.test_until > now(), true) AS is_tested, l.test_until, l.created_by, l.created_at, extract(epoch FROM now() - l.created_at)::float8 AS age_seconds,
  EXISTS (SELECT FROM stream_runner r WHERE r.node = l.runner AND r.seen_at > now() - interval '10 seconds') AS is_runner_there
  FROM stream_live l WHERE l.deleted_at IS NULL`

export async function listLive(
  tx: Tx,
  { search, order, limit, offset }: { search: string | undefined; order: string; limit: number | null; offset: number },
): Promise<{ rows: LiveRow[]; total: number }> {
  const rows = await tx.query<LiveRow & { total: number }>(
    `SELECT count(*) OVER ()::int AS total, ${ROW} AND ($1::text IS NULL OR position(lower($1) IN lower(l.name)) > 0) ORDER BY ${order}, l.id LIMIT $2 OFFSET $3`,
    [search ?? null, limit, offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

export const liveById = async (tx: Tx, id: string, { hold = false } = {}): Promise<LiveRow | undefined> =>
  (await tx.query<LiveRow>(`SELECT ${ROW} AND l.id = $1${hold ? ' FOR UPDATE OF l' : ''}`, [id]))[0]

export const keyHashOf = async (tx: Tx, id: string): Promise<string | null> =>
  (await tx.query<{ key_hash: string | null }>('SELECT key_hash FROM stream_live WHERE id = $1', [id]))[0]?.key_hash ??
  null

export async function isLiveNameTaken(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM stream_live WHERE deleted_at IS NULL AND lower(name) = lower($1)', [name])
  return rows.length > 0
}

export const countLive = async (tx: Tx): Promise<number> =>
  (await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM stream_live WHERE deleted_at IS NULL'))[0]?.n ?? 0

/** Those that are not a video yet, and will be one. */
export const countRecordings = async (tx: Tx): Promise<number> =>
  (
    await tx.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM stream_recording WHERE state IN ('running', 'sealed')`,
    )
  )[0]?.n ?? 0

type RecordingRow = {
  id: string
  state: LiveRecording['state']
  reason: LiveRecording['reason']
  started_at: Date
  ended_at: Date | null
  seconds: number
  bytes: number
  asset: { id: string; name: string } | null
}

export const recordingsOf = (tx: Tx, liveId: string): Promise<RecordingRow[]> =>
  tx.query(
    `SELECT r.id, r.state, r.reason, r.started_at, r.ended_at, r.seconds, r.bytes::float8 AS bytes,
       CASE WHEN a.id IS NOT NULL THEN jsonb_build_object('id', a.id, 'name', a.name) END AS asset
     FROM stream_recording r LEFT JOIN stream_asset a ON a.id = r.id AND a.deleted_at IS NULL
     WHERE r.live_id = $1 ORDER BY r.started_at DESC, r.id LIMIT $2`,
    [liveId, LIMITS.recordingsShown],
  )

export async function insertLive(
  tx: Tx,
  stream: LiveStreamInput & { organizationId: string; createdBy: string; keyHash: string | null },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO stream_live (organization_id, name, protocol, latency, key_frame_seconds, rewind_seconds, key_hash, created_by, is_recorded, origin_url) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id',
    [
      stream.organizationId,
      stream.name,
      stream.protocol,
      stream.latency,
      stream.keyFrameSeconds,
      stream.rewindSeconds,
      stream.keyHash,
      stream.createdBy,
      stream.isRecorded,
      stream.originUrl,
    ],
  )
  return row?.id ?? ''
}

export const updateLive = (
  tx: Tx,
  id: string,
  to: Pick<LiveRow, 'name' | 'origin_url' | 'latency' | 'key_frame_seconds' | 'rewind_seconds'>,
): Promise<unknown> =>
  tx.query(
    'UPDATE stream_live SET name = $2, origin_url = $3, latency = $4, key_frame_seconds = $5, rewind_seconds = $6 WHERE id = $1',
    [id, to.name, to.origin_url, to.latency, to.key_frame_seconds, to.rewind_seconds],
  )

export const replaceKey = (tx: Tx, id: string, keyHash: string): Promise<unknown> =>
  tx.query('UPDATE stream_live SET key_hash = $2, key_made_at = now(), revision = revision + 1 WHERE id = $1', [
    id,
    keyHash,
  ])

export const switchLive = (tx: Tx, id: string, on: boolean): Promise<unknown> =>
  tx.query(
    `UPDATE stream_live SET is_on = $2, revision = revision + 1, test_picture = CASE WHEN test_until IS NULL THEN test_picture END, test_until = NULL WHERE id = $1`,
    [id, on],
  )

/** For so many seconds, and on no other stream of the organisation; null ends it, also one that was to stay. */
export async function setTest(tx: Tx, id: string, seconds: number | null): Promise<void> {
  await tx.query(
    'UPDATE stream_live SET test_picture = NULL, test_until = NULL WHERE id = $1 OR test_until IS NOT NULL',
    [id],
  )
  if (seconds === null) return
  await tx.query(
    `UPDATE stream_live SET test_picture = 'bars', test_until = now() + make_interval(secs => $2) WHERE id = $1`,
    [id, seconds],
  )
}

export const switchRecording = (tx: Tx, id: string, on: boolean): Promise<unknown> =>
  tx.query('UPDATE stream_live SET is_recorded = $2 WHERE id = $1', [id, on])

export const markLiveDeleted = (tx: Tx, id: string): Promise<unknown> =>
  tx.query('UPDATE stream_live SET deleted_at = now(), is_on = false WHERE id = $1', [id])

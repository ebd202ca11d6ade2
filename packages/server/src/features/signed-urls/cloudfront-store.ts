import crypto from 'node:crypto'
import type { CloudfrontVideos } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { STREAM_MARKS } from '../../publish/stream-marks.ts'

/** The channel that says that there is something to do at CloudFront. */
export const CLOUDFRONT_CHANNEL = 'stream-cloudfront'

export type VideosRow = {
  organization_id: string
  cdn_id: string
  name: string
  grant_id: string
  state: CloudfrontVideos['state']
  host: string | null
  problem: string | null
  revision: number
  attempts: number
}

const COLUMNS = 'v.organization_id, v.cdn_id, c.name, v.grant_id, v.state, v.host, v.problem, v.revision, v.attempts'
const CDN = 'cdn c ON c.organization_id = v.organization_id AND c.id = v.cdn_id'

/** Of the tenant. */
export const videosAt = async (tx: Tx): Promise<VideosRow | undefined> =>
  (await tx.query<VideosRow>(`SELECT ${COLUMNS} FROM stream_cloudfront v JOIN ${CDN}`))[0]

/** Whether CloudFront has to have a key. */
export const isPlaced = async (tx: Tx): Promise<boolean> => {
  const found = await videosAt(tx)
  return found !== undefined && found.state !== 'removing'
}

/** CDNs of the tenant that are its own accounts at CloudFront. */
export const accountsOf = (tx: Tx): Promise<{ cdnId: string; name: string }[]> =>
  tx.query(
    `SELECT id AS "cdnId", name FROM cdn WHERE driver = 'cloudfront' AND byo_key_id IS NOT NULL ORDER BY lower(name), id`,
  )

export async function insertVideosAt(tx: Tx, organizationId: string, cdnId: string): Promise<void> {
  await tx.query('INSERT INTO stream_cloudfront (organization_id, cdn_id, grant_id) VALUES ($1, $2, $3)', [
    organizationId,
    cdnId,
    crypto.randomUUID().replaceAll('-', '').slice(0, 16),
  ])
  await wake(tx)
}

/** Its keys are others now. */
export const wantKeys = (tx: Tx, organizationId: string): Promise<void> => want(tx, organizationId, 'setting-up')

/** Our own address is another one now, for all of them. */
export async function wantAllAgain(tx: Tx): Promise<void> {
  await tx.query(
    `UPDATE stream_cloudfront SET state = 'setting-up', problem = NULL, attempts = 0, due_at = now(), revision = revision + 1 WHERE state <> 'removing'`,
  )
  await wake(tx)
}

export const wantRemoved = (tx: Tx, organizationId: string): Promise<void> => want(tx, organizationId, 'removing')

async function want(tx: Tx, organizationId: string, state: VideosRow['state']): Promise<void> {
  await tx.query(
    `UPDATE stream_cloudfront SET state = $2, problem = NULL, attempts = 0, due_at = now(), revision = revision + 1 WHERE organization_id = $1 AND state <> 'removing'`,
    [organizationId, state],
  )
  await wake(tx)
}

const wake = (tx: Tx): Promise<unknown> => tx.query(`SELECT pg_notify($1, '')`, [CLOUDFRONT_CHANNEL])

/** Whether the organisation's videos are, or are being taken off, what a key reaches. */
export const hasVideosAt = async (tx: Tx, cdnId: string): Promise<boolean> =>
  (await tx.query('SELECT FROM stream_cloudfront WHERE cdn_id = $1', [cdnId])).length > 0

const LEASE_SECONDS = 180

const TO_FORGET = `SELECT FROM (${STREAM_MARKS}) m WHERE m.organization_id = w.organization_id AND m.at > w.purged_until AND m.at <= now()`

export const VIDEOS_DUE = `SELECT FROM stream_cloudfront w WHERE (leased_until IS NULL OR leased_until < now())
  AND (due_at <= now() OR (state = 'live' AND problem IS NULL AND EXISTS (${TO_FORGET})))`

/** For the worker, which sees every organisation: what is due, and where something is to be forgotten at once. */
export const takeDueVideos = (tx: Tx, limit: number): Promise<VideosRow[]> =>
  tx.query<VideosRow>(
    `WITH taken AS (SELECT organization_id FROM stream_cloudfront w WHERE (due_at <= now() OR (state = 'live' AND problem IS NULL AND EXISTS (${TO_FORGET})))
       AND (leased_until IS NULL OR leased_until < now()) ORDER BY due_at LIMIT $1 FOR UPDATE OF w SKIP LOCKED)
     UPDATE stream_cloudfront v SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken, cdn c
     WHERE v.organization_id = taken.organization_id AND c.organization_id = v.organization_id AND c.id = v.cdn_id RETURNING ${COLUMNS}`,
    [limit],
  )

/** Folders with something in them that is to be forgotten, and until when that is all: as text, for a `Date` is less exact. */
export async function foldersToForget(
  tx: Tx,
  organizationId: string,
): Promise<{ folders: string[]; until: string } | null> {
  const [row] = await tx.query<{ folders: string[]; until: string | null }>(
    `SELECT coalesce(array_agg(DISTINCT split_part(m.value, '/', 2)), '{}') AS folders, max(m.at)::text AS until
     FROM (${STREAM_MARKS}) m JOIN stream_cloudfront w ON w.organization_id = m.organization_id WHERE w.organization_id = $1 AND m.at > w.purged_until AND m.at <= now()`,
    [organizationId],
  )
  return row?.until ? { folders: row.folders, until: row.until } : null
}

export const noteForgotten = (tx: Tx, organizationId: string, until: string): Promise<unknown> =>
  tx.query(
    'UPDATE stream_cloudfront SET purged_until = greatest(purged_until, $2::timestamptz) WHERE organization_id = $1',
    [organizationId, until],
  )

/** How a turn ended. What was wanted of it may be another thing by now: then the next turn is due. */
export async function noteTurn(
  tx: Tx,
  { organization_id: organizationId, revision }: VideosRow,
  turn: { isLive: boolean; host: string | null; problem: string | null; againMs: number },
): Promise<void> {
  await tx.query(
    `UPDATE stream_cloudfront SET leased_until = NULL, host = coalesce($3, host),
       state = CASE WHEN revision = $2 AND state <> 'removing' THEN (CASE WHEN $4 THEN 'live' ELSE state END) ELSE state END,
       problem = CASE WHEN revision = $2 THEN $5 ELSE problem END,
       attempts = CASE WHEN $5::text IS NULL THEN 0 ELSE attempts + 1 END,
       due_at = CASE WHEN revision = $2 THEN now() + make_interval(secs => $6::float8 / 1000) ELSE now() END
     WHERE organization_id = $1`,
    [organizationId, revision, turn.host, turn.isLive, turn.problem, turn.againMs],
  )
}

export const deleteVideosAt = (tx: Tx, organizationId: string): Promise<unknown> =>
  tx.query('DELETE FROM stream_cloudfront WHERE organization_id = $1', [organizationId])

/** What CloudFront calls the keys; none where they are not there. */
export const noteKeyPairs = (tx: Tx, organizationId: string, ids: Record<string, string>): Promise<unknown> =>
  tx.query(
    `UPDATE stream_signing_key SET key_pair_id = $2::jsonb ->> key_id WHERE organization_id = $1 AND kind = 'rsa-2048' AND key_pair_id IS DISTINCT FROM $2::jsonb ->> key_id`,
    [organizationId, JSON.stringify(ids)],
  )

export const rsaKeysOf = (tx: Tx, organizationId: string): Promise<{ key_id: string; public_key: string }[]> =>
  tx.query(
    `SELECT key_id, public_key FROM stream_signing_key WHERE organization_id = $1 AND kind = 'rsa-2048' ORDER BY serial`,
    [organizationId],
  )

import type { Job } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { writeAudit } from '../../http/write-audit.ts'

/** What failed longer ago is seen by its owner only. */
const SHOWN_DAYS = 14
const ENCODING_FAILED = 30013
const STOPPED = 'stopped by the operator'

/**
 * What the role `media` has before it: uploads on their way, videos that wait, are encoded or have failed, and live
 * streams that are on. `refused`: the file itself is none that can be encoded.
 */
export const VIDEO_JOBS = `
  SELECT 'upload', a.id::text, 'upload', a.name, o.name, 'running', NULL, NULL, a.created_at, NULL
  FROM stream_asset a JOIN organization o ON o.id = a.organization_id WHERE a.state = 'uploading' AND a.deleted_at IS NULL
  UNION ALL
  SELECT 'encode', a.id::text, CASE WHEN a.state = 'failed' THEN CASE WHEN a.reason_code = ${ENCODING_FAILED} THEN 'failed' ELSE 'refused' END WHEN a.source IS NULL THEN 'intake' ELSE coalesce(j.names, 'waiting') END,
    a.name, o.name, CASE WHEN a.state = 'failed' THEN 'failed' WHEN j.names IS NULL THEN 'waiting' ELSE 'running' END, j.attempts, CASE WHEN a.state = 'failed' THEN concat_ws(' · ', a.reason_code, nullif(a.reason, '')) END,
    coalesce(a.started_at, a.created_at), NULL
  FROM stream_asset a JOIN organization o ON o.id = a.organization_id
    LEFT JOIN LATERAL (SELECT string_agg(name, ', ' ORDER BY seq) FILTER (WHERE state = 'running') AS names, max(attempt % 100) AS attempts FROM stream_job WHERE asset_id = a.id) j ON true
  WHERE a.deleted_at IS NULL AND (a.state IN ('queued', 'processing') OR (a.state = 'failed' AND a.created_at > now() - interval '${SHOWN_DAYS} days'))
  UNION ALL
  SELECT 'live', l.id::text, coalesce(l.input->>'state', 'no signal'), l.name, o.name, CASE WHEN l.input->>'problem' <> '' THEN 'failed' WHEN l.running_since IS NULL THEN 'waiting' ELSE 'running' END, NULL,
    nullif(l.input->>'problem', ''), coalesce(l.running_since, l.created_at), NULL
  FROM stream_live l JOIN organization o ON o.id = l.organization_id WHERE l.is_on AND l.deleted_at IS NULL`

/** Null for what is none of the role's. What the file itself is at fault of fails again. */
export function canBeDoneToVideo({ kind, what, state }: Pick<Job, 'kind' | 'what' | 'state'>): Job['can'] | null {
  if (kind === 'upload' || kind === 'live') return ['cancel']
  if (kind !== 'encode') return null
  if (state !== 'failed') return ['cancel']
  return what === 'refused' ? [] : ['retry']
}

/** What is done stays done, and attempts are counted anew. False when it has not failed so. */
export async function retryEncoding(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE stream_asset SET state = CASE WHEN source IS NULL THEN 'queued' ELSE 'processing' END, reason_code = NULL, reason = '', attempts = 0, next_try_at = NULL WHERE id::text = $1 AND state = 'failed' AND reason_code = $2 AND deleted_at IS NULL RETURNING id`,
    [id, ENCODING_FAILED],
  )
  await tx.query(
    `UPDATE stream_job SET state = 'waiting', runner = NULL, vain_from = attempt, next_try_at = NULL WHERE asset_id::text = $1 AND state = 'failed'`,
    [rows.length > 0 ? id : ''],
  )
  return rows.length > 0
}

/** For its owner it has failed, or is switched off. False when there is none that goes on. */
export async function cancelJob(tx: Tx, kind: 'upload' | 'encode' | 'live', id: string): Promise<boolean> {
  const [row] =
    kind === 'live'
      ? await tx.query<{ organization_id: string; name: string }>(
          `UPDATE stream_live SET is_on = false, revision = revision + 1, test_picture = NULL, test_until = NULL WHERE id = $1 AND is_on AND deleted_at IS NULL RETURNING organization_id, name`,
          [id],
        )
      : await tx.query<{ organization_id: string; name: string }>(
          `UPDATE stream_asset SET state = 'failed', reason_code = $2, reason = $3, progress = NULL, seconds_left = NULL WHERE id = $1 AND state = ANY ($4) AND deleted_at IS NULL RETURNING organization_id, name`,
          [
            id,
            kind === 'upload' ? 30012 : ENCODING_FAILED,
            STOPPED,
            kind === 'upload' ? ['uploading'] : ['queued', 'processing'],
          ],
        )
  if (!row) return false
  if (kind !== 'live')
    await tx.query(`UPDATE stream_job SET state = 'failed' WHERE asset_id = $1 AND state <> 'done'`, [id])
  await writeAudit(tx, {
    organizationId: row.organization_id,
    action: kind === 'live' ? 'live-stream.stop' : 'stream-asset.stop',
    userId: null,
    userLabel: 'operator',
    source: 'system',
    changes: [
      {
        entity: kind === 'live' ? 'live-stream' : 'stream-asset',
        id,
        label: row.name,
        before: { on: true },
        after: { on: false },
      },
    ],
  })
  return true
}

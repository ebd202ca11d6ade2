import type { Job } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { VIDEO_JOBS, canBeDoneToVideo, retryEncoding } from './video-jobs.ts'
import { uuidIn } from '../../http/tenant.ts'

export type JobRow = {
  id: string
  kind: Job['kind']
  what: string
  about: string
  organization_name: string | null
  state: Job['state']
  attempts: number | null
  problem: string | null
  since: Date
  due_at: Date | null
  total: number
}

/**
 * One list of what the worker has before it, however it is stored. Every site has its delegation looked at again some
 * time: that is a job when it is due.
 */
const JOBS = `
  SELECT 'publish' AS kind, x.kind || ' ' || x.key AS id, x.kind AS what, coalesce(s.domain_name, x.key) AS about, o.name AS organization_name, CASE WHEN max(x.attempts) >= 3 OR min(x.created_at) < now() - interval '1 minute' THEN 'failed' ELSE 'waiting' END AS state,
    nullif(max(x.attempts), 0) AS attempts, max(x.problem) AS problem, min(x.created_at) AS since, CASE WHEN max(x.attempts) > 0 THEN min(x.due_at) END AS due_at
  FROM outbox x LEFT JOIN organization o ON o.id = x.organization_id LEFT JOIN site s ON s.id = ${uuidIn('x.key')} GROUP BY x.kind, x.key, s.domain_name, o.name
  UNION ALL
  SELECT 'site-task', t.site_id || ' ' || t.kind, t.kind, s.domain_name, o.name, t.state, NULL, t.problem, t.requested_at, t.due_at
  FROM (SELECT * FROM site_task WHERE state IN ('waiting', 'running') AND due_at < now() + interval '1 minute' UNION ALL SELECT * FROM site_task WHERE state = 'failed') t
    JOIN site s ON s.id = t.site_id JOIN organization o ON o.id = t.organization_id
  UNION ALL
  SELECT 'cdn', dc.id::text, dc.state, c.name || ' · ' || d.name, o.name, CASE WHEN dc.state = 'failed' OR dc.attempts >= 3 THEN 'failed' WHEN dc.leased_until > now() THEN 'running' ELSE 'waiting' END, dc.attempts, dc.detail, dc.state_since, dc.next_attempt_at
  FROM domain_cdn dc JOIN domain d ON d.id = dc.domain_id JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id JOIN organization o ON o.id = dc.organization_id WHERE dc.state <> 'operational'
  UNION ALL
  SELECT 'vendor-traffic', dc.id::text, 'vendor-traffic', c.name || ' · ' || d.name, o.name, CASE WHEN v.attempts >= 3 THEN 'failed' WHEN v.leased_until > now() THEN 'running' ELSE 'waiting' END, v.attempts, v.problem, v.problem_since, v.due_at
  FROM vendor_traffic v JOIN domain_cdn dc ON dc.id = v.domain_cdn_id JOIN domain d ON d.id = dc.domain_id JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id JOIN organization o ON o.id = dc.organization_id WHERE v.problem IS NOT NULL
  UNION ALL ${VIDEO_JOBS}`

export async function listJobs(
  tx: Tx,
  {
    state,
    kind,
    search,
    limit,
    offset,
  }: { state: string | null; kind: string | null; search: string | null; limit: number | null; offset: number },
): Promise<JobRow[]> {
  return tx.query(
    `SELECT *, count(*) OVER ()::int AS total FROM (${JOBS}) j WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR kind = $2)
       AND ($3::text IS NULL OR about ILIKE '%' || $3 || '%' OR organization_name ILIKE '%' || $3 || '%') ORDER BY state = 'failed' DESC, since, id LIMIT $4 OFFSET $5`,
    [state, kind, search, limit, offset],
  )
}

export async function countJobs(tx: Tx): Promise<{ waiting: number; failed: number }> {
  const rows = await tx.query<{ waiting: number; failed: number }>(
    `SELECT count(*) FILTER (WHERE state <> 'failed' AND kind <> 'live')::int AS waiting, count(*) FILTER (WHERE state = 'failed' AND what <> 'refused')::int AS failed FROM (${JOBS}) j`,
  )
  return rows[0] ?? { waiting: 0, failed: 0 }
}

/** What may be done about it. */
export const canBeDone = (job: Pick<JobRow, 'kind' | 'what' | 'state'>): Job['can'] =>
  canBeDoneToVideo(job) ?? ['retry']

/** Has the worker try at once; false when there is no such job any more. */
export async function retryJob(tx: Tx, kind: Job['kind'], id: string): Promise<boolean> {
  const [first = '', ...rest] = id.split(' ')
  if (kind === 'publish') {
    await tx.query(`SELECT pg_notify('outbox', '')`)
    return (
      (
        await tx.query('UPDATE outbox SET due_at = now() WHERE kind = $1 AND key = $2 RETURNING id', [
          first,
          rest.join(' '),
        ])
      ).length > 0
    )
  }
  if (kind === 'site-task') {
    await tx.query(`SELECT pg_notify('site-task', '')`)
    return (
      (
        await tx.query(
          `UPDATE site_task SET state = 'waiting', due_at = now(), problem = NULL, starts = 0 WHERE site_id::text = $1 AND kind = $2 AND state IN ('waiting', 'failed') RETURNING kind`,
          [first, rest.join(' ')],
        )
      ).length > 0
    )
  }
  if (kind === 'encode') return retryEncoding(tx, first)
  if (kind === 'upload' || kind === 'live') return false
  if (kind === 'vendor-traffic') {
    await tx.query(`SELECT pg_notify('vendor-traffic', '')`)
    return (
      (
        await tx.query(
          'UPDATE vendor_traffic SET due_at = now() WHERE domain_cdn_id::text = $1 AND problem IS NOT NULL RETURNING account',
          [first],
        )
      ).length > 0
    )
  }
  const rows = await tx.query(
    `UPDATE domain_cdn SET next_attempt_at = now(), attempts = 0 WHERE id::text = $1 AND state <> 'operational' RETURNING id`,
    [first],
  )
  await tx.query(`SELECT pg_notify('acknowledged', '')`)
  return rows.length > 0
}

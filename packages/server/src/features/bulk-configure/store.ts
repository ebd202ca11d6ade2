import type { BulkChange, BulkItemState, GrantedPermission } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type JobRow = {
  id: string
  organization_id: string
  user_id: string
  requested_by: string
  impostor: string | null
  source: 'console' | 'api'
  ip: string
  api_key_id: string | null
  permissions: GrantedPermission[]
  change: BulkChange
  created_at: Date
  waiting: number
  done: number
  unchanged: number
  failed: number
  finished_at: Date | null
}
export type ItemRow = {
  domain_id: string
  site_id: string
  name: string
  site_name: string
  state: BulkItemState
  code: number | null
  fields: { path: string; message: string }[]
  version: number | null
  finished_at: Date | null
}
export type TakenItem = { organization_id: string; job_id: string; domain_id: string }
type Ended = { state: BulkItemState; code?: number; fields?: ItemRow['fields']; version?: number | null }

/** Longer than the steps of one domain take; a worker that died is missed after it. */
const LEASE_SECONDS = 30
export const RECENT = 10

/** How far a job `j` is. */
const PROGRESS = `CROSS JOIN LATERAL (SELECT ${(['waiting', 'done', 'unchanged', 'failed'] as const)
  .map((state) => `(count(*) FILTER (WHERE i.state = '${state}'))::int AS ${state}`)
  .join(', ')}, CASE WHEN bool_or(i.state = 'waiting') THEN NULL ELSE max(i.finished_at) END AS finished_at
  FROM bulk_item i WHERE i.job_id = j.id) progress`
/** A finished job is had for so long, and only the newest so many of an organisation. */
const KEPT = { days: 30, jobs: 100 }
const FORGOTTEN_AT_ONCE = 100

export async function chosenDomains(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; site_id: string; name: string; site_name: string }[]> {
  return tx.query(
    'SELECT d.id, d.site_id, d.name, s.domain_name AS site_name FROM domain d JOIN site s ON s.id = d.site_id WHERE d.id = ANY($1) AND d.removed_at IS NULL ORDER BY s.domain_name, d.name',
    [ids],
  )
}

export async function insertJob(
  tx: Tx,
  job: Omit<JobRow, 'id' | 'created_at' | 'finished_at' | BulkItemState>,
  domainIds: readonly string[],
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO bulk_job (organization_id, user_id, requested_by, impostor, source, ip, permissions, change, api_key_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id',
    [
      job.organization_id,
      job.user_id,
      job.requested_by,
      job.impostor,
      job.source,
      job.ip,
      job.permissions,
      JSON.stringify(job.change),
      job.api_key_id,
    ],
  )
  const id = rows[0]?.id ?? ''
  await tx.query(
    `INSERT INTO bulk_item (organization_id, job_id, domain_id, site_id, name, site_name)
     SELECT $1, $2, d.id, d.site_id, d.name, s.domain_name FROM domain d JOIN site s ON s.id = d.site_id WHERE d.id = ANY($3)`,
    [job.organization_id, id, domainIds],
  )
  await wakeWorker(tx)
  return id
}

/** Newest first. */
export async function recentJobs(tx: Tx): Promise<JobRow[]> {
  return tx.query(
    `SELECT j.*, progress.* FROM (SELECT * FROM bulk_job ORDER BY created_at DESC LIMIT ${RECENT}) j ${PROGRESS} ORDER BY j.created_at DESC`,
  )
}

export async function jobById(tx: Tx, id: string): Promise<JobRow | undefined> {
  return (await tx.query<JobRow>(`SELECT j.*, progress.* FROM bulk_job j ${PROGRESS} WHERE j.id = $1`, [id]))[0]
}

/** Some jobs that nobody looks back at any more; answers whether there may be others. */
export async function forgetJobs(tx: Tx): Promise<boolean> {
  const gone = await tx.query(
    `DELETE FROM bulk_job WHERE id IN (SELECT j.id FROM bulk_job j
       WHERE NOT EXISTS (SELECT FROM bulk_item i WHERE i.job_id = j.id AND i.state = 'waiting')
         AND ((j.created_at < now() - make_interval(days => $1) AND NOT EXISTS (SELECT FROM bulk_item i WHERE i.job_id = j.id AND i.finished_at > now() - make_interval(days => $1)))
           OR j.created_at < (SELECT n.created_at FROM bulk_job n WHERE n.organization_id = j.organization_id ORDER BY n.created_at DESC OFFSET $2 - 1 LIMIT 1))
       LIMIT $3) RETURNING id`,
    [KEPT.days, KEPT.jobs, FORGOTTEN_AT_ONCE],
  )
  return gone.length === FORGOTTEN_AT_ONCE
}

export async function itemsOf(tx: Tx, jobId: string): Promise<ItemRow[]> {
  return tx.query(
    'SELECT domain_id, site_id, name, site_name, state, code, fields, version, finished_at FROM bulk_item WHERE job_id = $1 ORDER BY site_name, name, domain_id',
    [jobId],
  )
}

/** How many there were to try again. */
export async function retryFailed(tx: Tx, jobId: string): Promise<number> {
  const rows = await tx.query(
    `UPDATE bulk_item SET state = 'waiting', code = NULL, fields = '[]', leased_until = NULL, finished_at = NULL WHERE job_id = $1 AND state = 'failed' RETURNING domain_id`,
    [jobId],
  )
  await wakeWorker(tx)
  return rows.length
}

async function wakeWorker(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_notify('bulk', '')`)
}

const FREE = `i.state = 'waiting' AND (i.leased_until IS NULL OR i.leased_until < now())`

/**
 * Takes what waits: nobody else has it until the lease ends. Organisations take turns: first come those that have the
 * fewest under way, and of these whoever has waited longest since the last domain was done; within one its oldest job.
 */
export async function takeItems(tx: Tx, limit: number): Promise<TakenItem[]> {
  return tx.query(
    `WITH RECURSIVE asking AS (
       (SELECT organization_id FROM bulk_item WHERE state = 'waiting' ORDER BY organization_id LIMIT 1)
       UNION ALL SELECT (SELECT i.organization_id FROM bulk_item i WHERE i.state = 'waiting' AND i.organization_id > a.organization_id ORDER BY i.organization_id LIMIT 1) FROM asking a WHERE a.organization_id IS NOT NULL),
     leased AS MATERIALIZED (SELECT organization_id FROM bulk_item WHERE state = 'waiting' AND leased_until > now()),
     turns AS (
       SELECT a.organization_id, (SELECT count(*) FROM leased l WHERE l.organization_id = a.organization_id) AS running,
         (SELECT max(i.finished_at) FROM bulk_item i WHERE i.organization_id = a.organization_id) AS last_at
       FROM asking a WHERE EXISTS (SELECT FROM bulk_item i WHERE i.organization_id = a.organization_id AND ${FREE}) ORDER BY running, last_at NULLS FIRST LIMIT $1),
     ready AS (
       SELECT one.job_id, one.domain_id, t.last_at, t.running + row_number() OVER (PARTITION BY t.organization_id ORDER BY one.created_at, one.site_name, one.name) AS place
       FROM turns t CROSS JOIN LATERAL (SELECT i.job_id, i.domain_id, j.created_at, i.site_name, i.name FROM bulk_item i JOIN bulk_job j ON j.id = i.job_id WHERE i.organization_id = t.organization_id AND ${FREE} ORDER BY j.created_at, i.site_name, i.name LIMIT $1) one),
     taken AS (SELECT i.job_id, i.domain_id FROM ready r JOIN bulk_item i ON i.job_id = r.job_id AND i.domain_id = r.domain_id WHERE ${FREE} ORDER BY r.place, r.last_at NULLS FIRST LIMIT $1 FOR UPDATE OF i SKIP LOCKED)
     UPDATE bulk_item i SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken WHERE i.job_id = taken.job_id AND i.domain_id = taken.domain_id RETURNING i.organization_id, i.job_id, i.domain_id`,
    [limit],
  )
}

/** Jobs of the organisation that have not come to their end. */
export async function countUnfinished(tx: Tx): Promise<number> {
  const rows = await tx.query<{ jobs: number }>(
    `SELECT count(DISTINCT job_id)::int AS jobs FROM bulk_item WHERE state = 'waiting'`,
  )
  return rows[0]?.jobs ?? 0
}

/** The item, held until the commit; undefined when somebody else has brought it to its end meanwhile. */
export async function heldItem(tx: Tx, { job_id, domain_id }: TakenItem): Promise<ItemRow | undefined> {
  return (
    await tx.query<ItemRow>(
      `SELECT * FROM bulk_item WHERE job_id = $1 AND domain_id = $2 AND state = 'waiting' FOR UPDATE`,
      [job_id, domain_id],
    )
  )[0]
}

export async function endItem(
  tx: Tx,
  { job_id, domain_id }: TakenItem,
  { state, code, fields = [], version = null }: Ended,
): Promise<void> {
  await tx.query(
    'UPDATE bulk_item SET state = $3, code = $4, fields = $5, version = $6, leased_until = NULL, finished_at = now() WHERE job_id = $1 AND domain_id = $2',
    [job_id, domain_id, state, code ?? null, JSON.stringify(fields), version],
  )
}

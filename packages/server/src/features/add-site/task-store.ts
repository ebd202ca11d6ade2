import type { TaskProblem } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { NAMED_BY, type NamedBy } from '../../publish/nameservers.ts'

export type TaskKind = 'scan' | 'parity' | 'nameservers'
export type TaskRow = {
  state: 'waiting' | 'running' | 'done' | 'failed'
  problem: TaskProblem | null
  progress: Record<string, unknown>
  result: Record<string, unknown>
  requested_at: Date
  started_at: Date | null
  finished_at: Date | null
}
export type TakenTask = {
  organization_id: string
  site_id: string
  kind: TaskKind
  domain_name: string
  version: number
  zone_status: number
  requested_at: Date
  result: Record<string, unknown>
  proof_token: string
} & NamedBy

/** A worker that died is missed after this long. */
export const LEASE_SECONDS = 10

export async function taskOf(tx: Tx, siteId: string, kind: TaskKind): Promise<TaskRow | undefined> {
  return (
    await tx.query<TaskRow>(
      'SELECT state, problem, progress, result, requested_at, started_at, finished_at FROM site_task WHERE site_id = $1 AND kind = $2',
      [siteId, kind],
    )
  )[0]
}

/**
 * Asks the worker to begin, anew when it was done before; what it learnt stays until there is something newer. A task
 * that runs goes on.
 */
export async function requestTask(tx: Tx, organizationId: string, siteId: string, kind: TaskKind): Promise<void> {
  await tx.query(
    `INSERT INTO site_task (organization_id, site_id, kind) VALUES ($1, $2, $3)
     ON CONFLICT (site_id, kind) DO UPDATE SET state = CASE site_task.state WHEN 'running' THEN 'running' ELSE 'waiting' END, problem = NULL, progress = '{}', requested_at = now(), due_at = now(), finished_at = NULL, is_repeat = false,
       starts = CASE site_task.state WHEN 'running' THEN site_task.starts ELSE 0 END`,
    [organizationId, siteId, kind],
  )
  await tx.query(`SELECT pg_notify('site-task', '')`)
}

/**
 * Looks at delegations and proofs have places of their own: a claim waits for one before it is served, and who is
 * scanned or compared may drag it out.
 */
export type TaskClass = 'looks' | 'scans'
/** Worked on at a time, and of one organisation. */
export const PLACES: Record<TaskClass, { all: number; ofOne: number }> = {
  looks: { all: 8, ofOne: 2 },
  scans: { all: 4, ofOne: 1 },
}
const KINDS: Record<TaskClass, string> = { looks: `kind = 'nameservers'`, scans: `kind <> 'nameservers'` }
/** One that has begun so often and never come to an end ends the worker that takes it. */
const MOST_STARTS = 3
/** Nothing is due further ahead, and no lease lasts longer: that was said by a clock that has been set right since. */
const FURTHEST_SECONDS = { due: 2 * 86_400, lease: 3_600 }
/** Nobody waits for what is done again after so long. */
const REPEAT_SECONDS = 3_600

/** What is due of organisations that have places left; one that runs was due when it was taken. */
export const tasksDue = (
  of: TaskClass,
): string => `FROM site_task WHERE ${KINDS[of]} AND state IN ('waiting', 'running')
  AND due_at <= now() AND (state = 'waiting' OR leased_until < now())
  AND organization_id <> ALL(ARRAY(SELECT b.organization_id FROM site_task b WHERE b.${KINDS[of]} AND b.state = 'running' AND b.leased_until > now() GROUP BY b.organization_id HAVING count(*) >= ${PLACES[of].ofOne}))`

/** Takes what is due, what somebody waits for before the looks that are repeated: nobody else has it until the lease ends. */
export async function takeTasks(tx: Tx, of: TaskClass, limit: number): Promise<TakenTask[]> {
  const taken: TakenTask[] = []
  while (taken.length < limit) {
    // One after the other: each counts for what its organisation may still have.
    const [task] = await tx.query<TakenTask>(
      `WITH taken AS (SELECT site_id, kind ${tasksDue(of)} ORDER BY is_repeat, due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       UPDATE site_task t SET state = 'running', problem = NULL, starts = t.starts + 1, started_at = now(), finished_at = NULL, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
       FROM taken, site s WHERE t.site_id = taken.site_id AND t.kind = taken.kind AND s.id = t.site_id
       RETURNING t.organization_id, t.site_id, t.kind, s.domain_name, s.version, s.zone_status, t.requested_at, t.result, s.proof_token, ${NAMED_BY}`,
    )
    if (!task) break
    taken.push(task)
  }
  return taken
}

/**
 * Takes what has ended one worker after the other out of their way, and answers with it. A look, which may have stood
 * beside the one that did, is repeated later.
 */
export async function giveUpTasks(tx: Tx): Promise<Pick<TakenTask, 'organization_id' | 'site_id'>[]> {
  await tx.query(
    `UPDATE site_task SET due_at = least(due_at, now()), leased_until = least(leased_until, now()) WHERE state IN ('waiting', 'running')
       AND (due_at > now() + make_interval(secs => ${FURTHEST_SECONDS.due}) OR (state = 'running' AND leased_until > now() + make_interval(secs => ${FURTHEST_SECONDS.lease})))`,
  )
  return tx.query(
    `UPDATE site_task SET state = CASE WHEN ${KINDS.looks} THEN 'waiting' ELSE 'failed' END, problem = 'fault', starts = 0, finished_at = now(), leased_until = NULL,
       due_at = now() + make_interval(secs => ${REPEAT_SECONDS}), is_repeat = ${KINDS.looks}
     WHERE state = 'running' AND leased_until < now() AND starts >= ${MOST_STARTS} RETURNING organization_id, site_id`,
  )
}

/** Keeps the lease and tells how far it is; false when the site is gone. */
export async function writeProgress(tx: Tx, { site_id, kind }: TakenTask, progress: object | null): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE site_task SET progress = coalesce($3, progress), leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) WHERE site_id = $1 AND kind = $2 AND state = 'running' RETURNING kind`,
    [site_id, kind, progress && JSON.stringify(progress)],
  )
  return rows.length > 0
}

export type TaskEnd = {
  state: 'done' | 'failed' | 'waiting'
  problem?: TaskProblem
  result?: object
  dueInSeconds?: number
}

/** How it ended. One that has to be done again is due later; one that somebody has asked for meanwhile, at once. */
export async function endTask(
  tx: Tx,
  { site_id, kind, requested_at }: TakenTask,
  { state, problem, result, dueInSeconds = 0 }: TaskEnd,
): Promise<void> {
  // The driver's time has milliseconds, the column's microseconds.
  const askedAgain = `date_trunc('milliseconds', requested_at) > $6`
  await tx.query(
    `UPDATE site_task SET state = CASE WHEN ${askedAgain} THEN 'waiting' ELSE $3 END, problem = $4, result = coalesce($5, result), finished_at = now(), leased_until = NULL, starts = 0, is_repeat = NOT (${askedAgain}) AND $7 >= ${REPEAT_SECONDS},
       due_at = CASE WHEN ${askedAgain} THEN now() ELSE now() + make_interval(secs => $7) END
     WHERE site_id = $1 AND kind = $2 AND state = 'running'`,
    [
      site_id,
      kind,
      state,
      problem ?? null,
      result === undefined ? null : JSON.stringify(result),
      requested_at,
      dueInSeconds,
    ],
  )
}

/** A worker that stops leaves the task to the next one. */
export async function releaseTask(tx: Tx, { site_id, kind }: TakenTask): Promise<void> {
  await tx.query(
    `UPDATE site_task SET state = 'waiting', leased_until = NULL, starts = greatest(0, starts - 1) WHERE site_id = $1 AND kind = $2 AND state = 'running'`,
    [site_id, kind],
  )
}

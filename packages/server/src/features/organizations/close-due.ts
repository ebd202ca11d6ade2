import { type EntityChange, account, liveStreams, streamAssets } from '@fairway/contract'
import { LAST_LETTERS_DAYS } from '@fairway/domain'
import type { Database, Log, Tx } from '@fairway/platform'
import { writeAudit } from '../../http/write-audit.ts'
import { mustAnswer } from '../../loops/must-answer.ts'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { catalogKey } from '../../publish/catalog-zone.ts'
import { enqueue } from '../../http/commit-change.ts'
import { accountOf } from '../billing/account-store.ts'
import { attachedRows, markLeaving } from '../cdn-management/store.ts'
import { removeLive } from '../live-streams/remove-live.ts'
import { stopLive } from '../live-streams/stop-live.ts'
import { removeSite } from '../names/remove-claimed-site.ts'
import { recorded } from '../versions/recorded-row.ts'
import { wantRemoved } from '../signed-urls/cloudfront-store.ts'
import { removeVideo } from '../stream-assets/remove-video.ts'
import { erasePerson } from '../teammates/erase-person.ts'
import { problemOf } from './closing.ts'

const ROUND_MS = 60_000
/** Vendors have so long to take a site's property away, and recordings to end; then the rest goes on all the same. */
const VENDORS_HOURS = 24
const NOTED_CHARACTERS = 500
/** Whom somebody has suspended cannot take it back, and waits until that ends. */
const dueAt = (now: string) => `closing_at <= ${now} AND (closed_at IS NOT NULL OR NOT suspended)`
/** What is to replace a video goes with it. */
const IS_VIDEO = 'deleted_at IS NULL AND replaces IS NULL'
const UNFINISHED = `SELECT FROM stream_recording WHERE organization_id = $1 AND state IN ('running', 'sealed')`
/** What of an organisation is no site's, no stream's and no invoice's: it goes when those have. */
const LAST_TABLES = [
  'api_key',
  'session',
  'webhook_endpoint',
  'invitation',
  'outside_feed',
  'pulse',
  'pulse_old_key',
  'monitoring_cdn',
  'dns_secondary',
  'notification',
  'cdn',
  'byo_cdn_key',
] as const

/** Closes organisations whose day has come; what fails of one is told and tried again. */
export function startClosing(database: Database, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'closing',
    isElected: true,
    pollMs: ROUND_MS,
    retryMs: ROUND_MS,
    due: `SELECT FROM organization WHERE (${dueAt('now()')}) OR (closing_by IS NOT NULL AND closed_at < now() - interval '${LAST_LETTERS_DAYS} days')`,
    async round() {
      if ((await closeDue(database, log, new Date())) > 0) return 'again'
    },
  })
}

/** @returns how many are not closed yet */
export async function closeDue(database: Database, log: Log, now: Date): Promise<number> {
  const due = await database.system(async (tx) => {
    await tx.query(
      `UPDATE organization SET closing_by = NULL WHERE closing_by IS NOT NULL AND closed_at < $1::timestamptz - make_interval(days => $2)`,
      [now, LAST_LETTERS_DAYS],
    )
    return tx.query<{ id: string }>(`SELECT id FROM organization WHERE ${dueAt('$1')} ORDER BY closing_at`, [now])
  })
  let left = 0
  for (const { id } of due) {
    const problems = await closeOne(database, id, now)
    if (problems.length === 0) continue
    left++
    for (const { what, error } of problems)
      if (error !== null) log.error({ event: 'closing.not-removed', organization: id, what, err: error })
    const noting = database.system((tx) =>
      tx.query('UPDATE organization SET closing_problem = $2 WHERE id = $1', [
        id,
        problems
          .map(({ what, error }) => (error === null ? what : `${what}: ${wordsOf(error)}`))
          .join('\n')
          .slice(0, NOTED_CHARACTERS),
      ]),
    )
    await noting.catch((error: unknown) => mustAnswer(database, error))
  }
  return left
}

type Problem = { what: string; error: unknown }

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** One transaction for each thing: a worker that dies leaves nothing half done, and the next one goes on. */
async function closeOne(database: Database, id: string, now: Date): Promise<Problem[]> {
  const problems: Problem[] = []
  const step = async <T>(what: string, work: (tx: Tx) => Promise<T>): Promise<T | null> => {
    try {
      return await database.system(work)
    } catch (error) {
      await mustAnswer(database, error)
      problems.push({ what, error })
      return null
    }
  }
  if (!(await step('organization', (tx) => shut(tx, id, now)))) return problems
  const idsOf = async (what: string, sql: string) =>
    (await step(what, (tx) => tx.query<{ id: string; name: string }>(sql, [id]))) ?? []
  for (const site of await idsOf(
    'sites',
    'SELECT id, domain_name AS name FROM site WHERE organization_id = $1 ORDER BY id',
  )) {
    const isGone = await step(site.name, (tx) => takeSite(tx, id, site.id, now))
    if (isGone === false) problems.push({ what: `${site.name}: vendors take their properties away`, error: null })
  }
  const live = 'SELECT id, name FROM stream_live WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY id'
  for (const stream of await idsOf('live streams', live))
    await step(stream.name, async (tx) => {
      const change = await removeLive(tx, id, stream.id)
      if (change) await tell(tx, id, liveStreams.routes.remove.audit, change)
    })
  if ((await step('recordings', (tx) => takeRecordings(tx, id, now))) === false)
    problems.push({ what: 'recordings become videos first', error: null })
  const videos = `SELECT id, name FROM stream_asset WHERE organization_id = $1 AND ${IS_VIDEO} ORDER BY id`
  for (const video of await idsOf('videos', videos))
    await step(video.name, async (tx) => {
      const change = await removeVideo(tx, id, video.id)
      if (change) await tell(tx, id, streamAssets.routes.remove.audit, change)
    })
  if (problems.length === 0 && (await step('videos at CloudFront', (tx) => takeCloudfront(tx, id, now))) === false)
    problems.push({ what: 'videos at CloudFront are being taken away', error: null })
  if (problems.length === 0) {
    const people = 'SELECT id, email AS name FROM app_user WHERE organization_id = $1 ORDER BY id'
    for (const { id: person, name: email } of await idsOf('accounts', people))
      await step('an account', (tx) => erasePerson(tx, { id: person, email, organizationId: id }))
  }
  if (problems.length === 0 && (await step('the rest', (tx) => takeRest(tx, id))) === false)
    problems.push({ what: 'something was added meanwhile', error: null })
  return problems
}

/** From here on nobody comes in, and nothing ahead is paid for. @returns false when it was kept open meanwhile */
async function shut(tx: Tx, id: string, now: Date): Promise<boolean> {
  await accountOf(tx, id, { lock: true })
  const [held] = await tx.query<{ closed_at: Date | null }>(
    `SELECT closed_at FROM organization WHERE id = $2 AND ${dueAt('$1')} FOR NO KEY UPDATE`,
    [now, id],
  )
  if (!held) return false
  if (held.closed_at) return true
  const problem = await problemOf(tx, id)
  if (problem !== null) throw new Error(`may not be closed (${problem})`)
  await tx.query(
    `UPDATE organization SET closed_at = $2, suspended = true, suspended_by = 'house', closing_problem = NULL,
       closing_by = coalesce((SELECT email FROM app_user WHERE organization_id = $1 AND is_owner), closing_by) WHERE id = $1`,
    [id, now],
  )
  await tx.query('UPDATE session SET revoked_at = now() WHERE organization_id = $1 AND revoked_at IS NULL', [id])
  await tx.query('UPDATE api_key SET deleted_at = now() WHERE organization_id = $1 AND deleted_at IS NULL', [id])
  await tx.query('DELETE FROM invitation WHERE organization_id = $1', [id])
  await tx.query(`SELECT pg_notify('access-ended', id::text) FROM app_user WHERE organization_id = $1`, [id])
  await stopLive(tx, id)
  return true
}

/**
 * Removes a site as somebody's removal does. Before that, CDNs of vendors leave its domains, so that nothing of it is
 * left in their accounts. @returns false while they do
 */
async function takeSite(tx: Tx, organizationId: string, siteId: string, now: Date): Promise<boolean> {
  const [site] = await tx.query<{ id: string; domain_name: string }>(
    'SELECT id, domain_name FROM site WHERE id = $1 FOR NO KEY UPDATE',
    [siteId],
  )
  if (!site) return true
  const domains = await tx.query<{ id: string; state: string }>(
    `SELECT DISTINCT dc.domain_id AS id, dc.state FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id JOIN organization o ON o.id = dc.organization_id
     WHERE dc.site_id = $1 AND c.driver NOT IN ('fairway-edge', 'simulated', 'custom') AND o.closed_at > $2::timestamptz - make_interval(hours => $3)`,
    [siteId, now, VENDORS_HOURS],
  )
  const staying = [...new Set(domains.filter(({ state }) => state !== 'deleting').map((domain) => domain.id))]
  if (staying.length > 0) {
    const rows = []
    for (const domain of staying) rows.push(...(await attachedRows(tx, siteId, domain, null)))
    const version = await systemVersion(tx, {
      organizationId,
      siteId,
      title: 'CDNs leave: the organisation is closed',
      kinds: ['dns-zone', 'edge-site', 'probe-targets'],
      changes: rows.map(({ id, label, row }) => ({
        entity: 'domain-cdn',
        id,
        label,
        before: recorded(row),
        after: null,
      })),
    })
    await markLeaving(
      tx,
      rows.map((row) => row.id),
      version ?? 0,
    )
  }
  if (domains.length > 0) return false
  await removeSite(tx, { ...site, organization_id: organizationId })
  return true
}

/** @returns false while they are there, and may be waited for */
async function takeCloudfront(tx: Tx, id: string, now: Date): Promise<boolean> {
  const [row] = await tx.query<{ state: string; waits: boolean }>(
    `SELECT c.state, o.closed_at > $2::timestamptz - make_interval(hours => $3) AS waits FROM stream_cloudfront c JOIN organization o ON o.id = c.organization_id WHERE o.id = $1`,
    [id, now, VENDORS_HOURS],
  )
  if (!row) return true
  if (row.waits && row.state !== 'removing') await wantRemoved(tx, id)
  if (!row.waits) await tx.query('DELETE FROM stream_cloudfront WHERE organization_id = $1', [id])
  return !row.waits
}

/**
 * What was recorded when it was closed becomes a video, which is removed as others are, with its files. After a day
 * nobody seals it any more: it becomes one as it is. @returns false while there is one
 */
async function takeRecordings(tx: Tx, id: string, now: Date): Promise<boolean> {
  await tx.query(
    `UPDATE stream_recording r SET state = 'sealed', ended_at = now() FROM organization o WHERE o.id = $1 AND r.organization_id = $1 AND r.state = 'running'
       AND o.closed_at <= $2::timestamptz - make_interval(hours => $3)`,
    [id, now, VENDORS_HOURS],
  )
  return (await tx.query(UNFINISHED, [id])).length === 0
}

/** @returns false when a call that had begun before has added something, which the next round removes */
async function takeRest(tx: Tx, id: string): Promise<boolean> {
  const left = await tx.query(
    `SELECT FROM site WHERE organization_id = $1 UNION ALL SELECT FROM stream_live WHERE organization_id = $1 AND deleted_at IS NULL
     UNION ALL SELECT FROM stream_asset WHERE organization_id = $1 AND ${IS_VIDEO} UNION ALL ${UNFINISHED}
     UNION ALL SELECT FROM app_user WHERE organization_id = $1`,
    [id],
  )
  if (left.length > 0) return false
  for (const table of LAST_TABLES) await tx.query(`DELETE FROM ${table} WHERE organization_id = $1`, [id])
  const balancers = await tx.query<{ id: string }>(
    'DELETE FROM stream_balancer WHERE organization_id = $1 RETURNING id',
    [id],
  )
  for (const balancer of balancers) await enqueue(tx, id, ['stream-balance'], balancer.id)
  await enqueue(tx, id, ['outside-feeds', 'dns-transfers', 'probe-targets'], id)
  await enqueue(tx, id, ['dns-zone'], catalogKey(id))
  const [row] = await tx.query<{ name: string; closed_at: Date }>(
    'UPDATE organization SET closing_at = NULL, closing_problem = NULL WHERE id = $1 RETURNING name, closed_at',
    [id],
  )
  if (!row) return true
  await tell(tx, id, account.routes.close.audit, {
    entity: 'organization',
    id,
    label: row.name,
    before: { closed_at: null },
    after: { closed_at: row.closed_at.toISOString() },
  })
  return true
}

const tell = (tx: Tx, organizationId: string, action: string, change: EntityChange): Promise<void> =>
  writeAudit(tx, { organizationId, action, userId: null, userLabel: 'system', source: 'system', changes: [change] })

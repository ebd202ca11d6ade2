import type { DnsPrimary, DnsPrimaryProblem } from '@fairway/contract'
import type { FetchedRecord } from '@fairway/domain'
import { isLater, type Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'

export type PrimaryRow = {
  site_id: string
  organization_id: string
  servers: string[]
  key_name: string | null
  key_algorithm: NonNullable<DnsPrimary['key']>['algorithm'] | null
  secret_sealed: string | null
  state: DnsPrimary['state']
  problem: DnsPrimaryProblem | null
  serial: number | null
  refreshed_at: Date | null
  transferred_at: Date | null
  noticed_at: Date | null
  asked_at: Date
  due_at: Date
  /** The SOA as it was fetched; null before the first transfer. */
  soa: FetchedRecord | null
}
export type TakenPrimary = PrimaryRow & { domain_name: string }

const COLUMNS = `p.site_id, p.organization_id, p.servers, p.key_name, p.key_algorithm, p.secret_sealed, p.state, p.problem, p.serial, p.refreshed_at, p.transferred_at, p.noticed_at, p.asked_at, p.due_at, p.zone -> 0 AS soa`
/** A worker that died is missed after this long; a look takes less than four minutes. */
const LEASE_SECONDS = 300

export async function primaryOf(tx: Tx, siteId: string, lock = false): Promise<PrimaryRow | undefined> {
  return (
    await tx.query<PrimaryRow>(
      `SELECT ${COLUMNS} FROM site_primary p WHERE p.site_id = $1 ${lock ? 'FOR UPDATE' : ''}`,
      [siteId],
    )
  )[0]
}

/** Whether a site's records come from elsewhere: from the moment that a primary is set. */
export async function hasPrimary(tx: Tx, siteId: string): Promise<boolean> {
  return (await tx.query('SELECT FROM site_primary WHERE site_id = $1', [siteId])).length > 0
}

/** The zone as it was fetched, its SOA first; null before the first transfer. */
export async function fetchedZoneOf(tx: Tx, siteId: string): Promise<FetchedRecord[] | null> {
  return (
    (await tx.query<{ zone: FetchedRecord[] | null }>('SELECT zone FROM site_primary WHERE site_id = $1', [siteId]))[0]
      ?.zone ?? null
  )
}

/** Of servers that are new nothing has come yet: their zone is fetched whole, whatever serial it has. */
export async function putPrimary(
  tx: Tx,
  row: Pick<PrimaryRow, 'site_id' | 'organization_id' | 'servers' | 'key_name' | 'key_algorithm' | 'secret_sealed'>,
): Promise<void> {
  await tx.query(
    `INSERT INTO site_primary (site_id, organization_id, servers, key_name, key_algorithm, secret_sealed) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (site_id) DO UPDATE SET servers = $3, key_name = $4, key_algorithm = $5, secret_sealed = $6,
       transferred_at = CASE WHEN site_primary.servers = $3::jsonb THEN site_primary.transferred_at END`,
    [row.site_id, row.organization_id, JSON.stringify(row.servers), row.key_name, row.key_algorithm, row.secret_sealed],
  )
  await lookNow(tx, [row.site_id], { noticed: false })
}

/** Whoever is told of a new version every moment fetches what has come together since the last one. */
const NOTICE_SECONDS = 2

/** Asks the worker for a look; while one is on its way, for another one after it. */
export async function lookNow(tx: Tx, siteIds: readonly string[], { noticed }: { noticed: boolean }): Promise<void> {
  await tx.query(
    `UPDATE site_primary SET asked_at = clock_timestamp(), noticed_at = CASE WHEN $2 THEN now() ELSE noticed_at END,
       due_at = CASE WHEN $2 THEN greatest(now(), least(refreshed_at, now()) + make_interval(secs => ${NOTICE_SECONDS})) ELSE now() END WHERE site_id = ANY($1::uuid[])`,
    [siteIds, noticed],
  )
  await tx.query(`SELECT pg_notify('site-primary', '')`)
}

/** The serial of a zone that is kept here is its version and its steps, which are an int. */
const MOST_STEPS = 2 ** 31 - 1

/** The zone is kept here again; its serial goes on from the primary's, or secondaries would take nothing more of it. */
export async function removePrimary(tx: Tx, { site_id, organization_id, serial }: PrimaryRow): Promise<void> {
  await tx.query('DELETE FROM site_primary WHERE site_id = $1', [site_id])
  const [own] = await tx.query<{ version: number; steps: number }>(
    'SELECT s.version, coalesce(z.steps, 0) AS steps FROM site s LEFT JOIN zone_transfer z ON z.site_id = s.id WHERE s.id = $1',
    [site_id],
  )
  // Beyond half of all serials what is small comes later (RFC 1982 3.2).
  if (!own || serial === null || isLater(own.version + own.steps + 1, serial)) return
  const steps = Math.min(MOST_STEPS, serial - own.version)
  await beyondTenant(tx, () =>
    tx.query(
      `INSERT INTO zone_transfer (site_id, organization_id, steps) VALUES ($1, $2, $3) ON CONFLICT (site_id) DO UPDATE SET steps = $3`,
      [site_id, organization_id, steps],
    ),
  )
}

/** No look is due further ahead, and no lease lasts longer: that was said by a clock that has been set right since. */
const FURTHEST_SECONDS = { due: 2 * 86_400, lease: 2 * LEASE_SECONDS }
const isFree = (row: string): string =>
  `(${row}.leased_until IS NULL OR ${row}.leased_until < now() OR ${row}.leased_until > now() + make_interval(secs => ${FURTHEST_SECONDS.lease}))`
/** Drafts have no zone yet. One place for each organisation: servers of its that say nothing hold up nobody else. */
const DUE = `FROM site_primary p JOIN site s ON s.id = p.site_id
  WHERE s.zone_status <> 0 AND (p.due_at <= now() OR p.due_at > now() + make_interval(secs => ${FURTHEST_SECONDS.due})) AND ${isFree('p')}
  AND NOT EXISTS (SELECT FROM site_primary b WHERE b.organization_id = p.organization_id AND b.leased_until IS NOT NULL AND NOT ${isFree('b')})`
/** A row when there is something to take. */
export const PRIMARIES_DUE = `SELECT ${DUE}`

/** Takes what is due: nobody else has it until it is put back, or the lease ends. */
export async function takePrimaries(tx: Tx, limit: number): Promise<TakenPrimary[]> {
  return tx.query<TakenPrimary>(
    `WITH due AS (SELECT DISTINCT ON (p.organization_id) p.site_id, p.due_at ${DUE} ORDER BY p.organization_id, p.due_at),
       taken AS (SELECT p.site_id FROM site_primary p JOIN due ON due.site_id = p.site_id WHERE ${isFree('p')} ORDER BY due.due_at LIMIT $1 FOR UPDATE OF p SKIP LOCKED)
     UPDATE site_primary p SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken, site s WHERE p.site_id = taken.site_id AND s.id = p.site_id
     RETURNING ${COLUMNS}, s.domain_name`,
    [limit],
  )
}

export type Looked = {
  state: DnsPrimary['state']
  problem: DnsPrimaryProblem | null
  reached: boolean
  dueInSeconds: number
}

/** How a look ended. Who was asked for meanwhile is due at once. */
export async function endLook(
  tx: Tx,
  { site_id, asked_at }: PrimaryRow,
  { state, problem, reached, dueInSeconds }: Looked,
): Promise<void> {
  // The driver's time has milliseconds, the column's microseconds.
  await tx.query(
    `UPDATE site_primary SET state = $2, problem = $3, refreshed_at = CASE WHEN $4 THEN now() ELSE least(refreshed_at, now()) END, leased_until = NULL,
       due_at = now() + make_interval(secs => CASE WHEN date_trunc('milliseconds', asked_at) <= $5 THEN $6 WHEN noticed_at >= $5 THEN ${NOTICE_SECONDS} ELSE 0 END) WHERE site_id = $1`,
    [site_id, state, problem, reached, asked_at, dueInSeconds],
  )
}

/** A look that came to no end is left to the next one, of another worker when this one stops. */
export async function releaseLook(tx: Tx, siteId: string, inSeconds: number): Promise<void> {
  await tx.query(
    'UPDATE site_primary SET leased_until = NULL, due_at = now() + make_interval(secs => $2) WHERE site_id = $1',
    [siteId, inSeconds],
  )
}

/** A zone's transfers may write so much into the history in a day. */
const HISTORY_BYTES_A_DAY = 20 << 20

/** Whether so many bytes of history fit into the day's share of a site; they are counted with it. */
export async function takesHistory(tx: Tx, siteId: string, bytes: number): Promise<boolean> {
  const [row] = await tx.query<{ fits: boolean }>(
    `UPDATE site_primary SET history_day = current_date, history_bytes = CASE WHEN history_day = current_date THEN history_bytes ELSE 0 END + $2
     WHERE site_id = $1 RETURNING history_bytes <= ${HISTORY_BYTES_A_DAY} AS fits`,
    [siteId, bytes],
  )
  return row?.fits ?? false
}

export async function keepZone(tx: Tx, siteId: string, zone: readonly FetchedRecord[], serial: number): Promise<void> {
  await tx.query('UPDATE site_primary SET zone = $2, serial = $3, transferred_at = now() WHERE site_id = $1', [
    siteId,
    JSON.stringify(zone),
    serial,
  ])
}

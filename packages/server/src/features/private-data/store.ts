import type { MonitoringCdn, MonitoringInput, MonitoringState, ObjectFinding } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type MonitoringRow = {
  id: string
  organization_id: string
  name: string
  type: MonitoringCdn['type']
  provider: string
  track: MonitoringCdn['track']
  cdn_id: string | null
  cdn_name: string | null
  origin_address: string | null
  cname: string | null
  hostname: string
  path: string
  secure: boolean
  reference_url: string | null
  state: MonitoringState
  state_since: Date
  /** Since then. */ looks: number
  leased_until: Date | null
  findings: ObjectFinding[]
  checked_at: Date | null
  created_at: Date
}

const ROW = `m.*, c.name AS cdn_name FROM monitoring_cdn m LEFT JOIN cdn c ON c.organization_id = m.organization_id AND c.id = m.cdn_id`

export async function listMonitoring(
  tx: Tx,
  { search, order, limit, offset }: { search: string | undefined; order: string; limit: number | null; offset: number },
): Promise<{ rows: MonitoringRow[]; total: number }> {
  const rows = await tx.query<MonitoringRow & { total: number }>(
    `SELECT count(*) OVER ()::int AS total, ${ROW} WHERE $1::text IS NULL OR position(lower($1) IN lower(m.name || ' ' || m.hostname)) > 0 ORDER BY ${order}, m.id LIMIT $2 OFFSET $3`,
    [search ?? null, limit, offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

export async function monitoringById(tx: Tx, id: string): Promise<MonitoringRow | undefined> {
  return (await tx.query<MonitoringRow>(`SELECT ${ROW} WHERE m.id = $1`, [id]))[0]
}

export async function nameTaken(tx: Tx, name: string, butOf: string | null): Promise<boolean> {
  return (
    (await tx.query('SELECT FROM monitoring_cdn WHERE name = $1 AND id IS DISTINCT FROM $2::uuid', [name, butOf]))
      .length > 0
  )
}

export async function countMonitoring(tx: Tx): Promise<number> {
  return (await tx.query<{ n: number }>('SELECT count(*)::int AS n FROM monitoring_cdn'))[0]?.n ?? 0
}

const valuesOf = (input: MonitoringInput) => [
  input.name,
  input.type,
  input.provider,
  input.track,
  input.cdnId,
  input.originAddress,
  input.cname,
  input.hostname,
  input.path,
  input.secure,
  input.referenceUrl,
]

export async function insertMonitoring(tx: Tx, organizationId: string, input: MonitoringInput): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO monitoring_cdn (name, type, provider, track, cdn_id, origin_address, cname, hostname, path, secure, reference_url, organization_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id',
    [...valuesOf(input), organizationId],
  )
  return row?.id ?? ''
}

/** Another object is looked at anew; until it has been seen right nothing is measured by it. */
export async function updateMonitoring(tx: Tx, id: string, input: MonitoringInput): Promise<void> {
  await tx.query(
    `UPDATE monitoring_cdn SET name = $1, type = $2, provider = $3, track = $4, cdn_id = $5, origin_address = $6, cname = $7, reference_url = $11, due_at = now(),
       state = CASE WHEN (hostname, path, secure) = ($8, $9, $10::boolean) AND state IN ('operational', 'aside') THEN state ELSE 'deploying' END,
       state_since = CASE WHEN (hostname, path, secure) = ($8, $9, $10::boolean) AND state IN ('operational', 'aside') THEN state_since ELSE now() END,
       looks = CASE WHEN (hostname, path, secure) = ($8, $9, $10::boolean) AND state IN ('operational', 'aside') THEN looks ELSE 0 END,
       leased_until = CASE WHEN (hostname, path, secure) = ($8, $9, $10::boolean) THEN leased_until END,
       hostname = $8, path = $9, secure = $10 WHERE id = $12`,
    [...valuesOf(input), id],
  )
}

export async function cdnExists(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query('SELECT FROM cdn WHERE id = $1', [id])).length > 0
}

/** Longer than a look takes. */
const LEASE_SECONDS = 30
/** An organisation's objects that say nothing hold up nobody else's. */
const PER_ORGANIZATION = 2
const DUE = `FROM monitoring_cdn m WHERE m.due_at <= now() AND (m.leased_until IS NULL OR m.leased_until < now())`
/** A row when there is something to look at. */
export const MONITORING_DUE = `SELECT ${DUE}`

/**
 * Takes those whose object is to be looked at now: the first of each organisation, then the second of each. A look goes
 * on when its object is removed or another one: those that run here count as well as those that are leased.
 */
export async function takeMonitoring(
  tx: Tx,
  most: number,
  running: readonly Pick<MonitoringRow, 'organization_id'>[],
): Promise<MonitoringRow[]> {
  return tx.query<MonitoringRow>(
    `WITH due AS (SELECT m.id, m.due_at, row_number() OVER (PARTITION BY m.organization_id ORDER BY m.due_at)
         + greatest((SELECT count(*) FROM monitoring_cdn l WHERE l.organization_id = m.organization_id AND l.leased_until > now()),
             (SELECT count(*) FROM unnest($2::uuid[]) AS r WHERE r = m.organization_id)) AS place ${DUE}),
       taken AS (SELECT t.id FROM monitoring_cdn t JOIN due ON due.id = t.id WHERE due.place <= ${PER_ORGANIZATION} AND (t.leased_until IS NULL OR t.leased_until < now()) ORDER BY due.place, due.due_at LIMIT $1 FOR UPDATE OF t SKIP LOCKED)
     UPDATE monitoring_cdn m SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken WHERE m.id = taken.id RETURNING m.*, NULL AS cdn_name`,
    [most, running.map(({ organization_id }) => organization_id)],
  )
}

export async function keepLook(
  tx: Tx,
  row: Pick<MonitoringRow, 'id' | 'hostname' | 'path' | 'secure'>,
  { state, findings, againSeconds }: { state: MonitoringState; findings: ObjectFinding[]; againSeconds: number },
): Promise<void> {
  // What was changed meanwhile is not judged by a look at what was there before.
  await tx.query(
    `UPDATE monitoring_cdn SET state_since = CASE WHEN state = $2 THEN state_since ELSE now() END, looks = CASE WHEN state = $2 THEN looks + 1 ELSE 0 END, leased_until = NULL, state = $2, findings = $3::jsonb, checked_at = now(), due_at = now() + make_interval(secs => $4)
     WHERE id = $1 AND (hostname, path, secure) = ($5, $6, $7::boolean)`,
    [row.id, state, JSON.stringify(findings), againSeconds, row.hostname, row.path, row.secure],
  )
}

/** What browsers measure by objects of the organisation's own; the CDN's own id, or that of what is compared only. */
export async function measuredObjects(
  tx: Tx,
  organizationId: string,
): Promise<{ measured_as: string; hostname: string; path: string; secure: boolean }[]> {
  return tx.query(
    `SELECT CASE WHEN track = 'steer' AND cdn_id IS NOT NULL THEN cdn_id ELSE id::text END AS measured_as, hostname, path, secure FROM monitoring_cdn WHERE organization_id = $1 AND state = 'operational' ORDER BY created_at, id`,
    [organizationId],
  )
}

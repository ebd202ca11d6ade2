import type { DemPage } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'

export type FailoverRow = {
  cdn_id: string | null
  title: string
  started_at: Date
  ended_at: Date | null
  /** When it was down before it is down now, epoch ms, for one that came and went. */
  spans: [number, number][] | null
  since: number | null
}

/** Outages of CDNs that touch a time range. */
export async function failovers(tx: Tx, from: Date, until: Date): Promise<FailoverRow[]> {
  return tx.query(
    `SELECT cdn_id, title, started_at, ended_at, detail->'spans' AS spans, (detail->>'since')::float8 AS since FROM health_event WHERE kind = 'cdn-down' AND started_at < $2 AND coalesce(ended_at, now()) > $1 ORDER BY started_at DESC LIMIT 200`,
    [from, until],
  )
}

/** The newest changes in a time range, of a site or of all that the transaction may see. */
export async function changes(
  tx: Tx,
  siteId: string | null,
  from: Date,
  until: Date,
): Promise<{ number: number; title: string; created_at: Date }[]> {
  return tx.query(
    'SELECT number, title, created_at FROM version WHERE ($1::uuid IS NULL OR site_id = $1) AND created_at >= $2 AND created_at < $3 ORDER BY number DESC LIMIT 200',
    [siteId, from, until],
  )
}

/** CDNs of a domain; none when there is no such domain. */
export async function cdnsOfDomain(tx: Tx, domainId: string): Promise<string[]> {
  const rows = await tx.query<{ cdn_id: string }>(
    `SELECT cdn_id FROM domain_cdn WHERE domain_id = ${uuidIn('$1::text')}`,
    [domainId],
  )
  return rows.map((row) => row.cdn_id)
}

export type DemViewRow = { id: string; name: string; page: DemPage; created_at: Date }

export async function viewsOf(tx: Tx, userId: string): Promise<DemViewRow[]> {
  return tx.query('SELECT id, name, page, created_at FROM dem_view WHERE user_id = $1 ORDER BY lower(name), id', [
    userId,
  ])
}

export async function viewById(tx: Tx, userId: string, id: string): Promise<DemViewRow | undefined> {
  const rows = await tx.query<DemViewRow>(
    'SELECT id, name, page, created_at FROM dem_view WHERE user_id = $1 AND id = $2',
    [userId, id],
  )
  return rows[0]
}

export async function insertView(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
  { name, page }: { name: string; page: DemPage },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    'INSERT INTO dem_view (organization_id, user_id, name, page) VALUES ($1, $2, $3, $4) RETURNING id',
    [organizationId, userId, name, JSON.stringify(page)],
  )
  return row?.id ?? ''
}

export async function updateView(tx: Tx, id: string, { name, page }: { name: string; page: DemPage }): Promise<void> {
  await tx.query('UPDATE dem_view SET name = $2, page = $3 WHERE id = $1', [id, name, JSON.stringify(page)])
}

export async function deleteView(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM dem_view WHERE id = $1', [id])
}

import type { Tx } from '@fairway/platform'

export type FailoverRow = { cdn_id: string | null; title: string; started_at: Date; ended_at: Date | null }

/** Outages of CDNs that touch a time range. */
export async function failovers(tx: Tx, from: Date, until: Date): Promise<FailoverRow[]> {
  return tx.query(
    `SELECT cdn_id, title, started_at, ended_at FROM health_event WHERE kind = 'cdn-down' AND started_at < $2 AND coalesce(ended_at, now()) > $1 ORDER BY started_at DESC LIMIT 200`,
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
  const rows = await tx.query<{ cdn_id: string }>('SELECT cdn_id FROM domain_cdn WHERE domain_id::text = $1', [
    domainId,
  ])
  return rows.map((row) => row.cdn_id)
}

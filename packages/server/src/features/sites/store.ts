import type { NameserverPair } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { isUuid } from '../../http/tenant.ts'
import { type ClaimRow, CLAIM_COLUMNS } from '../names/store.ts'

export type SiteListRow = {
  id: string
  domain_name: string
  zone_status: number
  dns_state: 'draft' | 'pending' | 'verified'
  version: number
  created_at: Date
  domain_count: number
  record_count: number
  /** Newest version that touched the zone, and the edge; null when none did. */
  dns_version: number | null
  edge_version: number | null
} & Omit<ClaimRow, 'id' | 'organization_id' | 'domain_name'>

export const DOMAIN_COUNT = '(SELECT count(*) FROM domain d WHERE d.site_id = s.id AND d.removed_at IS NULL)'

const COLUMNS = `s.id, s.domain_name, s.zone_status, s.dns_state, s.version, s.created_at, ${CLAIM_COLUMNS},
  ${DOMAIN_COUNT} AS domain_count,
  s.record_count,
  (SELECT number FROM version v WHERE v.site_id = s.id AND 'dns-zone' = ANY(v.kinds) ORDER BY number DESC LIMIT 1) AS dns_version,
  (SELECT number FROM version v WHERE v.site_id = s.id AND 'edge-site' = ANY(v.kinds) ORDER BY number DESC LIMIT 1) AS edge_version`

type SiteFilter = {
  search: string | null
  /** A domain name, or an id. */
  name: string | null
  draft: boolean | null
}

function filterOf({ search, name, draft }: SiteFilter): { where: string; values: unknown[] } {
  const values: unknown[] = []
  const conditions = [
    ...(search === null ? [] : [`s.domain_name ILIKE '%' || $${values.push(search)} || '%'`]),
    ...(name === null ? [] : [`s.${isUuid(name) ? 'id' : 'domain_name'} = $${values.push(name)}`]),
    ...(draft === null ? [] : [`s.zone_status ${draft ? '=' : '<>'} 0`]),
  ]
  return { where: conditions.length === 0 ? 'true' : conditions.join(' AND '), values }
}

export async function listSites(
  tx: Tx,
  { order, limit, offset, ...filter }: SiteFilter & { order: string; limit: number | null; offset: number },
): Promise<{ rows: SiteListRow[]; total: number }> {
  const { where, values } = filterOf(filter)
  const sorted = `${order}, s.id`
  const [last, skipped] = [values.length + 1, values.length + 2]
  // The page comes first: counts and versions are looked up for its rows, not for those before it.
  const rows = await tx.query<SiteListRow>(
    `SELECT ${COLUMNS} FROM (SELECT s.* FROM site s WHERE ${where} ORDER BY ${sorted} LIMIT $${last} OFFSET $${skipped}) s ORDER BY ${sorted}`,
    [...values, limit, offset],
  )
  const total = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM site s WHERE ${where}`, values)
  return { rows, total: total[0]?.total ?? 0 }
}

export async function siteById(tx: Tx, id: string): Promise<SiteListRow | undefined> {
  return (await tx.query<SiteListRow>(`SELECT ${COLUMNS} FROM site s WHERE s.id = $1`, [id]))[0]
}

export async function siteQuota(tx: Tx): Promise<{ used: number; total: number }> {
  const rows = await tx.query<{ used: number; total: number }>(
    'SELECT (SELECT count(*) FROM site) AS used, p.site_limit AS total FROM organization o JOIN plan p ON p.id = o.plan_id',
  )
  return rows[0] ?? { used: 0, total: 0 }
}

export async function insertSite(
  tx: Tx,
  organizationId: string,
  name: string,
  { draft = false, pair }: { draft?: boolean; pair: NameserverPair },
): Promise<{ id: string; row: Record<string, unknown> }> {
  const rows = await tx.query<{ id: string; row: Record<string, unknown> }>(
    `INSERT INTO site (organization_id, domain_name, zone_status, dns_state, nameserver_pair, claim) VALUES ($1, $2, $3, $4, $5, 'draft') RETURNING id, to_jsonb(site) - 'proof_token' - 'record_count' AS row`,
    [organizationId, name, draft ? 0 : 1, draft ? 'draft' : 'pending', pair],
  )
  return rows[0] ?? { id: '', row: {} }
}

export async function deleteSite(tx: Tx, id: string): Promise<Record<string, unknown>> {
  return (
    (
      await tx.query<{ row: Record<string, unknown> }>(
        `DELETE FROM site WHERE id = $1 RETURNING to_jsonb(site) - 'proof_token' - 'record_count' AS row`,
        [id],
      )
    )[0]?.row ?? {}
  )
}

import type { CdnDriverName, PageKind } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type PageRow = {
  id: string
  site_id: string
  site_name: string
  kind: PageKind
  name: string
  digest: string
  size_bytes: number
  created_at: Date
  modified_at: Date
  domains: { id: string; name: string }[]
}

const PAGE = `p.id, p.site_id, s.domain_name AS site_name, p.kind, p.name, p.digest, t.size_bytes, p.created_at, p.modified_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) ORDER BY d.name) FROM domain d WHERE d.site_id = p.site_id AND d.removed_at IS NULL AND p.id IN (d.errors_page_id, d.maintenance_page_id)), '[]') AS domains
  FROM custom_page p JOIN site s ON s.id = p.site_id JOIN custom_page_text t ON t.organization_id = p.organization_id AND t.digest = p.digest`

export async function listPages(
  tx: Tx,
  {
    site,
    search,
    order,
    limit,
    offset,
  }: { site: string | undefined; search: string | undefined; order: string; limit: number | null; offset: number },
): Promise<{ rows: PageRow[]; total: number }> {
  const rows = await tx.query<PageRow & { total: number }>(
    `SELECT count(*) OVER ()::int AS total, ${PAGE} WHERE ($1::uuid IS NULL OR p.site_id = $1) AND ($2::text IS NULL OR position(lower($2) IN lower(p.name)) > 0) ORDER BY ${order}, p.id LIMIT $3 OFFSET $4`,
    [site ?? null, search ?? null, limit, offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

export async function pageById(tx: Tx, siteId: string, id: string): Promise<PageRow | undefined> {
  return (await tx.query<PageRow>(`SELECT ${PAGE} WHERE p.id = $1 AND p.site_id = $2`, [id, siteId]))[0]
}

export async function countPages(tx: Tx, siteId: string): Promise<number> {
  return (
    (
      await tx.query<{ count: number }>('SELECT count(*)::int AS count FROM custom_page WHERE site_id = $1', [siteId])
    )[0]?.count ?? 0
  )
}

export async function nameTaken(tx: Tx, siteId: string, kind: PageKind, name: string): Promise<boolean> {
  return (
    (await tx.query('SELECT FROM custom_page WHERE site_id = $1 AND kind = $2 AND name = $3', [siteId, kind, name]))
      .length > 0
  )
}

export async function insertPage(
  tx: Tx,
  page: { organizationId: string; siteId: string; kind: PageKind; name: string; digest: string },
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO custom_page (organization_id, site_id, kind, name, digest) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [page.organizationId, page.siteId, page.kind, page.name, page.digest],
  )
  return rows[0]?.id ?? ''
}

export async function updatePage(
  tx: Tx,
  id: string,
  { name, digest }: { name: string; digest: string },
): Promise<void> {
  await tx.query('UPDATE custom_page SET name = $2, digest = $3, modified_at = now() WHERE id = $1', [id, name, digest])
}

export async function deletePage(tx: Tx, id: string): Promise<void> {
  await tx.query('DELETE FROM custom_page WHERE id = $1', [id])
}

export async function keepText(
  tx: Tx,
  organizationId: string,
  { digest, body, sizeBytes }: { digest: string; body: string; sizeBytes: number },
): Promise<void> {
  await tx.query(
    'INSERT INTO custom_page_text (organization_id, digest, body, size_bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [organizationId, digest, body, sizeBytes],
  )
}

export async function textOf(tx: Tx, organizationId: string, digest: string): Promise<string | undefined> {
  return (
    await tx.query<{ body: string }>('SELECT body FROM custom_page_text WHERE organization_id = $1 AND digest = $2', [
      organizationId,
      digest,
    ])
  )[0]?.body
}

export type RevisionRow = { number: number; author: string; created_at: Date; digest: string; size_bytes: number }

/** Texts that the page has had, newest first: read from the versions of its site. */
export async function revisionsOf(tx: Tx, organizationId: string, siteId: string, id: string): Promise<RevisionRow[]> {
  return tx.query<RevisionRow>(
    `SELECT v.number, v.author, v.created_at, t.digest, t.size_bytes FROM version v, jsonb_array_elements(v.changes) change
       JOIN custom_page_text t ON t.organization_id = $3 AND t.digest = change->'after'->>'digest'
     WHERE v.site_id = $1 AND change->>'entity' = 'custom-page' AND change->>'id' = $2 AND change->'after'->>'digest' IS DISTINCT FROM change->'before'->>'digest'
     ORDER BY v.number DESC LIMIT 50`,
    [siteId, id, organizationId],
  )
}

export type UseRow = {
  domain_id: string
  domain: string
  errors_page_id: string | null
  maintenance_page_id: string | null
  in_maintenance: boolean
  cdns: { name: string; driver: CdnDriverName }[]
}

export async function usesOf(tx: Tx, siteId: string, domainId: string | null): Promise<UseRow[]> {
  return tx.query<UseRow>(
    `SELECT d.id AS domain_id, d.name AS domain, d.errors_page_id, d.maintenance_page_id, d.in_maintenance,
       coalesce((SELECT jsonb_agg(jsonb_build_object('name', c.name, 'driver', c.driver) ORDER BY c.series) FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.domain_id = d.id AND dc.state <> 'deleting'), '[]') AS cdns
     FROM domain d WHERE d.site_id = $1 AND ($2::uuid IS NULL OR d.id = $2) AND d.removed_at IS NULL ORDER BY d.name`,
    [siteId, domainId],
  )
}

export async function domainsShowing(tx: Tx, siteId: string, pageId: string): Promise<{ id: string; name: string }[]> {
  return tx.query(
    'SELECT id, name FROM domain WHERE site_id = $1 AND $2 IN (errors_page_id, maintenance_page_id) ORDER BY name',
    [siteId, pageId],
  )
}

export async function setUse(
  tx: Tx,
  domainId: string,
  use: { errorsPageId: string | null; maintenancePageId: string | null; inMaintenance: boolean },
): Promise<void> {
  await tx.query('UPDATE domain SET errors_page_id = $2, maintenance_page_id = $3, in_maintenance = $4 WHERE id = $1', [
    domainId,
    use.errorsPageId,
    use.maintenancePageId,
    use.inMaintenance,
  ])
}

import { type CdnDriverName, LIMITS, type PageKind } from '@fairway/contract'
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

/** Columns of a domain that name the page it shows, by the page's kind. */
export const PAGE_COLUMN = {
  errors: 'errors_page_id',
  maintenance: 'maintenance_page_id',
  blocked: 'blocked_page_id',
  'rate-limited': 'rate_limited_page_id',
  challenge: 'challenge_page_id',
  captcha: 'captcha_page_id',
} as const satisfies Record<PageKind, string>
export const PAGE_COLUMNS = Object.values(PAGE_COLUMN)
export type PagesOfDomain = Record<(typeof PAGE_COLUMN)[PageKind], string | null>

const PAGE = `p.id, p.site_id, s.domain_name AS site_name, p.kind, p.name, p.digest, t.size_bytes, p.created_at, p.modified_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name) ORDER BY d.name) FROM domain d WHERE d.site_id = p.site_id AND d.removed_at IS NULL AND p.id IN (${PAGE_COLUMNS.map((column) => `d.${column}`).join(', ')})), '[]') AS domains
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

/**
 * Keeps a text, and as many of those that no page names as there is room for, newest first.
 * @param replaces the page whose text it takes the place of: where no other names that, it counts no more
 * @returns false when there is none for it, beside those that pages name; never for one not larger than what it replaces
 */
export async function keepText(
  tx: Tx,
  organizationId: string,
  { digest, body, sizeBytes, replaces }: { digest: string; body: string; sizeBytes: number; replaces: string | null },
): Promise<boolean> {
  // One at a time, or each would see room that the others take.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('custom-page-text ' || $1, 0))`, [organizationId])
  await tx.query(
    'INSERT INTO custom_page_text (organization_id, digest, body, size_bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [organizationId, digest, body, sizeBytes],
  )
  const sizes = await tx.query<{ digest: string; bytes: number; named: boolean; leaving: boolean }>(
    `SELECT t.digest, t.size_bytes AS bytes, named.by IS NOT NULL AS named, named.by = ARRAY[$2::uuid] AS leaving
     FROM custom_page_text t CROSS JOIN LATERAL (SELECT array_agg(p.id) AS by FROM custom_page p WHERE p.organization_id = t.organization_id AND p.digest = t.digest) AS named
     WHERE t.organization_id = $1 ORDER BY t.created_at, t.digest`,
    [organizationId, replaces],
  )
  const leavingBytes = sizes.find((one) => one.leaving)?.bytes ?? 0
  let over = sizes.reduce((sum, one) => sum + (one.leaving && one.digest !== digest ? 0 : one.bytes), 0)
  over -= LIMITS.customPageTextBytes
  const gone: string[] = []
  for (const one of sizes) {
    if (over <= 0) break
    if (one.named || one.digest === digest) continue
    gone.push(one.digest)
    over -= one.bytes
  }
  if (over > 0 && sizeBytes > leavingBytes) return false
  if (gone.length > 0)
    await tx.query('DELETE FROM custom_page_text WHERE organization_id = $1 AND digest = ANY($2)', [
      organizationId,
      gone,
    ])
  return true
}

/** Versions lead back for so long; whatever a page still names stays. */
const TEXT_DAYS = 90
const TEXTS_AT_ONCE = 1_000

/** Forgets texts that no page names, and no version of the last time. */
export async function forgetTexts(tx: Tx): Promise<void> {
  await tx.query(
    `WITH old AS MATERIALIZED (
       SELECT t.organization_id, t.digest FROM custom_page_text t
       WHERE t.created_at < now() - make_interval(days => $1)
         AND NOT EXISTS (SELECT FROM custom_page p WHERE p.organization_id = t.organization_id AND p.digest = t.digest)
       ORDER BY t.created_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED),
     named AS MATERIALIZED (
       SELECT DISTINCT s.organization_id, side->>'digest' AS digest FROM site s JOIN version v ON v.site_id = s.id,
         jsonb_array_elements(v.changes) change, LATERAL (VALUES (change->'before'), (change->'after')) AS sides (side)
       WHERE s.organization_id IN (SELECT organization_id FROM old) AND v.created_at > now() - make_interval(days => $1)
         AND 'edge-pages' = ANY(v.kinds) AND change->>'entity' = 'custom-page')
     DELETE FROM custom_page_text t USING old WHERE t.organization_id = old.organization_id AND t.digest = old.digest
       AND NOT EXISTS (SELECT FROM named WHERE named.organization_id = old.organization_id AND named.digest = old.digest)`,
    [TEXT_DAYS, TEXTS_AT_ONCE],
  )
}

/** Whether all of these texts are still kept. */
export async function hasTexts(tx: Tx, organizationId: string, digests: readonly string[]): Promise<boolean> {
  const wanted = new Set(digests)
  const found = await tx.query('SELECT FROM custom_page_text WHERE organization_id = $1 AND digest = ANY($2)', [
    organizationId,
    [...wanted],
  ])
  return found.length === wanted.size
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

export type UseRow = PagesOfDomain & {
  domain_id: string
  domain: string
  in_maintenance: boolean
  cdns: { name: string; driver: CdnDriverName }[]
}

export async function usesOf(tx: Tx, siteId: string, domainId: string | null): Promise<UseRow[]> {
  return tx.query<UseRow>(
    `SELECT d.id AS domain_id, d.name AS domain, ${PAGE_COLUMNS.map((column) => `d.${column}`).join(', ')}, d.in_maintenance,
       coalesce((SELECT jsonb_agg(jsonb_build_object('name', c.name, 'driver', c.driver) ORDER BY c.series) FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.domain_id = d.id AND dc.state <> 'deleting'), '[]') AS cdns
     FROM domain d WHERE d.site_id = $1 AND ($2::uuid IS NULL OR d.id = $2) AND d.removed_at IS NULL ORDER BY d.name`,
    [siteId, domainId],
  )
}

export async function domainsShowing(tx: Tx, siteId: string, pageId: string): Promise<{ id: string; name: string }[]> {
  return tx.query(
    `SELECT id, name FROM domain WHERE site_id = $1 AND $2 IN (${PAGE_COLUMNS.join(', ')}) ORDER BY name`,
    [siteId, pageId],
  )
}

/** Changes the pages that are named, and whether the domain is in maintenance. */
export async function setUse(tx: Tx, domainId: string, pages: PagesOfDomain, inMaintenance: boolean): Promise<void> {
  await tx.query(
    `UPDATE domain SET in_maintenance = $2, ${PAGE_COLUMNS.map((column, index) => `${column} = $${index + 3}`).join(', ')} WHERE id = $1`,
    [domainId, inMaintenance, ...PAGE_COLUMNS.map((column) => pages[column])],
  )
}

/** A domain that shows a page shows its brand's again. */
export async function forgetPage(tx: Tx, domainId: string, pageId: string): Promise<void> {
  await tx.query(
    `UPDATE domain SET ${PAGE_COLUMNS.map((column) => `${column} = nullif(${column}, $2)`).join(', ')} WHERE id = $1`,
    [domainId, pageId],
  )
}

import type { CachedSample, CdnDriverName, PurgeDetail, PurgeKind, PurgeStatus } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'

export type ReceiptRow = {
  cdnId: string
  name: string
  series: number
  status: PurgeStatus
  detail: PurgeDetail | null
  looked: boolean
  objects: number
  bytes: number
  finishedAt: string | null
}
export type PurgeRow = {
  id: string
  domain_id: string
  domain: string
  kind: PurgeKind
  targets: string[]
  soft: boolean
  requested_by: string
  undone_at: Date | null
  created_at: Date
  receipts: ReceiptRow[]
}

const COLUMNS = `p.id, p.domain_id, d.name AS domain, p.kind, p.targets, p.soft, p.requested_by, p.undone_at, p.created_at,
  coalesce((SELECT jsonb_agg(jsonb_build_object('cdnId', r.cdn_id, 'name', c.name, 'series', c.series, 'status', r.status, 'detail', r.detail, 'looked', r.looked, 'objects', r.objects, 'bytes', r.bytes, 'finishedAt', r.finished_at) ORDER BY c.series)
    FROM purge_receipt r JOIN cdn c ON c.organization_id = r.organization_id AND c.id = r.cdn_id WHERE r.purge_id = p.id), '[]') AS receipts`
const FROM = 'FROM purge p JOIN domain d ON d.id = p.domain_id'

type ListOptions = {
  siteId: string
  domainId: string | null
  search: string | null
  order: string
  limit: number | null
  offset: number
}

export async function listPurges(
  tx: Tx,
  { siteId, domainId, search, order, limit, offset }: ListOptions,
): Promise<{ rows: PurgeRow[]; total: number }> {
  const match = `p.site_id = $1 AND ($2::uuid IS NULL OR p.domain_id = $2) AND ($3::text IS NULL OR array_to_string(p.targets, ' ') ILIKE '%' || $3 || '%' OR d.name ILIKE '%' || $3 || '%')`
  const rows = await tx.query<PurgeRow>(
    `SELECT ${COLUMNS} ${FROM} WHERE ${match} ORDER BY ${order}, p.id LIMIT $4 OFFSET $5`,
    [siteId, domainId, search, limit, offset],
  )
  const total = await tx.query<{ total: number }>(`SELECT count(*) AS total ${FROM} WHERE ${match}`, [
    siteId,
    domainId,
    search,
  ])
  return { rows, total: total[0]?.total ?? 0 }
}

export async function purgeById(tx: Tx, siteId: string, id: string): Promise<PurgeRow | undefined> {
  return (await tx.query<PurgeRow>(`SELECT ${COLUMNS} ${FROM} WHERE p.id = $1 AND p.site_id = $2`, [id, siteId]))[0]
}

export async function domainsOfSite(tx: Tx, siteId: string, ids: string[]): Promise<{ id: string; name: string }[]> {
  return tx.query(
    'SELECT id, name FROM domain WHERE site_id = $1 AND id = ANY($2) AND removed_at IS NULL ORDER BY name',
    [siteId, ids],
  )
}

export type AttachedCdn = { id: string; name: string; series: number; driver: CdnDriverName }

export async function attachedTo(tx: Tx, domainId: string): Promise<AttachedCdn[]> {
  return tx.query(
    `SELECT c.id, c.name, c.series, c.driver FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.domain_id = $1 AND dc.state <> 'deleting' ORDER BY c.series`,
    [domainId],
  )
}

/** The next version of a domain's purges, for edge nodes to have at once. */
export async function nextPurgeVersion(tx: Tx, organizationId: string, domainId: string): Promise<number> {
  const version =
    (
      await tx.query<{ version: number }>(
        'UPDATE domain SET purge_version = purge_version + 1 WHERE id = $1 RETURNING purge_version AS version',
        [domainId],
      )
    )[0]?.version ?? 0
  await enqueue(tx, organizationId, ['edge-purges'], domainId)
  return version
}

export type NewPurge = {
  organizationId: string
  siteId: string
  domainId: string
  kind: PurgeKind
  targets: string[]
  soft: boolean
  requestedBy: string
  version: number
}

export async function insertPurge(tx: Tx, purge: NewPurge): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO purge (organization_id, site_id, domain_id, kind, targets, soft, requested_by, marked_at, version) VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), $8) RETURNING id`,
    [
      purge.organizationId,
      purge.siteId,
      purge.domainId,
      purge.kind,
      purge.targets,
      purge.soft,
      purge.requestedBy,
      purge.version,
    ],
  )
  return rows[0]?.id ?? ''
}

export type NewReceipt = {
  organizationId: string
  purgeId: string
  cdnId: string
  samples: CachedSample[]
  objects: number
  bytes: number
  looked: boolean
}

export async function insertReceipt(
  tx: Tx,
  { organizationId, purgeId, cdnId, samples, objects, bytes, looked }: NewReceipt,
): Promise<void> {
  await tx.query(
    'INSERT INTO purge_receipt (organization_id, purge_id, cdn_id, samples, objects, bytes, looked) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [organizationId, purgeId, cdnId, JSON.stringify(samples), objects, bytes, looked],
  )
}

/** So long a purge is listed and in force by itself. */
export const PURGES_KEPT_DAYS = 30

/** Of each domain the newest that is old stays: it stands for all before it at the nodes. */
export async function forgetPurges(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM purge p WHERE p.marked_at < now() - make_interval(days => $1)
       AND EXISTS (SELECT FROM purge n WHERE n.domain_id = p.domain_id AND n.undone_at IS NULL AND n.marked_at < now() - make_interval(days => $1) AND (n.marked_at, n.id) > (p.marked_at, p.id))`,
    [PURGES_KEPT_DAYS],
  )
  // Nobody purges there any more: that purges work again would not be true, nor that they fail.
  await tx.query(
    `UPDATE notification SET ended_at = now() WHERE event = 'purge-failed' AND incident IS NOT NULL AND ended_at IS NULL AND created_at < now() - make_interval(days => $1)`,
    [PURGES_KEPT_DAYS],
  )
}

/** False when it is undone already, or so old that it stands for others that are forgotten. A CDN that was not yet seen to obey need not be looked at any more. */
export async function markUndone(tx: Tx, id: string): Promise<boolean> {
  const undone = await tx.query(
    'UPDATE purge SET undone_at = now() WHERE id = $1 AND undone_at IS NULL AND marked_at >= now() - make_interval(days => $2) RETURNING id',
    [id, PURGES_KEPT_DAYS],
  )
  if (undone.length === 0) return false
  await tx.query(
    `UPDATE purge_receipt SET status = 'undone', finished_at = now(), leased_until = NULL WHERE purge_id = $1 AND status IN ('deploying', 'rate-limited')`,
    [id],
  )
  return true
}

import type { CdnDriverName, CdnState } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { DeliveryColumns } from '../../http/context.ts'

export type DomainListRow = {
  id: string
  site_id: string
  name: string
  origin_address: string
  origin_port: number
  origin_protocol: 'http' | 'https'
  host_header: string
  cache_ttl_seconds: number
  minimum_samples: number
  margin_percent: number
  significance: boolean
  created_at: Date
  /** Multi-CDN is on for the domain's record. */
  steered: boolean
  cdns: { cdnId: string; state: CdnState }[]
  http3_offered: boolean
} & DeliveryColumns

const DELIVERY =
  'd.spare_addresses, d.load_balance, d.fallback_address, d.keepalive_seconds, d.verify_certificate, d.http2, d.http3, d.early_hints, d.ocsp_stapling, d.compression, d.always_https, d.hsts, d.hsts_seconds, d.ignore_query, d.websocket, d.tiered_cache, d.origin_shield, d.network_errors, d.cache_honor_origin, d.cache_everything, d.tags'

/** Of the nodes that have shown themselves lately: one that was taken away offers nothing. */
const HTTP3_OFFERED = `EXISTS (SELECT FROM node n WHERE n.role = 'edge' AND n.http3_port IS NOT NULL AND n.last_seen_at > now() - interval '1 day')`

const COLUMNS = `d.id, d.site_id, d.name, d.origin_address, d.origin_port, d.origin_protocol, d.host_header, d.cache_ttl_seconds, d.minimum_samples, d.margin_percent, d.significance, d.created_at, ${DELIVERY},
  EXISTS (SELECT FROM dns_record r WHERE r.domain_id = d.id AND r.multi_cdn) AS steered,
  coalesce((SELECT jsonb_agg(jsonb_build_object('cdnId', dc.cdn_id, 'state', dc.state) ORDER BY c.series, dc.created_at) FROM domain_cdn dc
    JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.domain_id = d.id), '[]') AS cdns,
  ${HTTP3_OFFERED} AS http3_offered`

const MATCH = `d.site_id = $1 AND d.removed_at IS NULL AND ($2::text IS NULL OR d.name ILIKE '%' || $2 || '%')`

export async function listDomains(
  tx: Tx,
  siteId: string,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<{ rows: DomainListRow[]; total: number }> {
  const rows = await tx.query<DomainListRow>(
    `SELECT ${COLUMNS} FROM domain d WHERE ${MATCH} ORDER BY ${order}, d.id LIMIT $3 OFFSET $4`,
    [siteId, search, limit, offset],
  )
  const total = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM domain d WHERE ${MATCH}`, [
    siteId,
    search,
  ])
  return { rows, total: total[0]?.total ?? 0 }
}

/** Of every site that the transaction may see. */
export async function listAllDomains(
  tx: Tx,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<{ rows: (DomainListRow & { site_name: string; site_parked: boolean })[]; total: number }> {
  const rows = await tx.query<DomainListRow & { site_name: string; site_parked: boolean; total: number }>(
    `SELECT ${COLUMNS}, s.domain_name AS site_name, s.claim = 'parked' AS site_parked, count(*) OVER ()::int AS total FROM domain d JOIN site s ON s.id = d.site_id WHERE d.removed_at IS NULL AND ($1::text IS NULL OR d.name ILIKE '%' || $1 || '%') ORDER BY ${order}, d.id LIMIT $2 OFFSET $3`,
    [search, limit, offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

export async function domainById(tx: Tx, id: string): Promise<DomainListRow | undefined> {
  return (
    await tx.query<DomainListRow>(`SELECT ${COLUMNS} FROM domain d WHERE d.id = $1 AND d.removed_at IS NULL`, [id])
  )[0]
}

/** The columns of a domain that its settings are kept in. */
export type DomainColumns = Omit<
  DomainListRow,
  'id' | 'site_id' | 'name' | 'created_at' | 'steered' | 'cdns' | 'http3_offered'
>

export async function updateDomain(tx: Tx, id: string, columns: DomainColumns): Promise<void> {
  await tx.query(
    `UPDATE domain SET origin_address = $2, origin_port = $3, origin_protocol = $4, host_header = $5, cache_ttl_seconds = $6, minimum_samples = $7, margin_percent = $8, spare_addresses = $9, load_balance = $10, fallback_address = $11,
       keepalive_seconds = $12, http2 = $13, early_hints = $14, ocsp_stapling = $15, compression = $16, always_https = $17, ignore_query = $18, websocket = $19, tiered_cache = $20, cache_honor_origin = $21, tags = $22, origin_shield = $23, verify_certificate = $24, cache_everything = $25, hsts = $26, hsts_seconds = $27, significance = $28, network_errors = $29, http3 = $30 WHERE id = $1`,
    [
      id,
      columns.origin_address,
      columns.origin_port,
      columns.origin_protocol,
      columns.host_header,
      columns.cache_ttl_seconds,
      columns.minimum_samples,
      columns.margin_percent,
      columns.spare_addresses,
      columns.load_balance,
      columns.fallback_address,
      columns.keepalive_seconds,
      columns.http2,
      columns.early_hints,
      columns.ocsp_stapling,
      columns.compression,
      columns.always_https,
      columns.ignore_query,
      columns.websocket,
      columns.tiered_cache,
      columns.cache_honor_origin,
      columns.tags,
      columns.origin_shield,
      columns.verify_certificate,
      columns.cache_everything,
      columns.hsts,
      columns.hsts_seconds,
      columns.significance,
      columns.network_errors,
      columns.http3,
    ],
  )
}

/** Whether edges of this installation speak HTTP/3, which is where early hints are sent too. */
export async function offersHttp3(tx: Tx): Promise<boolean> {
  return (await tx.query<{ offered: boolean }>(`SELECT ${HTTP3_OFFERED} AS offered`))[0]?.offered ?? false
}

export type AttachedDriver = {
  id: string
  rowId: string
  name: string
  series: number
  driver: CdnDriverName
  slug: string
  enabled: boolean
}

/** The domain's CDNs that are not on their way out. */
export async function attachedDrivers(tx: Tx, domainId: string): Promise<AttachedDriver[]> {
  return tx.query(
    `SELECT c.id, dc.id AS "rowId", c.name, c.series, c.driver, c.slug, dc.enabled FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE dc.domain_id = $1 AND dc.state <> 'deleting' ORDER BY c.series`,
    [domainId],
  )
}

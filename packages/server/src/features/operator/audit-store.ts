import type { EntityChange, OperatorAuditEntry } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { withoutUrls } from '../webhooks/shown-url.ts'

type Row = {
  id: number
  at: Date
  action: string
  user_label: string
  impostor: string | null
  ip: string | null
  source: string
  site_id: string | null
  domain: string | null
  version: number | null
  changes: EntityChange[]
  is_cut: boolean
  organization_id: string
  organization_name: string
}

/** Bytes of an entry's changes that are shown whole; beyond, so many changes, and each whole up to so many bytes. */
const WHOLE_BYTES = 20_000
const SHOWN = 3
const SHOWN_BYTES = WHOLE_BYTES / 4
const MOST_NAME = 200
const named = (field: string) => `'${field}', left(one->>'${field}', ${MOST_NAME})`
const CUT_CHANGES = `(SELECT jsonb_agg(CASE WHEN octet_length(one::text) <= ${SHOWN_BYTES} THEN one
    ELSE jsonb_build_object(${['entity', 'id', 'label'].map(named).join(', ')}, 'before', NULL, 'after', NULL) END ORDER BY place)
  FROM jsonb_array_elements(jsonb_path_query_array(a.changes, '$[0 to ${SHOWN - 1}]')) WITH ORDINALITY AS few (one, place))`

/**
 * What was done in every organisation that the caller sees, newest first. Counted up to a thousand pages' worth, so
 * that a long log stays quick. Large entries are cut, as an organisation's changes may be of any size.
 */
export async function auditEntries(
  tx: Tx,
  {
    organization,
    action,
    search,
    from,
    to,
    limit,
    offset,
  }: {
    organization: string | null
    action: string | null
    search: string | null
    from: string | null
    to: string | null
    limit: number
    offset: number
  },
): Promise<{ rows: OperatorAuditEntry[]; total: number }> {
  const where = `($1::uuid IS NULL OR a.organization_id = $1) AND ($2::text IS NULL OR a.action = $2 OR a.action LIKE $2 || '.%') AND ($3::text IS NULL OR a.user_label ILIKE '%' || $3 || '%' OR a.impostor ILIKE '%' || $3 || '%' OR a.action ILIKE '%' || $3 || '%' OR a.domain ILIKE '%' || $3 || '%') AND ($4::timestamptz IS NULL OR a.at >= $4) AND ($5::timestamptz IS NULL OR a.at < $5)`
  const rows = await tx.query<Row>(
    `SELECT a.id, a.at, a.action, a.user_label, a.impostor, a.ip, a.source, a.site_id, a.domain, a.version, CASE WHEN size.is_cut THEN ${CUT_CHANGES} ELSE a.changes END AS changes, size.is_cut, a.organization_id, chosen.organization_name
     FROM (SELECT a.id, o.name AS organization_name FROM audit_log a JOIN organization o ON o.id = a.organization_id WHERE ${where} ORDER BY a.at DESC, a.id DESC LIMIT $6 OFFSET $7) chosen
       JOIN audit_log a ON a.id = chosen.id
       CROSS JOIN LATERAL (SELECT octet_length(a.changes::text) > ${WHOLE_BYTES} AS is_cut OFFSET 0) size ORDER BY a.at DESC, a.id DESC`,
    [organization, action, search, from, to, limit, offset],
  )
  const counted = await tx.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM (SELECT FROM audit_log a WHERE ${where} LIMIT 10000) n`,
    [organization, action, search, from, to],
  )
  return { rows: rows.map(present), total: counted[0]?.total ?? 0 }
}

function present(row: Row): OperatorAuditEntry {
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    action: row.action,
    user: row.user_label,
    impostor: row.impostor,
    ip: row.ip,
    source: row.source,
    siteId: row.site_id,
    domain: row.domain,
    version: row.version,
    changes: row.changes.map(withoutUrls),
    isCut: row.is_cut,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
  }
}

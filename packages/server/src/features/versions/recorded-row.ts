import type { Tx } from '@fairway/platform'

export type RecordedRow = Record<string, unknown>
export type RecordedTable =
  | 'access_entry'
  | 'api_schema'
  | 'bot_management'
  | 'cache_rule'
  | 'challenge_friction'
  | 'crs_rules'
  | 'custom_page'
  | 'dns_record'
  | 'domain'
  | 'domain_cdn'
  | 'no_cache_rule'
  | 'security_rule'
  | 'shield_region'
  | 'strategy'
  | 'vsr_rule'

/** Columns that move by themselves and are no part of what a person changed. */
export const VOLATILE: ReadonlySet<string> = new Set([
  'modified_at',
  'state',
  'state_since',
  'detail',
  'wanted_version',
  'applied_version',
  'attempts',
  'bad_looks',
  'next_attempt_at',
  'leased_until',
  'left_dns_at',
  'edge_left_version',
  'removed_at',
  'purge_version',
  'vendor_ref',
  'vendor_certificate',
  'vendor_certificate_at',
  'vendor_records',
  'vendor_cname',
])

/** A row as changes keep it: what somebody may compare, and what a revert writes back. */
export function recorded(row: RecordedRow): RecordedRow {
  // Column by column, so that rows of a table are objects of one form: an import has thousands of them.
  const kept: RecordedRow = {}
  for (const column of Object.keys(row)) if (!VOLATILE.has(column)) kept[column] = row[column]
  return kept
}

/** A site's row as changes keep it, held until the commit; undefined when it is not there. */
export async function recordedRow(
  tx: Tx,
  table: RecordedTable,
  siteId: string,
  id: string,
): Promise<RecordedRow | undefined> {
  return (await recordedRows(tx, table, siteId, [id])).get(id)
}

/** The same for several rows, by id. */
export async function recordedRows(
  tx: Tx,
  table: RecordedTable,
  siteId: string,
  ids: string[],
): Promise<Map<string, RecordedRow>> {
  const rows = await tx.query<{ id: string; row: RecordedRow }>(
    `SELECT id, to_jsonb(t) AS row FROM ${table} t WHERE id = ANY($1) AND site_id = $2 ORDER BY id FOR UPDATE`,
    [ids, siteId],
  )
  return new Map(rows.map(({ id, row }) => [id, recorded(row)]))
}

import type { AuditFilter, EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { Failure } from '../../http/failure.ts'
import { FOUND, fitting } from './batch.ts'

export type AuditRow = {
  number: number
  at: Date
  action: string
  user_label: string
  impostor: string | null
  ip: string | null
  source: string
  site_id: string | null
  site_name: string | null
  domain: string | null
  version: number | null
  changes: EntityChange[]
  change_count: number
  hash: string
}

/** How many changes of an entry a list shows. */
const SHOWN = 3
/** Of the organisation in which everybody looks around, `$1`, nobody's address is shown, nor a hash to find it by. */
const HIDES = '(SELECT o.public_sandbox FROM organization o WHERE o.id = $1)'
const hidden = (column: string, instead: string) => `CASE WHEN ${HIDES} THEN ${instead} ELSE ${column} END`
/** Nor is a webhook found by more of its address than is shown. Its label is the last of an entry's words. */
const SHOWN_WORDS = String.raw`CASE WHEN a.action LIKE 'webhook.%' THEN regexp_replace(a.words, '(https?://[^/?#"]+)[/?#].*$', '\1/…') ELSE a.words END`
const COLUMNS = `a.number, a.at, a.action, a.user_label, a.impostor, ${hidden('a.ip', 'NULL')} AS ip, a.source, a.site_id, s.domain_name AS site_name, a.domain, a.version, jsonb_array_length(a.changes) AS change_count, ${hidden('a.hash', "''")} AS hash`
const FEW_CHANGES = `jsonb_path_query_array(a.changes, '$[0 to ${SHOWN - 1}]') AS changes`

type Where = { text: string; values: unknown[] }

/** Only the conditions that are asked for: each then has the index made for it. */
function whereOf(organizationId: string, filter: AuditFilter): Where {
  const values: unknown[] = [organizationId]
  const parts = ['a.organization_id = $1']
  const add = (part: (place: string) => string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    parts.push(part(`$${values.length}`))
  }
  add((at) => `a.at >= ${at}::timestamptz`, filter.from)
  add((at) => `a.at < ${at}::timestamptz`, filter.to)
  add((name) => `(a.user_label = ${name} OR a.impostor = ${name})`, filter.who)
  add((action) => `a.action = ${action}`, filter.action)
  add((id) => `a.site_id = ${id}::uuid`, filter.siteId)
  add((name) => `a.domain = ${name}`, filter.domainName?.toLowerCase())
  add((source) => `a.source = ${source}`, filter.source)
  add(
    (like) =>
      `a.words LIKE ${like} AND ${SHOWN_WORDS} LIKE ${like} AND (NOT ${HIDES} OR replace(a.words, lower(coalesce(a.ip, '')), '') LIKE ${like})`,
    filter.search === undefined ? undefined : `%${filter.search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  )
  return { text: parts.join(' AND '), values }
}

/** Entries that one answer has at most; all of them are had as a file. */
const MOST_ENTRIES = 10_000

type Wanted = { filter: AuditFilter; order: string; limit: number | null; offset: number }

/**
 * One page. Entries are chosen by the index alone and read afterwards, so that a page far down costs little more than
 * the first. @throws Failure 400 when all are asked for and there are too many
 */
export async function listEntries(
  tx: Tx,
  organizationId: string,
  { filter, order, limit, offset }: Wanted,
): Promise<{ rows: AuditRow[]; total: number }> {
  const { text, values } = whereOf(organizationId, filter)
  const by = `${order}, a.number ${order.endsWith('DESC') ? 'DESC' : 'ASC'}`
  const read = async () => {
    const total = await countOf(tx, { text, values })
    if (limit === null && total > MOST_ENTRIES)
      throw new Failure(400, { fields: [{ path: 'page_size', message: 'validation.invalid' }] })
    const rows = await tx.query<AuditRow>(
      `SELECT ${COLUMNS}, ${FEW_CHANGES} FROM (SELECT a.number FROM audit_log a WHERE ${text} ORDER BY ${by} LIMIT $${values.length + 1} OFFSET $${values.length + 2}) chosen
     JOIN audit_log a ON a.organization_id = $1 AND a.number = chosen.number LEFT JOIN site s ON s.id = a.site_id ORDER BY ${by}`,
      [...values, limit, offset],
    )
    return { rows, total }
  }
  // Under row-level security PostgreSQL may not use an index for LIKE, which is no leakproof operator. The organisation
  // is the first condition of every statement here.
  return filter.search === undefined ? read() : beyondTenant(tx, read)
}

/** Numbers have no gaps, so that the newest one counts all entries. */
async function countOf(tx: Tx, { text, values }: Where): Promise<number> {
  const rows = await tx.query<{ total: number }>(
    values.length === 1
      ? 'SELECT max(a.number) AS total FROM audit_log a WHERE a.organization_id = $1'
      : `SELECT count(*) AS total FROM audit_log a WHERE ${text}`,
    values,
  )
  return rows[0]?.total ?? 0
}

/**
 * The next entries below a number, newest first, whole: `limit` of them or as many as may be read at once. Numbers follow
 * the order of writing.
 */
export async function entriesBelow(
  tx: Tx,
  organizationId: string,
  filter: AuditFilter,
  below: number | null,
  limit: number,
): Promise<(AuditRow & { found: number })[]> {
  const { text, values } = whereOf(organizationId, filter)
  return tx.query<AuditRow & { found: number }>(
    `${fitting(`SELECT a.number FROM audit_log a WHERE ${text} AND ($${values.length + 1}::bigint IS NULL OR a.number < $${values.length + 1}) ORDER BY a.number DESC LIMIT $${values.length + 2}`)}
     SELECT ${COLUMNS}, a.changes, ${FOUND} FROM chosen JOIN audit_log a ON a.organization_id = $1 AND a.number = chosen.number LEFT JOIN site s ON s.id = a.site_id ORDER BY a.number DESC`,
    [...values, below, limit],
  )
}

export type AuditDetailRow = AuditRow & { hash_before: string; revertible: boolean }

export async function findEntry(tx: Tx, organizationId: string, number: number): Promise<AuditDetailRow | undefined> {
  const rows = await tx.query<AuditDetailRow>(
    `SELECT ${COLUMNS}, a.changes, ${hidden("coalesce((SELECT hash FROM audit_log b WHERE b.organization_id = $1 AND b.number = a.number - 1), '')", "''")} AS hash_before,
       EXISTS (SELECT FROM version v WHERE v.site_id = a.site_id AND v.number = a.version AND v.source <> 'system' AND v.changes <> '[]') AS revertible
     FROM audit_log a LEFT JOIN site s ON s.id = a.site_id WHERE a.organization_id = $1 AND a.number = $2`,
    [organizationId, number],
  )
  return rows[0]
}

/** The different values of a column, in order: a jump through its index for each, not a walk through all entries. */
export async function valuesOf(
  tx: Tx,
  organizationId: string,
  column: 'user_label' | 'action',
  limit: number,
): Promise<string[]> {
  const next = (beyond: string) =>
    `SELECT ${column} AS value FROM audit_log WHERE organization_id = $1 ${beyond} ORDER BY ${column} LIMIT 1`
  const rows = await tx.query<{ value: string }>(
    `WITH RECURSIVE found AS ((${next('')}) UNION ALL SELECT (${next(`AND ${column} > found.value`)}) FROM found WHERE found.value IS NOT NULL) SELECT value FROM found WHERE value IS NOT NULL LIMIT $2`,
    [organizationId, limit],
  )
  return rows.map(({ value }) => value)
}

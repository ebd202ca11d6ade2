import type { AuditFilter, EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { isLast } from './batch.ts'
import { type AuditRow, entriesBelow } from './store.ts'
import { withoutUrls } from '../webhooks/shown-url.ts'

const BATCH = 1000
const HEAD = [
  'number',
  'at',
  'user',
  'done_by',
  'action',
  'source',
  'ip',
  'site',
  'domain',
  'version',
  'changes',
  'hash',
]

/**
 * The entries as lines of CSV, read a thousand at a time or fewer, each batch in a transaction of its own: whoever reads slowly
 * holds nothing.
 */
export async function* csvOf(
  read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  organizationId: string,
  filter: AuditFilter,
): AsyncGenerator<string> {
  // The byte order mark makes spreadsheets read it as UTF-8.
  yield `\uFEFF${HEAD.join(',')}\r\n`
  for (let below: number | null = null; ;) {
    const last: number | null = below
    const next: (AuditRow & { found: number })[] = await read((tx) =>
      entriesBelow(tx, organizationId, filter, last, BATCH),
    )
    yield next.map(lineOf).join('')
    if (isLast(next, BATCH)) return
    below = next.at(-1)?.number ?? 0
  }
}

function lineOf(row: AuditRow): string {
  const fields = [
    row.number,
    row.at.toISOString(),
    row.user_label,
    row.impostor ?? row.user_label,
    row.action,
    row.source,
    row.ip,
    row.site_name ?? row.site_id,
    row.domain,
    row.version,
    row.changes.map((change) => wordsOf(withoutUrls(change))).join('\n'),
    row.hash,
  ]
  return `${fields.map(field).join(',')}\r\n`
}

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front. */
function field(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** `dns-record www A: ttl_seconds 300 → 60`. */
function wordsOf({ entity, label, before, after }: EntityChange): string {
  const name = `${entity} ${label}`
  if (!before || !after) return `${name}: ${before ? 'removed' : 'added'}`
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  return `${name}: ${keys.map((key) => `${key} ${JSON.stringify(before[key] ?? null)} → ${JSON.stringify(after[key] ?? null)}`).join(', ')}`
}

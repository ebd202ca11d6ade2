import crypto from 'node:crypto'
import type { Tx } from '@fairway/platform'
import { FOUND, fitting, isLast } from './batch.ts'

/** An entry with every field as the text that its hash is made of. */
export type ChainedRow = {
  organization_id: string
  number: string
  at_us: string
  action: string
  user_id: string | null
  user_label: string
  impostor: string | null
  ip: string | null
  source: string
  site_id: string | null
  domain: string | null
  version: string | null
  changes: string
  hash: string
}

/**
 * An entry's hash, made here independently of the database (`audit_hash` in migration 0007 makes it when the entry is
 * written).
 */
export function entryHash(row: ChainedRow, hashBefore: string): string {
  const fields = [
    hashBefore,
    row.organization_id,
    row.number,
    row.at_us,
    row.action,
    row.user_id,
    row.user_label,
    row.impostor,
    row.ip,
    row.source,
    row.site_id,
    row.domain,
    row.version,
    row.changes,
  ]
  return crypto
    .createHash('sha256')
    .update(fields.map((text) => (text === null ? '-' : `${Buffer.byteLength(text)}:${text}`)).join(''))
    .digest('hex')
}

const COLUMNS = `a.organization_id::text, a.number::text, (extract(epoch FROM at) * 1000000)::bigint::text AS at_us, action, user_id::text, user_label, impostor, ip, source, site_id::text, domain, version::text, changes::text, hash`
const BATCH = 2000

/** Where an organisation's chain stood at a check. */
export type Head = { number: number; hash: string }

/**
 * `changed`: its content is not what was written. `missing`: entries before it are gone. `cut`: entries at the end are
 * gone. `rewritten`: it holds together, but is not what an earlier check has seen.
 */
export type Break = {
  kind: 'changed' | 'missing' | 'cut' | 'rewritten'
  number: number
  at: string | null
  action: string | null
  user: string | null
}
export type ChainReport = { organizationId: string; entries: number; head: Head | null; broken: Break | null }

/**
 * Walks through one organisation's chain up to the first entry that breaks it. `seen` is the head at an earlier check,
 * kept outside of the database.
 */
export async function verifyChain(tx: Tx, organizationId: string, seen: Head | null): Promise<ChainReport> {
  let head: Head = { number: 0, hash: '' }
  const report = (broken: Break | null): ChainReport => ({
    organizationId,
    entries: head.number,
    head: head.number > 0 ? head : null,
    broken,
  })
  for (;;) {
    const rows = await tx.query<ChainedRow & { found: number }>(
      `${fitting('SELECT number FROM audit_log WHERE organization_id = $1 AND number > $2 ORDER BY number LIMIT $3')}
       SELECT ${COLUMNS}, ${FOUND} FROM chosen JOIN audit_log a ON a.organization_id = $1 AND a.number = chosen.number ORDER BY a.number`,
      [organizationId, head.number, BATCH],
    )
    for (const row of rows) {
      const number = Number(row.number)
      const about = {
        number,
        at: new Date(Number(row.at_us) / 1000).toISOString(),
        action: row.action,
        user: row.user_label,
      }
      if (number !== head.number + 1) return report({ kind: 'missing', ...about })
      if (entryHash(row, head.hash) !== row.hash) return report({ kind: 'changed', ...about })
      if (seen?.number === number && seen.hash !== row.hash) return report({ kind: 'rewritten', ...about })
      head = { number, hash: row.hash }
    }
    if (isLast(rows, BATCH)) break
  }
  return report(
    seen && seen.number > head.number ? { kind: 'cut', number: seen.number, at: null, action: null, user: null } : null,
  )
}

import type { EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type AuditEntryInput = {
  organizationId: string
  action: string
  userId: string | null
  userLabel: string
  source: string
  changes: readonly EntityChange[]
  impostor?: string | null
  ip?: string | null
  siteId?: string | null
  domain?: string | null
  version?: number | null
}

/**
 * Writes an entry of the audit log, the last thing in its transaction: the organisation's next entry waits for the
 * commit. The wrapper does this for every route with an audit name.
 */
export async function writeAudit(tx: Tx, entry: AuditEntryInput): Promise<void> {
  await tx.query(
    'INSERT INTO audit_log (organization_id, action, user_id, user_label, impostor, ip, source, site_id, domain, version, changes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
    [
      entry.organizationId,
      entry.action,
      entry.userId,
      entry.userLabel,
      entry.impostor ?? null,
      entry.ip ?? null,
      entry.source,
      entry.siteId ?? null,
      entry.domain ?? null,
      entry.version ?? null,
      JSON.stringify(entry.changes),
    ],
  )
}

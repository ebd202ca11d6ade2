import type { EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type AuditEntryInput = {
  organizationId: string
  action: string
  userId: string | null
  userLabel: string
  source: string
  changes: readonly EntityChange[]
  /** They are those of the version, which is written already: a large import is not sent twice. */
  areOfVersion?: boolean
  impostor?: string | null
  ip?: string | null
  siteId?: string | null
  domain?: string | null
  version?: number | null
}

/**
 * Writes an entry of the audit log, the last thing in its transaction: the organisation's next entry waits for the
 * commit. The wrapper does this for every route with an audit name. Where everybody looks around, nobody's address is kept.
 */
export async function writeAudit(tx: Tx, entry: AuditEntryInput): Promise<void> {
  const { areOfVersion = false } = entry
  const changes = areOfVersion
    ? '(SELECT changes FROM version WHERE site_id = $8 AND number = $10 AND $11::jsonb IS NULL)'
    : '$11'
  await tx.query(
    `INSERT INTO audit_log (organization_id, action, user_id, user_label, impostor, ip, source, site_id, domain, version, changes) VALUES ($1, $2, $3, $4, $5, CASE WHEN NOT EXISTS (SELECT FROM organization WHERE id = $1 AND public_sandbox) THEN $6 END, $7, $8, $9, $10, ${changes})`,
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
      areOfVersion ? null : JSON.stringify(entry.changes),
    ],
  )
}

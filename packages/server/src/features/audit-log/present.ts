import type { AuditDetail, AuditLine } from '@fairway/contract'
import { withoutUrls } from '../webhooks/shown-url.ts'
import type { AuditDetailRow, AuditRow } from './store.ts'

export function presentLine(row: AuditRow): AuditLine {
  return {
    id: String(row.number),
    at: row.at.toISOString(),
    action: row.action,
    user: row.user_label,
    impostor: row.impostor,
    ip: row.ip,
    source: row.source,
    siteId: row.site_id,
    siteName: row.site_name,
    domain: row.domain,
    version: row.version,
    changes: row.changes.map(withoutUrls),
    changeCount: row.change_count,
  }
}

export function presentDetail(row: AuditDetailRow): AuditDetail {
  return { ...presentLine(row), hash: row.hash, hashBefore: row.hash_before, revertible: row.revertible }
}

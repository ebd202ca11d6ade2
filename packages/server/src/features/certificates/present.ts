import type { Certificate } from '@fairway/contract'
import { certificateStatus } from '@fairway/domain'
import type { CertificateRow } from './store.ts'

export const renewsItself = ({ type }: Pick<CertificateRow, 'type'>): boolean =>
  type === 'lets-encrypt' || type === 'zero-ssl'

export function present(row: CertificateRow, now: Date): Certificate {
  const life = {
    notAfter: row.not_after?.getTime() ?? null,
    step: row.step,
    hindrance: row.hindrance,
    isRemoved: row.removed_at !== null,
    renewsItself: renewsItself(row),
    isServed: row.served,
  }
  return {
    id: row.id,
    siteId: row.site_id,
    siteName: row.site_name,
    type: row.type,
    status: certificateStatus(life, now.getTime()),
    names: row.names,
    commonName: row.details?.commonName || (row.names[0] ?? ''),
    challenge: row.challenge,
    step: row.step,
    problem: row.problem,
    nextAt: row.next_attempt_at?.toISOString() ?? null,
    details: row.details,
    importedAt: row.imported_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

import type { Certificate } from '@fairway/contract'
import { certificateStatus } from '@fairway/domain'
import type { CertificateRow } from './store.ts'

export const renewsItself = ({ type }: Pick<CertificateRow, 'type'>): boolean =>
  type === 'lets-encrypt' || type === 'zero-ssl'

/** Why an order is not even tried for now. */
const KEPT_BACK = {
  held: 'The authority takes no more orders of this installation for now. This one is made by itself afterwards.',
  full: 'More certificates are ordered here, or by your organisation alone, than there is room for in three hours. This one is made by itself at its turn.',
}

export function present(row: CertificateRow, now: Date): Certificate {
  const life = {
    notAfter: row.not_after?.getTime() ?? null,
    step: row.step,
    hindrance: row.hindrance ?? (row.kept_back && 'waiting'),
    isRemoved: row.removed_at !== null,
    renewsItself: renewsItself(row),
    isServed: row.served,
  }
  const status = certificateStatus(life, now.getTime())
  return {
    id: row.id,
    siteId: row.site_id,
    siteName: row.site_name,
    type: row.type,
    status,
    names: row.names,
    commonName: row.details?.commonName || (row.names[0] ?? ''),
    challenge: row.challenge,
    step: row.step,
    problem: row.problem ?? (row.kept_back && status === 'waiting' ? KEPT_BACK[row.kept_back] : null),
    nextAt: (row.kept_back ? null : row.next_attempt_at)?.toISOString() ?? null,
    details: row.details,
    importedAt: row.imported_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

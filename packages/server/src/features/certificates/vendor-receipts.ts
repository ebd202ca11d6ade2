import { ByoPlatform, type CertificateReceipts } from '@fairway/contract'
import { covers } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { chainMark } from '../../publish/edge-certificates.ts'
import type { CertificateRow } from './store.ts'

type Row = {
  id: string
  name: string
  host: string
  state: string
  detail: string | null
  vendor_certificate: string | null
  vendor_certificate_at: Date | null
}

/**
 * What vendors' CDNs were given for the names of a certificate; another one that is shown instead is none of this list.
 */
export async function vendorReceipts(
  tx: Tx,
  { site_id, chain_pem, names }: CertificateRow,
): Promise<CertificateReceipts['cdns']> {
  if (chain_pem === null) return []
  const mark = chainMark(chain_pem)
  const rows = await tx.query<Row>(
    `SELECT dc.id, c.name, d.name AS host, dc.state, dc.detail, dc.vendor_certificate, dc.vendor_certificate_at FROM domain_cdn dc JOIN domain d ON d.id = dc.domain_id JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id
     WHERE dc.site_id = $1 AND c.driver = ANY($2) AND dc.state <> 'deleting' ORDER BY d.name, c.series`,
    [site_id, ByoPlatform.options],
  )
  return rows
    .filter(({ host }) => covers(names, host))
    .map(({ id, name, host, state, detail, vendor_certificate, vendor_certificate_at }) => {
      const isGiven = vendor_certificate === mark
      return {
        id,
        name,
        host,
        state: isGiven ? 'installed' : state === 'failed' ? 'error' : 'installing',
        at: isGiven ? (vendor_certificate_at?.toISOString() ?? null) : null,
        detail: isGiven ? null : detail,
      }
    })
}

import crypto from 'node:crypto'
import type { EdgeCertificates } from '@fairway/contract'
import { chooseCertificates } from '@fairway/domain'
import { sealForNodes, unseal, type Config, type Tx } from '@fairway/platform'
import { CERTIFICATE_KEYS } from '../features/certificates/seal-purpose.ts'
import { STREAM_CERTIFICATE_KEY } from '../features/certificates/stream-certificate-store.ts'
import type { Built } from './built.ts'
import { buildStreamCertificate } from './stream-certificate.ts'

type Row = {
  id: string
  names: string[]
  chain_pem: string
  sealed_key: string
  not_after: Date
  imported_at: Date | null
  type: string
  created_at: Date
  staple: string | null
  staple_until: Date | null
}

/**
 * Certificates that the edge serves for a site's names. Key: site id. A private key is opened here only to be sealed
 * again for the nodes. One more is the house's own, for the hosts of videos.
 */
export async function buildEdgeCertificates(tx: Tx, key: string, config: Config): Promise<Built> {
  if (key === STREAM_CERTIFICATE_KEY) return buildStreamCertificate(tx, key, config)
  const site = (
    await tx.query<{ organization_id: string; version: number }>(
      'SELECT organization_id, version FROM site WHERE id = $1',
      [key],
    )
  )[0]
  if (!site) return null
  const { rows, names } = await chosenCertificates(tx, key)
  if (rows.length === 0) return null
  const used = new Set(names.values())
  const body: EdgeCertificates = {
    siteId: key,
    organizationId: site.organization_id,
    version: site.version,
    names: Object.fromEntries(names),
    certificates: rows
      .filter(({ id }) => used.has(id))
      .map((row) => ({
        certificateId: row.id,
        chainPem: row.chain_pem,
        sealedPrivateKey: sealForNodes(config, CERTIFICATE_KEYS, unseal(config, CERTIFICATE_KEYS, row.sealed_key)),
        notAfter: row.not_after.getTime(),
        staple:
          row.staple === null || row.staple_until === null
            ? null
            : { response: row.staple, until: row.staple_until.getTime() },
      })),
  }
  return { version: site.version, organizationId: site.organization_id, body }
}

/** A site's certificates, and which of them each name is shown. */
export async function chosenCertificates(tx: Tx, siteId: string): Promise<{ rows: Row[]; names: Map<string, string> }> {
  const rows = await tx.query<Row>(
    'SELECT id, names, chain_pem, sealed_key, not_after, imported_at, type, created_at, staple, staple_until FROM certificate WHERE site_id = $1 AND chain_pem IS NOT NULL AND sealed_key IS NOT NULL ORDER BY created_at, id',
    [siteId],
  )
  const choosable = rows.map((row) => ({
    id: row.id,
    names: row.names,
    notAfter: row.not_after.getTime(),
    uploaded: row.type.startsWith('custom'),
    createdAt: (row.imported_at ?? row.created_at).getTime(),
  }))
  return { rows, names: chooseCertificates(choosable, Date.now()) }
}

/** Tells one chain from another, for vendors who are given a certificate once. */
export const chainMark = (chainPem: string): string =>
  crypto.createHash('sha256').update(chainPem).digest('hex').slice(0, 32)

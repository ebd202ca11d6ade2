import crypto from 'node:crypto'
import type { EdgeCertificates } from '@fairway/contract'
import { chooseCertificates, isAtOrUnder } from '@fairway/domain'
import { sealForNodes, unseal, type Config, type Tx } from '@fairway/platform'
import { CERTIFICATE_KEYS } from '../features/certificates/seal-purpose.ts'
import { STREAM_CERTIFICATE_KEY } from '../features/certificates/stream-certificate-store.ts'
import type { Built } from './built.ts'
import { buildStreamCertificate } from './stream-certificate.ts'

type Row = {
  id: string
  domain_name: string
  /** By the clock that says when the document was published. */ looked_at: Date
  names: string[]
  chain_pem: string
  sealed_key: string
  not_before: Date | null
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
    await tx.query<{ organization_id: string; version: number; domain_name: string }>(
      'SELECT organization_id, version, domain_name FROM site WHERE id = $1',
      [key],
    )
  )[0]
  if (!site) return null
  const { rows, names } = await chosenCertificates(tx, key)
  if (names.size === 0) return null
  const used = new Set(names.values())
  const body: EdgeCertificates = {
    siteId: key,
    domain: site.domain_name,
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

/**
 * A site's certificates, and which of them each name is shown. An uploaded one may name other domains, too: those are
 * for their own sites to show.
 */
export async function chosenCertificates(tx: Tx, siteId: string): Promise<{ rows: Row[]; names: Map<string, string> }> {
  const rows = await tx.query<Row>(
    `SELECT c.id, c.names, c.chain_pem, c.sealed_key, (c.details->>'notBefore')::timestamptz AS not_before, c.not_after, c.imported_at, c.type, c.created_at, c.staple, c.staple_until, s.domain_name, now() AS looked_at FROM certificate c JOIN site s ON s.id = c.site_id WHERE c.site_id = $1 AND c.chain_pem IS NOT NULL AND c.sealed_key IS NOT NULL ORDER BY c.created_at, c.id`,
    [siteId],
  )
  const choosable = rows.map((row) => ({
    id: row.id,
    names: row.names.filter((name) => isAtOrUnder(name.replace(/^\*\./, ''), row.domain_name)),
    notBefore: row.not_before?.getTime() ?? 0,
    notAfter: row.not_after.getTime(),
    uploaded: row.type.startsWith('custom'),
    createdAt: (row.imported_at ?? row.created_at).getTime(),
  }))
  return { rows, names: chooseCertificates(choosable, rows[0]?.looked_at.getTime() ?? 0) }
}

/** Tells one chain from another, for vendors who are given a certificate once. */
export const chainMark = (chainPem: string): string =>
  crypto.createHash('sha256').update(chainPem).digest('hex').slice(0, 32)

import type { EdgeCertificates } from '@fairway/contract'
import { type Config, sealForNodes, streamZone, type Tx, unseal } from '@fairway/platform'
import { CERTIFICATE_KEYS } from '../features/certificates/seal-purpose.ts'
import { streamCertificate } from '../features/certificates/stream-certificate-store.ts'
import type { Built } from './built.ts'

const ID = 'streams'

/** The one certificate of all hosts of videos. */
export async function buildStreamCertificate(tx: Tx, key: string, config: Config): Promise<Built> {
  const row = await streamCertificate(tx, streamZone(config))
  if (!row?.chain_pem || !row.sealed_key || !row.not_after) return null
  const body: EdgeCertificates = {
    siteId: key,
    // The hosts at simulated CDNs are not below the zone of the others.
    domain: config.serviceDomain,
    organizationId: '',
    version: row.version,
    names: Object.fromEntries(row.names.map((name) => [name, ID])),
    certificates: [
      {
        certificateId: ID,
        chainPem: row.chain_pem,
        sealedPrivateKey: sealForNodes(config, CERTIFICATE_KEYS, unseal(config, CERTIFICATE_KEYS, row.sealed_key)),
        notAfter: row.not_after.getTime(),
        staple: null,
      },
    ],
  }
  return { version: row.version, organizationId: null, body }
}

import type { ByoPlatform } from '@fairway/contract'
import { compileFor } from '@fairway/domain'
import { overridingUrl, type CdnOrder, type VendorWants } from '@fairway/drivers'
import { unseal, type Config, type Database, type Tx } from '@fairway/platform'
import { secretsOf } from '../features/byo-cdn-keys/key-values.ts'
import { cacheRulesOf } from '../features/cache-rules/store.ts'
import { CERTIFICATE_KEYS } from '../features/certificates/seal-purpose.ts'
import { managedKeyOf } from '../features/managed-cdn-keys/stored-keys.ts'
import { abilitiesOf, intentOf } from '../features/domains/delivery.ts'
import type { DomainRow } from '../http/context.ts'
import { chainMark, chosenCertificates } from '../publish/edge-certificates.ts'

type KeyRow = { by_key: boolean; id: string | null; fields: Record<string, string> | null; sealed: string | null }

/** What a vendor's driver needs for an order, as it is now. Secrets are opened here, for one call. */
export async function vendorWants(
  config: Config,
  database: Database,
  platform: ByoPlatform,
  order: CdnOrder,
): Promise<VendorWants> {
  return database.system(async (tx) => ({
    values: await keyOf(tx, config, platform, order),
    apiUrl: overridingUrl(config.cdnApiUrls, platform) ?? null,
    delivery: await deliveryOf(tx, platform, order),
    certificate: await certificateOf(tx, config, order),
  }))
}

async function keyOf(
  tx: Tx,
  config: Config,
  platform: ByoPlatform,
  { domainId, cdnId }: CdnOrder,
): Promise<Record<string, string>> {
  const [key] = await tx.query<KeyRow>(
    `SELECT c.byo_key_id IS NOT NULL AS by_key, k.id, k.fields, k.sealed FROM domain d JOIN cdn c ON c.organization_id = d.organization_id AND c.id = $2 LEFT JOIN byo_cdn_key k ON k.id = c.byo_key_id WHERE d.id = $1`,
    [domainId, cdnId],
  )
  if (key?.id && key.sealed !== null) return { ...key.fields, ...secretsOf(config, { id: key.id, sealed: key.sealed }) }
  const managed = key?.by_key ? undefined : await managedKeyOf(tx, config, platform)
  if (!managed) throw new Error(`There is no key for ${platform} any more`)
  return managed
}

async function deliveryOf(
  tx: Tx,
  platform: ByoPlatform,
  { domainId, slug }: CdnOrder,
): Promise<VendorWants['delivery']> {
  const [row] = await tx.query<DomainRow>('SELECT * FROM domain WHERE id = $1', [domainId])
  if (!row) throw new Error('The domain is gone')
  return compileFor(abilitiesOf({ driver: platform, slug }), intentOf(row, await cacheRulesOf(tx, domainId))).delivery
}

async function certificateOf(tx: Tx, config: Config, { siteId, host }: CdnOrder): Promise<VendorWants['certificate']> {
  const { rows, names } = await chosenCertificates(tx, siteId)
  const chosen = names.get(host) ?? names.get(`*.${host.slice(host.indexOf('.') + 1)}`)
  const row = rows.find(({ id }) => id === chosen)
  return row
    ? {
        chainPem: row.chain_pem,
        keyPem: unseal(config, CERTIFICATE_KEYS, row.sealed_key),
        fingerprint: chainMark(row.chain_pem),
      }
    : null
}

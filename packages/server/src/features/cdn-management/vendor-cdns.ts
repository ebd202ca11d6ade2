import type { ByoPlatform, Cdn } from '@fairway/contract'
import { managedKeys } from '@fairway/drivers'
import type { Config, Tx } from '@fairway/platform'

const VENDORS: Record<ByoPlatform, { name: string; category: Cdn['category']; series: number }> = {
  cloudfront: { name: 'CloudFront', category: 'global-cdn', series: 1 },
  cloudflare: { name: 'Cloudflare', category: 'global-cdn', series: 2 },
  fastly: { name: 'Fastly', category: 'global-cdn', series: 3 },
  bunny: { name: 'bunny.net', category: 'global-cdn', series: 4 },
  akamai: { name: 'Akamai', category: 'global-cdn', series: 5 },
  tencent: { name: 'Tencent Cloud', category: 'china-cdn', series: 6 },
}

export type NewVendorCdn = {
  organizationId: string
  id: string
  name: string
  platform: ByoPlatform
  keyId: string | null
}

export async function insertVendorCdn(
  tx: Tx,
  { organizationId, id, name, platform, keyId }: NewVendorCdn,
): Promise<void> {
  const { category, series } = VENDORS[platform]
  await tx.query(
    'INSERT INTO cdn (organization_id, id, name, slug, driver, category, series, byo_key_id) VALUES ($1, $2, $3, $2, $4, $5, $6, $7) ON CONFLICT DO NOTHING',
    [organizationId, id, name, platform, category, series, keyId],
  )
}

/**
 * Notes the vendors that the settings hold keys for beside those whose keys are stored, and gives their CDNs to every
 * organisation. Those whose key has been taken away go where no domain is attached.
 */
export async function noteManagedVendors(tx: Tx, config: Config): Promise<void> {
  const platforms = Object.keys(managedKeys(config)) as ByoPlatform[]
  await tx.query('DELETE FROM managed_vendor WHERE sealed IS NULL AND NOT platform = ANY($1)', [platforms])
  for (const platform of platforms) await noteVendor(tx, platform)
  await tx.query(
    `DELETE FROM cdn c WHERE c.driver = ANY($1) AND c.id = c.driver AND c.byo_key_id IS NULL AND NOT EXISTS (SELECT FROM managed_vendor m WHERE m.platform = c.driver)
       AND NOT EXISTS (SELECT FROM domain_cdn d WHERE d.organization_id = c.organization_id AND d.cdn_id = c.id)`,
    [Object.keys(VENDORS)],
  )
  await giveManagedCdns(tx, null)
}

export async function noteVendor(tx: Tx, platform: ByoPlatform): Promise<void> {
  const { name, category, series } = VENDORS[platform]
  await tx.query(
    'INSERT INTO managed_vendor (platform, name, category, series) VALUES ($1, $2, $3, $4) ON CONFLICT (platform) DO UPDATE SET name = $2, category = $3, series = $4',
    [platform, name, category, series],
  )
}

/** CDNs at the operator's vendors for an organisation, or for all. */
export async function giveManagedCdns(tx: Tx, organizationId: string | null): Promise<void> {
  await tx.query(
    `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series)
       SELECT o.id, m.platform, m.name, m.platform, m.platform, m.category, m.series FROM managed_vendor m, organization o WHERE o.id = coalesce($1::uuid, o.id) ON CONFLICT DO NOTHING`,
    [organizationId],
  )
}

import type { ByoPlatform } from '@fairway/contract'
import { managedKeys } from '@fairway/drivers'
import { unseal, type Config, type Tx } from '@fairway/platform'
import type { Values } from '../byo-cdn-keys/key-values.ts'

export type VendorRow = {
  platform: ByoPlatform
  fields: Values | null
  sealed: string | null
  tested_at: Date | null
  test_problem: string | null
  modified_at: Date
  domain_count: number
}

/** Bound into the sealed secrets of a key. */
export const sealPurpose = (platform: string): string => `managed-cdn-key ${platform}`

/**
 * The operator's key at a vendor, secrets in the clear: the stored one before that of the settings. Undefined when
 * there is none.
 */
export async function managedKeyOf(tx: Tx, config: Config, platform: ByoPlatform): Promise<Values | undefined> {
  const [row] = await tx.query<Pick<VendorRow, 'fields' | 'sealed'>>(
    'SELECT fields, sealed FROM managed_vendor WHERE platform = $1',
    [platform],
  )
  return row?.sealed == null
    ? managedKeys(config)[platform]
    : { ...row.fields, ...secretsOfVendor(config, platform, row.sealed) }
}

export function secretsOfVendor(config: Config, platform: ByoPlatform, sealed: string): Values {
  return JSON.parse(unseal(config, sealPurpose(platform), sealed)) as Values
}

export async function vendorRows(tx: Tx, platform: ByoPlatform | null = null): Promise<VendorRow[]> {
  return tx.query<VendorRow>(
    `SELECT m.platform, m.fields, m.sealed, m.tested_at, m.test_problem, m.modified_at,
       (SELECT count(*)::int FROM domain_cdn dc JOIN cdn c ON c.organization_id = dc.organization_id AND c.id = dc.cdn_id WHERE c.driver = m.platform AND c.byo_key_id IS NULL) AS domain_count
     FROM managed_vendor m WHERE $1::text IS NULL OR m.platform = $1 ORDER BY m.series`,
    [platform],
  )
}

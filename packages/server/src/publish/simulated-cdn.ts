import { SimulatedFault, type EdgeSimulatedCdn } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Built } from './built.ts'

/** A simulated CDN with the fault it is under. Key: its slug. */
export async function buildSimulatedCdn(tx: Tx, key: string): Promise<Built> {
  const row = (
    await tx.query<{ slug: string; name: string; address: string; fault: unknown; version: number }>(
      'SELECT slug, name, address, fault, version FROM simulated_cdn WHERE slug = $1',
      [key],
    )
  )[0]
  if (!row) return null
  const body: EdgeSimulatedCdn = {
    cdnId: row.slug,
    name: row.name,
    address: row.address,
    version: row.version,
    fault: SimulatedFault.parse(row.fault),
  }
  return { version: row.version, organizationId: null, body }
}

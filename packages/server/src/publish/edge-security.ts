import type { EdgeSecurity } from '@fairway/contract'
import { softened, withApiKeys } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { openKey, sealKeyForNodes } from '../features/api-protection/kept-rule.ts'
import { softeningsOf } from '../features/bot-management/friction-store.ts'
import { securityPolicyOf } from '../features/web-security/policy.ts'
import type { Built } from './built.ts'

/** What the edge asks of requests for those domains of a site that use their shield. Key: site id. */
export async function buildEdgeSecurity(tx: Tx, key: string, config: Config): Promise<Built> {
  const site = (
    await tx.query<{ id: string; organization_id: string; version: number }>(
      'SELECT id, organization_id, version FROM site WHERE id = $1',
      [key],
    )
  )[0]
  if (!site) return null
  const rows = await tx.query<{ id: string; name: string }>(
    `SELECT id, name FROM domain WHERE site_id = $1 AND removed_at IS NULL AND origin_shield = 'use' ORDER BY name`,
    [key],
  )
  const domains: EdgeSecurity['domains'] = []
  const sealAgain = (sealed: string) => sealKeyForNodes(config, openKey(config, sealed))
  for (const { id, name } of rows) {
    const policy = softened(await securityPolicyOf(tx, id), await softeningsOf(tx, id))
    domains.push({ domainId: id, host: name, policy: withApiKeys(policy, sealAgain) })
  }
  const body: EdgeSecurity = {
    siteId: site.id,
    organizationId: site.organization_id,
    version: site.version,
    domains,
  }
  return { version: site.version, organizationId: site.organization_id, body }
}

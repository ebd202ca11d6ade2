import type { EdgeChallenges } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { fileChallengesOf } from '../features/certificates/store.ts'

/**
 * What the edge answers authorities that look at a site's names. Key: site id. Empty, not withdrawn, when nothing is
 * being proven: each version that takes challenges back is confirmed too.
 */
export async function buildEdgeChallenges(tx: Tx, key: string): Promise<Built> {
  const site = (
    await tx.query<{ organization_id: string; version: number }>(
      'SELECT organization_id, version FROM site WHERE id = $1',
      [key],
    )
  )[0]
  if (!site) return null
  const body: EdgeChallenges = {
    siteId: key,
    organizationId: site.organization_id,
    version: site.version,
    challenges: await fileChallengesOf(tx, key),
  }
  return { version: site.version, organizationId: site.organization_id, body }
}

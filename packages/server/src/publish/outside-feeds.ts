import { FEED_KEYS } from '@fairway/analytics'
import type { OutsideFeedKeys } from '@fairway/contract'
import { sealForNodes, unseal, type Config, type Tx } from '@fairway/platform'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'

type Row = {
  id: string
  name: string
  weight_percent: number
  enabled: boolean
  key_sealed: string
  old_key_sealed: string | null
  old_key_until: Date | null
}

/** Who may post measurements of an organisation's CDNs; key: its id. */
export async function buildOutsideFeeds(tx: Tx, organizationId: string, config: Config): Promise<Built> {
  const rows = await tx.query<Row>(
    'SELECT id, name, weight_percent, enabled, key_sealed, old_key_sealed, old_key_until FROM outside_feed WHERE organization_id = $1 ORDER BY created_at, id',
    [organizationId],
  )
  if (rows.length === 0) return null
  const cdns = await tx.query<{ id: string }>(
    'SELECT DISTINCT cdn_id AS id FROM domain_cdn WHERE organization_id = $1 ORDER BY cdn_id',
    [organizationId],
  )
  const forNodes = (sealed: string) => sealForNodes(config, FEED_KEYS, unseal(config, FEED_KEYS, sealed))
  const feeds = rows.map((row) => ({
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    weightPercent: row.weight_percent,
    keys: [
      { sealed: forNodes(row.key_sealed), until: null },
      ...(row.old_key_sealed !== null && row.old_key_until !== null
        ? [{ sealed: forNodes(row.old_key_sealed), until: row.old_key_until.getTime() }]
        : []),
    ],
  }))
  const content = (version: number): OutsideFeedKeys => ({
    organizationId,
    version,
    cdnIds: cdns.map(({ id }) => id),
    feeds,
  })
  const version = await contentVersion(tx, 'outside-feeds', organizationId, content)
  return { version, organizationId, body: content(version) }
}

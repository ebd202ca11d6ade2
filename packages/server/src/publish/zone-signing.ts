import type { ZoneSigning } from '@fairway/contract'
import { sealForNodes, unseal, type Config, type Tx } from '@fairway/platform'

/** What private keys of zones are sealed for, at rest and for the nodes. */
export const ZONE_KEYS = 'zone-keys'

type Row = {
  tag: number
  public_key: string
  private_key_sealed: string
  state: 'published' | 'ready' | 'active' | 'retired'
}

/**
 * The keys of a site's zone as the nodes get them; null for one that is not signed. A key that is ready to follow is
 * announced to the parent in place of the active one.
 */
export async function zoneSigning(tx: Tx, siteId: string, config: Config): Promise<ZoneSigning | null> {
  const rows = await tx.query<Row>(
    `SELECT tag, public_key, private_key_sealed, state FROM zone_key WHERE site_id = $1 ORDER BY created_at, id`,
    [siteId],
  )
  if (rows.length === 0) return null
  const state = (await tx.query<{ state: string }>('SELECT state FROM site_dnssec WHERE site_id = $1', [siteId]))[0]
    ?.state
  const announced = rows.find((row) => row.state === 'ready') ?? rows.find((row) => row.state === 'active')
  const keys = rows.map((row) => ({
    tag: row.tag,
    publicKey: row.public_key,
    sealedPrivateKey: sealForNodes(config, ZONE_KEYS, unseal(config, ZONE_KEYS, row.private_key_sealed)),
    signs: row.state === 'active',
    announced: row === announced,
  }))
  return { keys, withdraw: state === 'withdrawing' }
}

import type { Rrset, ZonePrimary } from '@fairway/contract'
import { siteOfPrimary } from '@fairway/domain'
import { sealForNodes, unseal, type Config, type Tx } from '@fairway/platform'
import { addressOf } from '../features/dns-primary/address.ts'
import { fetchedZoneOf, primaryOf } from '../features/dns-primary/store.ts'
import { TRANSFER_KEYS } from './dns-transfers.ts'

/**
 * SOA and nameservers of a zone that was fetched, and who may say that it has changed; null for one that is kept here,
 * or not fetched yet.
 */
export async function fetchedApex(
  tx: Tx,
  siteId: string,
  siteName: string,
  config: Config,
): Promise<{ apex: Rrset[]; primary: ZonePrimary } | null> {
  const row = await primaryOf(tx, siteId)
  const zone = row ? await fetchedZoneOf(tx, siteId) : null
  const site = zone && siteOfPrimary(zone, siteName)
  if (!row || !site || 'problem' in site) return null
  const secret = row.secret_sealed === null ? null : unseal(config, TRANSFER_KEYS, row.secret_sealed)
  const key =
    row.key_name !== null && row.key_algorithm !== null && secret !== null
      ? { name: row.key_name, algorithm: row.key_algorithm, sealedSecret: sealForNodes(config, TRANSFER_KEYS, secret) }
      : null
  return {
    apex: site.apex,
    primary: {
      addresses: [...new Set(row.servers.map((server) => addressOf(server).host))],
      key,
      expired: row.state === 'expired',
    },
  }
}

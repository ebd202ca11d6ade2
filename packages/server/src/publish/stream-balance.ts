import type { BalancerEntryInput, StreamBalance } from '@fairway/contract'
import { type BalanceEntry, STEERING_TTL_SECONDS, balancePolicy } from '@fairway/domain'
import { type Config, streamCdnHost, streamTlsUntil, type Tx } from '@fairway/platform'
import { type OwnCdn, balancerById, balancersInUse, ownCdns } from '../features/stream-balancers/store.ts'
import { isSigningOn } from '../features/signed-urls/store.ts'
import type { Built } from './built.ts'
import { contentVersion } from './publication.ts'

/** What serves an entry: a CDN that we run, and so give a host name, or any other. */
export type ResolvedEntry = BalanceEntry & { cdn: OwnCdn | null; isHouse: boolean }

/** Entries whose CDN is gone are left out. */
export function resolveEntries(
  config: Config,
  organizationId: string,
  entries: readonly BalancerEntryInput[],
  cdns: readonly OwnCdn[],
): ResolvedEntry[] {
  return entries.flatMap(({ cdnId, host, weight, enabled }) => {
    const cdn = cdnId === null ? null : (cdns.find(({ id }) => id === cdnId) ?? undefined)
    if (cdn === undefined) return []
    const own = cdn === null ? null : houseHost(config, organizationId, cdn)
    const at = own ?? host
    if (at === null) return []
    return [{ pathway: cdnId ?? at, name: cdn?.name ?? at, host: at, weight, enabled, cdn, isHouse: own !== null }]
  })
}

/** The host name that a CDN of the house has for an organisation's videos; null for any other CDN. */
export function houseHost(config: Config, organizationId: string, { driver, slug }: OwnCdn): string | null {
  if (driver === 'fairway-edge') return streamCdnHost(config, organizationId, null)
  return driver === 'simulated' ? streamCdnHost(config, organizationId, slug) : null
}

/** A balancer for who writes playlists and who answers players. Key: its id. */
export async function buildStreamBalance(tx: Tx, key: string, config: Config): Promise<Built> {
  const row = await balancerById(tx, key)
  if (!row?.is_on) return null
  const { organization_id: organizationId, live_id: liveId, mode } = row
  const signed = await isSigningOn(tx, organizationId)
  // Who checks no token would go on giving what it has kept to anybody who has an address, also when that is over.
  const entries = resolveEntries(config, organizationId, row.entries, await ownCdns(tx, organizationId)).filter(
    ({ isHouse }) => isHouse || !signed,
  )
  const pathways = entries.flatMap(({ pathway, host, weight, enabled, isHouse }) =>
    enabled ? [{ id: pathway, host, weight, isHouse }] : [],
  )
  if (pathways.length === 0) return null
  const isTls = (await streamTlsUntil(tx, config)) > Date.now()
  const content = (version: number): StreamBalance => ({
    balancerId: row.id,
    organizationId,
    liveId,
    version,
    ttlSeconds: STEERING_TTL_SECONDS,
    pathways,
    policy: balancePolicy({ balancerId: row.id, organizationId, mode }, entries),
    ...(signed ? { signed } : {}),
    ...(isTls ? { httpsPort: config.edgeHttps.port } : {}),
  })
  const version = await contentVersion(tx, 'stream-balance', key, content)
  return { version, organizationId, body: content(version) }
}

/** Entries of all balancers of an organisation that are on, each pathway once. */
export async function pathwaysInUse(tx: Tx, organizationId: string, config: Config): Promise<ResolvedEntry[]> {
  const rows = await balancersInUse(tx, organizationId)
  if (rows.length === 0) return []
  const cdns = await ownCdns(tx, organizationId)
  const entries = rows.flatMap((row) => resolveEntries(config, organizationId, row.entries, cdns))
  return [...new Map(entries.filter(({ enabled }) => enabled).map((entry) => [entry.pathway, entry])).values()]
}

import type { DriverContext } from '@fairway/drivers'
import type { ProbeTarget } from '@fairway/contract'
import { probeOnce, type Config, type Database, type OutgoingGate, type ProbeWays, type Tx } from '@fairway/platform'
import { leadsBack } from '../features/cdn-management/leads-back.ts'
import { houseZones } from '../features/names/house-zones.ts'
import { systemVersion } from '../publish/system-version.ts'
import { acknowledged, edgeHolds, simulatedVersion } from './facts.ts'
import { vendorWants } from './vendor-wants.ts'
import { holdSite, leaveEdge, leftVersion } from './store.ts'

const PROBE_TIMEOUT_MS = 5_000

/** What drivers see of this installation. */
export function driverContext(config: Config, gate: OutgoingGate, database: Database): DriverContext {
  const ways = { timeoutMs: PROBE_TIMEOUT_MS, serviceDomain: config.serviceDomain, gate }
  return {
    serviceDomain: config.serviceDomain,
    edgeAcknowledged: (siteId, version) =>
      database.system((tx) => acknowledged(tx, 'edge', 'edge-site', siteId, version)),
    simulatedAcknowledged: (slug) =>
      database.system(async (tx) => acknowledged(tx, 'edge', 'simulated-cdn', slug, await simulatedVersion(tx, slug))),
    purgesAcknowledged: (domainId, version) =>
      database.system((tx) => acknowledged(tx, 'edge', 'edge-purges', domainId, version)),
    purgePauseMs: purgePace(),
    edgeHolds: (siteId, domainId) => database.system((tx) => edgeHolds(tx, siteId, domainId)),
    publishToEdge: (siteId, domainId, holds) =>
      holds ? putOnEdge(database, siteId) : takeOffEdge(database, siteId, domainId),
    vendor: (platform, order) => vendorWants(config, database, platform, order),
    async probe(cname, { siteId, host }) {
      const [site] = await database.system((tx) =>
        tx.query<{ organizationId: string }>('SELECT organization_id AS "organizationId" FROM site WHERE id = $1', [
          siteId,
        ]),
      )
      if (!site) return 'the site is gone'
      const { organizationId } = site
      const houses = await database.system((tx) => houseZones(tx, config))
      const served = { organizationId, domainName: host, houses }
      if (await leadsBack((question) => database.system(question), gate.names, cname, served))
        return 'the name leads back to the domain itself'
      const ask = asker({ ...ways, sender: { organizationId, purpose: 'cdn-check' } })
      const { ok, error, status } = await ask({ ...CDN_PAGE, host, address: cname })
      if (!ok) return error ?? 'no answer'
      if (!isMissing(status)) return null
      // It may know no such page, or no such name: only the origin can tell.
      const origin = await database.system((tx) => originOf(tx, siteId, host))
      if (origin && isMissing((await ask({ ...CDN_PAGE, ...origin })).status)) return null
      return `status ${status}, which the origin does not say`
    },
    async stillServes({ reference, siteId, host }, placed) {
      const [row] = await database.system((tx) =>
        tx.query<{ organizationId: string; cname: string; certificate: string | null; isSecure: boolean }>(
          `SELECT dc.organization_id AS "organizationId", coalesce(dc.vendor_cname, dc.cname) AS cname, dc.vendor_certificate AS certificate, d.always_https AS "isSecure"
           FROM domain_cdn dc JOIN domain d ON d.id = dc.domain_id WHERE dc.id = $1 AND dc.site_id = $2`,
          [reference, siteId],
        ),
      )
      if (!row) return false
      const ask = asker({ ...ways, sender: { organizationId: row.organizationId, purpose: 'cdn-check' } })
      const { cname, certificate } = placed ?? row
      // A redirect to HTTPS says nothing of what visitors meet there.
      for (const way of row.isSecure || certificate !== null ? [CDN_PAGE, CDN_PAGE_BY_TLS] : [CDN_PAGE]) {
        const { status } = await ask({ ...way, host, address: cname })
        if (status === null || status >= 400) return false
      }
      return true
    },
  }
}

const CDN_PAGE = { cdnId: '', port: 80, tls: false, path: '/', house: false, page: true } as const
const CDN_PAGE_BY_TLS = { ...CDN_PAGE, port: 443, tls: true } as const

const asker = (ways: ProbeWays) => (target: ProbeTarget) => probeOnce(target, ways, new AbortController().signal)

const isMissing = (status: number | null): boolean => status === 404 || status === 410

/** Where the name's origin is asked, and by which name. */
async function originOf(
  tx: Tx,
  siteId: string,
  host: string,
): Promise<Pick<ProbeTarget, 'host' | 'address' | 'port' | 'tls'> | undefined> {
  const [origin] = await tx.query<{ host: string; address: string; port: number; tls: boolean }>(
    `SELECT host_header AS host, origin_address AS address, origin_port AS port, origin_protocol = 'https' AS tls FROM domain WHERE site_id = $1 AND name = $2`,
    [siteId, host],
  )
  return origin
}

const MINUTE_MS = 60_000

/** Counts purges by CDN over the last minute; this worker's own, which is the only one that purges. */
function purgePace(): DriverContext['purgePauseMs'] {
  const times = new Map<string, number[]>()
  return async (cdnId, perMinute) => {
    const now = Date.now()
    const recent = (times.get(cdnId) ?? []).filter((at) => at > now - MINUTE_MS)
    times.set(cdnId, recent)
    const oldest = recent[recent.length - perMinute]
    if (oldest !== undefined) return oldest + MINUTE_MS - now
    recent.push(now)
    return 0
  }
}

/**
 * A domain with a CDN is in the site's document anyway; what a node has refused is published once more, as a version of
 * its own.
 */
function putOnEdge(database: Database, siteId: string): Promise<number> {
  return database.system(async (tx) => {
    const site = await holdSite(tx, siteId)
    if (!site) return 0
    const refused = (await acknowledged(tx, 'edge', 'edge-site', siteId, 0)).state === 'refused'
    if (!refused) return site.version
    return (
      (await systemVersion(tx, {
        organizationId: site.organizationId,
        siteId,
        title: `Publish ${site.name} to the edge again`,
        kinds: ['edge-site'],
        changes: [],
      })) ?? 0
    )
  })
}

/** The CDNs of the domain that have left DNS leave the edge too; the domain stays there while another CDN needs it. */
function takeOffEdge(database: Database, siteId: string, domainId: string): Promise<number> {
  return database.system(async (tx) => {
    const site = await holdSite(tx, siteId)
    if (!site) return 0
    const leaving = await leaveEdge(tx, domainId, site.version + 1)
    if (!leaving.length) return leftVersion(tx, domainId)
    const names = leaving.map((cdn) => cdn.name).join(', ')
    const host = leaving[0]?.host ?? ''
    const changes = leaving.map((cdn) => ({
      entity: 'domain-cdn',
      id: cdn.id,
      label: `${cdn.name} on ${host}`,
      before: { state: 'deleting' },
      after: null,
    }))
    return (
      (await systemVersion(tx, {
        organizationId: site.organizationId,
        siteId,
        title: `${names} ${leaving.length === 1 ? 'has' : 'have'} left ${host}`,
        kinds: ['edge-site'],
        changes,
      })) ?? 0
    )
  })
}

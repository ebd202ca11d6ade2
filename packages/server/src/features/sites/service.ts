import { sites, type Site } from '@fairway/contract'
import { siteNameProblem } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { nameserversOf } from '../../publish/nameservers.ts'
import { allotPair, endClaim, enterClaim, refuseTaken } from '../names/enter-claim.ts'
import { presentClaim } from '../names/present-claim.ts'
import { siteStates } from '../versions/node-states.ts'
import { DOMAIN_COUNT, deleteSite, insertSite, listSites, siteById, siteQuota, type SiteListRow } from './store.ts'

const ORDER = {
  created_at: 's.created_at',
  domain_name: 's.domain_name',
  record_count: 's.record_count',
  domain_count: DOMAIN_COUNT,
}

export const sitesSlice = slice(sites, {
  async list({ tx, services, actor, now }, query) {
    const { limit, offset, meta } = pageOf(query)
    if (!actor.permissions.has('ViewSite')) return { data: [], meta: meta(0) }
    const { rows, total } = await listSites(tx, {
      search: query.search ?? null,
      name: query.name ?? null,
      draft: query.draft === undefined ? null : query.draft === 'true',
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: await present(tx, services.config, rows, now), meta: meta(total) }
  },

  async get({ tx, services, site, now }) {
    return presentSite(tx, services.config, site.id, now)
  },

  async create({ tx, services, actor, change, now }, { domainName, contest }) {
    refuseSiteName(domainName)
    await refuseTaken(tx, services.config, actor.organizationId, domainName, contest)
    await refuseFull(tx, actor.organizationId, { adds: true })
    const { id, row } = await insertSite(tx, actor.organizationId, domainName, {
      pair: await allotPair(tx, services.config, actor.organizationId, domainName),
    })
    await enterClaim(tx, services.config, id, now)
    change.siteId = id
    change.title = `Add site ${domainName}`
    change.record({ entity: 'site', id, label: domainName, before: null, after: row })
    const version = await change.version()
    return { data: await presentSite(tx, services.config, id, now), meta: { version } }
  },

  async remove({ tx, site, change }, { confirmName }) {
    if (confirmName.trim().toLowerCase() !== site.domain_name)
      throw new Failure(400, { fields: [{ path: 'confirmName', message: 'validation.matchInputString' }] })
    change.siteRemoved = true
    await endClaim(tx, site.id)
    change.title = `Remove site ${site.domain_name}`
    change.record({
      entity: 'site',
      id: site.id,
      label: site.domain_name,
      before: await deleteSite(tx, site.id),
      after: null,
    })
    return { data: { id: site.id }, meta: { version: null } }
  },
})

/** @throws Failure with the reason why a name cannot be a site's, whoever asks for it */
export function refuseSiteName(domainName: string): void {
  const found = siteNameProblem(domainName)
  if (found && 'message' in found) throw new Failure(400, { fields: [{ path: 'domainName', message: found.message }] })
  if (found) throw new Failure(found.problem)
}

/** An account holds so many sites. Those that are added at once are counted one after the other. */
export async function refuseFull(
  tx: Tx,
  organizationId: string,
  { adds = false } = {},
): Promise<{ used: number; total: number }> {
  if (adds) await tx.query('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId])
  const quota = await siteQuota(tx)
  if (quota.used >= quota.total) throw new Failure(900012)
  return quota
}

/** One site as the API answers it. */
export async function presentSite(tx: Tx, config: Config, id: string, now: Date): Promise<Site> {
  const row = await siteById(tx, id)
  const site = row && (await present(tx, config, [row], now))[0]
  if (!site) throw new Failure(404)
  return site
}

const documentsOf = (row: SiteListRow): Record<string, number | null> => ({
  'dns-zone': row.dns_version ?? row.version,
  'edge-site': row.edge_version,
})

const isServed = ({ claim }: SiteListRow): boolean => claim === 'served' || claim === 'proven'

async function present(tx: Tx, config: Config, rows: SiteListRow[], now: Date): Promise<Site[]> {
  const states = await siteStates(
    tx,
    rows.map((row) => ({
      siteId: row.id,
      // No node is waited for with what is not published.
      wanted: isServed(row) ? documentsOf(row) : {},
    })),
    now,
  )
  return rows.map((row) => ({
    id: row.id,
    domainName: row.domain_name,
    zoneStatus: row.zone_status,
    dnsState: row.dns_state,
    nameservers: nameserversOf(config, row),
    claim: presentClaim(config, row),
    domainCount: row.domain_count,
    recordCount: row.record_count,
    version: row.version,
    deployState: states.get(row.id) ?? 'deploying',
    createdAt: row.created_at.toISOString(),
  }))
}

import { domains, Preflight, PreflightAddress, type Domain, type PlanFeature } from '@fairway/contract'
import { canUse, expirySeconds, isPlainExpiry } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { askEdgeNode } from '../../reconcile/ask-nodes.ts'
import { cacheRulesOf } from '../cache-rules/store.ts'
import { isServedOverTls } from '../certificates/store.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { cdnStatus, isDisabled } from './cdn-status.ts'
import { checkOrigin } from './check-origin.ts'
import { compiled } from './compiled.ts'
import { changedColumns, intentOf, originOf, settingsOf, touchedBy } from './delivery.ts'
import { beginGently, refuseBypass, refuseIncompatible, switchOffUnfit } from './shield.ts'
import {
  domainById,
  listAllDomains,
  listDomains,
  updateDomain,
  type DomainColumns,
  type DomainListRow,
} from './store.ts'

const ORDER = { created_at: 'd.created_at', name: 'd.name' }
/** Longer than the edge waits for an origin. */
const PREFLIGHT_MS = 12_000

export const domainsSlice = slice(domains, {
  async all({ tx, services }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listAllDomains(tx, {
      search: query.search ?? null,
      order: orderBy(query.ordering, { ...ORDER, site: 's.domain_name' }),
      limit,
      offset,
    })
    const ofSite = ({ site_name: siteName, site_parked: siteParked }: (typeof rows)[number]) => ({
      siteName,
      siteParked,
    })
    return { data: rows.map((row) => ({ ...present(row, services), ...ofSite(row) })), meta: meta(total) }
  },

  async list({ tx, site, services }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listDomains(tx, site.id, {
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map((row) => present(row, services)), meta: meta(total) }
  },

  async get(context) {
    return only(context)
  },

  async update(context, wanted) {
    const { tx, site, domain, actor, change } = context
    if (wanted.origin) await checkOrigin(context, wanted.origin)
    if (wanted.settings?.websocket && !domain.websocket) refuseUnplanned(actor.abilities, 'zone.websocket')
    if (wanted.settings?.originShield === 'use' && domain.origin_shield === 'bypass')
      refuseUnplanned(actor.abilities, 'waf.enable')
    const { cacheTtlSeconds } = wanted
    // 0 names no lifetime of one's own.
    if (cacheTtlSeconds && cacheTtlSeconds !== domain.cache_ttl_seconds && !isPlainExpiry(cacheTtlSeconds))
      refuseUnplanned(actor.abilities, 'cache.advancedRules')
    const columns = changedColumns(domain, wanted)
    const { kinds, changed } = touchedBy(domain, columns)
    if (!changed) return { data: await only(context), meta: { version: null } }
    refuseBypass(domain.origin_shield, columns)
    await refuseWithoutHttps(context, columns)
    const cdns = kinds.includes('edge-site')
      ? await compiled(tx, domain.id, intentOf({ ...domain, ...columns }, await cacheRulesOf(tx, domain.id)))
      : []
    const switchedOff =
      domain.origin_shield === 'use' && columns.origin_shield === 'bypass'
        ? await switchOffUnfit(tx, site.id, domain, cdns)
        : []
    if (switchedOff.length === 0) refuseIncompatible(cdns)
    const before = (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null
    await updateDomain(tx, domain.id, columns)
    change.kinds = switchedOff.length > 0 && !kinds.includes('dns-zone') ? [...kinds, 'dns-zone'] : kinds
    change.title = `Change ${domain.name}`
    for (const one of switchedOff) change.record(one)
    change.record({
      entity: 'domain',
      id: domain.id,
      label: domain.name,
      before,
      after: (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null,
    })
    if (domain.origin_shield === 'bypass' && columns.origin_shield === 'use') await beginGently(context)
    return { data: await only(context), meta: { version: kinds.length > 0 ? await change.version() : null } }
  },

  async compile(context, { cacheRules, noCacheRules, ...wanted }) {
    const { tx, domain } = context
    if (wanted.origin) await checkOrigin(context, wanted.origin)
    const saved = await cacheRulesOf(tx, domain.id)
    const drafts = (cacheRules ?? []).map(({ type, path, expiry, honorOrigin }) => ({
      type,
      path,
      honorOrigin,
      ttlSeconds: expirySeconds(expiry),
    }))
    const isReplaced = ({ type, path }: { type: string; path: string }) =>
      drafts.some((draft) => draft.type === type && draft.path === path)
    const intent = intentOf(
      { ...domain, ...changedColumns(domain, wanted) },
      {
        cacheRules: [...saved.cacheRules.filter((rule) => !isReplaced(rule)), ...drafts],
        noCacheRules: [...saved.noCacheRules, ...(noCacheRules ?? [])],
      },
    )
    return { cdns: await compiled(tx, domain.id, intent) }
  },

  async preflight(context, { origin, path }) {
    const { tx, actor, domain, services } = context
    await checkOrigin(context, origin)
    const addresses = [
      origin.address,
      ...(origin.spareAddresses ?? []),
      ...(origin.fallbackAddress ? [origin.fallbackAddress] : []),
    ]
    const question = {
      organizationId: actor.organizationId,
      host: domain.name,
      addresses,
      port: origin.port,
      protocol: origin.protocol,
      hostHeader: origin.hostHeader,
      path,
    }
    const answer = await askEdgeNode(
      tx,
      services.log,
      '/preflight',
      question,
      Preflight.extend({ addresses: PreflightAddress.array() }),
      PREFLIGHT_MS,
    )
    if (!answer) throw new Failure(503, { internal: 'no edge node answers' })
    return answer
  },
})

/** Visitors must not be sent, or held, to HTTPS where no certificate answers them (RFC 6797 14.6). */
async function refuseWithoutHttps({ tx, site, domain, now }: Context, wanted: DomainColumns): Promise<void> {
  if (wanted.always_https && !domain.always_https && !(await isServedOverTls(tx, site.id, domain.name, now)))
    throw new Failure(27040)
  if (!wanted.always_https && wanted.hsts !== 'off' && wanted.hsts !== 'forget') throw new Failure(27041)
}

function refuseUnplanned(abilities: ReadonlySet<string>, feature: PlanFeature): void {
  const missing = canUse([...abilities], feature)
  if (missing) throw new Failure(missing)
}

async function only({ tx, domain, services }: Context): Promise<Domain> {
  const row = await domainById(tx, domain.id)
  if (!row) throw new Failure(404)
  return present(row, services)
}

function present(row: DomainListRow, { config }: Context['services']): Domain {
  const status = cdnStatus(
    row.cdns.map((cdn) => cdn.state),
    row.steered,
  )
  return {
    id: row.id,
    siteId: row.site_id,
    name: row.name,
    cdnStatus: status,
    disabled: isDisabled(status),
    origin: originOf(row),
    settings: settingsOf(row),
    cacheTtlSeconds: row.cache_ttl_seconds,
    cacheEverything: row.cache_everything,
    minimumSamples: row.minimum_samples,
    marginPercent: row.margin_percent,
    significance: row.significance,
    cdnIds: row.cdns.filter((cdn) => cdn.state !== 'deleting').map((cdn) => cdn.cdnId),
    http3Offered: row.http3_offered,
    largestRequestMb: config.edgeLargestRequestMb,
    createdAt: row.created_at.toISOString(),
  }
}

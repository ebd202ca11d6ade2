import { cdnManagement, cdnSlug, type Cdn, type DomainCdn, type OriginSeen } from '@fairway/contract'
import { compatibility, isShielded, settingsAgainst } from '@fairway/domain'
import { CDN_DRIVERS } from '@fairway/drivers'
import type { Context, DomainRow } from '../../http/context.ts'
import { withoutConnection } from '../../http/call-transaction.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { incompatible } from './incompatible.ts'
import { slice } from '../../http/register.ts'
import { holdSite } from '../../http/tenant.ts'
import { switchOn } from '../dns-records/steered-name.ts'
import { houseZones, isHouseName } from '../names/house-zones.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { cdnZone } from '../white-label/given-names.ts'
import { checkLogo } from './check-logo.ts'
import { isAsSeen, lookAtOrigin } from './look-at-origin.ts'
import { leadsBack } from './leads-back.ts'
import { beginLeaving } from './leaving.ts'
import { askForReview, offerById, refuseOtherPlans, takeUpOffer } from './offered.ts'
import { healthByCdn, presentAttached } from './present.ts'
import {
  attachedCdns,
  bringBack,
  cdnLimit,
  customRow,
  fetchOverHttps,
  healthOfCdns,
  isCnameTaken,
  isPlatformUsed,
  insertAttached,
  insertPlatform,
  listPlatforms,
  platformById,
  platformRoom,
  updateAttached,
  updatePlatform,
  type AttachedRow,
  type PlatformRow,
} from './store.ts'

const HTTPS_ORIGIN = { origin_protocol: 'https', origin_port: 443 } as const
const ORDER = { created_at: 'c.created_at', name: 'c.name', series: 'c.series' }

export const cdnManagementSlice = slice(cdnManagement, {
  async platforms({ tx }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listPlatforms(tx, {
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(presentPlatform), meta: meta(total) }
  },

  async createPlatform({ tx, actor, services, change }, { cname, logo, ...shown }) {
    if (await isHouseName(tx, services.config, cname))
      throw new Failure(400, { fields: [{ path: 'cname', message: 'validation.cnameLoop' }] })
    if (await isCnameTaken(tx, cname))
      throw new Failure(27034, { fields: [{ path: 'cname', message: 'validation.duplicateValue' }] })
    const slug = cdnSlug(shown.name)
    const { taken, series } = await platformRoom(tx, shown.name, slug)
    if (taken || (await offerById(tx, slug))) throw nameTaken()
    change.record({
      entity: 'cdn',
      id: slug,
      label: shown.name,
      before: null,
      after: await insertPlatform(tx, actor.organizationId, {
        ...shown,
        slug,
        series,
        cname,
        logo: logo ? checkLogo(logo) : null,
      }),
    })
    const row = await platformById(tx, slug)
    if (!row) throw new Failure(404)
    return { data: presentPlatform(row), meta: { version: null } }
  },

  async updatePlatform({ tx, change }, { platform: id, logo, ...shown }) {
    const before = await customRow(tx, id)
    if (!before) throw new Failure(404)
    if (shown.name !== before['name'] && (await platformRoom(tx, shown.name, '')).taken) throw nameTaken()
    await updatePlatform(tx, id, shown, typeof logo === 'string' ? checkLogo(logo) : logo)
    change.record({ entity: 'cdn', id, label: shown.name, before, after: (await customRow(tx, id)) ?? null })
    const row = await platformById(tx, id)
    if (!row) throw new Failure(404)
    return { data: presentPlatform(row), meta: { version: null } }
  },

  async removePlatform({ tx, change }, { platform: id }) {
    const before = await customRow(tx, id)
    if (!before) throw new Failure(404)
    if (await isPlatformUsed(tx, id)) throw new Failure(27033)
    await tx.query('DELETE FROM cdn WHERE id = $1', [id])
    change.record({ entity: 'cdn', id, label: String(before['name']), before, after: null })
    return { id }
  },

  async list({ tx, actor, site, domain }, query) {
    const rows = await attachedCdns(tx, domain.id)
    const health = healthByCdn(await healthOfCdns(tx, actor.organizationId, { site: site.id, domain: domain.id }))
    const found = rows.filter((row) => row.name.toLowerCase().includes((query.search ?? '').toLowerCase()))
    const { limit, offset, meta } = pageOf(query)
    return {
      data: found.slice(offset, limit === null ? undefined : offset + limit).map((row) => presentAttached(row, health)),
      meta: meta(found.length),
    }
  },

  async install(asked, { cdnId, icpNumber }) {
    const isFirst = (await attachedCdns(asked.tx, asked.domain.id)).length === 0
    const looked = isFirst ? await withoutConnection(() => lookAtOrigin(asked)) : null
    const context = await holdSite(asked)
    const { tx, site, domain, actor, services, change } = context
    const platform = (await platformById(tx, cdnId)) ?? (await takeUpOffer(context, cdnId))
    if (!platform) throw new Failure(404)
    await refuseOtherPlans(tx, platform.plan_ids)
    const attached = await attachedCdns(tx, domain.id)
    const known = attached.find((row) => row.cdn_id === cdnId)
    if (known && known.state !== 'deleting' && known.state !== 'review-failed')
      throw new Failure(known.state === 'failed' ? 7488 : 27021)
    if (!known && staying(attached).length >= (await cdnLimit(tx))) throw new Failure(27022)
    refuseIncompatible(platform, domain)
    await refuseLeadingBack(context, platform.cname)
    if (platform.review) await askForReview(context, platform, icpNumber ?? null)
    const seen = attached.length === 0 && isAsSeen(asked.domain, domain) ? looked : null
    const version = await change.version()
    if (known) await bringBack(tx, known.id, version)
    const cname = CDN_DRIVERS[platform.driver].cnameFor(
      { domainId: domain.id, cdnId, slug: platform.slug, customCname: platform.cname },
      await cdnZone(tx, services.config, actor.organizationId),
    )
    const id =
      known?.id ??
      (await insertAttached(tx, {
        organizationId: actor.organizationId,
        siteId: site.id,
        domainId: domain.id,
        cdnId,
        cname,
        version,
      }))
    await switchOn(context, domain.id)
    change.title = `Install ${platform.name} on ${domain.name}`
    change.record({
      entity: 'domain-cdn',
      id,
      label: `${platform.name} on ${domain.name}`,
      before: null,
      after: (await recordedRow(tx, 'domain_cdn', site.id, id)) ?? null,
    })
    const originSeen = seen === 'https' ? await takeHttps(context, platform) : seen
    return { data: { ...(await only(context, id)), originSeen }, meta: { version } }
  },

  async update(context, { id, enabled, latencyFactor, latencyAddMs }) {
    const { tx, site, domain, change } = context
    const attached = await attachedCdns(tx, domain.id)
    const row = staying(attached).find((one) => one.id === id)
    if (!row) throw new Failure(404)
    if (enabled === false && row.enabled) keepOneEnabled(attached, id)
    const platform = enabled === true && !row.enabled ? await platformById(tx, row.cdn_id) : undefined
    if (platform) {
      refuseIncompatible(platform, domain)
      await refuseLeadingBack(context, platform.cname)
    }
    const settings = {
      enabled: enabled ?? row.enabled,
      latencyFactor: latencyFactor ?? row.latency_factor,
      latencyAddMs: latencyAddMs ?? row.latency_add_ms,
    }
    if (
      settings.enabled === row.enabled &&
      settings.latencyFactor === row.latency_factor &&
      settings.latencyAddMs === row.latency_add_ms
    )
      return { data: await only(context, id), meta: { version: null } }
    const before = (await recordedRow(tx, 'domain_cdn', site.id, id)) ?? null
    await updateAttached(tx, id, settings)
    change.kinds = ['dns-zone']
    change.title =
      settings.enabled === row.enabled
        ? `Change latency increment of ${row.name} on ${domain.name}`
        : `${row.name} ${settings.enabled ? 'on' : 'off'} for ${domain.name}`
    change.record({
      entity: 'domain-cdn',
      id,
      label: `${row.name} on ${domain.name}`,
      before,
      after: (await recordedRow(tx, 'domain_cdn', site.id, id)) ?? null,
    })
    return { data: await only(context, id), meta: { version: await change.version() } }
  },

  async uninstall(context, { id }) {
    const { tx, domain, change } = context
    const attached = await attachedCdns(tx, domain.id)
    const row = attached.find((one) => one.id === id)
    if (!row) throw new Failure(404)
    if (row.state === 'deleting') throw new Failure(27003)
    // Kept aside while multi-CDN is off, also the last one may go.
    const isLastAside = row.standby && staying(attached).length === 1
    if (!isHeld(row) && !isLastAside) keepOneEnabled(attached, id)
    await beginLeaving(context, domain.id, id)
    change.title = `Uninstall ${row.name} from ${domain.name}`
    return { data: { id }, meta: { version: await change.version() } }
  },
})

const nameTaken = () => new Failure(7491, { fields: [{ path: 'name', message: 'validation.invalidName' }] })

const staying = (rows: AttachedRow[]): AttachedRow[] => rows.filter((row) => row.state !== 'deleting')

/** Waits for people, or was refused by them: nobody is sent there. */
const isHeld = ({ state }: AttachedRow): boolean => state === 'under-review' || state === 'review-failed'

/** A domain keeps at least one CDN, and one that may answer. */
function keepOneEnabled(rows: AttachedRow[], without: string): void {
  if (!staying(rows).some((row) => row.id !== without && row.enabled && !isHeld(row))) throw new Failure(27906)
}

/** @throws Failure 27035 when visitors would be sent around in a circle */
async function refuseLeadingBack({ tx, actor, domain, services }: Context, cname: string | null): Promise<void> {
  const { gate, config } = services
  if (cname === null) return
  const served = {
    organizationId: actor.organizationId,
    domainName: domain.name,
    houses: await houseZones(tx, config),
  }
  if (await leadsBack((question) => question(tx), gate.names, cname, served)) throw new Failure(27035)
}

function refuseIncompatible(platform: PlatformRow, domain: DomainRow): void {
  const found = incompatibilityOf(platform, domain)
  if (found.problem !== null) throw incompatible(platform.name, found.problem, settingsAgainst(found))
}

function incompatibilityOf(platform: PlatformRow, domain: DomainRow): ReturnType<typeof compatibility> {
  const origin = {
    address: domain.origin_address,
    port: domain.origin_port,
    protocol: domain.origin_protocol,
    hostHeader: domain.host_header,
  }
  return compatibility(platform.driver, CDN_DRIVERS[platform.driver].capabilities(platform.slug), {
    name: domain.name,
    origin,
    cacheTtlSeconds: domain.cache_ttl_seconds,
    websocket: domain.websocket,
    shielded: isShielded(platform.driver, domain.origin_shield),
  })
}

/** An origin that serves over HTTPS only is fetched so from the first CDN on, where that CDN can. */
async function takeHttps({ tx, site, domain, change }: Context, platform: PlatformRow): Promise<OriginSeen> {
  if (incompatibilityOf(platform, { ...domain, ...HTTPS_ORIGIN }).problem !== null) return 'redirects'
  const before = (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null
  await fetchOverHttps(tx, domain.id)
  const after = (await recordedRow(tx, 'domain', site.id, domain.id)) ?? null
  change.record({ entity: 'domain', id: domain.id, label: domain.name, before, after })
  return 'https'
}

async function only({ tx, actor, site, domain }: Context, id: string): Promise<DomainCdn> {
  const row = (await attachedCdns(tx, domain.id)).find((one) => one.id === id)
  if (!row) throw new Failure(404)
  return presentAttached(
    row,
    healthByCdn(await healthOfCdns(tx, actor.organizationId, { site: site.id, domain: domain.id })),
  )
}

function presentPlatform(row: PlatformRow): Cdn {
  return {
    id: row.id,
    name: row.name,
    driver: row.driver,
    category: row.category,
    series: row.series,
    capabilities: CDN_DRIVERS[row.driver].capabilities(row.slug),
    cacheTtls: CDN_DRIVERS[row.driver].cacheTtls(row.slug),
    cname: row.cname,
    review: row.review,
    createdAt: row.created_at.toISOString(),
  }
}

import { shieldRegions } from '@fairway/contract'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import {
  keepRoute,
  keptRoute,
  originTimes,
  regionNodes,
  regionsOf,
  routeOf,
  setWantedRegion,
  wantedRegion,
} from './store.ts'

/** Which group of edge nodes speaks with a domain's origin. */
export const shieldRegionsSlice = slice(shieldRegions, {
  async get({ tx, domain }) {
    const route = await keptRoute(tx, domain.id)
    return {
      region: await wantedRegion(tx, domain.id),
      route:
        route === undefined || domain.origin_shield !== 'use'
          ? null
          : { region: route.region, why: route.why, since: route.since.toISOString() },
      regions: regionsOf(await regionNodes(tx), await originTimes(tx, [domain.id])),
    }
  },

  async update({ tx, actor, site, domain, change }, { region }) {
    if ((await wantedRegion(tx, domain.id)) === region) return { data: { region }, meta: { version: null } }
    const nodes = await regionNodes(tx)
    if (region !== null && !nodes.some((one) => one.region === region && one.shield_address !== null))
      throw new Failure(27044, { internal: `no node of ${region} can be fetched through` })
    const place = { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }
    const before = (await recordedRow(tx, 'shield_region', site.id, domain.id)) ?? null
    await setWantedRegion(tx, place, region)
    const kept = await keptRoute(tx, domain.id)
    await keepRoute(tx, place, routeOf(region, kept ?? null, nodes, await originTimes(tx, [domain.id])))
    change.title = `Change the shield region of ${domain.name} to ${region ?? 'auto'}`
    change.record({
      entity: 'shield-region',
      id: domain.id,
      label: domain.name,
      before,
      after: (await recordedRow(tx, 'shield_region', site.id, domain.id)) ?? null,
    })
    return { data: { region }, meta: { version: await change.version() } }
  },
})

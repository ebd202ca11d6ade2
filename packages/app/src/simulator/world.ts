import {
  auth,
  cdnManagement,
  domains,
  pulse,
  simulatedCdns,
  sites,
  streamAnalytics,
  streamAssets,
} from '@fairway/contract'
import type { Config } from '@fairway/platform'
import { type Api, ApiError, apiClient } from '../api-client.ts'
import type { Sampled } from './cdn-sampler.ts'
import type { World } from './visit.ts'

const ALL = { page_size: -1, ordering: 'created_at' } as const

/**
 * What visitors can see of the demo, asked of the API: steered domains, the CDNs behind them, the beacon's key. Null
 * while there is nothing to visit.
 */
export async function lookAround(api: Api, config: Config): Promise<{ world: World; targets: Sampled[] } | null> {
  const site = (await api(sites.routes.list, ALL)).data[0]
  if (!site) return null
  const steered = (await api(domains.routes.list, { site: site.id, ...ALL })).data.filter(
    (domain) => domain.cdnIds.length > 0,
  )
  const first = steered[0]
  if (!first) return null
  const [{ key }, simulated, platforms] = await Promise.all([
    api(pulse.routes.get, {}),
    api(simulatedCdns.routes.list, {}),
    api(cdnManagement.routes.platforms, ALL),
  ])
  const attached = new Set(steered.flatMap((domain) => domain.cdnIds))
  const addresses = new Map([
    ...simulated.data.map((cdn): [string, string] => [cdn.cdnId, cdn.address]),
    ...platforms.data
      .filter((cdn) => cdn.driver === 'fairway-edge')
      .map((cdn): [string, string] => [cdn.id, config.edgeHttp.host]),
  ])
  const targets = [...addresses]
    .filter(([cdnId]) => attached.has(cdnId))
    .map(([cdnId, address]) => ({ cdnId, address, port: config.edgeHttp.port, host: first.name }))
  const world = {
    domains: steered.map((domain) => domain.name),
    guarded: steered.filter(({ settings }) => settings.originShield === 'use').map((domain) => domain.name),
    cdnIds: targets.map(({ cdnId }) => cdnId),
    beaconKey: key,
    edgePort: config.edgeHttp.port,
    collector: config.collectorListen,
    films: await filmsOf(api),
  }
  return { world, targets }
}

/** Videos that anybody may watch; none where the plan has none. */
async function filmsOf(api: Api): Promise<World['films']> {
  try {
    const { data } = await api(streamAssets.routes.list, ALL)
    const playable = data.filter(({ manifestUrl, isSigned }) => manifestUrl !== null && !isSigned)
    return await Promise.all(
      playable.map(async ({ id, manifestUrl, source }) => ({
        manifestUrl: manifestUrl ?? '',
        seconds: source?.seconds ?? 0,
        address: (await api(streamAnalytics.routes.tag, { source: id })).address,
      })),
    )
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** Looks around in the read-only sandbox as anybody may: signed in without an account, again when that has ended. */
export function sandboxLook(config: Config): () => ReturnType<typeof lookAround> {
  let api: Api | null = null
  return async () => {
    try {
      if (api === null) {
        const open = apiClient(config.apiUrl)
        if (!(await open(auth.routes.firstRun, {})).sandbox) return null
        api = apiClient(config.apiUrl, (await open(auth.routes.enterSandbox, {})).jwtToken)
      }
      return await lookAround(api, config)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) api = null
      return null
    }
  }
}

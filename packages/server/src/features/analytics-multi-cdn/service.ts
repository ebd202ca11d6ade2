import { type TrafficScope, trafficBreakdown, trafficPaths, trafficReport, trafficRequests } from '@fairway/analytics'
import { analyticsMultiCdn, type TrafficFilter, type TrafficReport } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { slice } from '../../http/register.ts'
import { vendorReadings } from './vendor-traffic-store.ts'
import { marksOf } from '../analytics-dem/marks.ts'

export const analyticsMultiCdnSlice = slice(analyticsMultiCdn, {
  async report(context, { seconds, until, ...filter }) {
    const { services, now } = context
    const question = trafficReport(services.events, { ...scopeOf(context, filter), seconds, until, now: now.getTime() })
    // The database answers while the store counts.
    const [report, beside] = await Promise.all([askStore(question), besideOf(context, filter, seconds, until)])
    return { ...report, ...beside }
  },

  async breakdown(context, { seconds, until, by, ...filter }) {
    const { services, now } = context
    return askStore(
      trafficBreakdown(services.events, { ...scopeOf(context, filter), by, seconds, until, now: now.getTime() }),
    )
  },

  async paths(context, { seconds, until, limit, ...filter }) {
    const { services, now } = context
    return {
      data: await askStore(
        trafficPaths(services.events, { ...scopeOf(context, filter), seconds, until, limit, now: now.getTime() }),
      ),
    }
  },

  async requests(context, { from, until, path, request, limit, ...filter }) {
    const { rows, total } = await askStore(
      trafficRequests(context.services.events, { ...scopeOf(context, filter), from, until, path, id: request, limit }),
    )
    const data = rows.map((row) => ({
      id: row.id,
      at: row.moment,
      siteId: row.site,
      domainId: row.domain,
      cdnId: row.cdn,
      node: row.node,
      host: row.host,
      method: row.method,
      path: row.path,
      status: row.status,
      bytes: row.bytes,
      ms: row.ms,
      cacheStatus: row.cache_status,
      why: row.why,
      client: row.client,
      country: row.country,
    }))
    return { data, total }
  },
})

async function besideOf(
  context: Context,
  filter: TrafficFilter,
  seconds: number,
  until: number | undefined,
): Promise<Pick<TrafficReport, 'marks' | 'vendors'>> {
  return {
    marks: await marksOf(context, seconds, until),
    vendors: await vendorReadings(context.tx, scopeOf(context, filter)),
  }
}

/**
 * The wrapper has proven site and domain to be the caller's. A domain alone would be nobody's proof: it counts with its
 * site only.
 */
function scopeOf({ actor, site, domain }: Context, { cdn, status, cache, country }: TrafficFilter): TrafficScope {
  return {
    organizationId: actor.organizationId,
    siteId: (site as Context['site'] | undefined)?.id,
    domainId: (domain as Context['domain'] | undefined)?.id,
    cdn,
    status,
    cache,
    country,
  }
}

import { dnsRequests as askRequests, dnsTail } from '@fairway/analytics'
import { dnsRequests } from '@fairway/contract'
import { askStore } from '../../http/ask-store.ts'
import { slice } from '../../http/register.ts'
import { marksOf } from '../analytics-dem/marks.ts'

export const dnsRequestsSlice = slice(dnsRequests, {
  async report(context, { seconds, until, by, name, type, rcode }) {
    const { actor, services, site, now } = context
    const report = await askStore(
      askRequests(services.events, {
        organizationId: actor.organizationId,
        siteId: site.id,
        by,
        name,
        type,
        rcode,
        seconds,
        until,
        now: now.getTime(),
      }),
    )
    return { ...report, marks: await marksOf(context, seconds, until) }
  },

  async tail({ actor, services, site, now }, { limit, search, rcode }) {
    const rows = await askStore(
      dnsTail(services.events, {
        organizationId: actor.organizationId,
        siteId: site.id,
        limit,
        search,
        rcode,
        now: now.getTime(),
      }),
    )
    const data = rows.map((row) => ({
      at: row.at,
      id: row.id,
      node: row.node,
      name: row.name,
      type: row.type,
      rcode: row.rcode,
      client: row.client,
      scoped: row.scoped === 1,
      transport: row.transport,
      domainId: row.domain || null,
      cdnId: row.cdn || null,
      strategyId: row.strategy || null,
      country: row.country || null,
      network: row.network || null,
    }))
    return { data }
  },
})

import {
  type ShieldScope,
  type ThreatRow,
  shieldBreakdown,
  shieldCrawlers,
  shieldLogins,
  shieldReport,
  threatOf,
  threats,
  visitorDeeds,
} from '@fairway/analytics'
import { analyticsOriginShield, type ShieldFilter, type Threat } from '@fairway/contract'
import { crawlerName } from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { marksOf } from '../analytics-dem/marks.ts'
import { loginPaths } from './logins.ts'
import { domainNames, ruleNames } from './names.ts'

export const analyticsOriginShieldSlice = slice(analyticsOriginShield, {
  async report(context, { seconds, until, ...filter }) {
    const { services, now } = context
    const question = shieldReport(services.events, { ...scopeOf(context, filter), seconds, until, now: now.getTime() })
    const [report, marks] = await Promise.all([askStore(question), marksOf(context, seconds, until)])
    return { ...report, marks }
  },

  async breakdown(context, { seconds, until, by, ...filter }) {
    const { services, now, tx } = context
    const question = shieldBreakdown(services.events, {
      ...scopeOf(context, filter),
      by,
      seconds,
      until,
      now: now.getTime(),
    })
    const report = await askStore(question)
    const values = report.shares.map(({ value }) => value)
    const names =
      by === 'rule' ? await ruleNames(tx, values) : by === 'domain' ? await domainNames(tx, values) : new Map()
    const named = <T extends { value: string }>(one: T) => ({ ...one, name: names.get(one.value) ?? null })
    return { ...report, series: report.series.map(named), shares: report.shares.map(named) }
  },

  async crawlers(context, { seconds, until, ...filter }) {
    const question = { ...scopeOf(context, filter), seconds, until, now: context.now.getTime() }
    const found = await askStore(shieldCrawlers(context.services.events, question))
    return { data: found.map((one) => ({ ...one, name: crawlerName(one.agent) ?? one.agent })) }
  },

  async logins(context, { seconds, until }) {
    const question = { ...scopeOf(context, {}), seconds, until, now: context.now.getTime() }
    const { intervalSeconds, ...found } = await askStore(shieldLogins(context.services.events, question))
    return { intervalSeconds, data: await loginPaths(context, found) }
  },

  async threats(context, { seconds, until, search, address, before, limit, ...filter }) {
    const end = until ?? Math.floor(context.now.getTime() / 1000) + 1
    const { rows, total } = await askStore(
      threats(context.services.events, {
        ...scopeOf(context, filter),
        from: end - seconds,
        until: end,
        search,
        address,
        before,
        limit,
      }),
    )
    return { data: await present(context, rows), total }
  },

  async threat(context, { incident }) {
    const { services, actor, site } = context
    const { organizationId } = actor
    const siteId = (site as Context['site'] | undefined)?.id
    const row = await askStore(threatOf(services.events, { organizationId, siteId, incident }))
    if (row === null) throw new Failure(404)
    const { rows, deeds } = await askStore(
      visitorDeeds(services.events, { organizationId, siteId: row.site, address: row.address, at: row.moment }),
    )
    const [threat, ...others] = await present(context, [row, ...rows])
    if (threat === undefined) throw new Failure(404)
    return { threat, others, visitor: deeds }
  },
})

/** The wrapper has proven site and domain to be the caller's; a domain counts with its site only. */
function scopeOf({ actor, site, domain }: Context, { part, action, rule, country }: ShieldFilter): ShieldScope {
  return {
    organizationId: actor.organizationId,
    siteId: (site as Context['site'] | undefined)?.id,
    domainId: (domain as Context['domain'] | undefined)?.id,
    part,
    action,
    rule,
    country,
  }
}

async function present({ tx }: Context, rows: readonly ThreatRow[]): Promise<Threat[]> {
  const names = await ruleNames(
    tx,
    rows.map(({ rule }) => rule),
  )
  return rows.map((row) => ({
    incident: row.id,
    at: row.moment,
    siteId: row.site,
    domainId: row.domain,
    domain: row.host,
    node: row.node,
    category: row.part,
    action: row.action,
    ruleId: row.rule,
    ruleName: names.get(row.rule) ?? null,
    reason: row.reason,
    address: row.address,
    country: row.country,
    network: row.network,
    method: row.method,
    path: row.path,
    query: row.query,
    agent: row.agent,
    status: row.status,
    bytes: row.bytes,
    matched: row.field === '' ? null : { field: row.field, name: row.field_name, text: row.matched },
    weight: row.weight,
  }))
}

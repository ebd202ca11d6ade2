import { overview, type HealthEvent, type Overview } from '@fairway/contract'
import type { Database } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { slice } from '../../http/register.ts'
import { UNMEASURED, healthByCdn } from '../cdn-management/present.ts'
import { healthOfCdns } from '../cdn-management/store.ts'
import { consoleEvents } from './console-events.ts'
import { cdnStatus } from '../domains/cdn-status.ts'
import { figuresOf, type Figures } from './figures.ts'
import { type OverviewCdn, allNodes, latestEvents, siteCdns } from './store.ts'

const EVENTS = 30

export const overviewSlice = (database: Database) => {
  const events = consoleEvents(database)
  return slice(overview, {
    async get({ tx, actor, services, site, now }, { window, domain }) {
      // The database answers while the store counts.
      const [figures, known] = await Promise.all([
        figuresOf(services.events, {
          organizationId: actor.organizationId,
          siteId: site.id,
          domainId: domain,
          windowSeconds: window,
          now: now.getTime(),
        }),
        knownOf(tx, actor.organizationId, site.id, domain ?? null),
      ])
      return {
        at: now.getTime(),
        windowSeconds: window,
        countries: figures.countries,
        cdns: presentCdns(known.cdns, known.health, figures),
        queriesPerSecond: figures.queriesPerSecond,
        queriesTrend: figures.queriesTrend,
        beaconsPerMinute: figures.beaconsPerMinute,
        nodes: known.nodes.map((node) => ({
          name: node.name,
          role: node.role,
          state: node.up ? ('up' as const) : ('away' as const),
          lastSeenAt: node.last_seen_at.toISOString(),
        })),
        events: known.events.map(presentEvent),
        analyticsAvailable: figures.analyticsAvailable,
      }
    },

    async events(_services, actor, _input, stream) {
      await events.follow(actor.organizationId, stream)
    },
  })
}

/** What the database knows; one question after the other, as its connection takes them. */
async function knownOf(tx: Context['tx'], organizationId: string, siteId: string, domainId: string | null) {
  return {
    cdns: await siteCdns(tx, siteId, domainId),
    health: healthByCdn(await healthOfCdns(tx, organizationId, { site: siteId, domain: domainId })),
    nodes: await allNodes(tx),
    events: await latestEvents(tx, siteId, domainId, EVENTS),
  }
}

/** Health as the decisions see it (the published scores), shares and lines as they were counted. */
function presentCdns(
  rows: readonly OverviewCdn[],
  health: ReturnType<typeof healthByCdn>,
  { countries, trends }: Figures,
): Overview['cdns'] {
  const answers = new Map<string, number>()
  for (const { cdnId, answers: count } of countries.flatMap((country) => country.cdns))
    answers.set(cdnId, (answers.get(cdnId) ?? 0) + count)
  const all = [...answers.values()].reduce((sum, count) => sum + count, 0)
  return rows.map((row) => {
    const measured = health.get(row.cdn_id)
    return {
      cdnId: row.cdn_id,
      name: row.name,
      series: row.series,
      ...(measured ?? UNMEASURED),
      state: cdnStatus(row.states, true),
      share: all > 0 ? ((answers.get(row.cdn_id) ?? 0) * 100) / all : null,
      trend: trends.find((trend) => trend.cdnId === row.cdn_id)?.trend ?? [],
    }
  })
}

function presentEvent(row: Awaited<ReturnType<typeof latestEvents>>[number]): HealthEvent {
  return {
    id: row.id,
    kind: row.kind,
    cdnId: row.cdn_id,
    title: row.title,
    detail: row.detail,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}

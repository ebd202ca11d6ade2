import { z } from 'zod'
import { CdnHealth } from './cdn-health.ts'
import { CdnState } from './domains.ts'
import { feature, get } from './route.ts'

export const HealthEvent = z.object({
  id: z.string(),
  kind: z.enum(['cdn-down', 'cdn-up', 'change', 'node-away', 'node-back', 'origin-down']),
  cdnId: z.string().nullable(),
  title: z.string(),
  detail: z.record(z.string(), z.unknown()),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type HealthEvent = z.infer<typeof HealthEvent>

/** What Home shows, all of it counted from the nodes' own logs and measurements. */
export const Overview = z.object({
  at: z.number(),
  windowSeconds: z.int(),
  /** DNS answers of the last window by country and CDN. */
  countries: z.array(
    z.object({ country: z.string(), cdns: z.array(z.object({ cdnId: z.string(), answers: z.int() })) }),
  ),
  cdns: z.array(
    CdnHealth.extend({
      cdnId: z.string(),
      name: z.string(),
      series: z.int(),
      /** How far it is set up: on the domain, or the best over those of the site. */
      state: CdnState,
      /** Percent of the answers counted in the window; null while nothing was counted. */
      share: z.number().nullable(),
      trend: z.array(z.object({ at: z.number(), latencyMs: z.number().nullable() })),
    }),
  ),
  queriesPerSecond: z.number(),
  queriesTrend: z.array(z.object({ at: z.number(), value: z.number() })),
  beaconsPerMinute: z.number(),
  nodes: z.array(
    z.object({ name: z.string(), role: z.string(), state: z.enum(['up', 'away']), lastSeenAt: z.iso.datetime() }),
  ),
  events: z.array(HealthEvent),
  /** False when the event store did not answer; health and events are still current. */
  analyticsAvailable: z.boolean(),
})
export type Overview = z.infer<typeof Overview>

export const overview = feature('overview', {
  get: get('/analytics/v2/sites/{site}/overview/', {
    fromReplica: true,
    in: z.object({ domain: z.string().optional(), window: z.coerce.number().int().min(10).max(86_400).default(60) }),
    out: Overview,
    permission: 'ViewSite',
    errors: [],
  }),
  /**
   * Server-sent events: something of the organisation changed (health, version, node); the console refetches what it
   * shows.
   */
  events: get('/event/v2/stream/', {
    out: z.object({
      kind: z.enum(['health', 'version', 'acknowledged', 'simulated', 'notification']),
      siteId: z.string().nullable(),
    }),
    permission: 'signed-in',
    errors: [1531],
    stream: 'events',
  }),
})

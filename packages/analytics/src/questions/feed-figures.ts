import type { MeasureSource } from '@fairway/contract'
import { isTimedSql } from '../log-histogram.ts'
import type { EventStore } from '../store/store.ts'

export type FeedFiguresInput = {
  organizationId: string
  siteId: string
  domainId: string
  /** The window, back from now. */
  seconds: number
  /** Epoch ms. */
  now: number
}

/** What one source says of a CDN in the window; `edge` tells of the one domain and knows no failures. */
export type FeedFigures = {
  source: MeasureSource | 'edge'
  cdnId: string
  samples: number
  availability: number | null
  latencyMs: number | null
  /** Epoch ms. */
  newestAt: number
  /** Nodes that probe; /24s and /48s of visitors. */
  senders: number
}

const FIGURES = {
  rum: `SELECT 'rum' AS source, cdn, count() AS samples, countIf(ok = 1) AS good, countIf(${isTimedSql('ok', 'rtt_ms')}) AS timed, quantileTDigestIf(0.5)(rtt_ms, ${isTimedSql('ok', 'rtt_ms')}) AS half, max(at) AS newest, uniq(subnet) AS senders FROM beacons`,
  sum: `SELECT 'sum' AS source, cdn, count() AS samples, countIf(ok = 1) AS good, countIf(${isTimedSql('ok', 'rtt_ms')}) AS timed, quantileTDigestIf(0.5)(rtt_ms, ${isTimedSql('ok', 'rtt_ms')}) AS half, max(at) AS newest, uniq(node) AS senders FROM probes`,
  nel: `SELECT 'nel' AS source, cdn, sum(weight) AS samples, sumIf(weight, ok = 1) AS good, toUInt64(0) AS timed, toFloat64(0) AS half, max(at) AS newest, uniq(subnet) AS senders FROM network_reports`,
  edge: `SELECT 'edge' AS source, cdn, countIf(rtt_ms > 0) AS samples, toUInt64(0) AS good, samples AS timed, quantileTDigestIf(0.5)(rtt_ms, rtt_ms > 0) AS half, maxIf(at, rtt_ms > 0) AS newest, uniqIf(client, rtt_ms > 0) AS senders FROM edge_requests`,
} as const

/** Every source's own word on each CDN, before any of them is bounded or preferred. */
export async function feedFigures(store: EventStore, input: FeedFiguresInput): Promise<FeedFigures[]> {
  const asked = {
    organization: input.organizationId,
    site: input.siteId,
    domain: input.domainId,
    from: Math.floor(input.now / 1000) - input.seconds,
  }
  const recent = 'WHERE organization = {organization:String} AND at >= fromUnixTimestamp({from:Int64})'
  const ofDomain = `${recent} AND site = {site:String} AND domain = {domain:String}`
  const rows = await store.query<{
    source: FeedFigures['source']
    cdn: string
    samples: number
    good: number
    timed: number
    half: number
    newest_ms: number
    senders: number
  }>(
    `SELECT source, cdn, samples, good, timed, half, toUnixTimestamp64Milli(newest) AS newest_ms, senders FROM (
       ${FIGURES.rum} ${recent} GROUP BY cdn UNION ALL ${FIGURES.sum} ${recent} GROUP BY cdn UNION ALL ${FIGURES.nel} ${recent} GROUP BY cdn UNION ALL ${FIGURES.edge} ${ofDomain} GROUP BY cdn
     ) WHERE samples > 0 ORDER BY source, cdn`,
    asked,
  )
  return rows.map(({ source, cdn, samples, good, timed, half, newest_ms, senders }) => ({
    source,
    cdnId: cdn,
    samples,
    availability: source === 'edge' ? null : (100 * good) / samples,
    latencyMs: timed > 0 ? half : null,
    newestAt: newest_ms,
    senders,
  }))
}

import {
  loadBeaconScript,
  streamAudience,
  streamConcurrent,
  streamPeerBytes,
  streamPerformance,
  streamView,
  streamViews,
  trafficReport,
} from '@fairway/analytics'
import { ViewId, streamAnalytics } from '@fairway/contract'
import { experienceScore, viewMoments } from '@fairway/domain'
import { viewAddress } from '@fairway/platform'
import { askStore } from '../../http/ask-store.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { streamSiteKeys } from '../../publish/stream-site.ts'
import { followCollector } from '../pulse/follow-collector.ts'
import { encodedVideos, sourceKind, sourceNames, storedVideos } from './store.ts'

const { views: script } = loadBeaconScript()
const VIEWS = 100

export const streamAnalyticsSlice = slice(streamAnalytics, {
  async audience({ tx, actor, services, now }, input) {
    const report = await askStore(
      streamAudience(services.events, { ...input, organizationId: actor.organizationId, now: now.getTime() }),
    )
    const names = await sourceNames(tx, ids(report.sources))
    return { ...report, sources: report.sources.map((row) => ({ ...row, name: names.get(row.source) ?? null })) }
  },

  async concurrent({ actor, services, now }, input) {
    const question = { ...input, organizationId: actor.organizationId, now: now.getTime() }
    return askStore(streamConcurrent(services.events, question))
  },

  async performance({ tx, actor, services, now }, input) {
    const report = await askStore(
      streamPerformance(services.events, { ...input, organizationId: actor.organizationId, now: now.getTime() }),
    )
    const isSource = input.by === 'source'
    const names = isSource ? await sourceNames(tx, report.rows.map(({ value }) => value).filter(isUuid)) : new Map()
    return { ...report, rows: report.rows.map((row) => ({ ...row, name: names.get(row.value) ?? null })) }
  },

  async usage({ tx, actor, services, now }, { seconds, until }) {
    const { organizationId } = actor
    const range = { organizationId, seconds, until, now: now.getTime() }
    const keys = await streamSiteKeys(tx, organizationId)
    const [watched, peerBytes, ...served] = await askStore(
      Promise.all([
        streamAudience(services.events, range),
        streamPeerBytes(services.events, range),
        ...keys.map((siteId) => trafficReport(services.events, { ...range, siteId })),
      ]),
    )
    const bytes = new Map<number, number>()
    for (const { points } of served) for (const one of points) bytes.set(one.at, (bytes.get(one.at) ?? 0) + one.bytes)
    const end = until === undefined ? now : new Date(until * 1000)
    return {
      intervalSeconds: watched.intervalSeconds,
      points: watched.points.map(({ at, watchedMs }) => ({ at, watchedMs, bytes: bytes.get(at) ?? 0 })),
      deliveredBytes: served.reduce((sum, { totals }) => sum + totals.bytes, 0),
      deliveredRequests: served.reduce((sum, { totals }) => sum + totals.requests, 0),
      peerBytes,
      watchedMs: watched.totals.watchedMs,
      stored: await storedVideos(tx),
      encoded: await encodedVideos(tx, new Date(end.getTime() - seconds * 1000), end),
    }
  },

  async views({ tx, actor, services, now }, input) {
    const rows = await askStore(
      streamViews(services.events, {
        ...input,
        organizationId: actor.organizationId,
        now: now.getTime(),
        limit: VIEWS,
      }),
    )
    const names = await sourceNames(tx, ids(rows))
    return { data: rows.map((row) => ({ ...row, name: names.get(row.source) ?? null })), limit: VIEWS }
  },

  async live({ config }, actor, _input, stream) {
    let before = ''
    await followCollector(config, actor.organizationId, stream, async ({ plays }) => {
      // Beacons of pages come the same way.
      const now = `${plays.posts} ${plays.refused} ${plays.lastAt}`
      if (now === before) return
      before = now
      await stream.send(plays)
    })
  },

  async timeline({ tx, actor, services }, { view: asked }) {
    // Only what has the form of one is asked for.
    const known = ViewId.safeParse(asked)
    if (!known.success) throw new Failure(404)
    const found = await askStore(
      streamView(services.events, { organizationId: actor.organizationId, view: known.data }),
    )
    if (found === null) throw new Failure(404)
    const { view, record } = found
    const names = await sourceNames(tx, ids([view]))
    return {
      view: { ...view, name: names.get(view.source) ?? null },
      score: experienceScore({ ...view, isFailed: view.error !== null }),
      moments: viewMoments(record),
      segments: record.segments.length,
    }
  },

  async tag({ tx, actor, services }, { source }) {
    const kind = isUuid(source) ? await sourceKind(tx, source) : undefined
    if (kind === undefined) throw new Failure(404)
    const subject = { organizationId: actor.organizationId, kind, sourceId: source }
    return {
      address: viewAddress(services.config, subject),
      script: `${services.config.collectorUrl}/${script.file}`,
      integrity: script.integrity,
    }
  },
})

const ids = (rows: readonly { source: string }[]): string[] => [
  ...new Set(rows.map(({ source }) => source).filter(isUuid)),
]

import type http from 'node:http'
import { LIMITS } from '@fairway/contract'
import { deviceOf } from '@fairway/domain'
import type { Geo, GeoHit, Log, viewReader } from '@fairway/platform'
import { clientReader } from './client-address.ts'
import type { CollectorMetrics } from './collector-metrics.ts'
import { OPEN_TO_PAGES } from './open-to-pages.ts'
import type { PulseWatch } from './pulse-watch.ts'
import { RateLimit } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { readPlayerPost } from './read-player-post.ts'
import { RowBudget } from './row-budget.ts'
import { NotTaken, type Spool } from './spool.ts'
import type { viewerHasher } from './subnet-hash.ts'
import { ViewMemory } from './view-memory.ts'

type ViewParts = {
  trustedProxies: readonly string[]
  geo: Geo
  readViewPath: ReturnType<typeof viewReader>
  viewerOf: ReturnType<typeof viewerHasher>
  watch: Pick<PulseWatch, 'played' | 'playRefused'>
  spools: { player_events: Spool }
  metrics: Pick<CollectorMetrics, 'views'>
  log: Log
  /** Monotonic, ms. */
  clockNow?: () => number
  rows?: Pick<RowBudget, 'take'>
}

/** Players tell every ten seconds, and behind a carrier's network there may be two thousand. */
const POSTS_PER_NETWORK = { perSecond: 250, burst: 2_500 }
/** Views that one network can begin of one video: beyond that it is no crowd of viewers but somebody who counts. */
const VIEWS_PER_NETWORK = { perSecond: 0.5, burst: 150 }
/** A start has forgotten the views under way. They tell within ten seconds, and what they tell is no first post. */
const GOING_ON = { perSecond: 20, burst: 3_000, forMs: 300_000 }
/** A million views of ten minutes, and half as many on each day that follows. */
const ROWS_PER_ORGANIZATION = { perSecond: 600, burst: 50_000_000 }

/** Posts of video players. They come from anybody; what one network can do to the figures is bounded. */
export function viewHandler({
  trustedProxies,
  geo,
  readViewPath,
  viewerOf,
  watch,
  spools,
  metrics,
  log,
  clockNow = () => performance.now(),
  rows = new RowBudget(ROWS_PER_ORGANIZATION),
}: ViewParts) {
  const clientOf = clientReader(trustedProxies)
  const posts = new RateLimit(POSTS_PER_NETWORK)
  const begun = new RateLimit(VIEWS_PER_NETWORK)
  const goingOn = new RateLimit(GOING_ON)
  const views = new ViewMemory()
  const startedAt = clockNow()
  const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
  const finish = (response: http.ServerResponse, status: number, result: string) => {
    metrics.views.inc({ result })
    response.writeHead(status, status === 413 ? { ...OPEN_TO_PAGES, connection: 'close' } : OPEN_TO_PAGES).end()
  }
  return (path: string, request: http.IncomingMessage, response: http.ServerResponse): void => {
    const client = clientOf(request)
    if (!client) return finish(response, 400, 'no-address')
    if (!posts.take(client.network, clockNow())) return finish(response, 429, 'rate-limited')
    const subject = readViewPath(path)
    if (subject === null) return finish(response, 404, 'unknown-address')
    readBody(request, LIMITS.playerPostBytes, (body) => {
      if (body === null) return finish(response, 413, 'too-large')
      const [now, clock] = [Date.now(), clockNow()]
      const agent = request.headers['user-agent'] ?? ''
      geo.find(client.bytes, 0, client.family, hit)
      const { country, network } = geo.location(hit.place, hit.network)
      const sender = {
        viewer: viewerOf({ address: client.bytes, agent }, now),
        country: country ?? '',
        network: network ?? '',
        device: deviceOf(agent),
      }
      const about = `${client.network} ${subject.sourceId}`
      const mayBegin = (number: number) =>
        (number > 0 && clock - startedAt < GOING_ON.forMs && goingOn.take(about, clock)) || begun.take(about, clock)
      const read = readPlayerPost(body.toString('utf8'), subject, sender, { views, mayBegin, now, clock })
      if (read.refused !== null)
        // Who sends a post twice need not know that it was noticed; a player that is too many has done no wrong.
        return finish(response, STATUS[read.refused] ?? 400, read.refused)
      if (!rows.take(subject.organizationId, client.network, read.rows, clock)) {
        read.forget()
        watch.playRefused(subject.organizationId)
        return finish(response, 429, 'too-many-rows')
      }
      spools.player_events.append(read.lines, read.batch).then(
        () => {
          watch.played(subject.organizationId, now)
          finish(response, 204, 'stored')
        },
        (error: unknown) => {
          if (!(error instanceof NotTaken)) log.error({ event: 'collector.view-not-taken', err: error })
          read.forget()
          finish(response, 503, 'not-taken')
        },
      )
    })
  }
}

const STATUS: Partial<Record<string, number>> = {
  repeated: 204,
  'too-many-views': 429,
  'too-many-events': 429,
  'foreign-view': 403,
}

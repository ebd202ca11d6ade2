import type http from 'node:http'
import { LIMITS, type FeedRefusal } from '@fairway/contract'
import type { CollectorCaller } from '@fairway/platform'
import type { clientReader } from '../collector/client-address.ts'
import { RateLimit } from '../collector/rate-limit.ts'
import type { CollectorMetrics } from '../collector/collector-metrics.ts'
import { readBody } from '../collector/read-body.ts'
import type { OutsideFeeds } from './outside-feeds.ts'
import type { PassOn } from './pass-on.ts'

const POSTS_PER_NETWORK = { perSecond: 10, burst: 40 }
const STATUS: Record<FeedRefusal, number> = {
  'too-large': 413,
  'too-many-requests': 429,
  'bad-signature': 401,
  'outside-window': 403,
  repeated: 409,
  'wrong-form': 400,
  'contradicts-itself': 422,
}

/** `POST /feeds/{id}/`: what an outside feed measured, signed with its key. Servers send it, not pages. */
export function outsideFeedHandler(
  {
    outside,
    passOn,
    isCaller,
    metrics,
  }: { outside: OutsideFeeds; passOn: PassOn | null; isCaller: CollectorCaller; metrics: CollectorMetrics },
  clientOf: ReturnType<typeof clientReader>,
) {
  const limit = new RateLimit(POSTS_PER_NETWORK)
  return (path: string, request: http.IncomingMessage, response: http.ServerResponse): void => {
    const finish = (status: number, result: string, body: object) => {
      metrics.feedPosts.inc({ result })
      response
        .writeHead(status, { 'content-type': 'application/json', ...(status === 413 ? { connection: 'close' } : {}) })
        .end(JSON.stringify(body))
    }
    const refuse = (refused: FeedRefusal, problem: string | null = null) =>
      finish(STATUS[refused], refused, { error: refused, ...(problem === null ? {} : { problem }) })
    const client = clientOf(request)
    const [, id] = /^\/feeds\/([0-9a-f-]{36})\/$/.exec(path) ?? []
    // Another collector passes on what it has taken: its address stands for many feeds.
    const isPassedOn = isCaller(request.headers.authorization)
    if (!client || (!isPassedOn && !limit.take(client.network, performance.now()))) return refuse('too-many-requests')
    if (id === undefined) return refuse('bad-signature')
    readBody(request, LIMITS.outsideFeeds.bodyBytes, (body) => {
      if (body === null) return refuse('too-large')
      const signed = {
        timestamp: one(request.headers['feed-timestamp']),
        signature: one(request.headers['feed-signature']),
      }
      const { refused, problem, taken, left } = outside.take(id, signed, body, Date.now())
      if (refused !== null) return refuse(refused, problem)
      if (!isPassedOn) passOn?.({ path, ...signed, body })
      finish(200, 'taken', { taken, left })
    })
  }
}

const one = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '')

/** `GET /feeds/?organization=…` of the API: what is known of an organisation's feeds. */
export function serveSeenFeeds(
  { isCaller, outside }: { isCaller: CollectorCaller; outside: OutsideFeeds },
  url: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  if (!isCaller(request.headers.authorization)) return void response.writeHead(401).end()
  const organization = new URL(url, 'http://collector').searchParams.get('organization') ?? ''
  response
    .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(outside.seen(organization, Date.now())))
}

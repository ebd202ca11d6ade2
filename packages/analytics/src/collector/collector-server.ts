import http from 'node:http'
import { DnsAnswers, DnsRequests, EdgeRequests, LIMITS, ProbeReport, PulseRegistration } from '@fairway/contract'
import { hostOfOrigin } from '@fairway/domain'
import {
  type CollectorCaller,
  type Geo,
  type GeoHit,
  type Log,
  boundConnections,
  boundedServer,
  isPeersPath,
  isReportPath,
  isViewPath,
  type reportReader,
  type viewReader,
} from '@fairway/platform'
import type { z } from 'zod'
import type { BeaconScript } from './beacon-script.ts'
import { outsideFeedHandler, serveSeenFeeds } from '../outside-feeds/feed-posts.ts'
import type { OutsideFeeds } from '../outside-feeds/outside-feeds.ts'
import type { PassOn } from '../outside-feeds/pass-on.ts'
import { tableAppender } from './append-to-tables.ts'
import { clientOf, clientReader } from './client-address.ts'
import type { CollectorMetrics } from './collector-metrics.ts'
import {
  dnsAnswerLines,
  dnsRequestLines,
  edgeRequestLines,
  probeLines,
  recordedRequestLines,
  requestShapeLines,
  streamSegmentLines,
  securityEventLines,
} from './node-rows.ts'
import { OPEN_TO_PAGES } from './open-to-pages.ts'
import type { PulseKeys } from './pulse-keys.ts'
import { followPulse } from './follow-pulse.ts'
import type { PulseWatch } from './pulse-watch.ts'
import { RateLimit } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { readBeacon } from './read-beacon.ts'
import { readReports } from './read-reports.ts'
import { RowBudget } from './row-budget.ts'
import { SeenBeacons } from './seen-beacons.ts'
import { NotTaken, type Spool } from './spool.ts'
import { type StreamPeers, isRoomPath } from './stream-peers.ts'
import { type StreamSteering, isSteeringPath } from './stream-steering.ts'
import type { viewerHasher } from './subnet-hash.ts'
import { TakenBatches } from './taken-batches.ts'
import { viewHandler } from './view-posts.ts'

export type CollectorParts = {
  isCaller: CollectorCaller
  trustedProxies: readonly string[]
  geo: Geo
  keys: PulseKeys
  watch: PulseWatch
  script: BeaconScript
  spools: {
    beacons: Spool
    probes: Spool
    network_reports: Spool
    dns_answers: Spool
    dns_requests: Spool
    dns_networks: Spool
    dns_samples: Spool
    edge_requests: Spool
    security_events: Spool
    recorded_requests: Spool
    request_shapes: Spool
    player_events: Spool
    stream_segments: Spool
  }
  metrics: CollectorMetrics
  onProbes: (report: ProbeReport) => void
  outside: OutsideFeeds
  /** Tells the other collectors what an outside feed posted; null where there are none. */
  passOn: PassOn | null
  /** The hash that stands for a /24 or /48 in rows. */
  subnetOf: (network: string, now: number) => number
  readReportPath: ReturnType<typeof reportReader>
  readViewPath: ReturnType<typeof viewReader>
  /** The hash that stands for a viewer in rows. */
  viewerOf: ReturnType<typeof viewerHasher>
  /** A beacon or post of reports that comes again within so long is not counted again. */
  rememberMs: number
  steering: StreamSteering
  peers: StreamPeers
  log: Log
}

const BEACONS_PER_NETWORK = { perSecond: 20, burst: 100 }
/** Pages that measure and browsers that report are as many as a site has visitors: of the largest that we know of. */
const ROWS_PER_ORGANIZATION = { perSecond: 6_000, burst: 500_000_000 }
const NODE_BODY_LIMIT_BYTES = 4 << 20

/**
 * The collector's one port: beacons and their script for browsers; probes, answers, requests and beacon keys for nodes
 * and the API.
 */
export function collectorServer(parts: CollectorParts): http.Server {
  const beacon = beaconHandler(parts)
  const reports = reportHandler(parts)
  const views = viewHandler(parts)
  const feedPosts = outsideFeedHandler(parts, clientReader(parts.trustedProxies))
  const placeOf = placeReader(parts.geo)
  const batches = new TakenBatches()
  const append = tableAppender(parts.spools)
  const posts: Record<string, NodePost> = {
    'POST /probes/': nodePost(ProbeReport, async (report, now, batch) => {
      parts.onProbes(report)
      if (!report.isHeardOnly) await parts.spools.probes.append(probeLines(report, now), batch)
    }),
    'POST /dns-answers/': nodePost(DnsAnswers, (answers, now, batch) =>
      parts.spools.dns_answers.append(dnsAnswerLines(answers, now), batch),
    ),
    'POST /dns-requests/': nodePost(DnsRequests, (report, now, batch) => {
      const { dns_requests, dns_networks, dns_samples } = dnsRequestLines(report, now)
      return append({ dns_requests, dns_networks, dns_samples }, batch)
    }),
    'POST /edge-requests/': nodePost(EdgeRequests, (requests, now, batch) => {
      const lines = {
        edge_requests: edgeRequestLines(requests, now, placeOf),
        security_events: securityEventLines(requests, now, placeOf),
        recorded_requests: recordedRequestLines(requests, now, (address) => placeOf(address).country),
        request_shapes: requestShapeLines(requests, now),
        stream_segments: streamSegmentLines(requests, now, placeOf),
      }
      return append(lines, batch)
    }),
    'PUT /pulse/': nodePost(PulseRegistration, async (registration) => parts.keys.register(registration)),
  }
  // Anything else that asks for another protocol is answered in this one, as it always was.
  const shouldUpgradeCallback = ({ url, headers }: http.IncomingMessage) =>
    isRoomPath(url ?? '') && headers.upgrade?.toLowerCase() === 'websocket'
  const server = http.createServer({ ...boundedServer, shouldUpgradeCallback }, (request, response) => {
    const url = request.url ?? '/'
    const path = url.includes('?') ? url.slice(0, url.indexOf('?')) : url
    const route = `${request.method} ${path}`
    if (route === 'POST /b/') return beacon(request, response)
    if (request.method === 'POST' && isReportPath(path)) return reports(path, request, response)
    if (request.method === 'POST' && isViewPath(path)) return views(path, request, response)
    if (isSteeringPath(path)) return parts.steering.serve(request, response)
    if (isPeersPath(path)) return parts.peers.serve(path, request, response)
    if (request.method === 'POST' && path.startsWith('/feeds/')) return feedPosts(path, request, response)
    const post = posts[route]
    if (post) return void serveNode(parts, batches, path, post, request, response)
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (parts.script.serve(path, request, response)) return
      if (path === '/feeds/') return serveSeenFeeds(parts, url, request, response)
      if (path === '/pulse/') return followPulse(parts, url, request, response)
    }
    if (route === 'GET /b/settings') return serveSettings(parts, url, response)
    if (request.method === 'OPTIONS' && (path.startsWith('/b') || isReportPath(path) || isViewPath(path)))
      return void response
        .writeHead(204, {
          ...OPEN_TO_PAGES,
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '86400',
        })
        .end()
    response.writeHead(404).end()
  })
  server.on('upgrade', (request, socket, head) => parts.peers.upgrade(request, socket, head))
  server.keepAliveTimeout = 30_000
  boundConnections(server, { requestMs: 30_000, headersMs: 10_000, perPlace: 1_024, trusted: parts.trustedProxies })
  return server
}

function beaconHandler(parts: CollectorParts) {
  const { trustedProxies, geo, keys, watch, spools, metrics, subnetOf, rememberMs, log } = parts
  const clientOf = clientReader(trustedProxies)
  const limit = new RateLimit(BEACONS_PER_NETWORK)
  const rows = new RowBudget(ROWS_PER_ORGANIZATION)
  const seen = new SeenBeacons(rememberMs)
  const isNew = (name: string) => seen.isNew(name, performance.now())
  const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
  const finish = (response: http.ServerResponse, status: number, result: string) => {
    metrics.beacons.inc({ result })
    // A body too large is not read to its end: the connection ends with the answer.
    response.writeHead(status, status === 413 ? { ...OPEN_TO_PAGES, connection: 'close' } : OPEN_TO_PAGES).end()
  }
  return (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const client = clientOf(request)
    if (!client) return finish(response, 400, 'no-address')
    if (!limit.take(client.network, performance.now())) return finish(response, 429, 'rate-limited')
    readBody(request, LIMITS.beacon.bodyBytes, (body) => {
      if (body === null) return finish(response, 413, 'too-large')
      geo.find(client.bytes, 0, client.family, hit)
      const now = Date.now()
      const host = hostOfOrigin(request.headers.origin ?? request.headers.referer)
      const sender = { location: geo.location(hit.place, hit.network), subnet: subnetOf(client.network, now), host }
      const sent = body.toString('utf8')
      const read = readBeacon(sent, keys, sender, isNew, now)
      if (read.refused !== null) {
        const { refused, key } = read
        if (key && (refused === 'repeated' || refused === 'wrong-host' || refused === 'old-key'))
          watch.refused(key.organizationId, refused, host, now)
        return finish(response, STATUS[refused] ?? 400, refused)
      }
      for (const [reason, count] of Object.entries(read.dropped))
        if (count > 0) metrics.samples.inc({ result: reason }, count)
      for (const { cdnId, fault } of read.faults) watch.faulty(read.key.organizationId, cdnId, fault, now)
      if (read.samples === 0) return finish(response, 204, 'nothing-left')
      if (!rows.take(read.key.organizationId, client.network, read.samples, performance.now())) {
        seen.forget(read.batch)
        return finish(response, 429, 'too-many-rows')
      }
      spools.beacons.append(read.lines, read.batch).then(
        () => {
          metrics.samples.inc({ result: 'stored' }, read.samples)
          watch.taken(read.key.organizationId, { key: read.name, host, sent, lines: read.lines }, now)
          finish(response, 204, 'stored')
        },
        (error: unknown) => {
          if (!(error instanceof NotTaken)) log.error({ event: 'collector.beacon-not-taken', err: error })
          seen.forget(read.batch)
          finish(response, 503, 'not-taken')
        },
      )
    })
  }
}

/** Posts of browsers by the Reporting API. Like beacons they come from anybody, and are bound in the same way. */
function reportHandler(parts: CollectorParts) {
  const { trustedProxies, geo, readReportPath, spools, metrics, subnetOf, rememberMs, log } = parts
  const clientOf = clientReader(trustedProxies)
  const limit = new RateLimit(BEACONS_PER_NETWORK)
  const rows = new RowBudget(ROWS_PER_ORGANIZATION)
  const seen = new SeenBeacons(rememberMs)
  const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
  const finish = (response: http.ServerResponse, status: number, result: string, count = 1) => {
    metrics.reports.inc({ result }, count)
    response.writeHead(status, status === 413 ? { ...OPEN_TO_PAGES, connection: 'close' } : OPEN_TO_PAGES).end()
  }
  return (path: string, request: http.IncomingMessage, response: http.ServerResponse): void => {
    const client = clientOf(request)
    if (!client) return finish(response, 400, 'no-address')
    if (!limit.take(client.network, performance.now())) return finish(response, 429, 'rate-limited')
    const about = readReportPath(path)
    if (about === null) return finish(response, 404, 'unknown-address')
    if (!/^application\/reports\+json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      return finish(response, 415, 'wrong-type')
    readBody(request, LIMITS.reports.bodyBytes, (body) => {
      if (body === null) return finish(response, 413, 'too-large')
      const now = Date.now()
      const subnet = subnetOf(client.network, now)
      const sent = body.toString('utf8')
      geo.find(client.bytes, 0, client.family, hit)
      const read = readReports(sent, about, { location: geo.location(hit.place, hit.network), subnet }, now)
      if (read.refused !== null) return finish(response, read.refused === 'foreign-host' ? 403 : 400, read.refused)
      const batch = `${subnet} ${path} ${sent}`
      if (!seen.isNew(batch, performance.now())) return finish(response, 204, 'repeated')
      for (const [reason, count] of Object.entries(read.dropped))
        if (count > 0) metrics.reports.inc({ result: reason }, count)
      if (read.kept === 0) return finish(response, 204, 'nothing-left', 0)
      if (!rows.take(about.subject.organizationId, client.network, read.kept, performance.now())) {
        seen.forget(batch)
        return finish(response, 429, 'too-many-rows')
      }
      spools.network_reports.append(read.lines, batch).then(
        () => finish(response, 204, 'stored', read.kept),
        (error: unknown) => {
          if (!(error instanceof NotTaken)) log.error({ event: 'collector.reports-not-taken', err: error })
          seen.forget(batch)
          finish(response, 503, 'not-taken')
        },
      )
    })
  }
}

// Who repeats a batch need not know that it was noticed, and a page that retries has done no wrong.
const STATUS: Partial<Record<string, number>> = { repeated: 204, 'wrong-host': 403, 'old-key': 403 }

type AddressPlace = { country: string | null; network: string | null }
const NOWHERE: AddressPlace = { country: null, network: null }

function placeReader(geo: Geo): (address: string) => AddressPlace {
  const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
  return (address) => {
    const client = clientOf(address)
    if (!client) return NOWHERE
    geo.find(client.bytes, 0, client.family, hit)
    const { country, asn } = geo.location(hit.place, hit.network)
    return { country, network: asn === null ? null : `AS${asn}` }
  }
}

type NodePost = (body: unknown, now: number, batch: string | undefined) => Promise<{ problem: string | null }>

function nodePost<S extends z.ZodType>(
  schema: S,
  take: (value: z.output<S>, now: number, batch: string | undefined) => Promise<void>,
): NodePost {
  return async (body, now, batch) => {
    const parsed = schema.safeParse(body)
    if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? 'wrong form' }
    await take(parsed.data, now, batch)
    return { problem: null }
  }
}

async function serveNode(
  { isCaller, metrics, log }: CollectorParts,
  batches: TakenBatches,
  path: string,
  post: NodePost,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const finish = (status: number, problem?: string) => {
    metrics.posts.inc({ path, status })
    response
      .writeHead(status, {
        'content-type': 'application/json',
        ...(status === 413 || status === 401 ? { connection: 'close' } : {}),
      })
      .end(problem === undefined ? '' : JSON.stringify({ error: problem }))
  }
  if (!isCaller(request.headers.authorization)) return finish(401, 'the node token is missing or wrong')
  readBody(request, NODE_BODY_LIMIT_BYTES, (body) => {
    if (body === null) return finish(413, 'body too large')
    const said = request.headers['x-fairway-batch']
    const batch = typeof said === 'string' && said.length <= 64 ? `${path} ${said}` : undefined
    const take = () => takeNodePost(post, body, batch)
    const taken = batch === undefined ? take() : batches.once(batch, take)
    taken.then(
      (problem) => (problem === null ? finish(204) : finish(400, problem)),
      (error: unknown) => {
        if (!(error instanceof NotTaken)) log.error({ event: 'collector.post-not-taken', path, err: error })
        finish(503, 'not taken now')
      },
    )
  })
}

async function takeNodePost(post: NodePost, body: Buffer, batch: string | undefined): Promise<string | null> {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return 'body is not JSON'
  }
  return (await post(value, Date.now(), batch)).problem
}

function serveSettings({ keys }: CollectorParts, url: string, response: http.ServerResponse): void {
  const key = new URL(url, 'http://collector').searchParams.get('k') ?? ''
  const known = keys.get(key)
  if (!known || (known.until !== null && known.until <= Date.now()))
    return void response.writeHead(404, OPEN_TO_PAGES).end()
  response
    .writeHead(200, { ...OPEN_TO_PAGES, 'content-type': 'application/json', 'cache-control': 'public, max-age=30' })
    .end(JSON.stringify(known.settings))
}

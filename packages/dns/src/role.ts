import crypto from 'node:crypto'
import { isStale } from '@fairway/domain'
import { nodeSecret, openGeo, startControl, unsealForNodes, type Config, type Log, type Reasons } from '@fairway/platform'
import { Answerer } from './answer/answerer.ts'
import { Cookies } from './answer/cookies.ts'
import { CollectorPost } from './collector-post.ts'
import { SigningBudget } from './dnssec/online-signer.ts'
import { ZONE_KEYS } from './dnssec/zone-signer.ts'
import { chooseTransport } from './listen/choose-transport.ts'
import { listenEncrypted } from './listen/encrypted.ts'
import { Handler } from './listen/handler.ts'
import { listen, type Listeners } from './listen/listen.ts'
import { RateLimit } from './listen/rate-limit.ts'
import { Zones } from './segment/zones.ts'
import { AnswerCounts } from './serving/answer-counts.ts'
import { runBuilder, type BuilderLink } from './serving/builder-link.ts'
import { dnsMetrics } from './serving/dns-metrics.ts'
import { Explainer } from './serving/explain.ts'
import { QueryLog } from './serving/query-log.ts'
import { RequestLog } from './serving/request-log.ts'
import { Secondaries } from './serving/secondaries.ts'
import { ServedZones } from './serving/served-zones.ts'
import { Signers } from './serving/signers.ts'
import { Xorshift } from './steering/random.ts'
import { Steering } from './steering/steering.ts'
import { dnsFiles } from './store/files.ts'
import { Notifier } from './transfer/notifier.ts'
import { TRANSFER_KEYS, Transfers } from './transfer/transfers.ts'

export type DnsRole = AsyncDisposable & { listeners: Listeners; controlUrl: string; builderPid(): number | null }

const TICK_MS = 1000
/** Several notices of one change come at once. */
const NOTICES_WITHIN_MS = 20
/** About a fifth of a core. */
const SIGNATURES_PER_SECOND = 6000

/**
 * The name server: answers from memory on UDP and TCP, starting with what is on disk; a builder process beside it follows the API.
 * Control routes: `POST /why` (WhyQuestion → WhyAnswer), `POST /explain-many` (WhyManyQuestion → WhyManyAnswer); 404 for names that are not steered.
 * @throws ListenError when its address cannot be had
 */
export async function startDns({ config, log }: { config: Config; log: Log }): Promise<DnsRole> {
  await using stack = new AsyncDisposableStack()
  const geo = await openGeo(config)
  const zones = new Zones()
  const steering = new Steering({ locationOf: geo.location, clock: Date.now, random: new Xorshift(crypto.randomInt(1, 2 ** 31)) })
  const budget = new SigningBudget(SIGNATURES_PER_SECOND)
  const notices = new CollectorPost<string>({ config, at: config.apiUrl, route: '/nodes/v1/notices/', body: (siteIds) => ({ siteIds: [...new Set(siteIds)] }), rowsPerPost: 1000, waitingMost: 1000, repeats: true, log })
  stack.defer(() => notices.stop())
  const transfers = new Transfers({ zones, openKey: (sealed) => unsealForNodes(config, TRANSFER_KEYS, sealed), clock: Date.now, noticed: (zoneId) => notices.add([zoneId], NOTICES_WITHIN_MS) })
  const notifier = stack.use(new Notifier(log, Date.now))
  const served = new ServedZones(zones, steering, new Signers((sealed) => unsealForNodes(config, ZONE_KEYS, sealed), budget, Date.now), new Secondaries({ zones, transfers, notifier, log }), log)
  const files = dnsFiles(config)
  served.restore(files)

  const counts = new AnswerCounts()
  const queryLog = stack.use(new QueryLog({ config, geo, log, clock: Date.now }))
  const requestLog = stack.use(new RequestLog({ config, geo, log, clock: Date.now, random: new Xorshift(crypto.randomInt(1, 2 ** 31)) }))
  const limit = new RateLimit(config.dnsRateLimit)
  const cookies = new Cookies(nodeSecret(config, 'dns cookies', 16), Date.now)
  const handler = new Handler(new Answerer(zones, steering, geo, cookies), limit, transfers, (outcome, client, query, transport) => {
    counts.count(outcome, transport)
    queryLog.count(outcome, client)
    requestLog.count(outcome, client, query, transport)
  }, log)
  const { transport } = stack.use(await chooseTransport(config.dnsTransport, files.folder, log))
  const listeners = stack.use(await listen({ addresses: [config.dnsListen], handler, log, transport }))
  const encrypted = stack.use(await listenEncrypted(config, handler, log))
  const tick = setInterval(() => {
    steering.tick()
    budget.tick()
    limit.tick()
  }, TICK_MS)
  stack.defer(() => clearInterval(tick))

  const explainer = new Explainer({ config, zones, steering, geo })
  const running: { builder: BuilderLink | null; metrics: () => Promise<string> } = { builder: null, metrics: () => Promise.resolve('') }
  const control = stack.use(await startControl({
    config, role: 'dns', log,
    ready: () => readiness(zones, steering, served, running.builder, listeners),
    metrics: () => running.metrics(),
    routes: { 'POST /why': (body) => explainer.why(body), 'POST /explain-many': (body) => explainer.whyMany(body) },
  }))
  const builder = stack.use(runBuilder({ config, controlUrl: control.url, serve: (request) => served.serve(request), notice: (notice) => served.notice(notice), log }))
  running.builder = builder
  running.metrics = dnsMetrics({ counts, handler, limit, transfers, notifier, listeners, encrypted, zones, served, steering, builder, queryLog, requestLog })
  log.info({ event: 'dns.listening', at: listeners.at, transport: listeners.udp.map((one) => one.transport()), tls: encrypted.tls?.port ?? null, https: encrypted.https?.port ?? null, zones: zones.size })
  const owned = stack.move()
  return { listeners, controlUrl: control.url, builderPid: () => builder.pid(), [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Ready means that it answers for somebody and hears of changes; old measurements are named, but steering goes on without them. */
function readiness(zones: Zones, steering: Steering, served: ServedZones, builder: BuilderLink | null, listeners: Listeners): Reasons {
  const now = Date.now()
  const stale = steering.scores().filter((scores) => isStale(scores, now)).length
  const building = builder?.running() === true
  const reasons = [
    ...(zones.size === 0 ? ['no zone has been published to this node yet'] : []),
    ...(building ? [] : ['the builder process is away and is being started again; changes wait, queries are answered']),
    ...(building && !served.apiConnected ? ['the API is away; changes wait, queries are answered'] : []),
    ...(stale > 0 ? [`measurements of ${stale} organisation${stale > 1 ? 's' : ''} are too old to steer by`] : []),
  ]
  return { ready: zones.size > 0 && building, reasons, facts: { zones: zones.size, at: listeners.at, transport: listeners.udp.map((one) => one.transport()), apiConnected: served.apiConnected, builderPid: builder?.pid() ?? null, builderRestarts: builder?.restarts() ?? 0 } }
}

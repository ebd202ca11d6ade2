import crypto from 'node:crypto'
import zlib from 'node:zlib'
import compress, { type FastifyCompressOptions } from '@fastify/compress'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance } from 'fastify'
import { Counter, Gauge, Histogram } from 'prom-client'
import { openStore } from '@fairway/analytics'
import {
  boundConnections,
  boundedServer,
  diskGauge,
  endOf,
  listenAt,
  makeMetrics,
  migrate,
  openDatabase,
  openGeo,
  OutgoingGate,
  Places,
  placeOf,
  saidOfDisk,
  startControl,
  followStreamTls,
  streamSources,
  type Config,
  type Database,
  type HeldSockets,
  type Log,
  type Pem,
  type Tx,
} from '@fairway/platform'
import { slices } from './features/slices.ts'
import { authenticator } from './http/authenticate.ts'
import type { Services } from './http/context.ts'
import { openPayments } from './features/billing/payments.ts'
import { orderConsoleCertificate } from './features/certificates/console-certificate.ts'
import { registerSandboxPages } from './features/billing/sandbox/pages.ts'
import { registerMarketplaceReturn } from './features/billing/marketplace.ts'
import { registerStripeWebhook } from './features/billing/stripe-webhook.ts'
import { refuseOtherKeys } from './own-keys.ts'
import { noteRestored } from './features/operator/holds-store.ts'
import { registerWhip } from './features/live-streams/whip.ts'
import { registerUploads } from './features/stream-assets/uploads.ts'
import { registerConsole } from './http/console-files.ts'
import { fairStore } from './http/fair-store.ts'
import { partnerOfHost } from './http/partner-of.ts'
import { registerPartnerStatic } from './http/partner-static.ts'
import { errorHandler } from './http/errors.ts'
import { openApiDocument } from './http/openapi.ts'
import { registerSlices } from './http/register.ts'
import { registerStatus } from './http/status.ts'
import { type ConsoleCertificate, listenTls, openConsoleCertificate, registerProofs, requireTls } from './http/tls.ts'
import { startHub } from './publish/feed-stream.ts'

export type ApiOptions = { config: Config; log: Log; sockets?: HeldSockets; consoleFolder: string | null }

/** Long lists alone: what fits a few packets gains nothing, and the best compression costs more than the wire does. */
const COMPRESSION = {
  threshold: 32_768,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } },
  zlibOptions: { level: 3 },
} satisfies FastifyCompressOptions

/** A body comes within half a minute or not at all; one place has room for an office behind one of its routers. */
const BOUNDS = { requestMs: 30_000, headersMs: 15_000, perPlace: 512 }

/** Somebody waits for the answer; no statement of a call takes as long when the database is well. */
const STATEMENT_PATIENCE_MS = 20_000

/** Scores, transitions, acknowledgements and the feed: short, and not to wait behind the console's calls. */
const NODE_CONNECTIONS = 4
/** Lists and charts, at each of the replicas: as many as at the primary, for one organisation may take four of them. */
const REPLICA_CONNECTIONS = 16

/** The role `api`: console and API on the listen address. */
export async function startApi({
  config,
  log,
  sockets = {},
  consoleFolder,
}: ApiOptions): Promise<AsyncDisposable & { url: string; tlsPort: number | null; server: FastifyInstance }> {
  await using started = new AsyncDisposableStack()
  // The first start makes the location data, which takes longer than making the tables.
  const [geo] = await Promise.all([openGeo(config), migrate(config, log)])
  const database = started.use(
    openDatabase(config, log, {
      connections: 16,
      patienceMs: STATEMENT_PATIENCE_MS,
      replicaConnections: REPLICA_CONNECTIONS,
    }),
  )
  const nodeDatabase = started.use(
    openDatabase(config, log, { connections: NODE_CONNECTIONS, patienceMs: STATEMENT_PATIENCE_MS }),
  )
  const unhurried = async (work: (tx: Tx) => Promise<void>) => {
    await using patient = openDatabase(config, log, { connections: 1 })
    await patient.system(work)
  }
  await unhurried(async (tx) => {
    await refuseOtherKeys(tx, config)
    // Before anybody comes in with what was valid at the restored moment.
    await noteRestored(tx, config)
  })
  started.use(await followStreamTls(config, database, log))
  const payments = openPayments(config, database)
  const disk = diskGauge(config)
  const places = started.use(new Places(config))
  const services: Services = {
    config,
    database,
    log,
    geo,
    events: fairStore(started.use(openStore(config)), config),
    payments,
    gate: new OutgoingGate({ config, log }),
    disk,
  }
  const hub = started.use(startHub(nodeDatabase, unhurried, log))
  // What fails before a route is found (an address that does not decode) is answered in the same form.
  const server = fastify({
    logger: false,
    bodyLimit: 4 << 20,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    genReqId: () => crypto.randomBytes(8).toString('hex'),
    forceCloseConnections: true,
    http: boundedServer,
    frameworkErrors: errorHandler(log),
  })
  started.defer(() => server.close())
  const bounds = { ...BOUNDS, trusted: config.trustedProxies }
  boundConnections(server.server, bounds)
  const certificate = await openCertificate({ config, database, log }, started)
  const metrics = makeMetrics('api')
  server.setErrorHandler(errorHandler(log))
  await server.register(cookie)
  await server.register(compress, COMPRESSION)
  await server.register(rateLimit, {
    global: true,
    max: 6_000,
    timeWindow: '1 minute',
    keyGenerator: (request) => placeOf(request.ip),
    allowList: (request) => request.url.startsWith('/nodes/'),
  })
  measure(server, metrics)
  tellEnd(certificate, metrics)
  tellReplicas(database, metrics)
  requireTls(server, config)
  if (certificate) registerProofs(server, certificate)
  server.addHook(
    'onSend',
    async (request, reply) =>
      void reply
        .header('x-request-id', request.id)
        .header('x-content-type-options', 'nosniff')
        // Answers are somebody's own, and some hold tokens; files and pages that may be kept say so.
        .header('cache-control', reply.getHeader('cache-control') ?? 'no-store')
        .header('referrer-policy', 'same-origin'),
  )
  acceptEmptyJson(server)
  registerSlices(server, slices({ hub, database, config }), services, nodeDatabase, authenticator(config, database))
  const ready = async () => {
    const problem = await database.problem()
    const reasons = [problem, saidOfDisk(disk), certificate?.problem() ?? null]
    return { ready: problem === null, reasons: reasons.filter((reason) => reason !== null) }
  }
  registerUploads(server, { config, database, log, disk, places }, authenticator(config, database))
  await registerWhip(server, config, log)
  registerStatus(server, config, ready, () => [
    ...(disk.level() === 'enough' ? [] : ['disk']),
    ...(certificate?.problem() ? ['tls'] : []),
  ])
  // Under a partner's host name the document carries that name, too.
  server.get('/openapi.json', async (request) =>
    openApiDocument(
      `${request.protocol}://${request.host}`,
      (await database.system((tx) => partnerOfHost(tx, request))).company_name,
    ),
  )
  registerPartnerStatic(server, database)
  if (payments.sandbox) await registerSandboxPages(server, payments.sandbox)
  await registerStripeWebhook(server, config, database)
  await registerMarketplaceReturn(server)
  await registerConsole(server, consoleFolder, database, {
    withStripe: payments.gateway.name === 'stripe',
    videos: streamSources(config),
  })
  started.use(await startControl({ config, role: 'api', ready, metrics: () => metrics.metrics(), log }))
  const url = await server.listen(listenAt(sockets, config.listen))
  const tls =
    certificate && config.tlsListen
      ? started.use(await listenTls(server, certificate, { at: config.tlsListen, sockets, bounds }))
      : null
  const stop = started.move()
  return { url, tlsPort: tls?.port ?? null, server, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}

async function openCertificate(
  needs: Pick<Services, 'config' | 'database' | 'log'>,
  started: AsyncDisposableStack,
): Promise<ConsoleCertificate | null> {
  const { config, log } = needs
  if (config.tlsListen === null) return null
  return config.tlsAcme === ''
    ? started.use(openConsoleCertificate(config, log))
    : started.use(await orderConsoleCertificate(needs))
}

/** A POST without a body is an empty object, whatever its content type says. */
function acceptEmptyJson(server: FastifyInstance): void {
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : (JSON.parse(String(text)) as unknown))
    } catch {
      done(Object.assign(new Error('body is not JSON'), { statusCode: 400 }))
    }
  })
}

function measure(server: FastifyInstance, registry: ReturnType<typeof makeMetrics>): void {
  const seconds = new Histogram({
    name: 'fairway_api_request_duration_seconds',
    help: 'Time to answer by route',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.02, 0.05, 0.2, 1, 5],
    registers: [registry],
  })
  const answers = new Counter({
    name: 'fairway_api_answers_total',
    help: 'Answers by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    answers.inc({ method: request.method, route, status: reply.statusCode })
  })
}

function tellEnd(certificate: ConsoleCertificate | null, registry: ReturnType<typeof makeMetrics>): void {
  const end = new Gauge({
    name: 'fairway_api_tls_certificate_expiry_timestamp_seconds',
    help: 'When the certificate that the console shows expires',
    registers: [registry],
  })
  const tell = (pem: Pem | null | undefined) => (pem ? end.set(endOf(pem) / 1000) : end.remove())
  tell(certificate?.pem())
  certificate?.onChange(tell)
}

/** Families without a sample where the settings name no replica. */
function tellReplicas(database: Database, registry: ReturnType<typeof makeMetrics>): void {
  const reads = new Counter({
    name: 'fairway_api_database_reads_total',
    help: 'Reads that a replica may answer, by who did: a replica, or the primary',
    labelNames: ['place'],
    registers: [],
    collect() {
      const figures = database.replicas()
      this.reset()
      if (figures === null) return
      this.inc({ place: 'primary' }, figures.primaryReads)
      for (const { name, reads } of figures.replicas) this.inc({ place: name }, reads)
    },
  })
  const up = new Gauge({
    name: 'fairway_api_database_replica_up',
    help: 'Whether a replica is asked',
    labelNames: ['place'],
    registers: [],
    collect() {
      for (const { name, problem } of database.replicas()?.replicas ?? []) this.set({ place: name }, problem ? 0 : 1)
    },
  })
  const lag = new Gauge({
    name: 'fairway_api_database_replica_lag_seconds',
    help: 'How long ago the primary was where a replica is; missing while it does not answer',
    labelNames: ['place'],
    registers: [],
    collect() {
      this.reset()
      for (const { name, lagMs } of database.replicas()?.replicas ?? [])
        if (lagMs !== null) this.set({ place: name }, lagMs / 1000)
    },
  })
  for (const metric of [reads, up, lag]) registry.registerMetric(metric)
}

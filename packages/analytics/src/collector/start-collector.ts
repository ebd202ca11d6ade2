import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import { PathwayQuestion, type ProbeReport, type PublicationKind } from '@fairway/contract'
import {
  type Config,
  type Feed,
  type HeldSockets,
  type Log,
  diskGauge,
  hasSeveralCollectors,
  followFeed,
  listenAt,
  isCollectorCaller,
  openGeo,
  reportReader,
  OutgoingGate,
  unsealForNodes,
  standForElection,
  startControl,
  startProber,
  peerTokens,
  peersReader,
  viewReader,
} from '@fairway/platform'
import { passOnFeedPosts } from '../outside-feeds/pass-on.ts'
import { FEED_KEYS, OutsideFeeds } from '../outside-feeds/outside-feeds.ts'
import { startRollups } from '../rollups/roll-forward.ts'
import { ROLLED_UP } from '../rollups/steps.ts'
import { startScores } from '../scores/scores.ts'
import { openStore } from '../store/store.ts'
import type { RawTable } from '../store/tables.ts'
import { loadBeaconScript } from './beacon-script.ts'
import { collectorMetrics } from './collector-metrics.ts'
import { collectorServer } from './collector-server.ts'
import { probeLines } from './node-rows.ts'
import { PulseKeys } from './pulse-keys.ts'
import { PulseWatch } from './pulse-watch.ts'
import { type Spool, openSpool } from './spool.ts'
import { StreamPeers } from './stream-peers.ts'
import { StreamSteering } from './stream-steering.ts'
import { subnetHasher, viewerHasher } from './subnet-hash.ts'

/** The lock of the one collector of several that publishes scores. */
const BUILDER = 4722
/** Scores are no older than five seconds, also when the host of whoever built them has vanished. */
const BUILDER_PACE = { everyMs: 400, answerMs: 1_000, silenceMs: 2_000 }
/** Rows stored so long after their time need their rollups built again. */
const LATE_MS = 30_000

/**
 * The role `collector`: takes beacons, probes, answers and requests, brings them to the event store, keeps the rollups
 * and publishes scores. It probes as well, as every node does.
 * It starts and takes everything without API and store; what waits for them is on disk.
 */
export async function startCollector({
  config,
  log,
  sockets = {},
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
}): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const folder = path.join(config.home, 'nodes', 'collector')
  fs.mkdirSync(folder, { recursive: true })
  const store = stack.use(openStore(config))
  const geo = await openGeo(config)
  const isShared = hasSeveralCollectors(config)
  // Alone it is the one, whatever the database does.
  const election = isShared ? stack.use(standForElection(config, log, BUILDER, BUILDER_PACE)) : null
  const isElected = () => election?.isElected() ?? true
  // To a store elsewhere others may write as well.
  const isOwnStore = config.clickhouseUrl === '' && !isShared
  const stored = () => (isOwnStore ? storedRows(Object.values(spools)) : null)
  const rollups = stack.use(startRollups({ store, log, isElected, stored }))
  const disk = diskGauge(config)
  // Decisions go on by probes for as long as anything is written.
  const hasRoom = (table: RawTable) => disk.level() === 'enough' || (table === 'probes' && disk.level() === 'scarce')
  const onStored = (earliest: number[]) => {
    for (const at of earliest) if (Date.now() - at > LATE_MS) rollups.wroteAt(at)
  }
  const spoolOf = (table: RawTable) =>
    stack.use(
      openSpool({
        folder: path.join(folder, 'spool', table),
        table,
        store,
        log,
        isShared,
        hasRoom: () => hasRoom(table),
        ...(ROLLED_UP.has(table) ? { onStored } : {}),
      }),
    )
  const spools = {
    beacons: spoolOf('beacons'),
    probes: spoolOf('probes'),
    network_reports: spoolOf('network_reports'),
    dns_answers: spoolOf('dns_answers'),
    dns_requests: spoolOf('dns_requests'),
    dns_networks: spoolOf('dns_networks'),
    dns_samples: spoolOf('dns_samples'),
    edge_requests: spoolOf('edge_requests'),
    security_events: spoolOf('security_events'),
    recorded_requests: spoolOf('recorded_requests'),
    request_shapes: spoolOf('request_shapes'),
    player_events: spoolOf('player_events'),
    stream_segments: spoolOf('stream_segments'),
  }
  const metrics = collectorMetrics(() => spools, isElected)
  // Scores and feed need each other: what is published before the node is registered is tried again.
  const link: { feed: Feed | null } = { feed: null }
  const publish = async (post: object) => {
    const node = link.feed?.nodeId() ?? null
    if (link.feed === null || node === null) throw new Error('not registered with the API yet')
    await link.feed.post(`/nodes/v1/${node}/scores/`, post)
  }
  const outside = stack.use(
    new OutsideFeeds({
      folder,
      windowMs: config.scoreWindowSeconds * 1000,
      openKey: (sealed) => unsealForNodes(config, FEED_KEYS, sealed),
      log,
    }),
  )
  const scores = stack.use(startScores({ config, folder, store, log, publish, isElected, stored, outside }))
  election?.onElected(() => scores.publishAll())
  const onProbes = (report: ProbeReport) => scores.probes(report)
  const prober = stack.use(
    startProber({
      config,
      role: 'collector',
      gate: new OutgoingGate({ config, log }),
      log,
      onResult: (node, results) => {
        onProbes({ node, results })
        spools.probes
          .append(probeLines({ node, results }, Date.now()))
          .catch((error: unknown) => log.debug({ event: 'collector.probe-not-kept', err: error }))
      },
    }),
  )
  const steering = new StreamSteering({
    folder,
    node: config.nodeName,
    trustedProxies: config.trustedProxies,
    geo,
    scoresOf: (organizationId) => scores.snapshot(organizationId),
    counted: (result) => metrics.steering.inc({ result }),
    log,
  })
  const peers = new StreamPeers({
    folder,
    trustedProxies: config.trustedProxies,
    url: config.collectorUrl,
    stun: config.stunServers,
    readPath: peersReader(config),
    tokens: peerTokens(config),
    counted: (result) => metrics.peers.inc({ result }),
    log,
  })
  const server = collectorServer({
    isCaller: isCollectorCaller(config),
    trustedProxies: config.trustedProxies,
    geo,
    keys: stack.use(new PulseKeys(folder, log)),
    watch: new PulseWatch(Date.now()),
    script: loadBeaconScript(path.join(folder, 'scripts')),
    spools,
    metrics,
    onProbes,
    outside,
    passOn: isShared ? passOnFeedPosts(config, log) : null,
    subnetOf: subnetHasher(config),
    readReportPath: reportReader(config),
    readViewPath: viewReader(config),
    viewerOf: viewerHasher(config),
    rememberMs: config.scoreWindowSeconds * 1000,
    steering,
    peers,
    log,
  })
  const { host, port } = config.collectorListen
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ ...listenAt(sockets, config.collectorListen), backlog: 4096 }, resolve),
  )
  stack.defer(() => closeServer(server))
  stack.use(peers)
  const control = stack.use(
    await startControl({
      config,
      role: 'collector',
      log,
      metrics: () => metrics.registry.metrics(),
      routes: { 'POST /pathway': (question) => steering.why(PathwayQuestion.parse(question)) },
      ready: async () => ({
        ready: true,
        reasons: notTaken(spools),
        facts: {
          storeAnswers: await store.isAnswering(),
          waitingBytes: Object.values(spools).reduce((sum, spool) => sum + spool.state().waitingBytes, 0),
          elected: isElected(),
          feedConnected: link.feed?.connected() ?? false,
          viewersMeeting: peers.size,
        },
      }),
    }),
  )
  link.feed = stack.use(
    followFeed({
      config,
      role: 'collector',
      kinds: ['probe-targets', 'stream-balance', 'stream-peers', 'outside-feeds'],
      controlUrl: control.url,
      log,
      held: () => [
        ...namesOf('probe-targets', prober.organizations()),
        ...namesOf('stream-balance', steering.keys()),
        ...namesOf('stream-peers', peers.keys()),
        ...namesOf('outside-feeds', outside.organizations()),
      ],
      apply(publication) {
        if (publication.kind === 'stream-balance') return steering.apply(publication.key, publication.body)
        if (publication.kind === 'stream-peers') return peers.apply(publication.key, publication.body)
        if (publication.kind === 'outside-feeds') return outside.set(publication.key, publication.body)
        if (publication.kind !== 'probe-targets') return
        const { key: organizationId, version, body } = publication
        const targets = body ?? { organizationId, version, targets: [] }
        prober.targets(targets)
        scores.targets(targets)
      },
    }),
  )
  log.info({ event: 'collector.serving', host, port })
  const owned = stack.move()
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

const namesOf = (kind: PublicationKind, keys: Iterable<string>) => [...keys].map((key) => ({ kind, key }))

/** Rows that are in the store; null while some are on their way, of which it may have more than it has confirmed. */
function storedRows(spools: readonly Spool[]): number | null {
  const states = spools.map((spool) => spool.state())
  if (states.some(({ waitingBytes }) => waitingBytes > 0)) return null
  return states.reduce((sum, one) => sum + one.storedRows, 0)
}

/** What is refused now: it serves on, and somebody has to know. */
function notTaken(spools: Record<string, Spool>): string[] {
  return Object.entries(spools).flatMap(([table, spool]) => {
    const { problem } = spool.state()
    return problem === null ? [] : [`${table} are refused: ${problem}`]
  })
}

async function closeServer(server: http.Server): Promise<void> {
  server.closeIdleConnections()
  const force = setTimeout(() => server.closeAllConnections(), 500)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(force)
}

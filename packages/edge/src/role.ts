import {
  AttackTrialQuestion,
  CachedObjectsQuestion,
  InspectionQuestion,
  PreflightQuestion,
  type Publication,
} from '@fairway/contract'
import {
  type Config,
  type HeldSockets,
  type Log,
  diskGauge,
  followFeed,
  hostPortText,
  saidOfDisk,
  startControl,
  startProber,
} from '@fairway/platform'
import { type EdgeAgent, startAgent } from './agent.ts'
import { attackTrial } from './attack-trial/attack-trial.ts'
import { edgeMetrics } from './edge-metrics.ts'
import { inspectWritten } from './inspection/inspect-written.ts'
import { preflight } from './preflight/preflight.ts'
import { keepScarceSign } from './scarce-sign.ts'
import { tellOrigins } from './origins/tell-origins.ts'
import { tellShield } from './shield/tell-shield.ts'
import { shipRequests } from './requests/ship.ts'

/**
 * The edge role: one nginx kept at what the API publishes, its request log shipped, CDNs probed. Serves from its disk
 * while the API is away.
 * @throws Problem with a sentence that says what to do when nginx is missing or cannot listen
 */
export async function startEdge({
  config,
  log,
  sockets = {},
}: {
  config: Config
  log: Log
  sockets?: HeldSockets
}): Promise<AsyncDisposable> {
  await using parts = new AsyncDisposableStack()
  const agent = parts.use(await startAgent({ config, log, sockets }))
  const disk = diskGauge(config)
  parts.use(keepScarceSign(disk, agent.layout.scarce))
  const shipper = parts.use(
    shipRequests({ config, requestLog: agent.layout.requestLog, reopen: () => agent.nginx.reopen(), log, disk }),
  )
  const prober = parts.use(startProber({ config, role: 'edge', gate: agent.gate, log }))
  const metrics = edgeMetrics(agent, shipper)
  const feed = { connected: () => false }
  const control = parts.use(
    await startControl({
      config,
      role: 'edge',
      log,
      metrics,
      routes: {
        'POST /attack-trial': (question) => attackTrial(agent, config, AttackTrialQuestion.parse(question)),
        'POST /cached-objects': (question) => agent.cachedObjects(CachedObjectsQuestion.parse(question)),
        'POST /inspection': () => ({ node: config.nodeName, ...agent.inspector.state() }),
        'POST /inspect': (question) => inspectWritten(agent.inspector, InspectionQuestion.parse(question)),
        'POST /preflight': (question) => preflight(config, agent.gate, PreflightQuestion.parse(question)),
      },
      ready: () => {
        const { facts, ...state } = agent.reasons()
        const full = saidOfDisk(disk)
        const reasons = full === null ? state.reasons : [...state.reasons, full]
        return { ...state, reasons, facts: { ...facts, feedConnected: feed.connected(), requests: shipper.counts() } }
      },
    }),
  )
  const followed = parts.use(
    followFeed({
      config,
      role: 'edge',
      kinds: [
        'edge-pages',
        'edge-security',
        'edge-site',
        'edge-certificates',
        'edge-challenges',
        'edge-purges',
        'simulated-cdn',
        'probe-targets',
      ],
      controlUrl: control.url,
      shield: {
        region: config.shieldRegion || null,
        address: config.shieldListen ? hostPortText(config.shieldListen) : null,
      },
      http3Port: agent.front.isOffered ? config.edgeHttp3Announced || config.edgeHttp3?.port || null : null,
      held: () => [
        ...agent.documents.held(),
        ...[...prober.organizations()].map((key) => ({ kind: 'probe-targets' as const, key })),
      ],
      apply: (publication) => take(agent, prober, publication),
      applyTogether: { kind: 'edge-site', apply: (publications) => agent.applySites(publications) },
      log,
    }),
  )
  parts.use(tellShield({ config, agent, feed: followed, log }))
  parts.use(tellOrigins({ agent, feed: followed, log }))
  feed.connected = () => followed.connected()
  return parts.move()
}

async function take(agent: EdgeAgent, prober: ReturnType<typeof startProber>, publication: Publication): Promise<void> {
  if (publication.kind === 'probe-targets')
    return prober.targets(
      publication.body ?? { organizationId: publication.key, version: publication.version, targets: [] },
    )
  await agent.apply(publication)
}

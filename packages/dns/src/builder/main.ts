/**
 * The builder: a process of its own beside the name server, so that building never costs a query its time and its
 * faults never the server.
 */
import { followFeed, loadConfig, makeLog, OutgoingGate, startProber, unsealForNodes } from '@fairway/platform'
import { ZONE_KEYS } from '../dnssec/zone-signer.ts'
import { dnsFiles, removeDrafts } from '../store/files.ts'
import { readFlatNames, writeFlatNames } from '../store/json-files.ts'
import { SegmentFiles } from '../store/segment-files.ts'
import { Notifier } from '../transfer/notifier.ts'
import { TRANSFER_KEYS } from '../transfer/peers.ts'
import { Builder } from './builder.ts'
import { keepFlattened } from './flatten.ts'
import { OwnChecks } from './own-checks.ts'
import { Secondaries } from './secondaries.ts'
import { serverLink } from './server-link.ts'

const HEARTBEAT_MS = 1000
/** Verdicts are repeated so often, for the server forgets old ones. */
const VERDICTS_EVERY_BEATS = 5
const STOP_MS = 800
/** A zone of so many sets is compiled beside the changes of others. */
const LONG_SETS = 20_000
const RENEWAL_LOOK_MS = 3_600_000

const controlUrl = process.argv[2]
const config = loadConfig()
const log = makeLog('dns-builder', config)
process.on('uncaughtException', (error) => {
  log.error({ event: 'builder.died', err: error })
  process.exit(1)
})
// Ctrl-C reaches every process of a terminal; the builder ends when its server closes the channel.
process.on('SIGINT', () => {})

const link = serverLink(process)
const files = dnsFiles(config)
for (const folder of [files.folder, files.zones, files.scores]) removeDrafts(folder)
const checks = new OwnChecks()
const tellVerdicts = (organizationId: string) =>
  link.tell({ kind: 'verdicts', organizationId, verdicts: checks.verdicts(organizationId) })

await using stack = new AsyncDisposableStack()
const gate = new OutgoingGate({ config, log })
const prober = stack.use(
  startProber({
    config,
    role: 'dns',
    gate,
    log,
    alsoPosts: true,
    onResult(_node, results) {
      for (const result of results) if (checks.add(result)) tellVerdicts(result.organizationId)
    },
  }),
)
// By a gate of its own: many notices must not take the health checks' turns.
const notifier = stack.use(new Notifier(new OutgoingGate({ config, log }), log, Date.now))
const secondaries = new Secondaries({
  notifier,
  openKey: (sealed) => unsealForNodes(config, TRANSFER_KEYS, sealed),
  log,
})
const builder = new Builder({
  files,
  segments: new SegmentFiles(files.zones),
  link,
  prober,
  checks,
  secondaries,
  openKey: (sealed) => unsealForNodes(config, ZONE_KEYS, sealed),
  clock: Date.now,
  log,
})
builder.restore()
const flattened = stack.use(
  keepFlattened({
    resolver: config.resolver,
    log,
    clock: Date.now,
    wanted: () => builder.outsideTargets(),
    known: readFlatNames(files.flattened, (file, error) => log.warn({ event: 'flattened.damaged', file, err: error })),
    changed: (changes) => link.tell({ kind: 'flattened', ...changes }),
    keep: (names) => writeFlatNames(files.flattened, names),
  }),
)
flattened.refresh()
const feed = stack.use(
  followFeed({
    config,
    role: 'dns',
    log,
    controlUrl,
    kinds: ['dns-zone', 'scores', 'probe-targets', 'dns-transfers'],
    patches: true,
    takesLong: ({ kind, body }) => kind === 'dns-zone' && (body?.rrsets.length ?? 0) >= LONG_SETS,
    held: () => [
      ...builder.held(),
      ...[...prober.organizations()].map((key) => ({ kind: 'probe-targets' as const, key })),
    ],
    async apply(publication) {
      await builder.apply(publication)
      if (publication.kind === 'dns-zone') flattened.refresh()
    },
    applyTogether: {
      kind: 'dns-zone',
      async apply(publications) {
        await builder.applyTogether(publications)
        flattened.refresh()
      },
    },
  }),
)

const renewal = setInterval(() => void builder.renewSignatures(), RENEWAL_LOOK_MS)
let beats = 0
const heart = setInterval(() => {
  link.tell({ kind: 'builder', connected: feed.connected(), notifies: notifier.sent })
  if (++beats % VERDICTS_EVERY_BEATS === 0)
    for (const organizationId of checks.organizations()) tellVerdicts(organizationId)
}, HEARTBEAT_MS)

await new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
clearInterval(heart)
clearInterval(renewal)
setTimeout(() => process.exit(0), STOP_MS).unref()

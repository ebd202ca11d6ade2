import { openStore } from '@fairway/analytics'
import { migrate, openDatabase, OutgoingGate, startControl, type Config, type Log } from '@fairway/platform'
import { startMail } from './mail/deliver-mail.ts'
import { refuseOtherKeys } from './own-keys.ts'
import { prepareInstallation } from './installation.ts'
import { workerMetrics } from './worker-metrics.ts'
import { startOutbox } from './publish/outbox.ts'
import { driverContext } from './reconcile/driver-context.ts'
import { startReconciler } from './reconcile/reconciler.ts'
import { startCertificates } from './features/certificates/run-certificates.ts'
import { startStreamCertificate } from './features/certificates/stream-certificate.ts'
import { startPrimaryFollower } from './features/dns-primary/follow-primaries.ts'
import { startTransferKeeper } from './features/dns-secondaries/keep-transferable.ts'
import { startDnssecKeeper } from './features/dnssec/keep-dnssec.ts'
import { startSiteTasks } from './features/add-site/run-tasks.ts'
import { startClosing } from './features/organizations/close-due.ts'
import { startBulkConfigure } from './features/bulk-configure/run-bulk.ts'
import { startBilling } from './features/billing/start-billing.ts'
import { startLearning } from './features/api-schema/keep-learning.ts'
import { startFrictionWatch } from './features/bot-management/watch-friction.ts'
import { startPeerGuard } from './features/stream-peers/guard-peers.ts'
import { startWeeklyLetters } from './features/analytics-dem/weekly-letters.ts'
import { startAttackWatch } from './features/analytics-origin-shield/watch-attacks.ts'
import { startListing } from './features/nodes/keep-listed.ts'
import { startRouteKeeper } from './features/shield-regions/keep-routes.ts'
import { startWatch } from './features/notifications/watch.ts'
import { startVendorTraffic } from './features/analytics-multi-cdn/read-vendor-traffic.ts'
import { startCloudfrontKeeper } from './features/signed-urls/keep-cloudfront.ts'
import { startWebhooks } from './features/webhooks/deliver.ts'
import { startWhiteLabel } from './features/white-label/keep-names.ts'
import { startPurger } from './features/purges/purger.ts'
import { startRouteMaps } from './features/route-map/keep-route-maps.ts'
import { startMonitoringKeeper } from './features/private-data/keep-looking.ts'
import { startPulsePush } from './features/pulse/push.ts'

/**
 * The role `worker`: publishes documents, drives the CDNs' drivers, scans and checks sites, delivers letters and
 * webhooks.
 */
export async function startWorker({ config, log }: { config: Config; log: Log }): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack()
  await migrate(config, log)
  const database = started.use(openDatabase(config, log, { connections: 4 }))
  await database.system(async (tx) => {
    await refuseOtherKeys(tx, config)
    await prepareInstallation(tx, config)
  })
  await database.election().known
  const outbox = started.use(startOutbox(config, database, log))
  const gate = new OutgoingGate({ config, log })
  const drivers = driverContext(config, gate, database)
  const reconciler = started.use(startReconciler(database, drivers, log))
  const purger = started.use(startPurger({ config, gate }, database, drivers, log))
  started.use(startPulsePush(config, database, log))
  const monitoring = started.use(startMonitoringKeeper(gate, database, log))
  const tasks = started.use(startSiteTasks(config, gate, database, log))
  const certificates = started.use(startCertificates(config, gate, database, log))
  const streamCertificate = started.use(await startStreamCertificate(config, database, log))
  const dnssec = started.use(startDnssecKeeper(config, gate, database, log))
  const transfers = started.use(startTransferKeeper(config, database, log))
  const primaries = started.use(startPrimaryFollower(config, gate, database, log))
  const bulk = started.use(startBulkConfigure(config, gate, database, log))
  const mail = started.use(startMail(config, database, log))
  const webhooks = started.use(startWebhooks(config, gate, database, log))
  const whiteLabel = started.use(startWhiteLabel(config, gate, database, log))
  started.use(startWatch(config, database, log))
  started.use(startRouteMaps(database, log))
  const events = started.use(openStore(config))
  const learning = started.use(startLearning(database, events, log))
  const attacks = started.use(startAttackWatch(database, events, log))
  const friction = started.use(startFrictionWatch(database, events, log))
  const peerGuard = started.use(startPeerGuard(database, events, log))
  const routes = started.use(startRouteKeeper(database, log))
  const listing = started.use(startListing(config, gate, database, log))
  const weekly = started.use(startWeeklyLetters(database, events, log))
  const billing = started.use(startBilling(config, database, events, log))
  const closing = started.use(startClosing(database, log))
  const vendorTraffic = started.use(startVendorTraffic(database, events, drivers, log))
  const cloudfront = started.use(startCloudfrontKeeper(config, database, log))
  const metrics = workerMetrics(database)
  const ready = async () => {
    const reasons = [
      await database.problem(),
      outbox.lastProblem(),
      reconciler.lastProblem(),
      purger.lastProblem(),
      monitoring.lastProblem(),
      tasks.lastProblem(),
      dnssec.lastProblem(),
      transfers.lastProblem(),
      primaries.lastProblem(),
      billing.lastProblem(),
      closing.lastProblem(),
      certificates.lastProblem(),
      streamCertificate?.lastProblem() ?? null,
      bulk.lastProblem(),
      mail.lastProblem(),
      webhooks.lastProblem(),
      vendorTraffic.lastProblem(),
      whiteLabel.lastProblem(),
      attacks.lastProblem(),
      friction.lastProblem(),
      peerGuard.lastProblem(),
      weekly.lastProblem(),
      learning.lastProblem(),
      routes.lastProblem(),
      listing.lastProblem(),
      cloudfront.lastProblem(),
    ].filter((reason) => reason !== null)
    return { ready: reasons.length === 0, reasons }
  }
  started.use(await startControl({ config, role: 'worker', ready, metrics, log }))
  const stop = started.move()
  return { [Symbol.asyncDispose]: () => stop.disposeAsync() }
}

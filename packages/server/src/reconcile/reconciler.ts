import { CDN_DRIVERS, reconcileRound, type DriverContext, type Leased, type Learnt } from '@fairway/drivers'
import type { Database, Log, Tx } from '@fairway/platform'
import { endIncident, notify } from '../features/notifications/notify.ts'
import { notifyConsole } from '../http/commit-change.ts'
import { systemVersion } from '../publish/system-version.ts'
import { acknowledged } from './facts.ts'
import { deleteGone, holdSite, leaseUnsettled, leavingDns, markLeftDns, markWaiting, nameOf, releaseAll, removeEmptyDomains, writeLearnt } from './store.ts'

const POLL_MS = 1_000

/** Moves the states of CDNs by facts: at once when a node confirms something, and every second as the guarantee. */
export async function startReconciler(database: Database, context: DriverContext, log: Log): Promise<AsyncDisposable & { lastProblem(): string | null }> {
  const state = { stopped: false, again: false, running: null as Promise<void> | null, problem: null as string | null }
  await database.system(releaseAll)
  const wake = () => {
    state.again = true
    state.running ??= run().finally(() => (state.running = null))
  }
  const run = async () => {
    while (state.again && !state.stopped) {
      state.again = false
      try {
        // What an attempt that failed had taken must not wait until its lease runs out.
        if (state.problem !== null) await database.system(releaseAll)
        await reconcile(database, context, Date.now)
        state.problem = null
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        // Told once, not every second that the database is away.
        if (problem !== state.problem) log.error({ event: 'reconcile.failed', err: error })
        state.problem = problem
      }
    }
  }
  const listener = database.listen('acknowledged', wake)
  const poll = setInterval(wake, POLL_MS)
  return {
    lastProblem: () => state.problem,
    async [Symbol.asyncDispose]() {
      state.stopped = true
      clearInterval(poll)
      await listener[Symbol.asyncDispose]()
      await state.running
    },
  }
}

/** One look at every CDN that is not at its goal. DNS leaves a CDN before its driver is told to: visitors may still be sent there until then. */
export async function reconcile(database: Database, context: DriverContext, now: () => number): Promise<void> {
  await database.system((tx) => leaveDns(tx, new Date(now())))
  await reconcileRound({
    drivers: CDN_DRIVERS, context, now,
    store: {
      lease: (limit, leaseMs) => database.system((tx) => leaseUnsettled(tx, limit, leaseMs, new Date(now()))),
      settle: (entry, learnt) => database.system((tx) => settle(tx, entry, learnt)),
      forget: (entry) => database.system((tx) => forget(tx, entry)),
    },
  })
}

async function leaveDns(tx: Tx, now: Date): Promise<void> {
  const leaving = await leavingDns(tx)
  for (const rows of Map.groupBy(leaving, (row) => `${row.siteId} ${row.version}`).values()) {
    const [{ siteId, version } = { siteId: '', version: 0 }] = rows
    const ids = rows.map((row) => row.id)
    const zone = await acknowledged(tx, 'dns', 'dns-zone', siteId, version)
    if (zone.state === 'confirmed') await markLeftDns(tx, ids, version, now)
    else await markWaiting(tx, ids, zone.why)
  }
  await removeEmptyDomains(tx)
}

/** A CDN that has become ready is a version of the site: from it on DNS answers with the CDN. */
async function settle(tx: Tx, entry: Leased, learnt: Learnt): Promise<void> {
  const { siteId, reference, host } = entry.order
  const changesState = learnt.state !== undefined && learnt.state !== entry.state
  const site = changesState ? await holdSite(tx, siteId) : undefined
  const written = await writeLearnt(tx, entry, learnt)
  if (!written || !site) return
  if (learnt.state === 'operational') {
    const name = await nameOf(tx, reference)
    const change = { entity: 'domain-cdn', id: reference, label: `${name} on ${host}`, before: { state: entry.state }, after: { state: 'operational' } }
    await systemVersion(tx, { organizationId: site.organizationId, siteId, title: `${name} is serving ${host}`, kinds: ['dns-zone'], changes: [change] })
    await endIncident(tx, site.organizationId, failureOf(reference))
    return
  }
  await notifyConsole(tx, { organizationId: site.organizationId, kind: 'version', siteId })
  if (learnt.state === 'failed') await notify(tx, { organizationId: site.organizationId, siteId, event: 'cdn-failed', fields: { cdn: await nameOf(tx, reference), host, reason: learnt.detail ?? '' }, incident: failureOf(reference) })
}

const failureOf = (reference: string): string => `cdn-failed:${reference}`

async function forget(tx: Tx, entry: Leased): Promise<void> {
  const site = await holdSite(tx, entry.order.siteId)
  if (site) await endIncident(tx, site.organizationId, failureOf(entry.order.reference))
  await deleteGone(tx, entry)
  if (site) await notifyConsole(tx, { organizationId: site.organizationId, kind: 'version', siteId: entry.order.siteId })
}

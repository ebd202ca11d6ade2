import { CDN_DRIVERS, plainWords, reconcileRound, type DriverContext, type Leased, type Learnt } from '@fairway/drivers'
import type { Database, Log, Tx } from '@fairway/platform'
import { endIncident, endQuietly, notify } from '../features/notifications/notify.ts'
import { notifyConsole } from '../http/commit-change.ts'
import { startWakeLoop, type RunningLoop } from '../loops/wake-loop.ts'
import { systemVersion } from '../publish/system-version.ts'
import { acknowledged } from './facts.ts'
import {
  deleteGone,
  holdSite,
  leaseUnsettled,
  leavingDns,
  lookEveryMs,
  markLeftDns,
  markWaiting,
  nameOf,
  ownerOf,
  releaseAll,
  removeEmptyDomains,
  UNLOOKED,
  type Whose,
  writeLearnt,
  writePlaced,
} from './store.ts'

const POLL_MS = 1_000
/** Broader than what is leased: by whose clock an attempt is due is the lease's affair. */
const UNSETTLED = `SELECT FROM domain_cdn WHERE state IN ('deploying', 'failed', 'action-required', 'waiting-ssl', 'waiting-approval', 'deleting')
  UNION ALL SELECT FROM domain_cdn WHERE applied_version < wanted_version`
/** Each asks the database for its key, settings and certificate before each call. */
const VENDORS_AT_ONCE = 10

/** Moves the states of CDNs by facts: at once when a node confirms something, and every second as the guarantee. */
export function startReconciler(database: Database, context: DriverContext, log: Log): RunningLoop {
  const loop = (whose: Whose, name: string, due: string) =>
    startWakeLoop(database, log, {
      name,
      // What nodes confirm is no reason to look.
      channels: whose === 'looks' ? [] : ['acknowledged'],
      pollMs: POLL_MS,
      due,
      isElected: true,
      async round({ problem, isFirst }) {
        // What an attempt that failed had taken, or another worker that ended, must not wait until its lease runs out.
        if (problem !== null || isFirst) await database.system((tx) => releaseAll(tx, whose))
        return reconcile(database, context, Date.now, whose)
      },
    })
  const loops = [
    loop('house', 'reconcile', `${UNSETTLED} UNION ALL SELECT FROM domain WHERE removed_at IS NOT NULL`),
    loop('vendors', 'reconcile-vendors', UNSETTLED),
    loop('looks', 'reconcile-looks', UNLOOKED),
  ]
  return {
    lastProblem: () => loops.map((one) => one.lastProblem()).find((problem) => problem !== null) ?? null,
    wake() {
      for (const one of loops) one.wake()
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all(loops.map((one) => one[Symbol.asyncDispose]()))),
  }
}

/**
 * One look at every CDN of the house, or at some of those elsewhere, that is not at its goal: a vendor that is slow to
 * answer holds nothing of the house up. `again`: there may be more. DNS leaves a CDN before its driver is told to:
 * visitors may still be sent there until then.
 */
export async function reconcile(
  database: Database,
  context: DriverContext,
  now: () => number,
  whose: Whose = 'house',
): Promise<void | 'again'> {
  if (whose === 'house') await database.system((tx) => leaveDns(tx, new Date(now())))
  const taken = await reconcileRound({
    drivers: CDN_DRIVERS,
    context,
    now,
    ...(whose === 'looks' ? { lookEveryMs: await database.system(lookEveryMs) } : {}),
    store: {
      lease: (limit, leaseMs) =>
        database.system((tx) =>
          leaseUnsettled(tx, whose, whose === 'house' ? limit : VENDORS_AT_ONCE, leaseMs, new Date(now())),
        ),
      settle: (entry, learnt) => database.system((tx) => settle(tx, entry, learnt)),
      forget: (entry) => database.system((tx) => forget(tx, entry)),
    },
  })
  return whose !== 'house' && taken === VENDORS_AT_ONCE ? 'again' : undefined
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

/**
 * A CDN that has become ready is a version of the site: from it on DNS answers with the CDN, and nodes measure it. So is
 * one that has failed: from it on neither does.
 */
async function settle(tx: Tx, entry: Leased, raw: Learnt): Promise<void> {
  // A vendor's words go into the row and into notifications.
  const learnt = raw.detail ? { ...raw, detail: plainWords(raw.detail, 500) } : raw
  const { siteId, reference, host } = entry.order
  const changesState = learnt.state !== undefined && learnt.state !== entry.state
  if (await writePlaced(tx, entry, learnt)) await publishProof(tx, entry)
  const site = changesState ? await holdSite(tx, siteId) : undefined
  const written = await writeLearnt(tx, entry, learnt)
  if (written && learnt.behind !== undefined) await tellBehind(tx, entry, learnt)
  if (!written || !site) return
  if (learnt.state === 'operational' || (learnt.state === 'failed' && entry.state === 'operational')) {
    const name = await nameOf(tx, reference)
    const change = {
      entity: 'domain-cdn',
      id: reference,
      label: `${name} on ${host}`,
      before: { state: entry.state },
      after: { state: learnt.state },
    }
    await systemVersion(tx, {
      organizationId: site.organizationId,
      siteId,
      title: learnt.state === 'operational' ? `${name} is serving ${host}` : `${name} no longer serves ${host}`,
      kinds: ['dns-zone', 'probe-targets'],
      changes: [change],
    })
  }
  if (learnt.state === 'operational') {
    for (const incident of [failureOf(reference), behindOf(reference)])
      await endIncident(tx, site.organizationId, incident)
    return
  }
  // What comes next says more than that it is behind.
  await endQuietly(tx, site.organizationId, behindOf(reference))
  await notifyConsole(tx, { organizationId: site.organizationId, kind: 'version', siteId })
  if (learnt.state === 'failed')
    await notify(tx, {
      organizationId: site.organizationId,
      siteId,
      event: 'cdn-failed',
      fields: { cdn: await nameOf(tx, reference), host, reason: learnt.detail ?? '' },
      incident: failureOf(reference),
    })
}

/** It is in DNS before and after, so that this is no version of the site. */
async function tellBehind(tx: Tx, { order: { siteId, reference, host } }: Leased, learnt: Learnt): Promise<void> {
  const organizationId = await ownerOf(tx, siteId)
  if (organizationId === undefined) return
  const incident = behindOf(reference)
  const isNews =
    learnt.behind !== true
      ? await endIncident(tx, organizationId, incident)
      : await notify(tx, {
          organizationId,
          siteId,
          event: 'cdn-behind',
          fields: { cdn: await nameOf(tx, reference), host, reason: learnt.detail ?? '' },
          incident,
        })
  if (isNews) await notifyConsole(tx, { organizationId, kind: 'version', siteId })
}

/** A vendor waits for these records, and the site's own zone answers them. */
async function publishProof(tx: Tx, { order: { siteId, reference, host } }: Leased): Promise<void> {
  const site = await holdSite(tx, siteId)
  if (!site) return
  const name = await nameOf(tx, reference)
  await systemVersion(tx, {
    organizationId: site.organizationId,
    siteId,
    title: `Proof of control for ${host} at ${name}`,
    kinds: ['dns-zone'],
    changes: [
      { entity: 'domain-cdn', id: reference, label: `${name} on ${host}`, before: null, after: { proof: true } },
    ],
  })
}

const failureOf = (reference: string): string => `cdn-failed:${reference}`
const behindOf = (reference: string): string => `cdn-behind:${reference}`

async function forget(tx: Tx, entry: Leased): Promise<void> {
  const site = await holdSite(tx, entry.order.siteId)
  if (site) {
    await endIncident(tx, site.organizationId, failureOf(entry.order.reference))
    await endQuietly(tx, site.organizationId, behindOf(entry.order.reference))
  }
  await deleteGone(tx, entry)
  if (site)
    await notifyConsole(tx, { organizationId: site.organizationId, kind: 'version', siteId: entry.order.siteId })
}

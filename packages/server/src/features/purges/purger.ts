import { ByoPlatform, type CachedSample } from '@fairway/contract'
import { CDN_DRIVERS, TryLater, VendorRefusal, type DriverContext } from '@fairway/drivers'
import type { Database, Log } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { isHouse, type Look, lookAt } from './look.ts'
import {
  leasePending,
  markAgain,
  releasePending,
  writeReceipt,
  type Pending,
  type ReceiptChange,
} from './purger-store.ts'
import { tellFailedPurge } from './purge-failed.ts'

const POLL_MS = 500
const BATCH = 50
const LEASE_MS = 30_000
/** An edge node that has not confirmed by then is as good as one that has refused. */
const PATIENCE_MS = 60_000
/** How often a CDN that still serves the old object is told again before it is held to have lied. */
const TELLINGS = 3
const SILENT_TRIES = 6
const SAMPLES = 5

/**
 * Carries purges to the CDNs and believes none of them: a part is completed when the old objects were looked for and
 * not seen.
 */
export function startPurger(look: Look, database: Database, context: DriverContext, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'purge',
    isElected: true,
    channels: ['purge', 'acknowledged'],
    pollMs: POLL_MS,
    // By our own clock, which `next_attempt_at` is of.
    due: `SELECT FROM purge_receipt WHERE status IN ('deploying', 'rate-limited')`,
    async round({ isFirst }) {
      if (isFirst) await database.system(releasePending)
      return purgeRound(look, database, context, Date.now)
    },
  })
}

async function purgeRound(
  look: Look,
  database: Database,
  context: DriverContext,
  now: () => number,
): Promise<'again' | void> {
  const pending = await database.system((tx) => leasePending(tx, BATCH, LEASE_MS, new Date(now())))
  await Promise.all(
    pending.map(async (one) => {
      const { change, tellAgain } = await nextStep(look, context, one, now())
      await database.system(async (tx) => {
        if (tellAgain) await markAgain(tx, one)
        const isWritten = await writeReceipt(tx, one, change, new Date(now()))
        if (isWritten && change.status === 'failed') await tellFailedPurge(tx, one, change.detail)
        if (change.status !== undefined)
          await notifyConsole(tx, { organizationId: one.organizationId, kind: 'version', siteId: one.order.siteId })
      })
    }),
  )
  return pending.length > 0 ? 'again' : undefined
}

type Step = { change: ReceiptChange; tellAgain?: boolean }

async function nextStep(look: Look, context: DriverContext, pending: Pending, now: number): Promise<Step> {
  try {
    return pending.acceptedAt === null
      ? await tell(look, context, pending, now)
      : await see(look, context, pending, now)
  } catch (error) {
    if (error instanceof TryLater)
      return {
        change: {
          status: 'rate-limited',
          detail: { code: 'paused', why: error.message },
          nextAttemptAt: new Date(now + error.afterMs),
        },
      }
    const why = error instanceof Error ? error.message : String(error)
    return error instanceof VendorRefusal || now - pending.createdAt.getTime() > patienceWith(pending)
      ? { change: { status: 'failed', detail: { code: 'refused', why } } }
      : { change: { detail: { code: 'waiting', why }, nextAttemptAt: new Date(now + 2_000) } }
  }
}

/** Tells the CDN, until it says that it is done. */
async function tell(look: Look, context: DriverContext, pending: Pending, now: number): Promise<Step> {
  const { kind, targets, soft, version, order, driver, markedAt, id, attempts, vendorRef } = pending
  const seen = await heldBefore(look, context, pending)
  if (seen.length > 0) return { change: { samples: seen, nextAttemptAt: new Date(now) } }
  const word = await CDN_DRIVERS[driver].purge(context, order, {
    kind,
    targets,
    soft,
    version,
    reference: `${id}-${attempts}`,
    vendorRef,
  })
  switch (word.state) {
    case 'done':
      // From the next second on the Date of a new answer differs from that of anything stored before.
      return {
        change: {
          status: 'deploying',
          acceptedAt: new Date(now),
          nextAttemptAt: new Date(Math.floor(markedAt.getTime() / 1000) * 1000 + 1_020),
          ...(word.everything ? { detail: { code: 'everything' } } : {}),
        },
      }
    case 'in-progress':
      if (now - pending.createdAt.getTime() > patienceWith(pending))
        return { change: { status: 'failed', detail: { code: 'refused', why: word.why } } }
      return {
        change: {
          detail: { code: 'waiting', why: word.why },
          nextAttemptAt: new Date(now + (word.againMs ?? 250)),
          ...(word.vendorRef === undefined ? {} : { vendorRef: word.vendorRef }),
        },
      }
    case 'unsupported':
      return { change: { status: 'unknown', detail: { code: 'elsewhere', why: word.why } } }
    case 'failed':
      return { change: { status: 'failed', detail: { code: 'refused', why: word.why } } }
  }
}

/** Sees for itself. */
async function see(look: Look, context: DriverContext, pending: Pending, now: number): Promise<Step> {
  const { samples, attempts } = pending
  // Nobody but the vendor can tell what its nodes hold, so its word is told as that.
  if (samples.length === 0) {
    if (isVendor(pending)) return { change: { status: 'unknown', detail: { code: 'vendor-says' } } }
    return pending.looked
      ? { change: { status: 'completed', detail: { code: 'nothing-stored' } } }
      : { change: { status: 'unknown', detail: { code: 'not-looked' } } }
  }
  const cname = cnameOf(context, pending)
  const sights = await Promise.all(samples.map((sample) => lookAt(look, pending, cname, sample)))
  const old = sights.find(({ state }) => state === 'old')
  if (old) {
    const detail = { code: 'still-old' as const, path: old.sample.target.slice(0, 500), date: old.date }
    if (attempts + 1 >= TELLINGS) return { change: { status: 'failed', detail, attempts: attempts + 1 } }
    return {
      change: {
        status: 'deploying',
        detail,
        attempts: attempts + 1,
        acceptedAt: null,
        vendorRef: null,
        nextAttemptAt: new Date(now),
      },
      tellAgain: true,
    }
  }
  if (sights.some(({ state }) => state === 'silent')) {
    if (attempts + 1 >= SILENT_TRIES)
      return { change: { status: 'failed', detail: { code: 'silent' }, attempts: attempts + 1 } }
    return {
      change: {
        detail: { code: 'silent' },
        attempts: attempts + 1,
        nextAttemptAt: new Date(now + 1_000 * 2 ** attempts),
      },
    }
  }
  return { change: { status: 'completed', detail: { code: 'seen-gone', count: sights.length } } }
}

const isVendor = ({ driver }: Pending): boolean => ByoPlatform.safeParse(driver).success
const patienceWith = ({ driver }: Pending): number => CDN_DRIVERS[driver].purgePatienceMs ?? PATIENCE_MS
const cnameOf = ({ serviceDomain }: DriverContext, { driver, order, cname }: Pending): string =>
  cname ?? CDN_DRIVERS[driver].cnameFor(order, serviceDomain)

/**
 * Our nodes do not know what a vendor holds, and on a busy machine not always in time what they hold themselves: the
 * addresses that are to be purged are asked for before it is told, so that they can be compared afterwards.
 */
async function heldBefore(look: Look, context: DriverContext, pending: Pending): Promise<CachedSample[]> {
  const { kind, targets, samples, cname, order, attempts, vendorRef, looked } = pending
  const isUnknown = isVendor(pending) ? cname !== null : isHouse(pending) && !looked
  if (!isUnknown || kind !== 'url' || samples.length > 0 || attempts > 0 || vendorRef !== null) return []
  // Vendors are asked as visitors come; what is stored by our own nodes may be of either.
  const schemes = isVendor(pending) ? (['https'] as const) : (['http', 'https'] as const)
  const sights = await Promise.all(
    targets.slice(0, SAMPLES).flatMap((address) =>
      schemes.map((scheme) =>
        lookAt(look, pending, cnameOf(context, pending), {
          cdn: order.cdnId,
          scheme,
          ...placeOf(order.host, address),
          date: '',
        }),
      ),
    ),
  )
  return sights.flatMap(({ sample, date }) => (date === '' ? [] : [{ ...sample, date }]))
}

/** A wildcard's addresses begin with the name. */
function placeOf(host: string, address: string): { host: string; target: string } {
  const slash = host.startsWith('*.') ? address.indexOf('/') : 0
  return { host: slash > 0 ? address.slice(0, slash) : host, target: address.slice(slash) }
}

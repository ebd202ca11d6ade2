import type { CdnDriverName } from '@fairway/contract'
import {
  type CdnDriver,
  type CdnOrder,
  type DriverContext,
  type Observation,
  type Placed,
  type ProofRecord,
  TryLater,
  VendorRefusal,
} from './driver.ts'
import { type Action, type Desired, type Known, reconcileStep } from './reconcile-step.ts'
import { plainWords } from './vendor/vendor-words.ts'

/**
 * One CDN on one domain, as the store holds it. `badLooks`: so many looks in a row have found that it no longer serves.
 */
export type Leased = {
  order: CdnOrder
  driver: CdnDriverName
  desired: Desired
  attempts: number
  badLooks: number
} & Omit<Known, 'fact'>

/** What changed; fields left out stay. */
export type Learnt = Partial<Pick<Known, 'state' | 'stateSince' | 'appliedVersion' | 'nextAttemptAt'>> & {
  detail?: string | null
  attempts?: number
  badLooks?: number
  /** Whether it serves on with settings of before, since its vendor shows that those wanted are not in force. */
  behind?: boolean
  /** What a vendor has made; kept whatever else is wanted by now. */ placed?: Placed
  /** What a vendor wants to see in DNS. */ records?: ProofRecord[]
}

/** Rows of CDNs on domains, wherever they are kept. */
export type ReconcileStore = {
  /**
   * Takes up to `limit` that are not at their goal or must be looked at again, so that nobody else takes them for
   * `leaseMs`.
   */
  lease(limit: number, leaseMs: number): Promise<Leased[]>
  /** Writes what was learnt, unless what is desired has changed since the lease; the lease ends with it. */
  settle(entry: Leased, learnt: Learnt): Promise<void>
  /** The CDN is gone: so may be its row. */
  forget(entry: Leased): Promise<void>
}

export type ReconcileOptions = {
  store: ReconcileStore
  drivers: Record<CdnDriverName, CdnDriver>
  context: DriverContext
  now: () => number
  /** How often a CDN that serves is asked whether it still does, ms; five minutes unless said. */
  lookEveryMs?: number
  /** From 0 to 1, for when the next look is. */
  random?: () => number
}

const BATCH = 100
const LEASE_MS = 60_000
/** A driver is told at most so much in one round; the next round goes on. */
const STEPS = 4
/** Whether something that is leaving has left; a vendor to whom that is too often throws TryLater. */
const LOOK_AGAIN_MS = 1000
/** What goes on for long is looked at less and less often, as what is refused is tried again. */
const LOOK_AGAIN_AT_MOST_MS = 300_000
const LOOK_EVERY_MS = 300_000
/** Before a CDN leaves DNS because of what its vendor shows, it is looked at twice. */
const DOUBT_MS = 60_000
/** However long a vendor wants to be left alone. */
const LONGEST_MS = 3_600_000

/**
 * One look at everything that is not at its goal. Returns how many were taken: zero means that all is well or leased
 * elsewhere.
 */
export async function reconcileRound(options: ReconcileOptions): Promise<number> {
  const entries = await options.store.lease(BATCH, LEASE_MS)
  // Each by itself: one that cannot be written keeps the lease of no other.
  const done = await Promise.allSettled(entries.map((entry) => reconcileOne(options, entry)))
  for (const one of done) if (one.status === 'rejected') throw one.reason
  return entries.length
}

/** A CDN that is as it is wanted: all that is left to ask is whether it still is. */
const isLook = ({ state, desired, appliedVersion }: Leased): boolean =>
  state === 'operational' && desired.goal === 'serving' && appliedVersion !== null && appliedVersion >= desired.version

/** What a vendor shows that speaks against its serving; what is on its way beside what is served does not. */
const isBadLook = (fact: Observation): boolean =>
  fact.state === 'gone' ||
  fact.state === 'failed' ||
  fact.state === 'action-required' ||
  (fact.state === 'deploying' && fact.stays !== true)

/**
 * Asks a CDN that serves whether it still does. A vendor that does not answer, or refuses to, has said nothing about
 * that; and whatever it shows, a CDN that answers the name is not taken out.
 */
async function lookAt(
  { context, now, lookEveryMs = LOOK_EVERY_MS, random = Math.random }: ReconcileOptions,
  driver: CdnDriver,
  entry: Leased,
): Promise<Learnt> {
  const { order, badLooks } = entry
  // Those that became ready together are not looked at together for ever.
  const laterMs = () => lookEveryMs * (0.75 + random() / 2)
  try {
    const fact = await driver.observe(context, order)
    const learnt: Learnt = { nextAttemptAt: now() + laterMs(), ...recordsOf(fact) }
    if (fact.state === 'operational') return { ...learnt, badLooks: 0, attempts: 0, detail: null, behind: false }
    if (!isBadLook(fact)) return { ...learnt, badLooks: 0 }
    if (badLooks === 0) return { ...learnt, badLooks: 1, nextAttemptAt: now() + DOUBT_MS }
    if (await context.stillServes(order)) return { ...learnt, ...servesOn(entry, fact, now()) }
    const detail = ('detail' in fact && fact.detail) || 'The vendor no longer has it'
    return { ...learnt, state: 'failed', stateSince: now(), detail, badLooks: 0, ...pause(0, now()) }
  } catch (error) {
    return {
      nextAttemptAt: now() + Math.max(laterMs(), error instanceof TryLater ? Math.min(error.afterMs, LONGEST_MS) : 0),
    }
  }
}

/** What a vendor wants to see in DNS, if it says so. */
const recordsOf = (fact: Observation): Learnt => ('records' in fact && fact.records ? { records: fact.records } : {})

/**
 * Whether a try has come, where vendors take minutes for each. After nine tries it is looked at every five minutes, and
 * applied again after the 16th, 32nd, 64th … failure, then after every 64th: some five hours.
 */
const isAppliedAgain = (failures: number): boolean =>
  failures < 9 || failures % 64 === 0 || Number.isInteger(Math.log2(failures))

/** What it serves stays in DNS; what is wanted and has failed is told and applied again, later each time. */
function servesOn({ desired, attempts }: Pick<Leased, 'desired' | 'attempts'>, fact: Observation, now: number): Learnt {
  if (fact.state !== 'failed' && fact.state !== 'action-required') return { badLooks: 1 }
  const told = { badLooks: 1, detail: fact.detail, behind: true }
  if (fact.state !== 'failed') return told
  return {
    ...told,
    ...(isAppliedAgain(attempts) ? { appliedVersion: desired.version - 1 } : {}),
    ...pause(attempts, now),
  }
}

async function reconcileOne(options: ReconcileOptions, entry: Leased): Promise<void> {
  const { store, drivers, context, now } = options
  const driver = drivers[entry.driver]
  if (isLook(entry)) return settle(store, entry, await lookAt(options, driver, entry), now())
  const learnt: Learnt = {}
  try {
    for (let step = 0; step < STEPS; step++) {
      const order = learnt.placed
        ? { ...entry.order, vendorRef: learnt.placed.ref, vendorCertificate: learnt.placed.certificate }
        : entry.order
      const fact = await driver.observe(context, order)
      Object.assign(learnt, recordsOf(fact))
      const known = { ...entry, ...learnt, fact }
      const action = reconcileStep(entry.desired, known, now())
      // As in a look: what answers is not taken out for settings that are not in force.
      const isTakenOut = action.do === 'settle' && known.state === 'operational' && entry.desired.goal === 'serving'
      if (isTakenOut && isBadLook(fact) && (await context.stillServes(order, learnt.placed))) {
        Object.assign(learnt, servesOn(entry, fact, now()))
        break
      }
      if (action.do === 'wait') {
        if (driver.lookAgainMs !== undefined && isOnItsWay(fact) && now() >= known.nextAttemptAt)
          learnt.nextAttemptAt = now() + lookAgainMs(driver.lookAgainMs, now() - known.stateSince)
        break
      }
      if ((await carryOut(driver, context, { ...entry, order }, action, learnt, now())) === 'forget')
        return await store.forget(entry)
    }
  } catch (error) {
    Object.assign(learnt, pause(entry.attempts, now(), error instanceof TryLater ? error.afterMs : 0), {
      detail: error instanceof Error ? error.message : String(error),
    })
    if (error instanceof TryLater && error.records.length > 0) learnt.records = error.records
    // A no is a fact; what has served before is left as it is, since the vendor has changed nothing.
    if (error instanceof VendorRefusal && (learnt.state ?? entry.state) === 'deploying')
      Object.assign(learnt, { state: 'failed', stateSince: now() })
    if (error instanceof VendorRefusal && servesOlder(entry, learnt)) learnt.behind = true
  }
  await settle(store, entry, learnt, now())
}

/** It serves, and its vendor has not taken the settings that are wanted. */
const servesOlder = ({ desired, ...before }: Leased, learnt: Learnt): boolean =>
  desired.goal === 'serving' &&
  (learnt.state ?? before.state) === 'operational' &&
  (learnt.appliedVersion ?? before.appliedVersion ?? -1) < desired.version

/** What cannot be written must not be asked for again at once, and for ever. */
async function settle(store: ReconcileStore, entry: Leased, learnt: Learnt, now: number): Promise<void> {
  try {
    await store.settle(entry, learnt)
  } catch (error) {
    const why = plainWords(error instanceof Error ? error.message : String(error), 200)
    await store.settle(entry, {
      ...pause(entry.attempts, now, LOOK_AGAIN_MS),
      detail: `What it answered could not be kept: ${why}`,
    })
  }
}

/** Quickly at first; a quarter longer each time for what takes longer. */
const lookAgainMs = (firstMs: number, waitedMs: number): number =>
  Math.max(firstMs, Math.min(LOOK_AGAIN_AT_MOST_MS, waitedMs / 4))

const isOnItsWay = ({ state }: Observation): boolean =>
  state !== 'operational' && state !== 'failed' && state !== 'gone'

async function carryOut(
  driver: CdnDriver,
  context: DriverContext,
  { order, desired, attempts, state }: Leased,
  action: Exclude<Action, { do: 'wait' }>,
  learnt: Learnt,
  now: number,
): Promise<'forget' | 'go-on'> {
  switch (action.do) {
    case 'settle':
      Object.assign(
        learnt,
        { state: action.state, stateSince: now, detail: action.detail },
        action.state === 'failed' ? pause(attempts, now) : { attempts: 0 },
      )
      return 'go-on'
    case 'remove':
      if ((await driver.remove(context, order)) === 'done') return 'forget'
      Object.assign(learnt, { nextAttemptAt: now + (driver.lookAgainMs ?? LOOK_AGAIN_MS) })
      return 'go-on'
    default: {
      const placed = await driver[action.do](context, order)
      Object.assign(
        learnt,
        { appliedVersion: desired.version },
        placed ? { placed } : {},
        state === 'failed' ? pause(attempts, now) : {},
      )
      return 'go-on'
    }
  }
}

/** After 1, 2, 4 … seconds, at most five minutes, or when the vendor says, within an hour. */
function pause(attempts: number, now: number, atLeastMs = 0): Learnt {
  return {
    attempts: attempts + 1,
    nextAttemptAt:
      now + Math.max(Math.min(atLeastMs, LONGEST_MS), Math.min(300_000, 1000 * 2 ** Math.min(attempts, 9))),
  }
}

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

/** One CDN on one domain, as the store holds it. */
export type Leased = { order: CdnOrder; driver: CdnDriverName; desired: Desired; attempts: number } & Omit<
  Known,
  'fact'
>

/** What changed; fields left out stay. */
export type Learnt = Partial<Pick<Known, 'state' | 'stateSince' | 'appliedVersion' | 'nextAttemptAt'>> & {
  detail?: string | null
  attempts?: number
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
}

const BATCH = 100
const LEASE_MS = 60_000
/** A driver is told at most so much in one round; the next round goes on. */
const STEPS = 4
/** Whether something that is leaving has left; a vendor to whom that is too often throws TryLater. */
const LOOK_AGAIN_MS = 1000

/**
 * One look at everything that is not at its goal. Returns how many were taken: zero means that all is well or leased
 * elsewhere.
 */
export async function reconcileRound(options: ReconcileOptions): Promise<number> {
  const entries = await options.store.lease(BATCH, LEASE_MS)
  await Promise.all(entries.map((entry) => reconcileOne(options, entry)))
  return entries.length
}

async function reconcileOne({ store, drivers, context, now }: ReconcileOptions, entry: Leased): Promise<void> {
  const driver = drivers[entry.driver]
  const learnt: Learnt = {}
  try {
    for (let step = 0; step < STEPS; step++) {
      const order = learnt.placed
        ? { ...entry.order, vendorRef: learnt.placed.ref, vendorCertificate: learnt.placed.certificate }
        : entry.order
      const fact = await driver.observe(context, order)
      if ('records' in fact && fact.records) learnt.records = fact.records
      const known = { ...entry, ...learnt, fact }
      const action = reconcileStep(entry.desired, known, now())
      if (action.do === 'wait') {
        if (driver.lookAgainMs !== undefined && isOnItsWay(fact) && now() >= known.nextAttemptAt)
          learnt.nextAttemptAt = now() + driver.lookAgainMs
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
  }
  await store.settle(entry, learnt)
}

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

/** After 1, 2, 4 … seconds, at most five minutes, or when the vendor says. */
function pause(attempts: number, now: number, atLeastMs = 0): Learnt {
  return {
    attempts: attempts + 1,
    nextAttemptAt: now + Math.max(atLeastMs, Math.min(300_000, 1000 * 2 ** Math.min(attempts, 9))),
  }
}

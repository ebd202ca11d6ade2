import { type EventStore, StoreAway } from '@fairway/analytics'
import { DatabaseAway, type Config, type Database, type Log } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { holdKinds, noteClock } from '../operator/holds-store.ts'
import { ClockWatch } from './clock-watch.ts'
import { collectDue, settleStrays } from './collect.ts'
import { billableUntil, runMonth } from './month-run.ts'
import { openPayments } from './payments.ts'
import { countUsage, findFacts } from './usage-meter.ts'
import { UsageSoFar } from './usage-so-far.ts'

const ROUND_MS = 15_000
const HOUR_MS = 3_600_000
/** Nodes deliver late after an absence; once an hour these days are counted again. */
const LATE_DAYS = 3
/** A vendor that could not be read for long is read from where that began. */
const VENDORS_LATE_DAYS = 31

/** Counts usage, follows limits and trials, posts invoices when a month has ended and charges what is due. */
export function startBilling(config: Config, database: Database, events: EventStore, log: Log): RunningLoop {
  const { gateway } = openPayments(config, database)
  const clock = new ClockWatch()
  const soFar = new UsageSoFar()
  let lateAt = 0
  let countedFor = 0
  const round = async () => {
    const now = new Date()
    // Before a month's invoices, after which nothing of it counts any more, its last days are read whole.
    const month = billableUntil(now).getTime()
    const late = now.getTime() - lateAt >= HOUR_MS || month !== countedFor
    // Yesterday is counted along until the nodes have surely delivered it.
    const recent = now.getUTCHours() < 3 ? 1 : 0
    const problems: unknown[] = []
    // What fails of one step keeps no other; the round has failed all the same.
    const step = (done: Promise<unknown>): Promise<boolean> =>
      done.then(
        () => true,
        (error: unknown) => {
          if (error instanceof DatabaseAway) throw error
          if (!(error instanceof StoreAway)) problems.push(error)
          return false
        },
      )
    // Looked at before this round counts, which says when it did.
    const held = await database.system(async (tx) => {
      const trouble = await clock.trouble(tx)
      if (trouble !== null) {
        log.error({ event: 'billing.clock-not-believed', seconds: trouble })
        await noteClock(tx, trouble)
      }
      return holdKinds(tx)
    })
    clock.noted()
    const counted = await step(
      countUsage(
        database,
        events,
        { daysBack: late ? LATE_DAYS : recent, vendorDaysBack: late ? VENDORS_LATE_DAYS : recent, now },
        { soFar, whole: late },
      ),
    )
    if (counted && late) [lateAt, countedFor] = [now.getTime(), month]
    if (!held.has('clock')) await step(findFacts(config, database, log, now))
    // What was charged in a time that is forgotten, or is not to be charged yet, is for an operator to say.
    if (held.size === 0) {
      // Without the store the last days of a month may not be counted: its invoices wait.
      if (counted) await step(runMonth(config, database, log, now))
      await step(collectDue({ config, database, gateway, log }, now))
      await step(settleStrays({ config, database, gateway, log }, now))
    }
    if (problems.length > 0) throw problems[0]
  }
  return startWakeLoop(database, log, {
    name: 'billing',
    isElected: true,
    pollMs: ROUND_MS,
    firstAfterMs: 1_000,
    round,
  })
}

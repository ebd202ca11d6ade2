import { type EventStore, StoreAway, viewedUsage } from '@fairway/analytics'
import { DatabaseAway, type Config, type Database, type Log } from '@fairway/platform'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { holdKinds, noteClock } from '../operator/holds-store.ts'
import { ClockWatch } from './clock-watch.ts'
import { collectDue, settleStrays } from './collect.ts'
import { billableUntil, runMonth } from './month-run.ts'
import { openPayments } from './payments.ts'
import { UsageCount } from './usage-count.ts'
import { countUsage, countViews, findFacts } from './usage-meter.ts'
import { UsageSoFar } from './usage-so-far.ts'

const ROUND_MS = 15_000
/** Counts usage, follows limits and trials, posts invoices when a month has ended and charges what is due. */
export function startBilling(config: Config, database: Database, events: EventStore, log: Log): RunningLoop {
  const { gateway } = openPayments(config, database)
  const clock = new ClockWatch()
  // Views are as many as visitors make them: what fails of them keeps no other usage.
  const counts = [new UsageCount(countUsage, new UsageSoFar()), new UsageCount(countViews, new UsageSoFar(viewedUsage))]
  const round = async () => {
    const now = new Date()
    const month = billableUntil(now).getTime()
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
    let counted = true
    for (const count of counts)
      counted = (await step(count.round({ database, events, log }, { now, month }))) && counted
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

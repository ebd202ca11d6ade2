import os from 'node:os'
import type { Tx } from '@fairway/platform'
import { holdKinds, isClockConfirmed } from '../operator/holds-store.ts'

/** As far as two clocks may differ that are both right. */
const APART_MS = 60_000
/** Counting has not been away so long, or the clock is wrong. */
const UNCOUNTED_MS = 10 * 86_400_000
/** A clock that was set and has gone evenly for so long is taken as it is where nobody writes down that it was set. */
const EVEN_MS = 3_600_000

export type Clocks = {
  wall: () => number
  /** Goes on while the machine sleeps, and is never set; in ms from some time on. */
  steady: () => number
}

const CLOCKS: Clocks = { wall: Date.now, steady: () => os.uptime() * 1000 }

/** Whether the clock of this machine is to be believed when it says that a month, or what else has an end, is over. */
export class ClockWatch {
  readonly #clocks: Clocks
  #offset: number
  #seen: number
  #even: { offset: number; from: number }

  constructor(clocks: Clocks = CLOCKS) {
    this.#clocks = clocks
    this.#offset = clocks.wall() - clocks.steady()
    this.#seen = this.#offset
    this.#even = { offset: this.#offset, from: clocks.steady() }
  }

  /**
   * Whether what cannot be taken back, such as a removal, may be done because its time has come: the clocks are as they
   * should be, and nothing about them waits for an operator.
   */
  async isTrusted(tx: Tx): Promise<boolean> {
    const steady = this.#clocks.steady()
    const offset = this.#clocks.wall() - steady
    if (Math.abs(offset - this.#even.offset) > APART_MS) this.#even = { offset, from: steady }
    else if (steady - this.#even.from >= EVEN_MS) this.#offset = offset
    return !(await holdKinds(tx)).has('clock') && (await this.trouble(tx)) === null
  }

  /** What `trouble` has said is written: it holds from here on, and is said once. */
  noted(): void {
    this.#offset = this.#seen
  }

  /**
   * Seconds by which it was set since the process began, differs from the database's, or is beyond what was last
   * counted or billed; null where all is as it should be, or an operator has just said so.
   */
  async trouble(tx: Tx): Promise<number | null> {
    const now = this.#clocks.wall()
    const offset = now - this.#clocks.steady()
    const set = offset - this.#offset
    this.#seen = offset
    const [row] = await tx.query<{ database: Date; counted: Date | null; open: Date | null }>(
      `SELECT clock_timestamp() AS database, (SELECT usage_counted_at FROM installation) AS counted,
         (SELECT percentile_disc(0.51) WITHIN GROUP (ORDER BY b.billed_until) FROM billing_account b JOIN organization o ON o.id = b.organization_id WHERE b.billed AND NOT o.sandbox
            AND (o.closed_at IS NULL OR b.billed_until <= o.closed_at)) AS open`,
    )
    const apart = now - (row?.database.getTime() ?? now)
    if (Math.abs(set) > APART_MS) return set / 1000
    if (Math.abs(apart) > APART_MS) return apart / 1000
    const uncounted = row?.counted ? now - row.counted.getTime() : 0
    // More than the month that has just ended, of most accounts: one that cannot be billed is no clock.
    const [at, open] = [new Date(now), row?.open?.getTime() ?? now]
    const lastMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1)
    const beyond = uncounted > UNCOUNTED_MS ? uncounted : open < lastMonth ? now - open : 0
    return beyond === 0 || (await isClockConfirmed(tx)) ? null : beyond / 1000
  }
}

/** From the start of the process on: a clock that jumps is seen by whoever asks next. */
const ofProcess = new ClockWatch()

/** Whether the end of a time may be acted on for good; see `ClockWatch.isTrusted`. */
export const isClockTrusted = (tx: Tx): Promise<boolean> => ofProcess.isTrusted(tx)

/** A gap in an encoder's clock is filled with frames, as many as it is long; beyond this, with none. */
const MOST_JUMP_MS = 60_000
/** The clock of frames may go so far ahead of ours in one step, or it has jumped. */
const MOST_STEP_MS = 10_000
/** So far ahead they may be, as after a line that was cut; what comes earlier waits. */
const MOST_AHEAD_MS = 10_000
/** What a line has held back may be made up for so far. */
const MOST_BEHIND_MS = 5_000
const LEAST_WAIT_MS = 1_000
/** Clocks of encoders that run for weeks differ from ours by less than this share. */
const DRIFT = 0.001

/**
 * Holds what an encoder sends to the time that passes: faster than that it would take the cores of all other streams,
 * and its picture would be dated in the future.
 */
export class Pace {
  #last: { time: number; now: number } | null = null
  #ahead = 0

  /**
   * @param time of a frame, ms, of 32 bits, which begin anew @param now of a clock that only goes on, ms
   * @returns ms that the next frame has to wait, fewer than a sender may be silent where it was asked after each frame
   * @throws Error when its clock has jumped
   */
  take(time: number, now: number): number {
    const before = this.#last
    this.#last = { time, now }
    if (before === null) return 0
    const step = (time - before.time) | 0
    const passed = now - before.now
    if (Math.abs(step) > MOST_JUMP_MS || step - passed > MOST_STEP_MS) throw new Error('its clock has jumped')
    // Going back and forth brings nobody forth.
    this.#ahead = Math.max(-MOST_BEHIND_MS, this.#ahead + Math.max(0, step) - passed * (1 + DRIFT))
    const early = this.#ahead - MOST_AHEAD_MS
    return early <= 0 ? 0 : Math.max(LEAST_WAIT_MS, early)
  }
}

/** A gap in an encoder's clock is filled with frames, as many as it is long; beyond this, with none. */
const MOST_JUMP_MS = 60_000
/** The clock of frames may go so far ahead of ours in one step, as where a line stalled and frames were dropped. */
const MOST_STEP_MS = 25_000
/** So far ahead they may be, as after a line that was cut; what comes earlier waits. */
const MOST_AHEAD_MS = 10_000
/** What a line has held back may be made up for so far. */
const MOST_BEHIND_MS = 5_000
const LEAST_WAIT_MS = 1_000
/** Who is silent for longer is put out; what is left to wait for is asked of the next frame. */
const MOST_WAIT_MS = 10_000
/** Frames that others are shown before come so much out of order; a clock that goes further back has begun anew. */
const MOST_REORDER_MS = 5_000
/** Clocks of encoders that run for weeks differ from ours by less than this share. */
const DRIFT = 0.001

/**
 * Holds what an encoder sends to the time that passes: faster than that it would take the cores of all other streams,
 * and its picture would be dated in the future.
 */
export class Pace {
  #last: { time: number; now: number } | null = null
  /** Where its clock is, and the furthest that it was: ms, of its steps. */
  #at = 0
  #furthest = 0
  #ahead = 0
  #mostJump: number

  /** @param mostJump either way, ms: sound may be silent for any time, and fills no gap */
  constructor(mostJump = MOST_JUMP_MS) {
    this.#mostJump = mostJump
  }

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
    if (Math.abs(step) > this.#mostJump || step - passed > MOST_STEP_MS) throw new Error('its clock has jumped')
    this.#at = Math.max(this.#furthest - MOST_REORDER_MS, this.#at + step)
    // Only what is new counts: times of pictures go back and forth, once around each that was foreseen.
    const gain = Math.max(0, this.#at - this.#furthest)
    this.#furthest += gain
    this.#ahead = Math.max(-MOST_BEHIND_MS, this.#ahead + gain - passed * (1 + DRIFT))
    // One long step is a stall; one after the other would be faster than anybody waits.
    if (gain > MOST_WAIT_MS && this.#ahead > MOST_AHEAD_MS + MOST_STEP_MS) throw new Error('its clock has jumped')
    const early = this.#ahead - MOST_AHEAD_MS
    return early <= 0 ? 0 : Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, early))
  }
}

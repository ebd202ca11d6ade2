import type { Config } from '@fairway/platform'

/** Starts with batches that did not end well, after which one is made without. */
const MOST_BAD_STARTS = 3
/** Who has lived so long did not die of its start. */
const STEADY_MS = 60_000

/**
 * What a fault in memory that is not JavaScript's does is end the process, so ends are counted: after three that came
 * within a minute, one start does without batches.
 */
export class BatchStarts {
  readonly #setting: Config['dnsTransport']
  #bad = 0

  constructor(setting: Config['dnsTransport']) {
    this.#setting = setting
  }

  /** What the next start is told to take. */
  next(): Config['dnsTransport'] {
    if (this.#setting !== 'auto' || this.#bad < MOST_BAD_STARTS) return this.#setting
    this.#bad = 0
    return 'dgram'
  }

  ended(livedMs: number): void {
    this.#bad = livedMs < STEADY_MS ? this.#bad + 1 : 0
  }
}

const TICK_MS = 100
/** A tick that comes later than this says that the machine stood still, not that the other side did. */
const LATE_MS = 50
/** However busy this machine is, nobody waits longer. */
const AT_MOST_MS = 5_000

/** Nothing came for longer than it may take. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer in time')
  }
}

/**
 * The outcome of `work`, or that none came: ticks that came in time are counted, so that a machine too busy to run this
 * process does not make a silent server of one that waits like everybody else.
 */
export function answered<T>(work: Promise<T>, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    let left = Math.ceil(withinMs / TICK_MS)
    let timer: NodeJS.Timeout
    const again = () => {
      const due = performance.now() + TICK_MS
      timer = setTimeout(() => {
        const now = performance.now()
        if (now - due < LATE_MS) left--
        // One turn of the loop more: an answer that lies in the socket is read first.
        if (left <= 0 || now - began > AT_MOST_MS) setImmediate(() => setImmediate(reject, new NoAnswer()))
        else again()
      }, TICK_MS)
    }
    again()
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

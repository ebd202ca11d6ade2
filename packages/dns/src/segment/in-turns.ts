import { setImmediate as nextTurn } from 'node:timers/promises'

/** Names or sets of one turn: some milliseconds. */
export const TURN = 2_000

/** Does all of it in one go. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** The same in turns, with whatever else there is to do in between. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await nextTurn()
  }
}

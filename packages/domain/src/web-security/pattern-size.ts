import { after, memoOf, type Pattern, startOf, type State, STATES_MOST } from './pattern.ts'

/** What may still be spent on finding how large patterns are, in places of states that are looked at. */
export type Allowance = { left: number }

/** Of one pattern, and of all of one expression: a fraction of a second. */
const OF_ONE = 1_500_000
export const OF_EXPRESSION = 5_000_000

/**
 * Whether the states of a pattern are few enough to be kept where requests are held against it. `[ab]*a[ab]{90}c` has
 * one for every way in which ninety bytes can be written: each request would have thousands worked out.
 */
export function isSmall(pattern: Pattern, allowance: Allowance): boolean {
  const memo = memoOf(pattern)
  const most = Math.min(OF_ONE, allowance.left)
  let spent = 0
  const waiting: State[] = [startOf(pattern, memo)]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    // Nothing is read beyond what is found.
    if (state.found) continue
    for (let kind = 0; kind < memo.ones.length; kind++) {
      spent += state.places.length + 1
      const before = memo.count
      if (before >= STATES_MOST || spent > most) {
        allowance.left -= spent
        return false
      }
      const next = after(pattern, memo, state, kind)
      if (memo.count > before) waiting.push(next)
    }
  }
  allowance.left -= spent
  return true
}

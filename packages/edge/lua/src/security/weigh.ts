/** Of the events of one kind: the second, how many there were in it, and those that no written one stands for yet. */
type Kind = { second: number; seen: number; owed: number }

/** So many events of a kind in a second are each written. */
const EACH = 50
const KINDS_MOST = 10_000

let kinds: Record<string, Kind | undefined> = {}
let known = 0

/**
 * How many events the one that is written now stands for; 0 when it is not written but counted with a later one. What
 * is still owed when a flood ends is less than a hundredth of its last second. This worker's own.
 */
export function weighed(kind: string, now: number): number {
  let one = kinds[kind]
  if (one === undefined) {
    if (known >= KINDS_MOST) {
      kinds = {}
      known = 0
    }
    one = { second: now, seen: 0, owed: 0 }
    kinds[kind] = one
    known += 1
  }
  if (one.second !== now) {
    one.second = now
    one.seen = 0
  }
  one.seen += 1
  one.owed += 1
  if (one.seen > EACH && one.owed < one.seen / 100) return 0
  const weight = one.owed
  one.owed = 0
  return weight
}

/** One probe of one CDN, at epoch ms. */
export type Check = { at: number; ok: boolean }

/** A node's checks that count: its newest ones. */
export const CHECKS_OF_NODE = 3
const COUNTS_MS = 10_000
/** It comes back in steps, each of which must hold: what fails every other time does not flap. */
const GOOD_ROUNDS = 2

/** Neither old nor later than now. */
export const isCheckFresh = ({ at }: Check, now: number): boolean => at <= now && now - at <= COUNTS_MS

/**
 * Whether probes see a CDN dead: two thirds of the nodes by their latest check or, while only one node reports, 2 of
 * its last 3 checks.
 * Once dead it stays so until the same share of nodes has seen it alive in two rounds; then it comes back in steps.
 * Only fresh checks count; without any the state stays as it is.
 * @param nodes each node's checks, newest first
 */
export function hardFailure({
  nodes,
  wasDown,
  now,
}: {
  nodes: Iterable<readonly Check[]>
  wasDown: boolean
  now: number
}): boolean {
  let [reporting, failing, recovered, badOfLast] = [0, 0, 0, 0]
  for (const checks of nodes) {
    let counted = 0
    let bad = 0
    // Runs over all nodes for each check of a CDN that some of them see dead: nothing is allocated.
    for (const check of checks) {
      if (!isCheckFresh(check, now)) continue
      counted++
      if (!check.ok) bad++
      if (counted === 1 && bad === 1) failing++
      if (counted === GOOD_ROUNDS && bad === 0) recovered++
      if (counted === CHECKS_OF_NODE) break
    }
    if (counted === 0) continue
    reporting++
    badOfLast = bad
  }
  if (reporting === 0) return wasDown
  const isShare = (count: number) => count * 3 >= reporting * 2
  if (wasDown) return !isShare(recovered)
  return reporting === 1 ? badOfLast >= 2 : isShare(failing)
}

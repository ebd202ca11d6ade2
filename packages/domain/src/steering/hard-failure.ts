/** One probe of one CDN by one node, at epoch ms. */
export type Check = { node: string; at: number; ok: boolean }

/** A node's checks that count: its newest ones. */
const KEPT = 3
/** It comes back in steps, each of which must hold: what fails every other time does not flap. */
const GOOD_ROUNDS = 2

/**
 * Whether probes see a CDN dead: two thirds of the nodes by their latest check or, while only one node reports, 2 of
 * its last 3 checks.
 * Once dead it stays so until the same share of nodes has seen it alive in two rounds; then it comes back in steps.
 * Checks older than `freshMs` don't count; without any the state stays as it is.
 */
export function hardFailure({
  checks,
  wasDown,
  now,
  freshMs = 10_000,
}: {
  checks: readonly Check[]
  wasDown: boolean
  now: number
  freshMs?: number
}): boolean {
  const nodes = byNode(checks.filter((check) => now - check.at <= freshMs))
  if (nodes.length === 0) return wasDown
  const share = (has: (checks: Check[]) => boolean) => nodes.filter(has).length * 3 >= nodes.length * 2
  if (wasDown) return !share(hasRecovered)
  const [only, ...others] = nodes
  return only !== undefined && others.length === 0 ? badOf(only.slice(0, 3)) >= 2 : share((own) => own[0]?.ok === false)
}

/** Each node's newest checks, newest first. */
function byNode(checks: readonly Check[]): Check[][] {
  const nodes = Map.groupBy(checks, (check) => check.node)
  return [...nodes.values()].map((own) => own.sort((a, b) => b.at - a.at).slice(0, KEPT))
}

const badOf = (checks: readonly Check[]): number => checks.filter((check) => !check.ok).length

const hasRecovered = (checks: Check[]): boolean =>
  checks.length >= GOOD_ROUNDS && checks.slice(0, GOOD_ROUNDS).every((check) => check.ok)

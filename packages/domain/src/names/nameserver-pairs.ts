/** Two positions in the set of nameservers, counted from 0, the smaller first. */
export type NameserverPair = readonly [number, number]

export type PairLot = {
  /** How many nameserver names there are. */
  servers: number
  /** The pair of every other organisation. */
  taken: readonly NameserverPair[]
  /** Pairs that must not be drawn while there is another one: those that others have or had for the same name. */
  avoid: readonly NameserverPair[]
}

/**
 * Draws among the pairs that the fewest organisations have, so that pairs are distinct while the set lasts. `random`
 * answers a whole number from 0 up to its argument, which is left out.
 */
export function drawPair({ servers, taken, avoid }: PairLot, random: (below: number) => number): NameserverPair {
  const uses = new Map<string, number>()
  for (const pair of taken) uses.set(String(pair), (uses.get(String(pair)) ?? 0) + 1)
  const avoided = new Set(avoid.map(String))
  const all = pairsOf(servers)
  const open = all.filter((pair) => !avoided.has(String(pair)))
  const candidates = open.length > 0 ? open : all
  const usesOf = (pair: NameserverPair): number => uses.get(String(pair)) ?? 0
  const least = candidates.reduce((found, pair) => Math.min(found, usesOf(pair)), Infinity)
  const lots = candidates.filter((pair) => usesOf(pair) === least)
  return lots[random(lots.length)] ?? [0, 1]
}

export const samePair = (one: readonly number[], other: readonly number[]): boolean => String(one) === String(other)

/** All that can be drawn. */
export function pairsOf(servers: number): NameserverPair[] {
  return Array.from({ length: servers }, (_, first) =>
    Array.from({ length: servers - first - 1 }, (__, more): NameserverPair => [first, first + more + 1]),
  ).flat()
}

/** What one /24 (or /48) of one network said at a level: `samples` before anything is left out. */
export type Voice = { subnet: number; network: string; samples: number }

/** The most that one /24 (or /48), and one network (AS), may count for among what counts; null is no bound. */
export type InfluenceShares = { subnet: number; network: number | null }

/** Samples that one /24 (or /48), and one network, count for at most. */
export type InfluenceCaps = { subnet: number; network: number; total: number }

/** A /24 that wrote before rows told it apart; it can be bound by its network only. */
export const UNTOLD_SUBNET = 0

/** However few visitors there are, one /24 counts for one sample and a network for as many as a figure needs. */
export const LEAST_OF_SUBNET = 1
export const LEAST_OF_NETWORK = 20

const ABOVE_ITS_NETWORK = 1 / 100
/**
 * In its own network a /24 may weigh more, for it is a larger part of it; not so much that it alone takes the figure
 * below the usual threshold.
 */
const IN_ITS_NETWORK = 1 / 20

/** The bounds at a score key. */
export function sharesAt(scoreKey: string): InfluenceShares {
  if (scoreKey.includes('|')) return { subnet: IN_ITS_NETWORK, network: null }
  if (scoreKey.startsWith('country:')) return { subnet: ABOVE_ITS_NETWORK, network: 1 / 4 }
  if (scoreKey === 'world' || scoreKey.startsWith('continent:')) return { subnet: ABOVE_ITS_NETWORK, network: 1 / 10 }
  return { subnet: ABOVE_ITS_NETWORK, network: null }
}

/**
 * How much each may count for at most, as shares of what counts *after* the caps: the greatest total T with
 * `T = Σ networks min(Σ subnets min(samples, cap of a subnet at T), cap of a network at T)`.
 * Both sides grow with T, so going down from everything ends at the greatest such total: no sample is left out that the
 * shares would let in. Each subnet is named once.
 */
export function influenceCaps(voices: readonly Voice[], shares: InfluenceShares): InfluenceCaps {
  const networks = [...Map.groupBy(voices, (voice) => voice.network).values()].map(sortedSums)
  let total = voices.reduce((sum, voice) => sum + voice.samples, 0)
  for (;;) {
    const caps = capsAt(total, shares)
    const counted = networks.reduce((sum, network) => sum + Math.min(network.cutAt(caps.subnet), caps.network), 0)
    if (counted >= total) return { ...caps, total: counted }
    total = counted
  }
}

// A share of a whole number of samples must not lose one to the binary form of 1/100.
const part = (total: number, share: number): number => Math.floor(total * share + 1e-9)

const capsAt = (total: number, { subnet, network }: InfluenceShares) => ({
  subnet: Math.max(LEAST_OF_SUBNET, part(total, subnet)),
  network: network === null ? Infinity : Math.max(LEAST_OF_NETWORK, part(total, network)),
})

/** Sums of one network's voices cut at any cap, in the time of a search: the caps take many steps to settle. */
function sortedSums(voices: readonly Voice[]): { cutAt: (cap: number) => number } {
  const told = voices.filter((voice) => voice.subnet !== UNTOLD_SUBNET)
  const untold = voices.reduce((sum, voice) => sum + (voice.subnet === UNTOLD_SUBNET ? voice.samples : 0), 0)
  const sizes = told.map((voice) => voice.samples).sort((a, b) => a - b)
  const sums = [0]
  for (const size of sizes) sums.push((sums.at(-1) ?? 0) + size)
  return {
    cutAt(cap) {
      let [low, high] = [0, sizes.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((sizes[middle] ?? 0) <= cap) low = middle + 1
        else high = middle
      }
      return untold + (sums[low] ?? 0) + (sizes.length - low) * cap
    },
  }
}

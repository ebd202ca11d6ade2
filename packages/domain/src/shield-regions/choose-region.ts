/** A shield region as its nodes see an origin. */
export type RegionFacts = {
  region: string
  /** Some node of it is there and can be fetched through. */ usable: boolean
  /** How long its nodes take to connect to the origin; null while none could. */ ms: number | null
}

/**
 * `chosen` by the owner; `nearest` by measured time; `kept`, for another would hardly be nearer; `unmeasured` as yet, so
 * the first by name; `next`: the one that was chosen is gone; `none`: there is no region that can be used.
 */
export type RegionReason = 'chosen' | 'nearest' | 'kept' | 'unmeasured' | 'next' | 'none'

export type ChosenRegion = {
  region: string | null
  why: RegionReason
  /** All that can be used, in the order in which they are asked. */ order: string[]
}

/** Another region has to be nearer by so much before traffic moves to it: both, for times waver. */
const NEARER_SHARE = 0.8
const NEARER_MS = 5

/**
 * Which region speaks with an origin, and which ones after it. `wanted` null is auto; `before` is the order that holds
 * now, the one that speaks first.
 */
export function chooseRegion(
  wanted: string | null,
  before: readonly string[],
  regions: readonly RegionFacts[],
): ChosenRegion {
  const usable = regions
    .filter((one) => one.usable)
    .toSorted((a, b) => (a.ms ?? Infinity) - (b.ms ?? Infinity) || (a.region < b.region ? -1 : 1))
  const [nearest] = usable
  if (nearest === undefined) return { region: null, why: 'none', order: [] }
  const others = settled(before, usable)
  const first = (region: string, why: RegionReason): ChosenRegion => ({
    region,
    why,
    order: [region, ...others.filter((one) => one !== region)],
  })
  if (wanted !== null && usable.some(({ region }) => region === wanted)) return first(wanted, 'chosen')
  const gone = wanted === null ? null : ('next' as const)
  const current = usable.find(({ region }) => region === before[0])
  if (nearest.ms === null) return first(current?.region ?? nearest.region, gone ?? 'unmeasured')
  if (current !== undefined && current !== nearest && current.ms !== null && !isNearer(nearest.ms, current.ms))
    return first(current.region, gone ?? 'kept')
  return first(nearest.region, gone ?? 'nearest')
}

/**
 * The order of before, in which one goes ahead of its neighbour only when it has become nearer by so much: each other
 * order is a version that goes to every edge.
 */
function settled(before: readonly string[], usable: readonly RegionFacts[]): string[] {
  const known = before.flatMap((name) => usable.filter(({ region }) => region === name))
  const order = [...known, ...usable.filter((one) => !known.includes(one))]
  for (let end = order.length - 1; end > 0; end--)
    for (let at = 0; at < end; at++) {
      const [one, next] = [order[at], order[at + 1]]
      if (one && next && next.ms !== null && isNearer(next.ms, one.ms ?? Infinity))
        [order[at], order[at + 1]] = [next, one]
    }
  return order.map(({ region }) => region)
}

const isNearer = (ms: number, than: number): boolean => ms <= than * NEARER_SHARE && than - ms >= NEARER_MS

/** The middle of what was measured; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.floor(sorted.length / 2)]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

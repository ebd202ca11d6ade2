import type { GeoTables } from './geo-file.ts'
import type { GeoHit } from './geo-hit.ts'

/**
 * Finds the step that covers the upper 64 bits of an IPv6 address and the widest network around it in which nothing
 * changes, which is not told finer than /64.
 */
export function findIpv6(tables: GeoTables, high: number, low: number, into: GeoHit): void {
  const { v6Top, v6First, v6Low, v6Leaf, leafPlace, leafNetwork } = tables
  const top = lastAtOrBefore(v6Top, 0, v6Top.length, high)
  const first = v6First[top] ?? 0
  const step =
    v6Top[top] === high ? lastAtOrBefore(v6Low, first, v6First[top + 1] ?? 0, low) : (v6First[top + 1] ?? 0) - 1
  const leaf = v6Leaf[step] ?? 0
  into.place = leafPlace[leaf] ?? 0
  into.network = leafNetwork[leaf] ?? 0
  let length = 0
  if (step > 0) {
    const startHigh = v6Top[step < first ? top - 1 : top] ?? 0
    const startLow = v6Low[step] ?? 0
    length =
      sharedBits(high, low, startLow === 0 ? startHigh - 1 : startHigh, startLow === 0 ? 0xffffffff : startLow - 1) + 1
  }
  const next = step + 1
  if (next < v6Leaf.length) {
    const nextHigh =
      v6Top[next < first || next < (v6First[top + 1] ?? 0) ? (next < first ? top - 1 : top) : top + 1] ?? 0
    const shared = sharedBits(high, low, nextHigh, v6Low[next] ?? 0) + 1
    if (shared > length) length = shared
  }
  into.prefixLength = length
}

function sharedBits(highA: number, lowA: number, highB: number, lowB: number): number {
  return highA >>> 0 === highB >>> 0 ? 32 + Math.clz32(lowA ^ lowB) : Math.clz32(highA ^ highB)
}

/** Index of the last entry in [from, to) that is not above the value; from - 1 when there is none. */
function lastAtOrBefore(sorted: Uint32Array, from: number, to: number, value: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

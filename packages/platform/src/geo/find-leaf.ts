import type { GeoTables } from './geo-file.ts'

/** Result of a search, written in place so that a lookup allocates nothing. */
export type FoundLeaf = { leaf: number; prefixLength: number }

/** Finds the step that covers an IPv4 address (32 bits) and the widest network around the address in which nothing changes. */
export function findIpv4(tables: GeoTables, address: number, into: FoundLeaf): void {
  const { v4First, v4Low, v4Leaf } = tables
  const half = address >>> 16
  const first = v4First[half] ?? 0
  const end = v4First[half + 1] ?? 0
  const step = lastAtOrBefore(v4Low, first, end, address & 0xffff)
  into.leaf = v4Leaf[step] ?? 0
  const start = stepStart(tables, step, half)
  const next = step + 1 < v4Leaf.length ? stepStart(tables, step + 1, half) : -1
  const before = start === 0 ? 0 : Math.clz32(address ^ (start - 1)) + 1
  const after = next < 0 ? 0 : Math.clz32(address ^ next) + 1
  into.prefixLength = before > after ? before : after
}

/** The same for the upper 64 bits of an IPv6 address; networks are not told finer than /64. */
export function findIpv6(tables: GeoTables, high: number, low: number, into: FoundLeaf): void {
  const { v6Top, v6First, v6Low, v6Leaf } = tables
  const top = lastAtOrBefore(v6Top, 0, v6Top.length, high)
  const first = v6First[top] ?? 0
  const step = v6Top[top] === high ? lastAtOrBefore(v6Low, first, v6First[top + 1] ?? 0, low) : (v6First[top + 1] ?? 0) - 1
  into.leaf = v6Leaf[step] ?? 0
  let length = 0
  if (step > 0) {
    const startHigh = v6Top[step < first ? top - 1 : top] ?? 0
    const startLow = v6Low[step] ?? 0
    length = sharedBits(high, low, startLow === 0 ? startHigh - 1 : startHigh, startLow === 0 ? 0xffffffff : startLow - 1) + 1
  }
  const next = step + 1
  if (next < v6Leaf.length) {
    const nextHigh = v6Top[next < first || next < (v6First[top + 1] ?? 0) ? (next < first ? top - 1 : top) : top + 1] ?? 0
    const shared = sharedBits(high, low, nextHigh, v6Low[next] ?? 0) + 1
    if (shared > length) length = shared
  }
  into.prefixLength = length
}

function sharedBits(highA: number, lowA: number, highB: number, lowB: number): number {
  return highA >>> 0 === highB >>> 0 ? 32 + Math.clz32(lowA ^ lowB) : Math.clz32(highA ^ highB)
}

/** Index of the last entry in [from, to) that is not above the value; from - 1 when there is none. */
function lastAtOrBefore(sorted: Uint16Array | Uint32Array, from: number, to: number, value: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** First address of a step: its upper half is the one whose block of steps holds it. */
function stepStart({ v4First, v4Low }: GeoTables, step: number, near: number): number {
  return halfOf(v4First, step, near) * 65_536 + (v4Low[step] ?? 0)
}

/** The half that a step is in: `near` mostly, or one not far from it, so the search goes out from there in growing strides. */
function halfOf(v4First: Uint32Array, step: number, near: number): number {
  let low = near
  let high = near + 1
  for (let width = 1; low > 0 && (v4First[low] ?? 0) > step; width *= 2) {
    high = low
    low = Math.max(0, low - width)
  }
  for (let width = 1; high < 65_536 && (v4First[high] ?? 0) <= step; width *= 2) {
    low = high
    high = Math.min(65_536, high + width)
  }
  return high - low === 1 ? low : lastAtOrBefore(v4First, low, high, step)
}

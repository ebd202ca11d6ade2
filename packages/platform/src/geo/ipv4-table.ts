import type { GeoHit } from './geo-hit.ts'
import type { Steps } from './steps.ts'

/**
 * Where every IPv4 address is, laid out so that a look-up of any address waits for memory twice: for the chunk (the
 * upper 18 bits of the address), and for the chunk's steps,
 * which stand side by side and most of the time on one or two lines of the processor's cache.
 */
export type Ipv4Table = {
  /**
   * First step of each chunk, and one more entry for the end. Every chunk has a step at its start, so none needs its
   * neighbours.
   */
  v4First: Uint32Array<ArrayBuffer>
  /**
   * Two words for each step. First: the lower 14 bits of its first address, the lower 18 of the place. Second: 20 bits
   * of the network, the upper 6 of the place, and 6 for how long
   * the prefix of the widest network is in which nothing changes; that only where a chunk has one step, for where it
   * has more the network lies within the chunk.
   */
  v4Steps: Uint32Array<ArrayBuffer>
}

const CHUNK_BITS = 18
const LOW_BITS = 32 - CHUNK_BITS
const CHUNK_ADDRESSES = 2 ** LOW_BITS
const LOW_MASK = CHUNK_ADDRESSES - 1
const PLACE_BITS = 18
const PLACE_MASK = 2 ** PLACE_BITS - 1
const NETWORK_SHIFT = 12
const WIDE_BITS = 6
const WIDE_MASK = 2 ** WIDE_BITS - 1
const UPPER_PLACE_MASK = WIDE_MASK << WIDE_BITS
/** From the upper bits of the place in the second word to where they belong. */
const UPPER_PLACE_SHIFT = PLACE_BITS - WIDE_BITS

/** Finds the step that covers an address (32 bits) and the widest network around it in which nothing changes. */
export function findIpv4({ v4First, v4Steps }: Ipv4Table, address: number, into: GeoHit): void {
  const chunk = address >>> LOW_BITS
  const first = v4First[chunk] ?? 0
  const end = v4First[chunk + 1] ?? 0
  const low = address & LOW_MASK
  let next = first + 1
  for (let after = end; next < after;) {
    const middle = (next + after) >>> 1
    if ((v4Steps[2 * middle] ?? 0) >>> PLACE_BITS <= low) next = middle + 1
    else after = middle
  }
  const head = v4Steps[2 * next - 2] ?? 0
  const tail = v4Steps[2 * next - 1] ?? 0
  into.place = placeOf(head, tail)
  into.network = tail >>> NETWORK_SHIFT
  if (end - first === 1) {
    into.prefixLength = tail & WIDE_MASK
    return
  }
  // What reaches over the chunk's ends is wider than what the step's other end allows.
  const before = next - 1 === first ? 0 : Math.clz32(low ^ ((head >>> PLACE_BITS) - 1)) + 1
  const after = next === end ? 0 : Math.clz32(low ^ ((v4Steps[2 * next] ?? 0) >>> PLACE_BITS)) + 1
  into.prefixLength = before > after ? before : after
}

/** Reads are kept in it, so that what is read for the effect alone is not left out. */
const lastRead = new Int32Array(1)

/**
 * Reads the lines on which searches for the addresses begin. Nothing else is done in the loops: the fewer instructions
 * between two reads, the more of them are under way at once.
 */
export function prefetchIpv4({ v4First, v4Steps }: Ipv4Table, addresses: Int32Array, count: number): void {
  let read = 0
  for (let i = 0; i < count; i++) read ^= v4First[(addresses[i] ?? 0) >>> LOW_BITS] ?? 0
  for (let i = 0; i < count; i++) {
    const chunk = (addresses[i] ?? 0) >>> LOW_BITS
    // The first word of the step in the middle.
    read ^= v4Steps[((v4First[chunk] ?? 0) + 1 + (v4First[chunk + 1] ?? 0)) & ~1] ?? 0
  }
  lastRead[0] = read
}

const placeOf = (head: number, tail: number): number =>
  (head & PLACE_MASK) | ((tail & UPPER_PLACE_MASK) << UPPER_PLACE_SHIFT)

/**
 * Calls with every range of addresses in which nothing changes, in ascending order; `end` is the first address behind
 * it.
 */
export function eachIpv4Range(
  { v4First, v4Steps }: Ipv4Table,
  call: (start: number, end: number, place: number, network: number) => void,
): void {
  let [start, place, network] = [0, 0, 0]
  for (let chunk = 0; chunk < 2 ** CHUNK_BITS; chunk++) {
    for (let step = v4First[chunk] ?? 0; step < (v4First[chunk + 1] ?? 0); step++) {
      const head = v4Steps[2 * step] ?? 0
      const tail = v4Steps[2 * step + 1] ?? 0
      if (placeOf(head, tail) === place && tail >>> NETWORK_SHIFT === network) continue
      const at = chunk * CHUNK_ADDRESSES + (head >>> PLACE_BITS)
      if (at > start) call(start, at, place, network)
      ;[start, place, network] = [at, placeOf(head, tail), tail >>> NETWORK_SHIFT]
    }
  }
  call(start, 2 ** 32, place, network)
}

/**
 * Lays out a function of the address whose values number pairs of place and network. @throws Error when there are more
 * places or networks than it has bits for
 */
export function indexIpv4(steps: Steps, leafPlace: Uint32Array, leafNetwork: Uint32Array): Ipv4Table {
  const v4First = new Uint32Array(2 ** CHUNK_BITS + 1)
  const words = new Uint32Array(2 * (steps.length + 2 ** CHUNK_BITS))
  const startOf = (step: number) => (step < steps.length ? (steps.high[step] ?? 0) : 2 ** 32)
  let count = 0
  const put = (low: number, step: number, wide: number) => {
    const leaf = step < 0 ? 0 : (steps.value[step] ?? 0)
    const place = leafPlace[leaf] ?? 0
    const network = leafNetwork[leaf] ?? 0
    if (place >= 2 ** (PLACE_BITS + WIDE_BITS) || network >= 2 ** (32 - NETWORK_SHIFT))
      throw new Error(`place ${place} or network ${network} is beyond the form of the table`)
    words[2 * count] = (low << PLACE_BITS) | (place & PLACE_MASK)
    words[2 * count + 1] = (network << NETWORK_SHIFT) | ((place >>> UPPER_PLACE_SHIFT) & UPPER_PLACE_MASK) | wide
    count++
  }
  let step = -1
  for (let chunk = 0; chunk < 2 ** CHUNK_BITS; chunk++) {
    const from = chunk * CHUNK_ADDRESSES
    v4First[chunk] = count
    if (startOf(step + 1) > from)
      put(
        0,
        step,
        startOf(step + 1) < from + CHUNK_ADDRESSES ? 0 : widest(from, step < 0 ? 0 : startOf(step), startOf(step + 1)),
      )
    while (startOf(step + 1) < from + CHUNK_ADDRESSES) {
      step++
      const isWhole = startOf(step) === from && startOf(step + 1) >= from + CHUNK_ADDRESSES
      put(startOf(step) - from, step, isWhole ? widest(from, from, startOf(step + 1)) : 0)
    }
  }
  v4First[2 ** CHUNK_BITS] = count
  return { v4First, v4Steps: words.slice(0, 2 * count) }
}

/** Length of the prefix of the widest network around an address that lies within `start`…`end`. */
function widest(address: number, start: number, end: number): number {
  const before = start === 0 ? 0 : Math.clz32(address ^ (start - 1)) + 1
  const after = end === 2 ** 32 ? 0 : Math.clz32(address ^ end) + 1
  return Math.max(before, after)
}

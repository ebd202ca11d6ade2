import type { Location } from '@fairway/contract'
import type { GeoTables } from './geo-file.ts'
import { eachIpv4Range } from './ipv4-table.ts'

/** A /24 of a country: its first address as text. */
export type SampledNetwork = { address: string; prefixLength: 24; location: Location }
type Sample = { address: string; prefixLength: 24; place: number; network: number }

const KNOWN_NETWORK_WEIGHT = 8

/** Draws whole /24 networks that lie inside one step of the country; fewer than `count` when there are not as many. */
export function sampleIpv4Networks(tables: GeoTables, country: string, count: number, seed: number): Sample[] {
  const code = tables.countries.indexOf(country)
  if (code <= 0) return []
  const candidates = stepsOf(tables, code)
  const total = candidates.known.length * KNOWN_NETWORK_WEIGHT + candidates.unknown.length
  if (total === 0) return []
  const random = randomFrom(seed)
  const samples = new Map<number, Sample>()
  for (let tries = 0; samples.size < count && tries < count * 20; tries++) {
    const pick = Math.floor(random() * total)
    const known = pick < candidates.known.length * KNOWN_NETWORK_WEIGHT
    const list = known ? candidates.known : candidates.unknown
    const step =
      list[known ? Math.floor(pick / KNOWN_NETWORK_WEIGHT) : pick - candidates.known.length * KNOWN_NETWORK_WEIGHT]
    if (!step) continue
    const block = step.firstBlock + Math.floor(random() * step.blocks)
    samples.set(block, {
      address: `${block >>> 16}.${(block >>> 8) & 255}.${block & 255}.0`,
      prefixLength: 24,
      place: step.place,
      network: step.network,
    })
  }
  return [...samples.values()]
}

type Step = { place: number; network: number; firstBlock: number; blocks: number }

function stepsOf(tables: GeoTables, code: number): { known: Step[]; unknown: Step[] } {
  const known: Step[] = []
  const unknown: Step[] = []
  eachIpv4Range(tables, (start, end, place, network) => {
    if (tables.placeCountry[place] !== code) return
    const firstBlock = Math.ceil(start / 256)
    const blocks = Math.floor(end / 256) - firstBlock
    if (blocks > 0) (network > 0 ? known : unknown).push({ place, network, firstBlock, blocks })
  })
  return { known, unknown }
}

/** Mulberry32: small and good enough to spread visitors; numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

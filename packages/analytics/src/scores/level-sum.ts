import {
  type InfluenceShares,
  type Part,
  type Tally,
  UNTOLD_SUBNET,
  USUAL_THRESHOLD,
  availabilityOf,
  contradictingPart,
  contradicts,
  heardOthers,
  influenceCaps,
} from '@fairway/domain'
import { HISTOGRAM_BASE } from '../log-histogram.ts'
import { type Alike, drawLots, UNTIMED } from './lots.ts'

/** What one /24 said in one bucket of time of one CDN; `bins` counts timed round trips. */
export type Cell = {
  bucket: number
  samples: number
  successes: number
  bins: readonly (readonly [bin: number, count: number])[]
  newestAt: number
}
/** All that one /24 of one place and network says of one CDN. */
export type Leaf = {
  subnet: number
  network: string
  country: string
  /** Score keys that it counts at, finest first. */
  keys: readonly string[]
  cells: Cell[]
  /** Higher than that of any leaf before whenever its cells change: what was worked out for it holds until then. */
  changed: number
}

/** How much a network weighs in a figure: samples of it that count, and that were heard. */
export type NetworkWeight = { network: string; samples: number; heard: number }
/** Who said that a CDN is dead while all others see it alive. */
export type Contradiction = {
  kind: 'subnet' | 'network' | 'country'
  /** `network` and `country` as far as they are one. */
  network: string
  country: string
  heard: Tally
  subnets: number
  others: number
}

/** In the unit of what was measured: the median, and between what the true one lies with 95 %. */
export type Spread = { median: number; low: number; high: number }

/** Sums of what counts at a score key. `newestAt` is epoch ms. */
export type LevelSum = {
  samples: number
  successes: number
  /** Of what was timed; null when nothing was, or nobody asks. */
  spread: Spread | null
  newestAt: number
  heard: number
  /** /24s (or /48s) that count. */
  subnets: number
  /** Most first. */
  networks: NetworkWeight[]
  contradictions: Contradiction[]
  byNetwork: ReadonlyMap<string, Tally>
  byCountry: ReadonlyMap<string, Tally>
}

/** Our own probes are trusted. */
export const UNBOUND: InfluenceShares = { subnet: 1, network: null }

/** What is left of one /24 after lots were drawn, or all of it. */
type Drawn = Tally & { readonly alike: readonly Alike[] }
/** What a leaf says in the buckets that count, worked out once for all its levels. */
type Heard = Tally & {
  newestAt: number
  alike: Alike[]
  drawn: Map<number, Drawn>
  speaker: Speaker
  changed: number
}
/** Who is heard at a key: so many leaves, the last of which changed then, and whether any of them tells of a failure. */
export type Hearing = { leaves: number; changed: number; hasFailed: boolean }

type Known = { sum: LevelSum | null; of: Hearing; isAlive: boolean; asked: { said: LevelSum | null } | null }

/**
 * Passes over one set of leaves: which buckets count, and what was worked out for them. It may be kept for as long as
 * the same buckets count: of what has not changed nothing is worked out again.
 */
export class Pass {
  /** Whether medians are asked for. */
  readonly isTimed: boolean
  readonly #counts: (bucket: number) => boolean
  readonly #seed: number
  readonly #heard = new Map<Leaf, Heard>()
  readonly #sums = new Map<string, Known>()

  /** `seed` is that of the lots. */
  constructor(counts: (bucket: number) => boolean, seed: number, isTimed = true) {
    this.#counts = counts
    this.#seed = seed
    this.isTimed = isTimed
  }

  heard(leaf: Leaf): Heard {
    const known = this.#heard.get(leaf)
    if (known?.changed === leaf.changed) return known
    const { subnet, network, country, changed } = leaf
    const speaker: Speaker = { subnet, network, country, samples: 0, successes: 0, newestAt: 0, leaves: [leaf] }
    const heard: Heard = { samples: 0, successes: 0, newestAt: 0, alike: [], drawn: new Map(), speaker, changed }
    for (const cell of leaf.cells) {
      if (!this.#counts(cell.bucket)) continue
      heard.samples += cell.samples
      heard.successes += cell.successes
      heard.newestAt = Math.max(heard.newestAt, cell.newestAt)
      noteAlike(heard.alike, subnet, cell)
    }
    speaker.samples = heard.samples
    speaker.successes = heard.successes
    speaker.newestAt = heard.newestAt
    this.#heard.set(leaf, heard)
    return heard
  }

  /**
   * The sum at a key, made anew when those who are heard there have changed. Where somebody has failed it also hangs on
   * `isAlive` and, when `make` asks for it, on the coarser level: whom a failure contradicts may be told there only.
   */
  sumOf(
    key: string,
    of: Hearing,
    { isAlive, coarser }: Pick<LevelOptions, 'isAlive' | 'coarser'>,
    make: (coarser: LevelOptions['coarser']) => LevelSum | null,
  ): LevelSum | null {
    const known = this.#sums.get(key)
    const isSame = known && known.of.leaves === of.leaves && known.of.changed >= of.changed
    if (isSame && (!of.hasFailed || (known.isAlive === isAlive && (!known.asked || known.asked.said === coarser()))))
      return known.sum
    let asked: Known['asked'] = null
    const sum = make(() => {
      asked ??= { said: coarser() }
      return asked.said
    })
    this.#sums.set(key, { sum, of, isAlive, asked })
    return sum
  }

  /** Lets go of what was worked out for leaves and keys that are no more. */
  keepOnly(leaves: readonly Leaf[], keys: readonly string[]): void {
    dropOthers(this.#heard, leaves)
    dropOthers(this.#sums, keys)
  }

  /** So many of the samples of a /24, by lot. */
  drawn(leaves: readonly Leaf[], most: number): Drawn {
    const [only, ...others] = leaves
    if (only === undefined || others.length > 0)
      return drawnOf(
        drawLots(
          leaves.flatMap((leaf) => this.heard(leaf).alike),
          most,
          this.#seed,
        ),
      )
    const heard = this.heard(only)
    if (heard.samples <= most) return heard
    const drawn = heard.drawn.get(most) ?? drawnOf(drawLots(heard.alike, most, this.#seed))
    heard.drawn.set(most, drawn)
    return drawn
  }

  /** Of a whole network's samples. Other lots than the first ones: the small lots of a loud /24 would win again. */
  drawnAgain(alike: readonly Alike[], most: number): Alike[] {
    return drawLots(alike, most, ~this.#seed)
  }
}

/** What is kept is never more than twice what there is. */
function dropOthers<Key>(kept: Map<Key, unknown>, those: readonly Key[]): void {
  if (kept.size <= those.length) return
  const named = new Set(those)
  for (const key of kept.keys()) if (!named.has(key)) kept.delete(key)
}

function drawnOf(alike: readonly Alike[]): Drawn {
  const drawn = { samples: 0, successes: 0, alike }
  for (const { ok, count } of alike) {
    drawn.samples += count
    if (ok) drawn.successes += count
  }
  return drawn
}

type Speaker = Tally & {
  readonly subnet: number
  readonly network: string
  readonly country: string
  newestAt: number
  readonly leaves: readonly Leaf[]
}

export type LevelOptions = {
  pass: Pass
  /** How much one may count for: `sharesAt` the key, or `UNBOUND`. */
  shares: InfluenceShares
  /** False while a probe sees the CDN fail: nobody is contradicted then. */
  isAlive: boolean
  /** The next coarser level, for those who have no others beside them. */
  coarser: () => LevelSum | null
}

/** From so many samples on, a /24 that contradicts everybody else is left out altogether. */
const LOUD_SAMPLES = 20

/**
 * What counts at one score key: each /24 and each network up to its share, the rest left out by lot, and without those
 * who say that the CDN is dead while everybody else and the probes see it alive. Null when nothing was heard.
 */
export function levelSum(key: string, leaves: readonly Leaf[], options: LevelOptions): LevelSum | null {
  const all = speakersOf(leaves, options.pass)
  if (all.length === 0) return null
  const contradictions: Contradiction[] = []
  let speakers = all
  const leaveOut = (kind: Contradiction['kind'], out: (one: Speaker) => boolean, others: number) => {
    const left = speakers.filter(out)
    speakers = speakers.filter((one) => !out(one))
    const [first] = left
    if (first)
      contradictions.push({
        kind,
        network: first.network,
        country: first.country,
        heard: tallyOf(left),
        subnets: left.length,
        others,
      })
  }
  // Only who has failed can contradict.
  if (options.isAlive && all.some(hasFailed)) {
    for (const [network, loud] of loudOnes(speakers, options))
      leaveOut('subnet', (one) => loud.speakers.has(one) && one.network === network, loud.others)
    const kinds = key === 'world' || key.startsWith('continent:') ? (['country', 'network'] as const) : networkOnly(key)
    for (const kind of kinds) {
      const found = contradicting(kind, speakers, options)
      if (found) leaveOut(kind, (one) => one[kind] === found.name, found.others)
    }
  }
  return summed(speakers, all, contradictions, options)
}

const networkOnly = (key: string) => (key.includes('|') ? [] : (['network'] as const))

function speakersOf(leaves: readonly Leaf[], pass: Pass): Speaker[] {
  const speakers = new Map<number | Leaf, Speaker>()
  for (const leaf of leaves) {
    const { speaker } = pass.heard(leaf)
    if (speaker.samples === 0) continue
    const name = leaf.subnet === UNTOLD_SUBNET ? leaf : leaf.subnet
    const known = speakers.get(name)
    // Most speak from one place only, and are the same at all levels.
    speakers.set(name, known ? together(known, speaker) : speaker)
  }
  return [...speakers.values()]
}

const together = (one: Speaker, other: Speaker): Speaker => ({
  ...one,
  samples: one.samples + other.samples,
  successes: one.successes + other.successes,
  newestAt: Math.max(one.newestAt, other.newestAt),
  leaves: [...one.leaves, ...other.leaves],
})

/** Each speaker with how many of its samples count, before lots are drawn: shares are whole, lots only choose which. */
function weighed(speakers: readonly Speaker[], shares: InfluenceShares): (Speaker & { counted: number })[] {
  const caps = influenceCaps(speakers, shares)
  const cut = speakers.map((one) => ({
    ...one,
    counted: one.subnet === UNTOLD_SUBNET ? one.samples : Math.min(one.samples, caps.subnet),
  }))
  if (caps.network === Infinity) return cut
  const totals = new Map<string, number>()
  for (const one of cut) totals.set(one.network, (totals.get(one.network) ?? 0) + one.counted)
  return cut.map((one) => ({
    ...one,
    counted: one.counted * Math.min(1, caps.network / (totals.get(one.network) ?? 1)),
  }))
}

/** Loud /24s that contradict all the others, by network. */
function loudOnes(
  speakers: readonly Speaker[],
  { coarser, shares }: LevelOptions,
): Map<string, { speakers: Set<Speaker>; others: number }> {
  const found = new Map<string, { speakers: Set<Speaker>; others: number }>()
  const loud = speakers.filter(
    (one) => one.samples >= LOUD_SAMPLES && availabilityOf(one) < USUAL_THRESHOLD && one.subnet !== UNTOLD_SUBNET,
  )
  if (loud.length === 0) return found
  const isLoud = new Set(loud)
  const quiet = speakers.filter((one) => !isLoud.has(one))
  const others = heardOthers(countedTally(weighed(quiet, shares)), coarser)
  if (others === null) return found
  for (const one of loud) {
    if (!contradicts(one, others)) continue
    const known = found.get(one.network) ?? { speakers: new Set<Speaker>(), others: availabilityOf(others) }
    known.speakers.add(one)
    found.set(one.network, known)
  }
  return found
}

function contradicting(
  kind: 'network' | 'country',
  speakers: readonly Speaker[],
  { coarser, shares }: LevelOptions,
): { name: string; others: number } | null {
  if (!speakers.some(hasFailed)) return null
  const parts = [...partsBy(kind, weighed(speakers, shares)).values()]
  const beyond = (part: Part) => {
    const all = coarser()
    return all && minus(all, (kind === 'network' ? all.byNetwork : all.byCountry).get(part.name))
  }
  const found = contradictingPart(parts, beyond)
  if (found === null) return null
  const all = countedTally(parts.map((part) => ({ ...part, counted: part.samples })))
  const rest = minus(all, found)
  return { name: found.name, others: availabilityOf(heardOthers(rest, () => beyond(found)) ?? rest) }
}

function partsBy(kind: 'network' | 'country', speakers: readonly (Speaker & { counted: number })[]): Map<string, Part> {
  const parts = new Map<string, Part>()
  for (const one of speakers) {
    const name = one[kind]
    const part = parts.get(name) ?? { name, samples: 0, successes: 0, subnets: 0 }
    part.samples += one.counted
    part.successes += (one.successes * one.counted) / one.samples
    part.subnets++
    parts.set(name, part)
  }
  return parts
}

function summed(
  speakers: readonly Speaker[],
  all: readonly Speaker[],
  contradictions: Contradiction[],
  { pass, shares }: LevelOptions,
): LevelSum {
  const caps = influenceCaps(speakers, shares)
  const bins = new Map<number, number>()
  const byNetwork = new Map<string, Tally>()
  const byCountry = new Map<string, Tally>()
  const whole = { samples: 0, successes: 0, newestAt: 0, subnets: 0 }
  for (const [network, own] of Map.groupBy(speakers, (one) => one.network)) {
    const drawn = own.map((one) => pass.drawn(one.leaves, one.subnet === UNTOLD_SUBNET ? Infinity : caps.subnet))
    const isTooMuch = tallyOf(drawn).samples > caps.network
    const kept = isTooMuch ? keptOf(own, drawn, caps.network, pass) : drawn
    const tally = { samples: 0, successes: 0 }
    const counted = new Set<number>()
    for (const [index, one] of own.entries()) {
      whole.newestAt = Math.max(whole.newestAt, one.newestAt)
      const counts = kept[index]
      if (counts === undefined || counts.samples === 0) continue
      tally.samples += counts.samples
      tally.successes += counts.successes
      if (pass.isTimed) addTimed(bins, counts.alike)
      note(byCountry, one.country, counts)
      counted.add(one.subnet)
    }
    whole.subnets += counted.size
    whole.samples += tally.samples
    whole.successes += tally.successes
    byNetwork.set(network, tally)
  }
  const heard = new Map<string, number>()
  let heardSamples = 0
  for (const one of all) {
    heard.set(one.network, (heard.get(one.network) ?? 0) + one.samples)
    heardSamples += one.samples
  }
  const networks = [...heard]
    .map(([network, samples]) => ({ network, samples: byNetwork.get(network)?.samples ?? 0, heard: samples }))
    .sort((a, b) => b.samples - a.samples || b.heard - a.heard)
  const { samples, successes, newestAt, subnets } = whole
  const spread = spreadOf(bins)
  return {
    samples,
    successes,
    spread,
    newestAt,
    heard: heardSamples,
    subnets,
    networks,
    contradictions,
    byNetwork,
    byCountry,
  }
}

function addTimed(bins: Map<number, number>, alike: readonly Alike[]): void {
  for (const { bin, count } of alike) if (bin !== UNTIMED) bins.set(bin, (bins.get(bin) ?? 0) + count)
}

/** 1.96 standard deviations of the rank of a median. */
const RANKS_AWAY = 0.98

function spreadOf(bins: ReadonlyMap<number, number>): Spread | null {
  if (bins.size === 0) return null
  const sorted = [...bins].sort((a, b) => a[0] - b[0])
  const timed = sorted.reduce((total, [, count]) => total + count, 0)
  const away = Math.min(0.5, RANKS_AWAY / Math.sqrt(timed))
  const at = (q: number) => quantileOf(sorted, timed * q)
  return { median: at(0.5), low: at(0.5 - away), high: at(0.5 + away) }
}

function quantileOf(sorted: readonly (readonly [bin: number, count: number])[], rank: number): number {
  let below = 0
  for (const [bin, count] of sorted) {
    if (below + count >= rank) return HISTOGRAM_BASE ** (bin + (rank - below) / count)
    below += count
  }
  return HISTOGRAM_BASE ** ((sorted.at(-1)?.[0] ?? 0) + 1)
}

/** What is left of each speaker when the whole network may not count for more. */
function keptOf(own: readonly Speaker[], drawn: readonly Drawn[], most: number, pass: Pass): Drawn[] {
  const again = pass.drawnAgain(
    drawn.flatMap((one) => one.alike),
    most,
  )
  const bySubnet = Map.groupBy(again, (one) => one.subnet)
  // Those who are not told apart speak as one.
  return own.map(({ subnet }) => {
    const kept = bySubnet.get(subnet) ?? []
    bySubnet.delete(subnet)
    return drawnOf(kept)
  })
}

function noteAlike(alike: Alike[], subnet: number, { bucket, samples, successes, bins }: Cell): void {
  let untimed = successes
  for (const [bin, count] of bins) {
    alike.push({ subnet, bucket, ok: true, bin, count })
    untimed -= count
  }
  if (untimed > 0) alike.push({ subnet, bucket, ok: true, bin: UNTIMED, count: untimed })
  if (samples > successes) alike.push({ subnet, bucket, ok: false, bin: UNTIMED, count: samples - successes })
}

function note(tallies: Map<string, Tally>, name: string, { samples, successes }: Tally): void {
  const known = tallies.get(name)
  if (known) {
    known.samples += samples
    known.successes += successes
  } else tallies.set(name, { samples, successes })
}

const hasFailed = (one: Tally): boolean => one.successes < one.samples

const tallyOf = (speakers: readonly Tally[]): Tally => ({
  samples: speakers.reduce((sum, one) => sum + one.samples, 0),
  successes: speakers.reduce((sum, one) => sum + one.successes, 0),
})
const countedTally = (speakers: readonly (Tally & { counted: number })[]): Tally => ({
  samples: speakers.reduce((sum, one) => sum + one.counted, 0),
  successes: speakers.reduce((sum, one) => sum + (one.successes * one.counted) / one.samples, 0),
})
const minus = (all: Tally, part: Tally | undefined): Tally => ({
  samples: all.samples - (part?.samples ?? 0),
  successes: all.successes - (part?.successes ?? 0),
})

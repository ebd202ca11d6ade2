/** Samples that are alike: so many of one bucket of time and one /24 with one outcome. */
export type Alike = {
  subnet: number
  bucket: number
  ok: boolean
  /** Bin of the round trip; `UNTIMED` when it failed or was not timed. */
  bin: number
  count: number
}

export const UNTIMED = -32_768

/**
 * Draws `most` of the samples by lot; those alike keep their order. The lots hang on `seed`, which no sender knows, and
 * on the samples themselves: a sample drawn in this round is drawn in the next one too, so a figure does not tremble
 * while the window moves on. Costs what is drawn, not what was heard: of a million samples alike only the first lots are
 * looked at.
 */
export function drawLots(heard: readonly Alike[], most: number, seed: number): Alike[] {
  const total = heard.reduce((sum, one) => sum + one.count, 0)
  if (total <= most) return [...heard]
  if (most <= 0) return []
  const lots: { lot: number; of: number }[] = []
  for (const [of, one] of heard.entries()) {
    let left = 1
    // The smallest of n even lots, then the smallest of the n-1 above it, and so on.
    for (let i = 0; i < Math.min(one.count, most); i++) {
      left *= chanceOf(seed, one, i) ** (1 / (one.count - i))
      lots.push({ lot: 1 - left, of })
    }
  }
  lots.sort((a, b) => a.lot - b.lot)
  const drawn = new Array<number>(heard.length).fill(0)
  for (const { of } of lots.slice(0, most)) drawn[of] = (drawn[of] ?? 0) + 1
  return heard.flatMap((one, of) => (drawn[of] ? [{ ...one, count: drawn[of] }] : []))
}

/** Even in (0, 1], the same for the same words. */
function chanceOf(seed: number, { subnet, bucket, ok, bin }: Alike, index: number): number {
  // MurmurHash3: buckets follow each other, and weaker mixing would draw them in their order.
  let hash = seed | 0
  for (const word of [subnet, bucket, (bin << 1) | (ok ? 1 : 0), index]) {
    hash ^= Math.imul(turned(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
    hash = (Math.imul(turned(hash, 13), 5) + 0xe6546b64) | 0
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) + 1) / 2 ** 32
}

const turned = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

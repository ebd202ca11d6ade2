import type { Outcome } from '../answer/outcome.ts'
import type { Peer } from '../wire/peer.ts'

/** `send` the answer, `slip` an empty one that sends a true client to TCP, or `drop` it. */
export const VERDICT = { send: 0, slip: 1, drop: 2 } as const
export type Verdict = (typeof VERDICT)[keyof typeof VERDICT]

const BUCKETS = 1 << 16
const WORDS = 4
const KEY = 0
const LEFT = 1
const SEEN = 2
/** So many seconds of too many answers are remembered. */
const DEBT_SECONDS = 15
/** Every so many suppressed answers one slips through, cut off. */
const SLIP = 2
/** Networks, not addresses: an attacker may write any of a victim's (as in BIND and NSD). */
const PREFIX_BYTES = { 4: 3, 6: 7 } as const

/**
 * Response rate limiting: equal answers to one network are sent so often in a second and no more, so that a flood with
 * a forged address does not become one of ours.
 * A fixed table; two that share a bucket take turns, which errs on the side of answering. Loopback is not limited:
 * nobody can forge it from outside.
 */
export class RateLimit {
  suppressed = 0
  readonly #perSecond: number
  /** Side by side, so that a query touches one place of a large table: see `KEY`, `LEFT`, `SEEN`. */
  readonly #buckets = new Int32Array(BUCKETS * WORDS)
  #second = 0
  #slips = 0

  /** @param perSecond 0 for no limit */
  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  /** To be called once a second. */
  tick(): void {
    this.#second++
  }

  /** What becomes of an answer over UDP. */
  check(peer: Peer, outcome: Outcome): Verdict {
    if (this.#perSecond === 0 || outcome.trusted) return VERDICT.send
    const network = networkOf(peer)
    if (network === 0) return VERDICT.send
    // A node is what answered: names under one wildcard, and names that do not exist under one name, are alike.
    let key =
      Math.imul(network ^ outcome.node, 0x9e3779b1) ^
      Math.imul(outcome.rcode + 1, 0x85ebca6b) ^
      (outcome.zone?.rateKey ?? 0) ^
      outcome.type
    key ^= key >>> 15
    if (key === 0) key = 1
    const buckets = this.#buckets
    const at = ((key >>> 3) & (BUCKETS - 1)) * WORDS
    if (buckets[at + KEY] !== key) {
      buckets[at + KEY] = key
      buckets[at + LEFT] = this.#perSecond
      buckets[at + SEEN] = this.#second
    }
    const passed = this.#second - (buckets[at + SEEN] ?? 0)
    const left = Math.min(this.#perSecond, (buckets[at + LEFT] ?? 0) + passed * this.#perSecond) - 1
    buckets[at + SEEN] = this.#second
    buckets[at + LEFT] = Math.max(left, -DEBT_SECONDS * this.#perSecond)
    if (left >= 0) return VERDICT.send
    this.suppressed++
    return ++this.#slips % SLIP === 0 ? VERDICT.slip : VERDICT.drop
  }
}

/** Hash of a peer's network; 0 for loopback. */
function networkOf(peer: Peer): number {
  const { bytes, family } = peer
  if (family === 0 || peer.isLoopback()) return 0
  let hash = 0x811c9dc5
  for (let i = 0; i < PREFIX_BYTES[family]; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return hash || 1
}

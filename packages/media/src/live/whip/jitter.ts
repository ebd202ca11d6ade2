/** So long a packet that is missing is waited for: it is asked for again meanwhile. */
const WAITED_MS = 350
const MOST_HELD = 1_024
/** Farther ahead than any line runs: the sender has begun anew. */
const MOST_AHEAD = 3_000
const ASK_AGAIN_MS = 40
/** Of a feedback message: a base and 16 behind it, and some of these. */
const MOST_ASKED = 64

export type Packet = { sequence: number; time: number; isLast: boolean; payload: Buffer }

/** Puts packets of one track into the order in which they were sent, and says which are missing. */
export class Jitter {
  readonly #held = new Map<number, { packet: Packet; at: number }>()
  #next: number | null = null
  #highest = 0
  #askedAt = 0

  /** What comes next by now; `hasGap` where something before it is given up. */
  push(packet: Packet, now: number): { packet: Packet; hasGap: boolean }[] {
    this.#next ??= packet.sequence
    const ahead = distance(this.#next, packet.sequence)
    let hasGap = false
    if (ahead < -MOST_AHEAD || ahead > MOST_AHEAD) {
      this.#held.clear()
      this.#next = this.#highest = packet.sequence
      hasGap = true
    } else if (ahead < 0) return []
    if (this.#held.size === 0 || distance(this.#highest, packet.sequence) > 0) this.#highest = packet.sequence
    this.#held.set(packet.sequence, { packet, at: now })
    return this.#take(now, hasGap)
  }

  #take(now: number, hadGap: boolean): { packet: Packet; hasGap: boolean }[] {
    const taken: { packet: Packet; hasGap: boolean }[] = []
    let hasGap = hadGap
    while (this.#next !== null && this.#held.size > 0) {
      const found = this.#held.get(this.#next)
      if (found) {
        this.#held.delete(this.#next)
        taken.push({ packet: found.packet, hasGap })
        hasGap = false
        this.#next = (this.#next + 1) & 0xff_ff
        continue
      }
      // The first to come of those behind the gap has waited the longest.
      const [oldest] = this.#held.values()
      if (oldest && now - oldest.at < WAITED_MS && this.#held.size < MOST_HELD) break
      const from = this.#next
      this.#next = [...this.#held.keys()].reduce((a, b) => (distance(from, a) < distance(from, b) ? a : b))
      hasGap = true
    }
    return taken
  }

  /** Those that are missing, now and then. */
  missing(now: number): number[] {
    if (this.#next === null || this.#held.size === 0 || now - this.#askedAt < ASK_AGAIN_MS) return []
    this.#askedAt = now
    const lost: number[] = []
    for (let at = this.#next; at !== this.#highest && lost.length < MOST_ASKED; at = (at + 1) & 0xff_ff)
      if (!this.#held.has(at)) lost.push(at)
    return lost
  }
}

/** How far `to` is behind `from`, of 16 bits that begin anew. */
const distance = (from: number, to: number): number => ((to - from) << 16) >> 16

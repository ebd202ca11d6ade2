/** Look-ups under way at a time: a resolver that gets thousands at once loses some. */
export const AT_ONCE = 64
/** Of one organisation's names. */
export const AT_ONCE_OF_ONE = 8
/** Names that were not answered last take seconds each: half of the places stay for others. */
const FAILING_SHARE = 1 / 2

/** Whether a name was answered when it was asked for last. */
export type Health = 'sound' | 'failing'
type Running = Record<Health, number>

/** Look-ups that wait for a place. Organisations take turns, each with a share of the places. */
export class LookUpTurns {
  readonly #lookUp: (name: string) => Promise<void>
  /** Names by their owners, in the order in which those are served next. */
  readonly #waiting: Record<Health, Map<string | null, Set<string>>> = { sound: new Map(), failing: new Map() }
  readonly #running = new Map<string | null, Running>()
  readonly #all: Running = { sound: 0, failing: 0 }
  #stopped = false

  /** @param lookUp never rejects */
  constructor(lookUp: (name: string) => Promise<void>) {
    this.#lookUp = lookUp
  }

  add(name: string, owner: string | null, health: Health): void {
    const names = this.#waiting[health].get(owner) ?? new Set()
    this.#waiting[health].set(owner, names.add(name))
    this.#fill()
  }

  stop(): void {
    this.#stopped = true
  }

  #fill(): void {
    while (this.#startOne('sound') || this.#startOne('failing'));
  }

  /** Passes over no more owners than have look-ups under way. */
  #startOne(health: Health): boolean {
    if (this.#stopped || !hasRoom(this.#all, health, AT_ONCE)) return false
    for (const [owner, names] of this.#waiting[health]) {
      const running = this.#running.get(owner) ?? { sound: 0, failing: 0 }
      if (!hasRoom(running, health, AT_ONCE_OF_ONE)) continue
      // Whoever is served stands behind all others.
      this.#waiting[health].delete(owner)
      const [name = ''] = names
      names.delete(name)
      if (names.size > 0) this.#waiting[health].set(owner, names)
      this.#running.set(owner, running)
      running[health]++
      this.#all[health]++
      void this.#lookUp(name).finally(() => this.#ended(owner, running, health))
      return true
    }
    return false
  }

  #ended(owner: string | null, running: Running, health: Health): void {
    running[health]--
    this.#all[health]--
    if (running.sound + running.failing === 0) this.#running.delete(owner)
    this.#fill()
  }
}

const hasRoom = ({ sound, failing }: Running, health: Health, places: number): boolean =>
  sound + failing < places && (health === 'sound' || failing < places * FAILING_SHARE)

/** Looking through all zones takes so small a part of the time at most. */
const SHARE = 1 / 20

/**
 * Names outside our zones whose addresses have to be known. They are asked for several times a second, with any number
 * of zones: only what a zone that came, changed or went may have changed is looked for again, and of many zones not
 * after each.
 */
export class OutsideTargets {
  readonly #origins = new Set<string>()
  /** Of zones that have some. */
  readonly #targets = new Map<string, readonly string[]>()
  readonly #clock: () => number
  #outside = new Set<string>()
  #isOutdated = false
  #notBefore = 0

  /** @param clock milliseconds that only ever grow */
  constructor(clock = () => performance.now()) {
    this.#clock = clock
  }

  /** A zone is served: with these names, some of them our own. */
  put(zoneId: string, origin: string, names: readonly string[]): void {
    const before = this.#targets.get(zoneId) ?? []
    if (names.length > 0) this.#targets.set(zoneId, names)
    else this.#targets.delete(zoneId)
    const isNew = !this.#origins.has(origin)
    this.#origins.add(origin)
    const isSame = before.length === names.length && before.every((name, at) => name === names[at])
    if (!isSame || (isNew && this.#outside.size > 0)) this.#isOutdated = true
  }

  remove(zoneId: string, origin: string): void {
    this.#targets.delete(zoneId)
    this.#origins.delete(origin)
    if (this.#targets.size + this.#outside.size > 0) this.#isOutdated = true
  }

  all(): ReadonlySet<string> {
    const began = this.#clock()
    if (!this.#isOutdated || began < this.#notBefore) return this.#outside
    this.#outside = new Set([...this.#targets.values()].flatMap((names) => names.filter((name) => !this.#isOurs(name))))
    this.#isOutdated = false
    const now = this.#clock()
    this.#notBefore = now + (now - began) / SHARE
    return this.#outside
  }

  #isOurs(name: string): boolean {
    return this.#origins.has(name) || (name.includes('.') && this.#isOurs(name.slice(name.indexOf('.') + 1)))
  }
}

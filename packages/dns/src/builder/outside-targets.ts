import { type ZoneOwner, mayFollow } from '@fairway/domain/lean'
import type { WantedNames } from './flatten.ts'

/** Looking through all zones takes so small a part of the time at most. */
const SHARE = 1 / 20

/**
 * Names whose addresses zones have to know and that none of ours tells them: one zone may be asked for its own
 * organisation and not for another, for which its names lie outside. They are asked for several times a second, with any number
 * of zones: only what a zone that came, changed or went may have changed is looked for again, and of many zones not
 * after each.
 */
export class OutsideTargets {
  readonly #owners = new Map<string, ZoneOwner>()
  /** Of zones that have some. */
  readonly #targets = new Map<string, { owner: ZoneOwner; names: readonly string[] }>()
  readonly #clock: () => number
  #outside: WantedNames = new Map()
  #isOutdated = false
  #notBefore = 0

  /** @param clock milliseconds that only ever grow */
  constructor(clock = () => performance.now()) {
    this.#clock = clock
  }

  /** A zone is served: with these names, some of them our own. */
  put(zoneId: string, origin: string, owner: ZoneOwner, names: readonly string[]): void {
    const before = this.#targets.get(zoneId)?.names ?? []
    if (names.length > 0) this.#targets.set(zoneId, { owner, names })
    else this.#targets.delete(zoneId)
    const known = this.#owners.get(origin)
    this.#owners.set(origin, owner)
    const isSame = before.length === names.length && before.every((name, at) => name === names[at])
    // A zone that is new can only take names from the outside; one that changes hands, or is proven, both.
    const isTold = known === undefined ? this.#outside.size === 0 : isSameOwner(known, owner)
    if (!isSame || (!isTold && this.#targets.size + this.#outside.size > 0)) this.#isOutdated = true
  }

  remove(zoneId: string, origin: string): void {
    this.#targets.delete(zoneId)
    this.#owners.delete(origin)
    if (this.#targets.size + this.#outside.size > 0) this.#isOutdated = true
  }

  /** Each with the organisation that leads to it; of several, with the one that has the fewest. */
  all(): WantedNames {
    const began = this.#clock()
    if (!this.#isOutdated || began < this.#notBefore) return this.#outside
    const byOwner = new Map<string | null, string[]>()
    for (const { owner, names } of this.#targets.values()) {
      const ofOne = byOwner.get(owner.organizationId) ?? []
      for (const name of names) if (this.#isOutside(name, owner)) ofOne.push(name)
      byOwner.set(owner.organizationId, ofOne)
    }
    const mostFirst = [...byOwner].sort(([, a], [, b]) => b.length - a.length)
    this.#outside = new Map(mostFirst.flatMap(([owner, names]) => names.map((name) => [name, owner] as const)))
    this.#isOutdated = false
    const now = this.#clock()
    this.#notBefore = now + (now - began) / SHARE
    return this.#outside
  }

  #isOutside(name: string, from: ZoneOwner): boolean {
    const owner = this.#ownerOf(name)
    return owner === undefined || !mayFollow(from, owner)
  }

  #ownerOf(name: string): ZoneOwner | undefined {
    const owner = this.#owners.get(name)
    return owner ?? (name.includes('.') ? this.#ownerOf(name.slice(name.indexOf('.') + 1)) : undefined)
  }
}

const isSameOwner = (a: ZoneOwner, b: ZoneOwner): boolean =>
  a.organizationId === b.organizationId && a.proven === b.proven

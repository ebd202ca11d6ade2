import type { Segment } from '../segment/segment.ts'

const MOST_KNOWN = 100_000

/**
 * Which version of a signed zone a secondary was given here last: every node signs by itself, so that what another one
 * gave under the same serial has other signatures, and what has changed since is not the same.
 */
export class GivenVersions {
  readonly #builtAt = new Map<string, number>()

  /** `to`: the key that a secondary signs with, and its address, for several may sign with one. */
  note(to: string, { zoneId, builtAt }: Segment): void {
    const name = `${to} ${zoneId}`
    this.#builtAt.delete(name)
    this.#builtAt.set(name, builtAt)
    const [oldest] = this.#builtAt.keys()
    if (this.#builtAt.size > MOST_KNOWN && oldest !== undefined) this.#builtAt.delete(oldest)
  }

  has(to: string, { zoneId, builtAt }: Segment): boolean {
    return this.#builtAt.get(`${to} ${zoneId}`) === builtAt
  }
}

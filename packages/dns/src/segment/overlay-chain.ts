import type { WholeZone } from './whole-zone.ts'
import { compareLabels, labelsOf } from './zone-order.ts'

type Coming = { name: Uint8Array; labels: Uint8Array[] }

/** The chain of denials of a zone in which some names come and others leave (RFC 4035 2.3). */
export class OverlayChain {
  readonly #whole: WholeZone
  readonly #come: readonly Coming[]
  /** Places in the chain of the whole that are left, and where to go on from there once it was looked for. */
  readonly #left = new Map<number, number>()
  readonly #leftBackwards = new Map<number, number>()

  constructor(whole: WholeZone, { come, leave }: { come: readonly Uint8Array[]; leave: readonly number[] }) {
    this.#whole = whole
    this.#come = come
      .map((name) => ({ name, labels: labelsOf(name) }))
      .sort((a, b) => compareLabels(a.labels, b.labels))
    for (const at of leave) {
      const place = whole.ownersBefore(whole.segment.nodeName(at))
      this.#left.set(place, place + 1)
      this.#leftBackwards.set(place, place - 1)
    }
  }

  /** The name that comes after one that is, or stays, in the chain; after the last the apex. */
  after(name: Uint8Array): Uint8Array {
    const { segment } = this.#whole
    const owners = this.#whole.owners()
    const labels = labelsOf(name)
    const before = this.#whole.ownersBefore(name)
    const isThere = before < owners.length && compareLabels(this.#labelsAt(before), labels) === 0
    const place = going(this.#left, isThere ? before + 1 : before)
    const kept = place < owners.length ? segment.nodeName(owners[place] ?? 0) : null
    const coming = this.#come[this.#comingUpTo(labels)]
    if (!kept) return coming?.name ?? segment.origin
    return coming && compareLabels(coming.labels, labelsOf(kept)) < 0 ? coming.name : kept
  }

  /** Nodes that stay, of which another name comes next, and that name. */
  *changed(): Generator<[number, Uint8Array]> {
    const owners = this.#whole.owners()
    const places = new Set([
      ...[...this.#left.keys()].map((place) => place - 1),
      ...this.#come.map(({ name }) => this.#whole.ownersBefore(name) - 1),
    ])
    const seen = new Set<number>()
    for (const one of places) {
      const place = going(this.#leftBackwards, one)
      // The apex is the first and stays.
      if (place < 0 || seen.has(place)) continue
      seen.add(place)
      const at = owners[place] ?? 0
      yield [at, this.after(this.#whole.segment.nodeName(at))]
    }
  }

  /** How many of those that come are before a name, or are it. */
  #comingUpTo(labels: readonly Uint8Array[]): number {
    let [low, high] = [0, this.#come.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareLabels(this.#come[middle]?.labels ?? [], labels) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #labelsAt(place: number): Uint8Array[] {
    const { segment } = this.#whole
    return labelsOf(segment.nodeName(this.#whole.owners()[place] ?? 0))
  }
}

/** The first place from there on that is not left; those on the way remember it. */
function going(left: Map<number, number>, from: number): number {
  const passed: number[] = []
  let place = from
  for (let next = left.get(place); next !== undefined; next = left.get(place)) {
    passed.push(place)
    place = next
  }
  for (const one of passed) left.set(one, place)
  return place
}

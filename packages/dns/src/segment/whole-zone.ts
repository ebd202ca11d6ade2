import { rdataIn } from '../answer/proofs.ts'
import { TYPE } from '../wire/codes.ts'
import { isWithin } from '../wire/name.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { FLAG, KIND, KIND_MASK, NODE_WORDS } from './format.ts'
import { hostsOf } from './records.ts'
import type { Segment } from './segment.ts'
import { compareLabels, inZoneOrder, labelsOf } from './zone-order.ts'
import { nameKey } from './zone-tree.ts'

/** Types whose records point to hosts, by number. */
const POINTING = new Map(
  (['NS', 'MX', 'SRV', 'SVCB', 'HTTPS'] as const).map((type) => [TYPE[type] as number, type] as const),
)

/**
 * What has to be known of a whole segment to say what a change of some of its names changes at others. Made by looking at
 * all of it once; a change then costs what it changes.
 */
export class WholeZone {
  readonly segment: Segment
  /** Nodes, for what it takes in memory. */
  size = 0
  /** Names right below a name other than the apex, by its node. */
  readonly #children = new Map<number, number>()
  /** Nodes with records that point to a host of the zone, by its key. */
  readonly #pointing = new Map<string, number[]>()
  #owners: Int32Array | null = null
  readonly #cursor = new NameCursor()

  /** @param segment without an overlay */
  constructor(segment: Segment) {
    this.segment = segment
    for (const node of segment.nodes()) {
      this.size++
      if (node === segment.apexAt || (segment.flags(node) & FLAG.occluded) !== 0) continue
      this.#countBelow(node)
      for (const host of this.hosts(node)) {
        const key = nameKey(host)
        const known = this.#pointing.get(key)
        if (known) known.push(node)
        else this.#pointing.set(key, [node])
      }
    }
  }

  /** Node of a lower-case name; 0 for none, and for those below a cut. */
  find(name: Uint8Array): number {
    const cursor = this.#cursor
    cursor.read(name, 0, name.length)
    return this.segment.find(cursor.hashes[0] ?? 0, cursor.lower, 0, cursor.length)
  }

  hash(name: Uint8Array): number {
    this.#cursor.read(name, 0, name.length)
    return this.#cursor.hashes[0] ?? 0
  }

  children(node: number): number {
    return this.#children.get(node) ?? 0
  }

  pointingTo(key: string): readonly number[] {
    return this.#pointing.get(key) ?? []
  }

  /** Whether a lower-case name is below a delegation. */
  isBelowCut(name: Uint8Array): boolean {
    const { segment } = this
    for (let above = parentOf(name); above.length > segment.origin.length; above = parentOf(above)) {
      const node = this.find(above)
      if (node !== 0 && (segment.flags(node) & FLAG.cut) !== 0) return true
    }
    return false
  }

  /** Hosts within the zone that records of a node point to. */
  hosts(node: number): Uint8Array[] {
    const { segment } = this
    const found: Uint8Array[] = []
    for (const entry of segment.entries(node)) {
      const type = pointingType(segment.typeOf(entry))
      if (type === undefined) continue
      const { rdata } = rdataIn(segment.bytes, segment.recordsAt(entry), segment.answersEnd(entry))
      for (const host of hostsOf({ type, rdata })) if (isWithin(host, segment.origin)) found.push(host)
    }
    return found
  }

  /** Nodes in the chain of denials, in its order. */
  owners(): Int32Array {
    if (this.#owners) return this.#owners
    const { segment } = this
    const owners: { at: number; name: Uint8Array }[] = []
    for (const at of segment.nodes()) if (linkOf(segment, at) !== 0) owners.push({ at, name: segment.nodeName(at) })
    this.#owners = Int32Array.from(inZoneOrder(owners), ({ at }) => at)
    return this.#owners
  }

  /** How many of the chain come before a name. */
  ownersBefore(name: Uint8Array): number {
    const owners = this.owners()
    const labels = labelsOf(name)
    let [low, high] = [0, owners.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareLabels(labelsOf(this.segment.nodeName(owners[middle] ?? 0)), labels) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #countBelow(node: number): void {
    const { segment } = this
    const name = node + 4 * NODE_WORDS
    // Right below the apex, as most are: it is there whatever comes and goes.
    if ((segment.bytes[name] ?? 0) + 1 === ((segment.words[(node >> 2) + 1] ?? 0) & 255)) return
    const above = this.find(parentOf(segment.nodeName(node)))
    this.#children.set(above, this.children(above) + 1)
  }
}

export const parentOf = (name: Uint8Array): Uint8Array => name.subarray((name[0] ?? 0) + 1)

/** Entry of a node's link in the chain of denials; 0 where it has none. */
export const linkOf = (segment: Segment, node: number): number => segment.entry(node, TYPE.NSEC | KIND.transfer)

/** Name of the type of an entry whose records point to hosts, whose addresses go along with it. */
export function pointingType(type: number): 'NS' | 'MX' | 'SRV' | 'SVCB' | 'HTTPS' | undefined {
  const kind = type & KIND_MASK
  return kind === KIND.plain || kind === KIND.transfer ? POINTING.get(type & 0xffff) : undefined
}

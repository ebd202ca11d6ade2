import type { IpNetwork } from '@fairway/domain'
import type { Family } from '../wire/address.ts'

const ROOTS = { 4: 0, 6: 1 } as const

/**
 * Divides the addresses by a policy's CIDRs: two clients in one region are in the same CIDRs and need as many bits to
 * tell.
 * A binary tree with a path for each CIDR; where a client leaves the tree is its region.
 */
export class CidrTree {
  readonly isEmpty: boolean
  /** Two children for each node; 0 is none, for no child is a root. */
  readonly #children: number[] = [0, 0, 0, 0]

  constructor(cidrs: readonly IpNetwork[]) {
    this.isEmpty = cidrs.length === 0
    for (const cidr of cidrs) this.#add(cidr)
  }

  /** Number of the region of the client whose first `knownBits` bits are in `bytes`. */
  region(bytes: Uint8Array, family: Family, knownBits: number): number {
    let node: number = ROOTS[family]
    for (let depth = 0; depth < knownBits; depth++) {
      const bit = ((bytes[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1
      const child = this.#children[2 * node + bit] ?? 0
      if (child === 0) return 3 * node + 1 + bit
      node = child
    }
    return 3 * node
  }

  #add({ family, words, prefixLength }: IpNetwork): void {
    let node: number = ROOTS[family]
    for (let depth = 0; depth < prefixLength; depth++) {
      const bit = ((words[depth >> 5] ?? 0) >>> (31 - (depth & 31))) & 1
      let child = this.#children[2 * node + bit] ?? 0
      if (child === 0) {
        child = this.#children.push(0, 0) / 2 - 1
        this.#children[2 * node + bit] = child
      }
      node = child
    }
  }
}

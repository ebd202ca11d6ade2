import { FLAG } from '../segment/format.ts'
import type { Segment } from '../segment/segment.ts'
import { TYPE } from '../wire/codes.ts'
import { NameCursor } from '../wire/name-cursor.ts'
import { isWithin, lowerName, nameToText, nameToWire } from '../wire/name.ts'

const LONGEST_CHAIN = 8

/**
 * Names whose addresses a zone answers as its own names': those of CDNs at the apex and at names with other data, and
 * the targets of aliases.
 */
export function flatTargets(segment: Segment): string[] {
  const cursor = new NameCursor()
  const nodeOf = (name: string): number => {
    const wire = lowerName(nameToWire(name))
    if (!isWithin(wire, segment.origin)) return 0
    cursor.read(wire, 0, wire.length)
    return segment.find(cursor.hashes[0] ?? 0, cursor.lower, 0, cursor.length)
  }
  const aliased = segment.aliasTargets.flatMap((target) => chainOf(segment, nodeOf, target))
  const steered = segment.steered.flatMap(({ name, cnames }) => {
    const flat = aliased.includes(name) || (segment.flags(nodeOf(name)) & FLAG.steeredFlat) !== 0
    return flat ? cnames.flatMap((cname) => (cname ? nameToText(cname.lower) : [])) : []
  })
  return [...new Set([...aliased, ...steered])]
}

/** A name and those that it leads to by CNAMEs of the zone itself. */
function chainOf(segment: Segment, nodeOf: (name: string) => number, start: string): string[] {
  const chain = [start]
  for (let name = start; chain.length < LONGEST_CHAIN;) {
    const node = nodeOf(name)
    const cname = node === 0 ? 0 : segment.entry(node, TYPE.CNAME)
    if (cname === 0) return chain
    name = nameToText(segment.bytes, segment.recordsAt(cname) + 12)
    chain.push(name)
  }
  return chain
}

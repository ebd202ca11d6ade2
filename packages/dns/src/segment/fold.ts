import { Arena } from './arena.ts'
import { BODY_AT, FLAG } from './format.ts'
import type { Segment } from './segment.ts'
import { finishSegment } from './write-node.ts'

/** A segment and its overlay as one segment: nothing is made anew, its nodes are copied. */
export function foldedSegment(segment: Segment, builtAt: number): Uint8Array {
  const { bytes, words, negativeAt, negativeBytes, origin, version, madeAt } = segment
  const arena = new Arena(BODY_AT)
  const placed: { at: number; hash: number }[] = []
  let apexAt = 0
  for (const node of segment.nodes()) {
    const at = arena.put(bytes.subarray(node, segment.nodeEnd(node)))
    if ((segment.flags(node) & FLAG.occluded) === 0) placed.push({ at, hash: words[node >> 2] ?? 0 })
    if (node === segment.apexAt) apexAt = at
  }
  const negative = bytes.subarray(negativeAt, negativeAt + negativeBytes)
  const meta = { ...segment.meta(), madeAt }
  return finishSegment(arena, { placed, apexAt, negative, origin, meta, builtAt, version })
}

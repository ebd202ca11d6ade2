import { crc32 } from 'node:zlib'
import type { Arena } from './arena.ts'
import {
  CHECKSUM_BYTES,
  ENTRY,
  ENTRY_WORDS,
  FORMAT_VERSION,
  HEADER,
  LONG_ENTRY,
  LONG_ENTRY_WORDS,
  MAGIC,
  NODE_WORDS,
  STEERED,
  tagOf,
  type SegmentMeta,
} from './format.ts'
import type { RecordBlock } from './records.ts'

/** A node's entry: made now, or as it stands in another segment. */
export type Entry = RecordBlock | Uint8Array

/** `own` is its name without the origin; `steered` its place among the steered names, where its flags say that it is one. */
export type NodeHead = { hash: number; flags: number; own: Uint8Array; steered: number }

/** Writes a node and answers where it stands. */
export function writeNode(arena: Arena, entries: readonly Entry[], { hash, flags, own, steered }: NodeHead): number {
  const at = arena.word(hash)
  arena.word(own.length | (flags << 8) | (entries.length << 16))
  if (arena.length !== at + 4 * NODE_WORDS) throw new Error('node head does not have its size')
  arena.put(own)
  if ((flags & STEERED) !== 0) arena.word(steered)
  for (const entry of entries) {
    if (entry instanceof Uint8Array) arena.put(entry)
    else writeEntry(arena, entry)
  }
  return at
}

function writeEntry(arena: Arena, block: RecordBlock): void {
  const isLong = block.bytes.length > block.answerBytes
  const at = arena.words(isLong ? LONG_ENTRY_WORDS : ENTRY_WORDS)
  arena.setWord(at + 4 * ENTRY.type, block.type)
  arena.setWord(at + 4 * ENTRY.counts, block.answers | (isLong ? (block.mandatory << 16) | LONG_ENTRY : 0))
  arena.setWord(at + 4 * ENTRY.answerBytes, block.answerBytes)
  if (isLong) {
    arena.setWord(at + 4 * ENTRY.mandatoryBytes, block.mandatoryBytes)
    arena.setWord(at + 4 * ENTRY.allBytes, block.bytes.length)
    arena.setWord(at + 4 * ENTRY.optional, block.optional)
  }
  arena.put(block.bytes)
}

/** Open addressing, at most half full; 0 is an empty slot, for no node stands at the header. */
export function writeTable(arena: Arena, nodes: readonly { at: number; hash: number }[]): { at: number; mask: number } {
  let size = 4
  while (size < nodes.length * 2) size *= 2
  const mask = size - 1
  const slots = new Int32Array(size)
  for (const node of nodes) {
    let slot = node.hash & mask
    while (slots[slot]) slot = (slot + 1) & mask
    slots[slot] = node.at | tagOf(node.hash)
  }
  return { at: arena.put(new Uint8Array(slots.buffer)), mask }
}

/** What a segment has besides its nodes, which are written; `negative` is the SOA of denials. */
export type SegmentRest = {
  placed: readonly { at: number; hash: number }[]
  apexAt: number
  negative: Uint8Array
  origin: Uint8Array
  meta: SegmentMeta
  builtAt: number
  version: number
}

/** Writes what is left of a segment, and answers the file. */
export function finishSegment(arena: Arena, rest: SegmentRest): Uint8Array {
  const { placed, apexAt, negative, origin, builtAt, version } = rest
  const table = writeTable(arena, placed)
  const negativeAt = arena.put(negative)
  const originAt = arena.put(origin)
  const meta = new TextEncoder().encode(JSON.stringify(rest.meta))
  const metaAt = arena.put(meta)
  const header = {
    magic: MAGIC,
    format: FORMAT_VERSION,
    fileBytes: arena.length + CHECKSUM_BYTES,
    tableAt: table.at,
    tableMask: table.mask,
    apexAt,
    negativeAt,
    negativeBytes: negative.length,
    metaAt,
    metaBytes: meta.length,
    originAt,
    originBytes: origin.length,
  }
  for (const [name, value] of Object.entries(header)) arena.setWord(4 * HEADER[name as keyof typeof header], value)
  arena.setDouble(4 * HEADER.builtAt, builtAt)
  arena.setDouble(4 * HEADER.version, version)
  arena.word(crc32(arena.written()) | 0)
  return arena.done()
}

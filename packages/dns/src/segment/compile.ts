import crypto from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import { NameCursor } from '../wire/name-cursor.ts'
import { soaMinimum } from '../wire/rdata.ts'
import { Arena } from './arena.ts'
import {
  BODY_AT,
  CHECKSUM_BYTES,
  ENTRY,
  ENTRY_WORDS,
  FLAG,
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
import type { FormerNodes } from './former-nodes.ts'
import { inZoneOrder } from './zone-order.ts'
import { nodeBlocks, type Chain, type Signing } from './node-blocks.ts'
import { negativeRecord, type RecordBlock } from './records.ts'
import { ZoneError, zoneTree, type TreeNode, type ZoneTree } from './zone-tree.ts'

/**
 * Makes the segment of a zone; `signing` for one that is signed; with `former`, what did not change since is copied from
 * there. @throws ZoneError when the zone cannot be served.
 */
export function compileZone(
  zone: DnsZone,
  builtAt: number,
  signing: Signing | null = null,
  former: FormerNodes | null = null,
): Uint8Array {
  if (zone.signing && !signing) throw new ZoneError(`${zone.origin} is signed, and nothing signs it here`)
  const tree = zoneTree(zone, former?.read)
  const soa = tree.apex.sets.get('SOA')
  const soaRdata = soa?.rdata[0]
  if (!soa || !soaRdata) throw new ZoneError(`${zone.origin} has no SOA record`)
  const arena = new Arena(BODY_AT)
  const cursor = new NameCursor()
  const placed: { at: number; hash: number }[] = []
  let apexAt = 0
  const chain = signing ? chainOf(tree, Math.min(soa.ttlSeconds, soaMinimum(soaRdata))) : NO_CHAIN
  former?.begin(signing, chain)
  for (const node of tree.nodes.values()) {
    let at = former?.copy(node, arena) ?? 0
    if (at === 0) {
      cursor.read(node.name, 0, node.name.length)
      const own = node.name.subarray(0, node.name.length - tree.apex.name.length)
      at = writeNode(arena, node, nodeBlocks(tree, node, signing, chain), {
        hash: cursor.hashes[0] ?? 0,
        flags: flagsOf(tree, node),
        own,
      })
    }
    former?.note(node, at, arena.length)
    if (!node.occluded) placed.push({ at, hash: arena.wordAt(at) })
    if (node === tree.apex) apexAt = at
  }
  const table = writeTable(arena, placed)
  const negative = negativeRecord(soa, soaMinimum(soaRdata))
  const negativeAt = arena.put(negative)
  const originAt = arena.put(tree.apex.name)
  const meta = new TextEncoder().encode(JSON.stringify(metaOf(zone)))
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
    originBytes: tree.apex.name.length,
  }
  for (const [name, value] of Object.entries(header)) arena.setWord(4 * HEADER[name as keyof typeof header], value)
  arena.setDouble(4 * HEADER.builtAt, builtAt)
  arena.setDouble(4 * HEADER.version, zone.version)
  arena.word(crc32(arena.written()) | 0)
  const bytes = arena.done()
  former?.end(bytes)
  return bytes
}

const hashes = new WeakMap<DnsZone, string>()

/** Tells two published documents of one zone apart. */
export function sourceHash(zone: DnsZone): string {
  const known = hashes.get(zone)
  if (known !== undefined) return known
  const hash = crypto.createHash('sha256').update(JSON.stringify(zone)).digest('hex')
  hashes.set(zone, hash)
  return hash
}

/** The same of a zone after a patch: the whole is not written out for each change of a record. */
export function notePatched(former: DnsZone, zone: DnsZone, patch: DnsZonePatch): void {
  hashes.set(zone, crypto.createHash('sha256').update(sourceHash(former)).update(JSON.stringify(patch)).digest('hex'))
}

function metaOf(zone: DnsZone): SegmentMeta {
  const { zoneId, organizationId, proven, policies } = zone
  const steered = zone.steered.map(({ name, domainId, policyId }) => ({ name, domainId, policyId }))
  const keys = (zone.signing?.keys ?? []).map(({ tag, sealedPrivateKey, signs }) => ({ tag, sealedPrivateKey, signs }))
  return {
    zoneId,
    organizationId,
    proven,
    primary: zone.primary,
    transferable: zone.transfer !== undefined || zone.steered.length + (zone.aliases ?? []).length === 0,
    sourceHash: sourceHash(zone),
    steered,
    policies,
    aliasTargets: [...new Set((zone.aliases ?? []).map(({ target }) => target.toLowerCase()))],
    keys,
  }
}

const NO_CHAIN: Chain = { ttlSeconds: 0, next: new Map() }

/** Who comes after whom among the names that have something of their own (RFC 4035 2.3). */
function chainOf(tree: ZoneTree, ttlSeconds: number): Chain {
  const owners = inZoneOrder(
    [...tree.nodes.values()].filter((node) => !node.occluded && (node.sets.size > 0 || node.transferred.length > 0)),
  )
  return { ttlSeconds, next: new Map(owners.map((node, index) => [node, (owners[index + 1] ?? tree.apex).name])) }
}

function writeNode(
  arena: Arena,
  node: TreeNode,
  blocks: RecordBlock[],
  { hash, flags, own }: { hash: number; flags: number; own: Uint8Array },
): number {
  const at = arena.word(hash)
  arena.word(own.length | (flags << 8) | (blocks.length << 16))
  if (arena.length !== at + 4 * NODE_WORDS) throw new Error('node head does not have its size')
  arena.put(own)
  if ((flags & STEERED) !== 0) arena.word(node.steered ?? -1)
  for (const block of blocks) writeEntry(arena, block)
  return at
}

function writeEntry(arena: Arena, block: RecordBlock): void {
  const isLong = block.bytes.length > block.answerBytes
  const words = new Array<number>(isLong ? LONG_ENTRY_WORDS : ENTRY_WORDS).fill(0)
  words[ENTRY.type] = block.type
  words[ENTRY.counts] = block.answers | (isLong ? (block.mandatory << 16) | LONG_ENTRY : 0)
  words[ENTRY.answerBytes] = block.answerBytes
  if (isLong) {
    words[ENTRY.mandatoryBytes] = block.mandatoryBytes
    words[ENTRY.allBytes] = block.bytes.length
    words[ENTRY.optional] = block.optional
  }
  for (const word of words) arena.word(word)
  arena.put(block.bytes)
}

function flagsOf(tree: ZoneTree, node: TreeNode): number {
  if (node.occluded) return FLAG.occluded
  if (node.cut) return FLAG.cut
  if (node.alias) return FLAG.alias
  const weighted = node.sets.values().some((set) => set.weights !== null) ? FLAG.weighted : 0
  return weighted | steeredFlag(tree, node)
}

function steeredFlag(tree: ZoneTree, node: TreeNode): number {
  if (node.steered === null) return 0
  const others = [...node.sets.keys()].some((type) => type !== 'A' && type !== 'AAAA' && type !== 'CNAME')
  return node === tree.apex || others ? FLAG.steeredFlat : FLAG.steeredCname
}

/** Open addressing, at most half full; 0 is an empty slot, for no node stands at the header. */
function writeTable(arena: Arena, nodes: { at: number; hash: number }[]): { at: number; mask: number } {
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

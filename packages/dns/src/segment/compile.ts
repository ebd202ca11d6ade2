import crypto from 'node:crypto'
import type { DnsZone, DnsZonePatch } from '@fairway/contract'
import { NameCursor } from '../wire/name-cursor.ts'
import { soaMinimum } from '../wire/rdata.ts'
import { Arena } from './arena.ts'
import { BODY_AT, FLAG, type SegmentMeta } from './format.ts'
import type { FormerNodes } from './former-nodes.ts'
import { TURN, atOnce } from './in-turns.ts'
import { inZoneOrder } from './zone-order.ts'
import { nodeBlocks, type Chain, type Signing } from './node-blocks.ts'
import { negativeRecord } from './records.ts'
import { finishSegment, writeNode } from './write-node.ts'
import { ZoneError, treeInTurns, type TreeNode, type ZoneTree } from './zone-tree.ts'

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
  return atOnce(compileInTurns(zone, builtAt, signing, former))
}

/** The same, a turn after the other: a large zone takes seconds, and others change meanwhile. */
export function* compileInTurns(
  zone: DnsZone,
  builtAt: number,
  signing: Signing | null,
  former: FormerNodes | null,
): Generator<void, Uint8Array> {
  if (zone.signing && !signing) throw new ZoneError(`${zone.origin} is signed, and nothing signs it here`)
  const tree = yield* treeInTurns(zone, former?.read)
  const soa = tree.apex.sets.get('SOA')
  const soaRdata = soa?.rdata[0]
  if (!soa || !soaRdata) throw new ZoneError(`${zone.origin} has no SOA record`)
  const arena = new Arena(BODY_AT)
  const cursor = new NameCursor()
  const placed: { at: number; hash: number }[] = []
  let [apexAt, made] = [0, 0]
  const chain = signing ? chainOf(tree, Math.min(soa.ttlSeconds, soaMinimum(soaRdata))) : NO_CHAIN
  former?.begin(signing, chain)
  for (const node of tree.nodes.values()) {
    let at = former?.copy(node, arena) ?? 0
    if (at === 0) {
      cursor.read(node.name, 0, node.name.length)
      const own = node.name.subarray(0, node.name.length - tree.apex.name.length)
      at = writeNode(arena, nodeBlocks(tree, node, signing, chain), {
        hash: cursor.hashes[0] ?? 0,
        flags: flagsOf(tree, node),
        own,
        steered: node.steered ?? -1,
      })
    }
    former?.note(node, at, arena.length)
    if (!node.occluded) placed.push({ at, hash: arena.wordAt(at) })
    if (node === tree.apex) apexAt = at
    if (++made % TURN === 0) yield
  }
  const bytes = finishSegment(arena, {
    placed,
    apexAt,
    negative: negativeRecord(soa, soaMinimum(soaRdata)),
    origin: tree.apex.name,
    meta: metaOf(zone),
    builtAt,
    version: zone.version,
  })
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

/** The same of a zone of which nothing but a patch came. */
export const overlayHash = (whole: string, patch: DnsZonePatch): string =>
  crypto.createHash('sha256').update(whole).update(JSON.stringify(patch)).digest('hex')

/** The same of a zone after a patch: the whole is not written out for each change of a record. */
export function notePatched(former: DnsZone, zone: DnsZone, patch: DnsZonePatch): void {
  hashes.set(zone, overlayHash(sourceHash(former), patch))
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
    step: zone.step ?? 0,
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

/** What a node is, beside its entries. */
export function flagsOf(tree: ZoneTree, node: TreeNode): number {
  if (node.occluded) return FLAG.occluded
  if (node.cut) return FLAG.cut
  if (node.alias) return FLAG.alias
  let weighted = 0
  for (const set of node.sets.values()) if (set.weights !== null) weighted = FLAG.weighted
  return weighted | steeredFlag(tree, node)
}

function steeredFlag(tree: ZoneTree, node: TreeNode): number {
  if (node.steered === null) return 0
  const others = [...node.sets.keys()].some((type) => type !== 'A' && type !== 'AAAA' && type !== 'CNAME')
  return node === tree.apex || others ? FLAG.steeredFlat : FLAG.steeredCname
}

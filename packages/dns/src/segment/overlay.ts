import { crc32 } from 'node:zlib'
import type { DnsZonePatch } from '@fairway/contract'
import { rdataIn } from '../answer/proofs.ts'
import { nsecRdata } from '../dnssec/denial.ts'
import { TYPE } from '../wire/codes.ts'
import { isWithin, labelStarts, lowerName, nameToWire } from '../wire/name.ts'
import { soaMinimum } from '../wire/rdata.ts'
import { Arena } from './arena.ts'
import { flagsOf, overlayHash } from './compile.ts'
import {
  CHECKSUM_BYTES,
  FLAG,
  FORMAT_VERSION,
  HEADER,
  KIND,
  KIND_MASK,
  OVERLAY,
  OVERLAY_BODY_AT,
  OVERLAY_MAGIC,
  STEERED,
  aligned,
  type OverlayMeta,
} from './format.ts'
import { linkBlocks, nodeBlocks, setBlocks, signedAt, type Signing } from './node-blocks.ts'
import { OverlayChain } from './overlay-chain.ts'
import { answerBlock, negativeRecord, referralBlock, type Addresses } from './records.ts'
import { overlayBehind, type Segment } from './segment.ts'
import { linkOf, parentOf, pointingType, type WholeZone } from './whole-zone.ts'
import { writeNode, writeTable, type Entry } from './write-node.ts'
import { nameKey, typeNumber, zoneTree, type RecordSet, type TreeNode, type ZoneTree } from './zone-tree.ts'

/** More than names and what stands beside them would change: the zone has to be compiled whole. */
class NotBeside extends Error {}

/** A name of which something is other than in the whole. `at` is its node there, 0 for none. */
type Touched = { name: Uint8Array; at: number; node: TreeNode | null; isGone: boolean }

/**
 * What a patch makes of a zone that was compiled whole, as an overlay of that: the changed names, who points to them,
 * their neighbours in the chain of denials, and the apex. Null where it reaches further (delegations, steering, aliases,
 * another version of the zone): then the zone is compiled whole. @throws ZoneError when the zone cannot be served
 */
export function compileOverlay(
  whole: WholeZone,
  patch: DnsZonePatch,
  builtAt: number,
  signing: Signing | null,
): Uint8Array | null {
  if (!fits(whole.segment, patch, signing)) return null
  try {
    return new OverlayCompiler(whole, patch, signing).compile(builtAt)
  } catch (error) {
    if (error instanceof NotBeside) return null
    throw error
  }
}

function fits(segment: Segment, patch: DnsZonePatch, signing: Signing | null): boolean {
  if (segment.zoneId !== patch.zoneId || segment.step !== (patch.step ?? 0)) return false
  if (segment.version < patch.since || segment.version > patch.version) return false
  if ((signing !== null) !== linkOf(segment, segment.apexAt) > 0) return false
  // What secondaries are given in place of steering has a form, and may have a zone, of its own.
  return segment.primary === null && !(segment.transferable && segment.steered.length + segment.aliasTargets.length > 0)
}

class OverlayCompiler {
  readonly #whole: WholeZone
  readonly #segment: Segment
  readonly #patch: DnsZonePatch
  readonly #signing: Signing | null
  readonly #tree: ZoneTree
  readonly #touched = new Map<string, Touched>()
  /** Names of the whole that have nothing of their own any more. */
  readonly #emptied: Touched[] = []
  #isApexTouched = false
  /** Where addresses are asked for: as the zone is now. */
  readonly #addresses: Addresses = { nodes: { get: (key) => this.#addressesAt(key) } }

  constructor(whole: WholeZone, patch: DnsZonePatch, signing: Signing | null) {
    this.#whole = whole
    this.#segment = whole.segment
    this.#patch = patch
    this.#signing = signing
    const { zoneId, organizationId, originText: origin } = whole.segment
    const rrsets = [...patch.apex, ...patch.rrsets]
    this.#tree = zoneTree({ zoneId, organizationId, origin, version: patch.version, rrsets, steered: [], policies: [] })
  }

  compile(builtAt: number): Uint8Array {
    for (const node of this.#tree.nodes.values()) if (node.cut) throw new NotBeside()
    this.#touchNames()
    this.#touchAbove()
    const negativeTtl = this.#negativeTtl()
    const chain = this.#signing ? new OverlayChain(this.#whole, this.#owners()) : null
    if (chain && negativeTtl !== this.#segment.negativeTtlSeconds) throw new NotBeside()
    const next = new Map<TreeNode, Uint8Array>()
    for (const { node, name } of this.#touched.values()) if (chain && node) next.set(node, chain.after(name))

    const start = overlayBehind(this.#segment.wholeBytes)
    const arena = new Arena(OVERLAY_BODY_AT)
    const placed: { at: number; hash: number }[] = []
    const replaced: number[] = []
    const place = (name: Uint8Array, over: number, flags: number, entries: readonly Entry[], steered = -1) => {
      const hash = this.#whole.hash(name)
      const own = name.subarray(0, name.length - this.#segment.origin.length)
      placed.push({ at: start + writeNode(arena, entries, { hash, flags, own, steered }), hash })
      if (over !== 0) replaced.push(over)
    }
    const segment = this.#segment
    const apexAt = start + arena.length
    place(
      segment.origin,
      segment.apexAt,
      segment.flags(segment.apexAt),
      this.#apexEntries(chain?.after(segment.origin) ?? null, negativeTtl),
      segment.steeredIndex(segment.apexAt),
    )
    for (const { name, at, node, isGone } of this.#touched.values()) {
      if (isGone) place(name, at, FLAG.gone, [])
      else if (!node) place(name, at, 0, [])
      else
        place(
          name,
          at,
          flagsOf(this.#tree, node),
          nodeBlocks(this.#addresses, node, this.#signing, { ttlSeconds: negativeTtl, next }),
        )
    }
    for (const [at, link] of this.#beside(chain)) {
      const entries = this.#entriesBeside(at, link, negativeTtl)
      place(segment.nodeName(at), at, segment.flags(at), entries, segment.steeredIndex(at))
    }
    return this.#finished(arena, { start, placed, replaced, apexAt, builtAt })
  }

  #touchNames(): void {
    const segment = this.#segment
    const keys = new Set<string>()
    for (const text of this.#patch.names) {
      const name = lowerName(nameToWire(text))
      const key = nameKey(name)
      if (keys.has(key) || !isWithin(name, segment.origin)) continue
      keys.add(key)
      if (name.length === segment.origin.length) {
        if ((segment.flags(segment.apexAt) & (STEERED | FLAG.alias)) !== 0) throw new NotBeside()
        this.#isApexTouched = true
        continue
      }
      const at = this.#whole.find(name)
      if (at !== 0 && (segment.flags(at) & (STEERED | FLAG.cut | FLAG.alias)) !== 0) throw new NotBeside()
      if (this.#whole.isBelowCut(name)) throw new NotBeside()
      const node = this.#tree.nodes.get(key)
      if (node && node.sets.size > 0) this.#touched.set(key, { name, at, node, isGone: false })
      else if (at !== 0 && !segment.isEmpty(at)) this.#emptied.push({ name, at, node: null, isGone: false })
    }
    for (const { name, label, sets } of this.#tree.nodes.values())
      if (sets.size > 0 && name.length > segment.origin.length && !keys.has(nameKey(name)))
        throw new Error(`the patch has ${label} without naming it`)
  }

  /** Names above those that come are there as well, and go with the last below them (RFC 4592 2.2.2). */
  #touchAbove(): void {
    const segment = this.#segment
    const more = new Map<string, number>()
    const count = (name: Uint8Array, by: number) => {
      const key = nameKey(name)
      more.set(key, (more.get(key) ?? 0) + by)
    }
    const coming = [...this.#touched.values()].filter(({ at }) => at === 0)
    for (const { name } of coming) {
      count(parentOf(name), 1)
      for (let above = parentOf(name); above.length > segment.origin.length; above = parentOf(above)) {
        if (this.#touched.has(nameKey(above)) || this.#whole.find(above) !== 0) break
        this.#touched.set(nameKey(above), { name: above, at: 0, node: null, isGone: false })
        count(parentOf(above), 1)
      }
    }
    // From below upwards.
    const byDepth: Map<string, Touched>[] = []
    const settle = (one: Touched) => {
      const depth = labelStarts(one.name).length
      ;(byDepth[depth] ??= new Map()).set(nameKey(one.name), one)
    }
    for (const one of this.#emptied) settle(one)
    const own = new Set(this.#emptied.map(({ at }) => at))
    for (let depth = byDepth.length - 1; depth > 0; depth--)
      for (const [key, one] of byDepth[depth] ?? []) {
        const isGone = this.#whole.children(one.at) + (more.get(key) ?? 0) === 0
        if (isGone || own.has(one.at)) this.#touched.set(key, { ...one, isGone })
        const above = parentOf(one.name)
        if (!isGone || above.length <= segment.origin.length) continue
        count(above, -1)
        const at = this.#whole.find(above)
        if (at !== 0 && segment.isEmpty(at) && !this.#touched.has(nameKey(above)))
          settle({ name: above, at, node: null, isGone: false })
      }
  }

  #negativeTtl(): number {
    const soa = this.#tree.apex.sets.get('SOA')
    return Math.min(soa?.ttlSeconds ?? 0, soaMinimum(soa?.rdata[0] ?? new Uint8Array(0)))
  }

  /** Names that come into the chain of denials, and nodes that leave it. */
  #owners(): { come: Uint8Array[]; leave: number[] } {
    const was = (at: number) => at !== 0 && linkOf(this.#segment, at) !== 0
    const touched = [...this.#touched.values()]
    return {
      come: touched.filter(({ node, at }) => node && !was(at)).map(({ name }) => name),
      leave: touched.filter(({ node, at }) => !node && was(at)).map(({ at }) => at),
    }
  }

  /** Nodes of the whole that change without being named: who points to changed names, and with what the chain goes on. */
  #beside(chain: OverlayChain | null): Map<number, Uint8Array | null> {
    const own = new Set([...this.#touched.values()].map(({ at }) => at))
    const beside = new Map<number, Uint8Array | null>()
    const pointed = [...this.#touched.keys(), ...(this.#isApexTouched ? [nameKey(this.#segment.origin)] : [])]
    for (const key of pointed) for (const at of this.#whole.pointingTo(key)) if (!own.has(at)) beside.set(at, null)
    for (const [at, next] of chain?.changed() ?? [])
      if (at !== this.#segment.apexAt && !own.has(at)) beside.set(at, next)
    return beside
  }

  /** SOA and nameservers are always other ones; of the rest what the patch names. */
  #apexEntries(next: Uint8Array | null, negativeTtl: number): Entry[] {
    const segment = this.#segment
    const { apex } = this.#tree
    const signed = signedAt(apex, this.#signing)
    const fresh = [...apex.sets.values()]
    const entries: Entry[] = fresh.flatMap((set) => setBlocks(this.#addresses, set, signed))
    const types = new Set(fresh.map(typeNumber))
    for (const entry of segment.entries(segment.apexAt)) {
      const type = segment.typeOf(entry)
      const number = type & 0xffff
      const isLink = number === TYPE.NSEC && (type & KIND_MASK) >= KIND.transfer
      const isOurs = number === TYPE.SOA || number === TYPE.NS || (this.#isApexTouched && !KEY_TYPES.has(number))
      if (isLink || (isOurs && (type & KIND_MASK) !== KIND.alias)) continue
      if ((type & KIND_MASK) !== KIND.alias) types.add(number)
      entries.push(this.#entryAgain(segment.apexAt, entry))
    }
    if (this.#signing && next)
      entries.push(...linkBlocks(segment.origin, nsecRdata(next, types), negativeTtl, this.#signing))
    return entries
  }

  #entriesBeside(at: number, next: Uint8Array | null, negativeTtl: number): Entry[] {
    const segment = this.#segment
    const entries: Entry[] = []
    for (const entry of segment.entries(at)) {
      const type = segment.typeOf(entry)
      const isLink = (type & 0xffff) === TYPE.NSEC && (type & KIND_MASK) >= KIND.transfer
      if (next && isLink) continue
      entries.push(this.#entryAgain(at, entry))
    }
    if (this.#signing && next) {
      const link = linkOf(segment, at)
      const [rdata = new Uint8Array(0)] = rdataIn(
        segment.bytes,
        segment.recordsAt(link),
        segment.answersEnd(link),
      ).rdata
      // The types stay: they follow the next name.
      const types = rdata.subarray(labelStarts(rdata).at(-1) ?? 0).subarray(1)
      entries.push(...linkBlocks(segment.nodeName(at), Buffer.concat([next, types]), negativeTtl, this.#signing))
    }
    return entries
  }

  /** An entry of the whole with the addresses that go along now; all others as they stand. */
  #entryAgain(at: number, entry: number): Entry {
    const segment = this.#segment
    const type = segment.typeOf(entry)
    const pointing = pointingType(type)
    if (pointing === undefined) return segment.bytes.subarray(entry, aligned(segment.allEnd(entry)))
    const records = rdataIn(segment.bytes, segment.recordsAt(entry), segment.answersEnd(entry))
    const set: RecordSet = { ...records, type: pointing, weights: null }
    const isReferral = (segment.flags(at) & FLAG.cut) !== 0 && pointing === 'NS'
    const block = isReferral
      ? referralBlock(this.#addresses, { name: segment.nodeName(at) }, set)
      : answerBlock(this.#addresses, set)
    return { ...block, type }
  }

  #addressesAt(key: string): Pick<TreeNode, 'sets'> | undefined {
    const touched = this.#touched.get(key)
    if (touched) return touched.node ?? undefined
    const segment = this.#segment
    const isApex = key === nameKey(segment.origin)
    if (isApex && this.#isApexTouched) return this.#tree.apex
    const name = Buffer.from(key, 'latin1')
    if (!isWithin(name, segment.origin)) return undefined
    const node = isApex ? segment.apexAt : this.#whole.find(name)
    // Addresses below a delegation stand where they are not found by name.
    if (node === 0 && this.#whole.isBelowCut(name)) throw new NotBeside()
    if (node === 0) return undefined
    const sets = new Map<'A' | 'AAAA', RecordSet>()
    for (const type of ['A', 'AAAA'] as const) {
      if (segment.entry(node, TYPE[type] | KIND.weights) !== 0) continue
      const entry = segment.entry(node, TYPE[type])
      if (entry === 0) continue
      const records = rdataIn(segment.bytes, segment.recordsAt(entry), segment.answersEnd(entry))
      sets.set(type, { ...records, type, weights: null })
    }
    return { sets }
  }

  #finished(
    arena: Arena,
    {
      start,
      placed,
      replaced,
      apexAt,
      builtAt,
    }: {
      start: number
      placed: { at: number; hash: number }[]
      replaced: number[]
      apexAt: number
      builtAt: number
    },
  ): Uint8Array {
    const segment = this.#segment
    const soa = this.#tree.apex.sets.get('SOA')
    if (!soa) throw new Error('a zone without SOA')
    const table = writeTable(arena, placed)
    const negative = negativeRecord(soa, soaMinimum(soa.rdata[0] ?? new Uint8Array(0)))
    const negativeAt = start + arena.put(negative)
    const replacedAt = start + arena.put(new Uint8Array(Int32Array.from(replaced).buffer))
    const meta: OverlayMeta = { sourceHash: overlayHash(segment.sourceHash, this.#patch) }
    const metaBytes = new TextEncoder().encode(JSON.stringify(meta))
    const metaAt = start + arena.put(metaBytes)
    const header: Partial<Record<keyof typeof HEADER, number>> = {
      magic: OVERLAY_MAGIC,
      format: FORMAT_VERSION,
      fileBytes: arena.length + CHECKSUM_BYTES,
      tableAt: start + table.at,
      tableMask: table.mask,
      apexAt,
      negativeAt,
      negativeBytes: negative.length,
      metaAt,
      metaBytes: metaBytes.length,
      originAt: segment.origin.byteOffset - segment.bytes.byteOffset,
      originBytes: segment.origin.length,
    }
    for (const [name, value] of Object.entries(header)) arena.setWord(4 * HEADER[name as keyof typeof HEADER], value)
    arena.setDouble(4 * HEADER.builtAt, builtAt)
    arena.setDouble(4 * HEADER.version, this.#patch.version)
    arena.setWord(4 * OVERLAY.replacedAt, replacedAt)
    arena.setWord(4 * OVERLAY.replaced, replaced.length)
    arena.setWord(4 * OVERLAY.wholeChecksum, segment.wholeChecksum)
    arena.setDouble(4 * OVERLAY.wholeBuiltAt, segment.wholeBuiltAt)
    arena.word(crc32(arena.written()) | 0)
    return arena.done()
  }
}

/** Sets at the apex that come of how the zone is signed, and not of records. */
const KEY_TYPES: ReadonlySet<number> = new Set([TYPE.DNSKEY, TYPE.CDS, TYPE.CDNSKEY])

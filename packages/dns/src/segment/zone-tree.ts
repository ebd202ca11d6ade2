import type { DnsType, DnsZone, Rrset } from '@fairway/contract'
import { DNS_TYPES } from '@fairway/contract/lean'
import { TURN, atOnce } from './in-turns.ts'
import { keySets } from '../dnssec/key-sets.ts'
import { steeringDelegation, transferSets } from './transfer-sets.ts'
import { isWithin, labelStarts, lowerName, nameToWire } from '../wire/name.ts'
import { rdataToWire } from '../wire/rdata.ts'

/** A zone that cannot be served; the message says which name and why. The version before it stays live. */
export class ZoneError extends Error {}

/** `weights` stand beside `rdata` where every answer has one of them. */
export type RecordSet = { type: DnsType; ttlSeconds: number; rdata: Uint8Array[]; weights: number[] | null }
export type TreeNode = {
  /** Lower-case wire name. */
  name: Uint8Array
  label: string
  sets: Map<DnsType, RecordSet>
  steered: number | null
  /** What secondaries are given in place of steering or an alias. */
  transferred: RecordSet[]
  alias: { target: Uint8Array; ttlSeconds: number } | null
  cut: boolean
  /** Below a cut: never answered, at most glue. */
  occluded: boolean
}
/** A published set as a tree holds it: by whom it is owned, and its records. */
export type ReadSet = { owner: Uint8Array; key: string; set: RecordSet }
/** What was read of the same published sets before: a zone that is patched keeps those that stay. */
export type ReadSets = WeakMap<Rrset, ReadSet>
export type ZoneTree = { origin: Uint8Array; apex: TreeNode; nodes: Map<string, TreeNode> }

const RECORD_OVERHEAD_BYTES = 12
const LARGEST_SET_BYTES = 65_000
const MOST_VARIANTS = 1000

/**
 * All names of a zone, empty non-terminals included (RFC 4592 2.2.2), with cuts and what they hide. @throws ZoneError
 */
export function zoneTree(zone: DnsZone): ZoneTree {
  return atOnce(treeInTurns(zone))
}

/** The same, a turn after the other. */
export function* treeInTurns(zone: DnsZone, known: ReadSets = new WeakMap()): Generator<void, ZoneTree> {
  const origin = within(zone.origin, () => lowerName(nameToWire(zone.origin)))
  const nodes = new Map<string, TreeNode>()
  const apex = addNode(nodes, origin, { owner: origin, key: nameKey(origin) }, zone.origin)
  const keys = zone.signing ? keySets(zone.origin, origin, zone.signing) : []
  for (const [index, rrset] of [...zone.rrsets, ...keys, ...steeringDelegation(zone)].entries()) {
    addSet(nodes, origin, rrset, known)
    if (index % TURN === TURN - 1) yield
  }
  for (const alias of zone.aliases ?? []) addAlias(nodes, origin, alias)
  for (const [index, steered] of zone.steered.entries()) addSteered(nodes, origin, steered.name, index, zone)
  for (const set of transferSets(zone)) ownedNode(nodes, origin, set.name).transferred.push(recordSet(set))
  if (!apex.sets.has('SOA')) throw new ZoneError(`${zone.origin} has no SOA record`)
  for (const node of nodes.values()) node.cut = node !== apex && node.sets.has('NS')
  if (nodes.values().some((node) => node.cut)) {
    for (const node of nodes.values()) node.occluded = ancestors(nodes, node, origin).some((above) => above.cut)
  }
  for (const node of nodes.values()) refuseConflicts(node, apex)
  return { origin, apex, nodes }
}

/** Key of a lower-case wire name in a tree. */
export function nameKey(name: Uint8Array): string {
  return Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('latin1')
}

function addNode(
  nodes: Map<string, TreeNode>,
  origin: Uint8Array,
  { owner, key }: Pick<ReadSet, 'owner' | 'key'>,
  label: string,
): TreeNode {
  const found = nodes.get(key)
  if (found) return found
  const node: TreeNode = {
    name: owner,
    label,
    sets: new Map(),
    steered: null,
    transferred: [],
    alias: null,
    cut: false,
    occluded: false,
  }
  nodes.set(key, node)
  const below = (owner[0] ?? 0) + 1
  // Right below the apex, as most are: that is there.
  if (owner.length - below > origin.length) {
    const above = owner.subarray(below)
    addNode(nodes, origin, { owner: above, key: nameKey(above) }, label.slice(label.indexOf('.') + 1))
  }
  return node
}

function addSet(nodes: Map<string, TreeNode>, origin: Uint8Array, rrset: Rrset, known: ReadSets): void {
  const read = known.get(rrset) ?? { ...ownerOf(origin, rrset.name), set: recordSet(rrset) }
  known.set(rrset, read)
  const node = addNode(nodes, origin, read, rrset.name)
  if (node.sets.has(rrset.type)) throw new ZoneError(`${rrset.name} ${rrset.type} is given twice`)
  node.sets.set(rrset.type, read.set)
}

function recordSet(rrset: DnsZone['rrsets'][number]): RecordSet {
  const where = `${rrset.name} ${rrset.type}`
  const wires = rrset.rdata.map((text) => within(where, () => rdataToWire(rrset.type, text)))
  const rdata = wires.length > 1 ? [...new Map(wires.map((wire) => [nameKey(wire), wire])).values()] : wires
  const weights =
    rrset.weights?.length === rdata.length &&
    rdata.length > 1 &&
    rdata.length <= MOST_VARIANTS &&
    rrset.weights.some((weight) => weight > 0)
      ? rrset.weights
      : null
  const set = { type: rrset.type, ttlSeconds: rrset.ttlSeconds, rdata, weights }
  const bytes = set.rdata.reduce((sum, wire) => sum + wire.length + RECORD_OVERHEAD_BYTES, 0)
  if (bytes > LARGEST_SET_BYTES) throw new ZoneError(`${where} does not fit into one message`)
  return set
}

function addAlias(
  nodes: Map<string, TreeNode>,
  origin: Uint8Array,
  { name, target, ttlSeconds }: NonNullable<DnsZone['aliases']>[number],
): void {
  const node = ownedNode(nodes, origin, name)
  if (node.alias) throw new ZoneError(`${name} is an alias twice`)
  node.alias = { target: within(name, () => lowerName(nameToWire(target))), ttlSeconds }
}

function addSteered(
  nodes: Map<string, TreeNode>,
  origin: Uint8Array,
  name: string,
  index: number,
  zone: DnsZone,
): void {
  const node = ownedNode(nodes, origin, name)
  const policyId = zone.steered[index]?.policyId
  if (node.steered !== null) throw new ZoneError(`${name} is steered twice`)
  if (!zone.policies.some((policy) => policy.id === policyId))
    throw new ZoneError(`${name} is steered by policy ${policyId}, which is missing`)
  node.steered = index
}

function ownedNode(nodes: Map<string, TreeNode>, origin: Uint8Array, name: string): TreeNode {
  return addNode(nodes, origin, ownerOf(origin, name), name)
}

function ownerOf(origin: Uint8Array, name: string): Pick<ReadSet, 'owner' | 'key'> {
  const owner = within(name, () => lowerName(nameToWire(name)))
  if (!isWithin(owner, origin)) throw new ZoneError(`${name} is not in the zone`)
  return { owner, key: nameKey(owner) }
}

function ancestors(nodes: Map<string, TreeNode>, node: TreeNode, origin: Uint8Array): TreeNode[] {
  const starts = labelStarts(node.name)
    .slice(1)
    .filter((start) => node.name.length - start >= origin.length)
  return starts.flatMap((start) => nodes.get(nameKey(node.name.subarray(start))) ?? [])
}

function refuseConflicts(node: TreeNode, apex: TreeNode): void {
  const cname = node.sets.get('CNAME')
  if (node.sets.has('SOA') && (node !== apex || node.sets.get('SOA')?.rdata.length !== 1))
    throw new ZoneError(`${node.label}: one SOA, at the apex only`)
  // Beside steering a CNAME or address is only the way out when no CDN is enabled.
  if (cname && (cname.rdata.length > 1 || node.sets.size > 1))
    throw new ZoneError(`${node.label}: a CNAME stands alone (RFC 2181 10.1)`)
  if (node.alias && (cname || node.sets.has('A') || node.sets.has('AAAA') || node.steered !== null))
    throw new ZoneError(`${node.label}: an alias stands beside addresses`)
  if (node.alias && (node.cut || node.occluded))
    throw new ZoneError(`${node.label} is delegated and cannot be an alias`)
  if (cname && node === apex) throw new ZoneError(`${node.label}: the apex cannot be a CNAME`)
  if (node.cut && node.name[0] === 1 && node.name[1] === 42)
    throw new ZoneError(`${node.label}: a wildcard cannot be delegated (RFC 4592 4.2)`)
  if (node.steered !== null && (node.cut || node.occluded))
    throw new ZoneError(`${node.label} is delegated and cannot be steered`)
}

function within<T>(where: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new ZoneError(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Number on the wire of a set's type: one without a name has it in its own. */
export function typeNumber(set: RecordSet): number {
  return set.type in DNS_TYPES ? DNS_TYPES[set.type as keyof typeof DNS_TYPES] : Number(set.type.slice('TYPE'.length))
}

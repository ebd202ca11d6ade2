import { CLASS_IN } from '../wire/codes.ts'
import { ByteWriter } from '../wire/bytes.ts'
import { isWithin, lowerName } from '../wire/name.ts'
import { nameKey, typeNumber, type RecordSet, type TreeNode } from './zone-tree.ts'

/** Records of one answer as they go onto the wire; see `format.ts` for what owners mean. */
export type RecordBlock = {
  type: number
  answers: number
  mandatory: number
  optional: number
  answerBytes: number
  mandatoryBytes: number
  bytes: Uint8Array
}

/** A host that records point to, and where its name stands in the records written so far. */
type Server = { name: Uint8Array; at: number }

const QUESTION_OWNER = 0xc00c
/** Pointers reach 16383; the rest is left for what stands before the block in a message. */
const FARTHEST_POINTER = 0x3fff - 4096

/**
 * Types whose addresses go along where there is room (RFC 1034 6.2.7, RFC 2782, RFC 9460 4.1), and how many bytes stand
 * before the name of the host.
 */
const BEFORE_HOST: Partial<Record<string, number>> = { NS: 0, MX: 2, SRV: 6, SVCB: 2, HTTPS: 2 }

/** Whether a set's records stand for themselves: no addresses of other names go along. */
export const standsAlone = (set: RecordSet): boolean => BEFORE_HOST[set.type] === undefined

/** Hosts that the records of a set point to, in lower case: their addresses go along. */
export const hostsOf = ({ type, rdata }: Pick<RecordSet, 'type' | 'rdata'>): Uint8Array[] => {
  const before = BEFORE_HOST[type]
  return before === undefined ? [] : rdata.map((one) => hostAt(one, before))
}

/** What is asked of a zone for the addresses that go along. */
export type Addresses = { nodes: { get(key: string): Pick<TreeNode, 'sets'> | undefined } }

/** One RRset as a positive answer. */
export function answerBlock(tree: Addresses, set: RecordSet): RecordBlock {
  const out = new ByteWriter()
  const starts = writeSet(out, set, () => out.u16(QUESTION_OWNER))
  const answerBytes = out.length
  const before = BEFORE_HOST[set.type]
  const servers = before === undefined ? [] : serversOf(set, starts, before)
  const optional = writeGlue(out, tree, servers)
  return {
    type: typeNumber(set),
    answers: set.rdata.length,
    mandatory: 0,
    optional,
    answerBytes,
    mandatoryBytes: answerBytes,
    bytes: out.done(),
  }
}

/**
 * The NS records of a cut with addresses: those of servers below the cut cannot be found otherwise and are mandatory
 * (RFC 9471).
 */
export function referralBlock(tree: Addresses, cut: Pick<TreeNode, 'name'>, servers: RecordSet): RecordBlock {
  const out = new ByteWriter()
  const starts = writeSet(out, servers, () => out.u16(QUESTION_OWNER))
  const answerBytes = out.length
  const glue = serversOf(servers, starts)
  const mandatory = writeGlue(
    out,
    tree,
    glue.filter((server) => isWithin(server.name, cut.name)),
  )
  const mandatoryBytes = out.length
  const optional = writeGlue(
    out,
    tree,
    glue.filter((server) => !isWithin(server.name, cut.name)),
  )
  return {
    type: typeNumber(servers),
    answers: servers.rdata.length,
    mandatory,
    optional,
    answerBytes,
    mandatoryBytes,
    bytes: out.done(),
  }
}

/** Rdata of one type as whole records, owned by the name in question. */
export function rdataBlock(
  type: number,
  number: number,
  ttlSeconds: number,
  rdata: readonly Uint8Array[],
): RecordBlock {
  const out = new ByteWriter()
  for (const one of rdata) {
    out.u16(QUESTION_OWNER)
    out.u16(number)
    out.u16(CLASS_IN)
    out.u32(ttlSeconds)
    out.u16(one.length)
    out.put(one)
  }
  return plainBlock(type, rdata.length, out.done())
}

/** Bytes that are looked up like records and are none. */
export function plainBlock(type: number, answers: number, bytes: Uint8Array): RecordBlock {
  return { type, answers, mandatory: 0, optional: 0, answerBytes: bytes.length, mandatoryBytes: bytes.length, bytes }
}

/** The SOA of negative answers, without owner; lives as long as the smaller of its TTL and its minimum (RFC 2308 5). */
export function negativeRecord(soa: RecordSet, minimumSeconds: number): Uint8Array {
  const out = new ByteWriter()
  writeSet(out, { ...soa, ttlSeconds: Math.min(soa.ttlSeconds, minimumSeconds) }, () => {})
  return out.done()
}

function serversOf(set: RecordSet, starts: number[], before = 0): Server[] {
  return set.rdata.map((rdata, i) => ({ name: hostAt(rdata, before), at: (starts[i] ?? 0) + before }))
}

/** The name that begins there, in lower case; what follows it is left out. */
function hostAt(rdata: Uint8Array, start: number): Uint8Array {
  let at = start
  while ((rdata[at] ?? 0) > 0) at += (rdata[at] ?? 0) + 1
  return lowerName(rdata.subarray(start, at + 1))
}

/** Writes records and answers where the rdata of each starts. */
function writeSet(out: ByteWriter, set: RecordSet, writeOwner: () => void): number[] {
  return set.rdata.map((rdata) => {
    writeOwner()
    out.u16(typeNumber(set))
    out.u16(CLASS_IN)
    out.u32(set.ttlSeconds)
    out.u16(rdata.length)
    out.put(rdata)
    return out.length - rdata.length
  })
}

function writeGlue(out: ByteWriter, tree: Addresses, servers: Server[]): number {
  let records = 0
  for (const server of servers) {
    const sets = tree.nodes.get(nameKey(server.name))?.sets
    for (const set of [sets?.get('A'), sets?.get('AAAA')]) {
      // Of a set that is shared out every answer has one record, which is not known here.
      if (!set || set.weights !== null) continue
      writeSet(out, set, () => (server.at < FARTHEST_POINTER ? out.u16(0xc000 | server.at) : out.put(server.name)))
      records += set.rdata.length
    }
  }
  return records
}

import { KIND, KIND_MASK, VARIANT } from '../segment/format.ts'
import type { Segment } from '../segment/segment.ts'
import { TYPE } from '../wire/codes.ts'

/** A record as it travels: its owner, and all from its type on. */
export type WireRecord = { owner: Uint8Array; tail: Uint8Array }

const PLACEHOLDER_BYTES = 2

/**
 * All records of a zone but its SOA, as secondaries serve them: steering and aliases in their other form, weighted sets
 * whole.
 */
export function* zoneRecords(zone: Segment, nodes: Iterable<number> = zone.nodes()): Generator<WireRecord> {
  for (const node of nodes) {
    const owner = zone.nodeName(node)
    for (const entry of zone.entries(node)) {
      const type = zone.typeOf(entry)
      const kind = type & KIND_MASK
      if (kind === KIND.alias || kind === KIND.weights || type >= VARIANT || type === TYPE.SOA) continue
      for (const tail of tailsOf(zone, entry)) yield { owner, tail }
    }
  }
}

/** The SOA, which a transfer begins and ends with. */
export function soaRecord(zone: Segment): WireRecord {
  const [tail] = tailsOf(zone, zone.entry(zone.apexAt, TYPE.SOA))
  if (!tail) throw new Error(`${zone.originText} has no SOA`)
  return { owner: zone.origin, tail }
}

/** The serial stands before the four timers at the end. */
export function serialOf(zone: Segment): number {
  const { tail } = soaRecord(zone)
  return new DataView(tail.buffer, tail.byteOffset, tail.byteLength).getUint32(tail.byteLength - 20)
}

/** The answers of an entry; what may go along with them is somebody else's. */
function tailsOf(zone: Segment, entry: number): Uint8Array[] {
  const from = zone.recordsAt(entry)
  const end = zone.answersEnd(entry)
  const view = new DataView(zone.bytes.buffer, zone.bytes.byteOffset)
  const tails: Uint8Array[] = []
  for (let at = from; at < end;) {
    const next = at + PLACEHOLDER_BYTES + 10 + view.getUint16(at + PLACEHOLDER_BYTES + 8)
    tails.push(zone.bytes.subarray(at + PLACEHOLDER_BYTES, next))
    at = next
  }
  return tails
}

/** In place of a record: others have their turn now. */
export type Pause = null
const RECORDS_A_TURN = 1_000

/** What was taken away from one version to the next, and what was added (RFC 1995 4); in turns. */
export function* difference(
  former: Segment,
  present: Segment,
): Generator<Pause, { removed: WireRecord[]; added: WireRecord[] }> {
  const [before, now] = touchedNodes(former, present)
  const left = new Map<string, WireRecord>()
  let seen = 0
  for (const record of zoneRecords(former, before)) {
    left.set(keyOf(record), record)
    if (++seen % RECORDS_A_TURN === 0) yield null
  }
  const added: WireRecord[] = []
  for (const record of zoneRecords(present, now)) {
    if (!left.delete(keyOf(record))) added.push(record)
    if (++seen % RECORDS_A_TURN === 0) yield null
  }
  return { removed: [...left.values()], added }
}

/** How much of one version has to be compared with another. */
export const comparedBytes = (one: Segment, other: Segment): number =>
  one.bytes.length - (isOneWhole(one, other) ? one.wholeBytes : 0)

const isOneWhole = (one: Segment, other: Segment): boolean =>
  one.wholeBuiltAt === other.wholeBuiltAt && one.wholeChecksum === other.wholeChecksum

/** Nodes that may be other ones; of two overlays of one whole no more than what either replaces or has. */
function touchedNodes(former: Segment, present: Segment): [Iterable<number>, Iterable<number>] {
  if (!isOneWhole(former, present)) return [former.nodes(), present.nodes()]
  const replaced = new Set([...former.replaced(), ...present.replaced()])
  return [overlaid(former, replaced), overlaid(present, replaced)]
}

function* overlaid(zone: Segment, replaced: ReadonlySet<number>): Generator<number> {
  const own = new Set(zone.replaced())
  for (const node of replaced) if (!own.has(node)) yield node
  yield* zone.overlayNodes()
}

function keyOf({ owner, tail }: WireRecord): string {
  return Buffer.concat([owner, tail]).toString('latin1')
}

import { type Chain, type DatabaseLog, type LogPlace, segmentStart, walKey } from '@fairway/platform'
import { writeWalPart } from './chain-content.ts'

export type Carried = {
  to: bigint
  /** Until when everything is in what was carried. */
  until: number
  bytes: number
  /** Some of it has gone before it was carried away. */
  isTorn: boolean
}

/**
 * Brings the log from one place to another into the chain. A segment that is complete goes whole, in the place of its
 * pieces.
 * @param known until when everything is in what lies before
 */
export async function carryLog(
  chain: Chain,
  log: DatabaseLog,
  from: bigint,
  place: LogPlace,
  known: number,
): Promise<Carried> {
  const size = BigInt(log.segmentBytes)
  let [at, bytes] = [from, 0]
  while (at < place.to) {
    const start = segmentStart(at, log.segmentBytes)
    const isComplete = place.to >= start + size
    const [first, end] = isComplete ? [start, start + size] : [at, place.to]
    const read = await log.read(place.timeline, first, end)
    if (read === null) return { to: at, until: known, bytes, isTorn: true }
    const until = end === place.to ? Date.parse(place.until) : known
    bytes += await chain.put(walKey(place.timeline, first, end, log.segmentBytes), writeWalPart(until, read))
    at = end
  }
  return { to: at, until: Date.parse(place.until), bytes, isTorn: false }
}

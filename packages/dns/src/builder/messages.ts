import type { DnsTransfers, ScoresSnapshot } from '@fairway/contract'
import type { FlatName } from '../store/json-files.ts'
import type { Verdicts } from '../steering/own-verdicts.ts'

/** What the builder asks of the server; the server answers each by its number, in order. */
export type Request =
  /** Load this segment and serve it in place of the zone's former one. */
  | { kind: 'segment'; file: string }
  /** The same of an overlay and the segment under it. */
  | { kind: 'overlay'; zoneId: string; file: string; whole: string }
  /** Are you serving this very document? */
  | { kind: 'serves'; zoneId: string; sourceHash: string }
  | { kind: 'zone-gone'; zoneId: string }

/** What it tells of itself: whether it has the API's ear, and how many notices it has sent to secondaries. */
export type BuilderState = { kind: 'builder'; connected: boolean; notifies: number }

/** What it tells without waiting, for every server. */
export type Notice =
  | { kind: 'scores'; scores: ScoresSnapshot }
  | { kind: 'scores-gone'; organizationId: string }
  | { kind: 'verdicts'; organizationId: string; verdicts: Verdicts }
  /** What is new since, and names of which nothing is known any more. */
  | { kind: 'flattened'; names: FlatName[]; gone: string[] }
  | { kind: 'transfers'; organizationId: string; transfers: DnsTransfers | null }

export type FromBuilder = BuilderState | Notice | (Request & { id: number })
/** `problem` is why the request was not done; null when it was. */
export type ToBuilder = { id: number; problem: string | null }

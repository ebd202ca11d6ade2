import type { Client } from '../answer/client.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'
import type { ReadyDecision } from './decider.ts'

/** What the answering code needs of steering. */
export interface Steerer {
  /**
   * The decision for a client under a steered name; the same object for the like of it until measurements or policy
   * change.
   */
  decide(steered: SteeredEntry, client: Client): ReadyDecision
  /** One of the chosen CDNs by their shares; -1 when there is none. */
  pick(decision: ReadyDecision): number
  /** A number from 0 up to but not including 1, for sharing out. */
  chance(): number
  /** Addresses of a name outside our zones as records without owner, for flattening; null while unknown. */
  flattened(cname: Uint8Array, type: number): FlatRecords | null
}

/** Whole records with placeholder owners (`C0 0C`). */
export type FlatRecords = { bytes: Uint8Array; count: number; stale: boolean }

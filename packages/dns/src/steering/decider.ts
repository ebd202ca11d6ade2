import type { Decision } from '@fairway/contract'
import type { Client } from '../answer/client.ts'

/** A decision made ready for answering; CDNs by their place in the policy. */
export type ReadyDecision = {
  decision: Decision
  /** Chosen CDNs and, beside each, the sum of shares up to it, in percent. */
  chosen: readonly number[]
  upTo: readonly number[]
  /** All that may answer, best first. */
  ordered: readonly number[]
  ttlSeconds: number
  byPlace: boolean
  cidrBits: number
  strategyId: string | null
}

/** Decides under one policy. */
export interface Decider {
  decide(client: Client): ReadyDecision
}

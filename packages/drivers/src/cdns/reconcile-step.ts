import type { CdnState } from '@fairway/contract'
import type { Observation } from './driver.ts'

/** What somebody wants. `version` grows with every change of the settings. */
export type Desired = { goal: 'serving' | 'gone'; version: number }

/** What is known: the CDN's own word of this moment, and what we have written down. Times are epoch ms. */
export type Known = {
  fact: Observation
  state: CdnState
  stateSince: number
  /** Version that the driver was last told; null before it was told anything. */
  appliedVersion: number | null
  /** Not tried again before this. */
  nextAttemptAt: number
}

export type Action =
  | { do: 'create' | 'apply' | 'remove' }
  | { do: 'settle'; state: CdnState; detail: string | null }
  | { do: 'wait' }

/**
 * The stated maximum of waiting for a CDN; after it the state is *failed* with the reason, and the facts may still end
 * that.
 */
const PATIENCE_MS = 30 * 60_000

/** The one next thing to do for one CDN on one domain. Pure; called again until it says *wait*. */
export function reconcileStep(desired: Desired, known: Known, now: number): Action {
  const due = now >= known.nextAttemptAt
  if (desired.goal === 'gone') {
    if (known.state !== 'deleting') return { do: 'settle', state: 'deleting', detail: null }
    return due ? { do: 'remove' } : { do: 'wait' }
  }
  if (known.appliedVersion === null || known.fact.state === 'gone') return due ? { do: 'create' } : { do: 'wait' }
  if (known.appliedVersion < desired.version) return due ? { do: 'apply' } : { do: 'wait' }
  return settled(known, known.fact, due, now)
}

/** The driver knows what is wanted; what is left is to tell what came of it. */
function settled(known: Known, fact: Exclude<Observation, { state: 'gone' }>, due: boolean, now: number): Action {
  if (fact.state === 'operational')
    return known.state === 'operational' ? { do: 'wait' } : { do: 'settle', state: 'operational', detail: null }
  if (fact.state === 'failed') {
    if (known.state !== 'failed') return { do: 'settle', state: 'failed', detail: fact.detail }
    return due ? { do: 'apply' } : { do: 'wait' }
  }
  if (known.state === 'failed') return { do: 'wait' }
  // New settings are on their way while the old ones are served: nobody has to be sent elsewhere for that.
  if (known.state === 'operational' && fact.state === 'deploying' && fact.stays) return { do: 'wait' }
  if (known.state !== fact.state) return { do: 'settle', state: fact.state, detail: fact.detail }
  // What waits for a person or a certificate waits as long as that takes.
  if (fact.state !== 'deploying') return { do: 'wait' }
  return now - known.stateSince > PATIENCE_MS
    ? { do: 'settle', state: 'failed', detail: fact.detail ?? 'Not confirmed in 30 minutes' }
    : { do: 'wait' }
}

/** Six tones; the meaning of a colour is the same on every screen. */
export type Tone = 'ok' | 'info' | 'warn' | 'bad' | 'review' | 'neutral'

/** Every state the product shows, by its tone. Words: `states:state.<state>`. */
const STATES = {
  ok: [
    'operational',
    'available',
    'completed',
    'usable',
    'active',
    'installed',
    'verified',
    'already-checked',
    'paid',
    'activated',
    'ready',
    'running',
    'use',
    'live',
    'up',
  ],
  info: [
    'deploying',
    'in-progress',
    'installing',
    'issuing',
    'checking',
    'uploading',
    'processing',
    'starting',
    'stopping',
    'deleting',
    'delete-in-progress',
    'invite-pending',
    'waiting',
  ],
  warn: [
    'action-required',
    'expiring',
    'declined',
    'to-be-confirmed',
    'setup',
    'waiting-ssl',
    'rate-limited',
    'unpaid',
    'pending',
    'simulate',
    'quota-high',
    'slow',
    'away',
  ],
  bad: [
    'failed',
    'error',
    'errors',
    'expired',
    'delete-unsuccessful',
    'delete-failed',
    'review-failed',
    'install-failed',
    'suspended',
    'payment-failed',
    'unavailable',
    'block',
    'down',
    'lie',
  ],
  review: ['waiting-approval', 'under-review', 'waiting-people', 'posted'],
  neutral: [
    'draft',
    'inactive',
    'disabled',
    'bypass',
    'standby',
    'stopped',
    'off',
    'direct',
    'unknown',
    'undone',
    'pass',
  ],
} as const satisfies Record<Tone, readonly string[]>

export type PillState = (typeof STATES)[Tone][number]

export const TONE_OF_STATE: Record<PillState, Tone> = toneOfState()

export const PILL_STATES: readonly PillState[] = Object.values(STATES).flat()

/** Busy states pulse and say how long they usually take. */
export function isBusy(state: PillState): boolean {
  return TONE_OF_STATE[state] === 'info' && state !== 'invite-pending'
}

/** Complete because it is made from the very table that names the states. */
function toneOfState(): Record<PillState, Tone> {
  return Object.fromEntries(
    Object.entries(STATES).flatMap(([tone, states]) => states.map((state) => [state, tone])),
  ) as Record<PillState, Tone>
}

import { EXPIRY_UNITS, LIMITS, type Expiry } from '@fairway/contract'

export const expirySeconds = ({ value, unit }: Expiry): number => value * EXPIRY_UNITS[unit].seconds

/** Whether plans without advanced cache rules may have this lifetime. */
export const isPlainExpiry = (seconds: number): boolean =>
  seconds >= LIMITS.cacheExpirySeconds.min && seconds <= LIMITS.cacheExpirySeconds.max

/** The largest unit that says the same in whole numbers: 7200 seconds are 2 hours. */
export function expiryOf(seconds: number): Expiry {
  for (const unit of ['day', 'hour', 'minute'] as const) {
    const value = seconds / EXPIRY_UNITS[unit].seconds
    if (Number.isInteger(value) && value >= 1 && value <= EXPIRY_UNITS[unit].max) return { value, unit }
  }
  return { value: seconds, unit: 'second' }
}

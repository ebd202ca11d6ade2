import type { AccountRow } from './account-store.ts'

const DAY_MS = 86_400_000
/** Who does not pay is served on for so long; a letter says the date. */
const LOCKED_DAYS = 7
/** Who was suspended by mistake is found in that time, and none of his visitors has noticed it. */
const SUSPENDED_DAYS = 1

type Held = Pick<AccountRow, 'category' | 'locked_at' | 'suspended_at'>

/** When the edge stops because the account is locked. A contract that is not paid is for people to settle. */
export const servingStopsAt = ({ category, locked_at }: Held): Date | null =>
  locked_at === null || category === 'contract' ? null : after(locked_at, LOCKED_DAYS)

/** Whether a lock or a suspension has lasted so long that the edge stops. */
export function isHeldBack(account: Held, now: Date): boolean {
  const suspended = account.suspended_at && after(account.suspended_at, SUSPENDED_DAYS)
  return [servingStopsAt(account), suspended].some((at) => at !== null && at <= now)
}

const after = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS)

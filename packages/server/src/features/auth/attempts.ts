import type { ErrorCode } from '@fairway/contract'
import { type Database, type Tx, placeOf } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'

/**
 * How often something may be tried: after `free` times within the window the key waits, and the caller is told `code`
 * with the minutes.
 */
export type AttemptLimit = { key: string; code: ErrorCode; free: number; windowSeconds: number; blockSeconds: number }

const QUARTER = 900
const HOUR = 3_600
const DAY = 86_400

/**
 * Limits of signing in. Five per address from one place; more from all places together at which the account is not
 * known, so that strangers lock nobody out where they have signed in before; and one for the place itself. Addresses
 * are counted known or not, so that the answer tells nothing.
 */
export const signInLimits = (address: string, ip: string, isKnown: boolean): AttemptLimit[] => {
  const place = placeOf(ip)
  const fromEverywhere = {
    key: `login:${address}`,
    code: 1521,
    free: 50,
    windowSeconds: HOUR,
    blockSeconds: QUARTER,
  } as const
  return [
    { key: `login:${address}|${place}`, code: 1521, free: 5, windowSeconds: HOUR, blockSeconds: QUARTER },
    ...(isKnown ? [] : [fromEverywhere]),
    { key: `login-from:${place}`, code: 1530, free: 100, windowSeconds: HOUR, blockSeconds: QUARTER },
  ]
}
export const codeLimit = (userId: string): AttemptLimit => ({
  key: `code:${userId}`,
  code: 1523,
  free: 5,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
export const messageLimit = (userId: string): AttemptLimit => ({
  key: `message:${userId}`,
  code: 2521,
  free: 5,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
export const proofLimit = (userId: string): AttemptLimit => ({
  key: `proof:${userId}`,
  code: 2523,
  free: 5,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
/** Looking around without an account, from one place. */
export const sandboxLimit = (ip: string): AttemptLimit => ({
  key: `sandbox-from:${placeOf(ip)}`,
  code: 1530,
  free: 60,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
export const signUpLimit = (ip: string): AttemptLimit => ({
  key: `signup-from:${placeOf(ip)}`,
  code: 1530,
  free: 30,
  windowSeconds: HOUR,
  blockSeconds: HOUR,
})
/** What is written down for somebody who has not said who he is, from one place: captchas and beginnings of sign-ins. */
export const ceremonyLimit = (ip: string): AttemptLimit => ({
  key: `ceremony-from:${placeOf(ip)}`,
  code: 1530,
  free: 300,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
/** Questions of strangers from one place; and from everywhere together, for somebody has to read them all. */
export const enquiryLimits = (ip: string): AttemptLimit[] => [
  { key: `enquiry-from:${placeOf(ip)}`, code: 1530, free: 5, windowSeconds: HOUR, blockSeconds: QUARTER },
  { key: 'enquiry', code: 429, free: 200, windowSeconds: HOUR, blockSeconds: QUARTER },
]
/** Somebody reads every ticket, and a help desk outside is told of each. */
export const ticketLimit = (organizationId: string): AttemptLimit => ({
  key: `ticket:${organizationId}`,
  code: 429,
  free: 20,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
export const ticketReplyLimit = (organizationId: string): AttemptLimit => ({
  key: `ticket-reply:${organizationId}`,
  code: 429,
  free: 60,
  windowSeconds: HOUR,
  blockSeconds: QUARTER,
})
/**
 * Letters that anybody may have sent to any address: so many from one place, which is counted first, and one of a kind
 * in a minute. Each kind counts for itself: who has one sent keeps nobody from another.
 */
export const letterLimits = (
  kind: 'verify' | 'reset' | 'sign-up',
  address: string,
  ip: string,
): [place: AttemptLimit, address: AttemptLimit] => [
  { key: `letter-from:${placeOf(ip)}`, code: 1530, free: 30, windowSeconds: HOUR, blockSeconds: QUARTER },
  { key: `letter:${kind}:${address}`, code: 1570, free: 1, windowSeconds: 60, blockSeconds: 60 },
]

/**
 * Letters that an organisation sends to people who have not asked for one: so many to one address, and so many in all.
 */
export const invitationLimits = (organizationId: string, address: string): AttemptLimit[] => [
  { key: `invite:${organizationId}:${address}`, code: 1570, free: 5, windowSeconds: DAY, blockSeconds: DAY },
  { key: `invites:${organizationId}`, code: 429, free: 200, windowSeconds: DAY, blockSeconds: DAY },
]
/**
 * The same of all organisations together: nobody is told of it, as it says what others do. Each kind counts for itself,
 * as for letters that were asked for.
 */
export const unaskedLetterLimit = (kind: 'invite' | 'email-change', address: string): AttemptLimit => ({
  key: `unasked:${kind}:${address}`,
  code: 1570,
  free: 10,
  windowSeconds: DAY,
  blockSeconds: DAY,
})
/** Codes of coupons are secrets that are worth money; a right one is as good a guess as a wrong one. */
export const couponLimits = (organizationId: string, ip: string): AttemptLimit[] => [
  { key: `coupon:${organizationId}`, code: 429, free: 10, windowSeconds: HOUR, blockSeconds: HOUR },
  { key: `coupon-from:${placeOf(ip)}`, code: 429, free: 30, windowSeconds: HOUR, blockSeconds: HOUR },
]

/** Each is a charge at the provider: a card that is declined again and again costs whoever asks for it. */
export const paymentLimit = (organizationId: string): AttemptLimit => ({
  key: `pay:${organizationId}`,
  code: 429,
  free: 10,
  windowSeconds: HOUR,
  blockSeconds: HOUR,
})

type Row = { blocked_seconds: number | null }

/**
 * Counts an attempt before it is judged, in a transaction of its own: guessing in parallel gains nothing, and a refused
 * call does not roll it back.
 * @throws Failure with the limit's code while one of the keys waits.
 */
export async function takeAttempts(database: Database, limits: readonly AttemptLimit[]): Promise<void> {
  for (const limit of limits) {
    const blockedSeconds = await database.aside((tx) => count(tx, limit))
    if (blockedSeconds !== null) throw new Failure(limit.code, { retryAfterSeconds: blockedSeconds })
  }
}

/** The same where it is not said that a key waits. @returns whether the attempt may go on */
export const mayAttempt = (database: Database, limits: readonly AttemptLimit[]): Promise<boolean> =>
  takeAttempts(database, limits).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false
      throw error
    },
  )

/** It was right: what was counted for a person is forgotten; of a place, which many share, only this one attempt. */
export async function forgiveAttempts(tx: Tx, limits: readonly AttemptLimit[]): Promise<void> {
  for (const { key } of limits) {
    if (key.includes('-from:'))
      await tx.query('UPDATE login_attempt SET failures = greatest(failures - 1, 0) WHERE key = $1', [key])
    else await tx.query('DELETE FROM login_attempt WHERE key = $1', [key])
  }
}

/**
 * The seconds to wait, or null when the attempt may go on. An attempt while the key waits does not make the wait
 * longer.
 */
async function count(tx: Tx, { key, free, windowSeconds, blockSeconds }: AttemptLimit): Promise<number | null> {
  const rows = await tx.query<Row>(
    `INSERT INTO login_attempt AS a (key, failures) VALUES ($1, 1) ON CONFLICT (key) DO UPDATE SET
       failures = CASE WHEN a.blocked_until > now() THEN a.failures WHEN ${FRESH} THEN 1 ELSE a.failures + 1 END,
       counted_since = CASE WHEN ${FRESH} THEN now() ELSE a.counted_since END,
       blocked_until = CASE WHEN a.blocked_until > now() THEN a.blocked_until WHEN NOT (${FRESH}) AND a.failures >= $2 THEN now() + make_interval(secs => $4) END
     RETURNING extract(epoch FROM blocked_until - now())::float8 AS blocked_seconds`,
    [key, free, windowSeconds, blockSeconds],
  )
  return rows[0]?.blocked_seconds ?? null
}

/** A wait that is over, or a window that is: counting begins anew. */
const FRESH =
  '((a.blocked_until IS NOT NULL AND a.blocked_until <= now()) OR (a.blocked_until IS NULL AND a.counted_since < now() - make_interval(secs => $3)))'

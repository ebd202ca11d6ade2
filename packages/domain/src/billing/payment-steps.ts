import type { DeclineCode, ErrorCode } from '@fairway/contract'

const DAY_MS = 86_400_000
/** Days between one failed charge of an invoice and the next. */
const RETRY_DAYS = [1, 3, 5, 7] as const

/** First charge and its repetitions. */
export const MOST_ATTEMPTS = RETRY_DAYS.length + 1

/**
 * When a charge that has failed so many times is tried again; null when it has failed for good and the account is
 * locked.
 */
export function nextAttemptAt(attempts: number, failedAt: number): number | null {
  const days = RETRY_DAYS[attempts - 1]
  return days === undefined ? null : failedAt + days * DAY_MS
}

const CODES: Partial<Record<DeclineCode, ErrorCode>> = {
  incorrect_number: 7701,
  invalid_number: 7701,
  card_not_supported: 7701,
  expired_card: 7702,
  invalid_expiry_month: 7702,
  invalid_expiry_year: 7702,
  incorrect_cvc: 7703,
  invalid_cvc: 7703,
  incorrect_zip: 7704,
  incorrect_address: 7704,
  insufficient_funds: 7710,
  withdrawal_count_limit_exceeded: 7710,
  card_velocity_exceeded: 7710,
  invalid_account: 7715,
  new_account_information_available: 7715,
  do_not_honor: 7709,
  generic_decline: 7709,
  card_declined: 7709,
  call_issuer: 7709,
  issuer_not_available: 7709,
  lost_card: 7709,
  stolen_card: 7709,
  pickup_card: 7709,
  restricted_card: 7709,
  fraudulent: 7709,
}

/** The catalogue's code for a declined card; the provider's own word travels beside it. */
export const codeOfDecline = (decline: DeclineCode): ErrorCode => CODES[decline] ?? 7487

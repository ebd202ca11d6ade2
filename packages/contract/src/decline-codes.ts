/**
 * Why a card was declined, by the payment provider's words (Stripe's decline codes). Each has a text
 * `errorMessage.<code>`.
 */
export const DECLINE_CODES = [
  'approve_with_id',
  'authentication_required',
  'call_issuer',
  'card_declined',
  'card_not_supported',
  'card_velocity_exceeded',
  'currency_not_supported',
  'do_not_honor',
  'do_not_try_again',
  'duplicate_transaction',
  'expired_card',
  'fraudulent',
  'generic_decline',
  'incorrect_address',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_pin',
  'incorrect_zip',
  'insufficient_funds',
  'invalid_account',
  'invalid_amount',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'invalid_pin',
  'issuer_not_available',
  'lost_card',
  'merchant_blacklist',
  'new_account_information_available',
  'no_action_taken',
  'not_permitted',
  'offline_pin_required',
  'online_or_offline_pin_required',
  'pickup_card',
  'pin_try_exceeded',
  'processing_error',
  'reenter_transaction',
  'restricted_card',
  'revocation_of_all_authorizations',
  'revocation_of_authorization',
  'security_violation',
  'service_not_allowed',
  'stolen_card',
  'stop_payment_order',
  'testmode_decline',
  'transaction_not_allowed',
  'try_again_later',
  'withdrawal_count_limit_exceeded',
] as const
export type DeclineCode = (typeof DECLINE_CODES)[number]

const KNOWN: ReadonlySet<string> = new Set(DECLINE_CODES)
export const isDeclineCode = (code: string): code is DeclineCode => KNOWN.has(code)
/** A word that the provider has added since counts as a decline without a reason. */
export const declineCode = (code: string | null | undefined): DeclineCode =>
  code && isDeclineCode(code) ? code : 'generic_decline'

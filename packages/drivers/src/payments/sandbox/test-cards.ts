import type { DeclineCode } from '@fairway/contract'

/** What a test card does: declined when it is entered, or accepted and declined when it is charged. */
export type CardBehaviour = { setup: DeclineCode | null; charge: DeclineCode | null }

const works: CardBehaviour = { setup: null, charge: null }
const atSetup = (setup: DeclineCode): CardBehaviour => ({ setup, charge: setup })
const atCharge = (charge: DeclineCode): CardBehaviour => ({ setup: null, charge })

/**
 * The numbers that Stripe publishes for testing (docs.stripe.com/testing), and one of our own for an account that is
 * none, for which there is no such number; the sandbox takes no other.
 */
const CARDS: Readonly<Record<string, CardBehaviour>> = {
  '4242424242424242': works,
  '4000056655665556': works,
  '5555555555554444': works,
  '2223003122003222': works,
  '5200828282828210': works,
  '5105105105105100': works,
  '378282246310005': works,
  '371449635398431': works,
  '6011111111111117': works,
  '6011000990139424': works,
  '3056930009020004': works,
  '36227206271667': works,
  '3566002020360505': works,
  '6200000000000005': works,
  '4000000000000077': works,
  '4000003800000446': works,
  '4000000000000002': atSetup('generic_decline'),
  '4000000000009995': atSetup('insufficient_funds'),
  '4000000000009987': atSetup('lost_card'),
  '4000000000009979': atSetup('stolen_card'),
  '4000000000000069': atSetup('expired_card'),
  '4000000000000127': atSetup('incorrect_cvc'),
  '4000000000000119': atSetup('processing_error'),
  '4242424242424241': atSetup('incorrect_number'),
  '4000000000006975': atSetup('card_velocity_exceeded'),
  '4100000000000019': atSetup('fraudulent'),
  '4000000000000036': atSetup('incorrect_zip'),
  '4000000000007715': atSetup('invalid_account'),
  '4000000000000341': atCharge('generic_decline'),
  '4000002760003184': atCharge('authentication_required'),
  '4000002500003155': works,
  '4000008260003178': atCharge('insufficient_funds'),
}

export type CardForm = { number: string; expiryMonth: number; expiryYear: number; cvc: string }
export type JudgedCard = { declineCode: DeclineCode } | { brand: string; last4: string; behaviour: CardBehaviour }

/** What becomes of a card that was typed: the checks an issuer makes, then what the test number stands for. */
export function judgeCard({ number, expiryMonth, expiryYear, cvc }: CardForm, now: Date): JudgedCard {
  const digits = number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits) || (!passesLuhn(digits) && !(digits in CARDS)))
    return { declineCode: 'incorrect_number' }
  if (!Number.isInteger(expiryMonth) || expiryMonth < 1 || expiryMonth > 12)
    return { declineCode: 'invalid_expiry_month' }
  if (!Number.isInteger(expiryYear) || expiryYear < 2000 || expiryYear > now.getUTCFullYear() + 50)
    return { declineCode: 'invalid_expiry_year' }
  if (Date.UTC(expiryYear, expiryMonth, 1) <= now.getTime()) return { declineCode: 'expired_card' }
  const brand = brandOf(digits)
  if (!new RegExp(`^\\d{${brand === 'amex' ? 4 : 3}}$`).test(cvc)) return { declineCode: 'invalid_cvc' }
  const behaviour = CARDS[digits]
  if (!behaviour) return { declineCode: 'card_not_supported' }
  return behaviour.setup ? { declineCode: behaviour.setup } : { brand, last4: digits.slice(-4), behaviour }
}

const BRANDS: readonly [RegExp, string][] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^6011|^65/, 'discover'],
  [/^3(0|6|8)/, 'diners'],
  [/^35/, 'jcb'],
  [/^62/, 'unionpay'],
]
const brandOf = (digits: string): string => BRANDS.find(([pattern]) => pattern.test(digits))?.[1] ?? 'unknown'

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The country codes of two digits (ITU-T E.164, list of 2016); `1` and `7` have one digit, all others three. */
const TWO_DIGITS = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
)

/**
 * The country code that an international number begins with: `+49` of `+49 30 1234567`; null for a number without one.
 */
export function phoneCodeOf(phoneNumber: string | null): string | null {
  const digits = phoneNumber?.startsWith('+') ? phoneNumber.replaceAll(/\D/g, '') : ''
  if (digits === '') return null
  const length = /^[17]/.test(digits) ? 1 : TWO_DIGITS.has(digits.slice(0, 2)) ? 2 : 3
  return digits.length > length ? `+${digits.slice(0, length)}` : null
}

/** Currencies whose smallest unit is not a hundredth (ISO 4217, as the card networks use it). */
const DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  MGA: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  JOD: 3,
  KWD: 3,
  OMR: 3,
  TND: 3,
}

/** How many decimals a currency has. */
export const minorDigits = (currency: string): number => DIGITS[currency] ?? 2

const LANGUAGES: Readonly<Record<string, string>> = { en: 'en-US', zhHant: 'zh-Hant-TW', zhHans: 'zh-Hans-CN' }

/**
 * An amount in the currency's smallest unit, as the language writes it: `$49.00`, `US$49.00`; a price in a catalogue is
 * `$49`.
 */
export function formatMoney(minor: number, currency: string, locale: string, { isPrice = false } = {}): string {
  const digits = minorDigits(currency)
  // Formatted from text, so that no division loses a cent.
  const text = decimalText(minor, digits)
  return new Intl.NumberFormat(LANGUAGES[locale] ?? locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: isPrice ? 'stripIfInteger' : 'auto',
  }).format(text as Intl.StringNumericLiteral)
}

/** `4900` with two decimals is `49.00`. */
export function decimalText(minor: number, digits: number): string {
  const sign = minor < 0 ? '-' : ''
  const whole = String(Math.abs(minor)).padStart(digits + 1, '0')
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole.slice(0, -digits)}.${whole.slice(-digits)}`
}

/**
 * What a person typed as an amount (`49`, `49.5`), in the smallest unit; null when it is none or has too many decimals.
 */
export function parseMoney(text: string, currency: string): number | null {
  const digits = minorDigits(currency)
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text.trim().replaceAll(',', ''))
  if (!match?.[1] || (match[2]?.length ?? 0) > digits) return null
  return Number(match[1] + (match[2] ?? '').padEnd(digits, '0'))
}

/** `amount × part ÷ whole`, rounded half up (away from zero), exact for any size: integers only. */
export function share(amount: number, part: number, whole: number): number {
  const product = BigInt(Math.abs(amount)) * BigInt(part)
  const divisor = BigInt(whole)
  const rounded = (2n * product + divisor) / (2n * divisor)
  return Number(amount < 0 ? -rounded : rounded)
}

/** `amount × part ÷ whole`, rounded down. */
export const shareDown = (amount: number, part: number, whole: number): number =>
  Number((BigInt(amount) * BigInt(part)) / BigInt(whole))

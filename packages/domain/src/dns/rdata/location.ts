import type { Field } from './fields.ts'
import type { RdataTokens } from './rdata-tokens.ts'

/** Thousandths of a second of arc at the equator and the prime meridian. */
const MIDDLE = 2 ** 31
/** Centimetres from the reference to the zero of the altitude. */
const BELOW_CM = 10_000_000
/** Centimetres of size and of both precisions where nothing is said. */
const USUAL_CM = [100, 1_000_000, 1_000] as const

/**
 * A place on earth (RFC 1876): `42 21 54 N 71 6 18 W -24m 30m`. Minutes, seconds, size and precisions may be left out;
 * written they are all there.
 */
export const location: Field = {
  read(from, to) {
    const latitude = readAngle(from, { most: 90, positive: 'N', negative: 'S' })
    const longitude = readAngle(from, { most: 180, positive: 'E', negative: 'W' })
    const altitude = readMetres(from, /^(-?\d{1,8}(?:\.\d{1,2})?)m?$/i) + BELOW_CM
    if (altitude < 0 || altitude > 0xff_ff_ff_ff) from.fail('badNumber')
    const sizes = USUAL_CM.map((usual) =>
      packed(from.hasMore() ? readMetres(from, /^(\d{1,8}(?:\.\d{1,2})?)m?$/i) : usual),
    )
    to.push(0, ...sizes)
    for (const word of [latitude, longitude, altitude])
      for (let shift = 3; shift >= 0; shift--) to.push(Math.floor(word / 256 ** shift) % 256)
  },
  write(from) {
    if (from.number(1) !== 0) from.malformed = true
    const sizes = [from.number(1), from.number(1), from.number(1)]
    // Mantissa and exponent are decimal digits (RFC 1876 2).
    if (sizes.some((size) => size >> 4 > 9 || (size & 15) > 9)) from.malformed = true
    const latitude = writeAngle(from.number(4), 90, 'N', 'S')
    const longitude = writeAngle(from.number(4), 180, 'E', 'W')
    const altitude = from.number(4) - BELOW_CM
    if (latitude === null || longitude === null) from.malformed = true
    const rest = [altitude, ...sizes.map((size) => (size >> 4) * 10 ** (size & 15))]
    return [latitude, longitude, ...rest.map((cm) => `${(cm / 100).toFixed(2)}m`)].join(' ')
  },
}

function readAngle(
  from: RdataTokens,
  { most, positive, negative }: { most: number; positive: string; negative: string },
): number {
  let thousandths = 0
  for (const [index, unit] of [3_600_000, 60_000, 1_000, 0].entries()) {
    const word = from.word().toUpperCase()
    const sign = word === positive ? 1 : word === negative ? -1 : 0
    if (index > 0 && sign !== 0) {
      if (thousandths > most * 3_600_000) from.fail('badNumber')
      return MIDDLE + sign * thousandths
    }
    const form = index === 2 ? /^\d{1,2}(?:\.\d{1,3})?$/ : /^\d{1,3}$/
    if (unit === 0 || !form.test(word) || (index > 0 && Number(word) >= 60)) from.fail('badNumber')
    if (from.fault !== null) return MIDDLE
    thousandths += Math.round(Number(word) * unit)
  }
  return MIDDLE
}

function readMetres(from: RdataTokens, form: RegExp): number {
  const text = form.exec(from.word())?.[1]
  if (text === undefined) from.fail('badNumber')
  return Math.round(Number(text ?? 0) * 100)
}

/** One digit and a power of ten, in a byte. */
function packed(cm: number): number {
  let exponent = 0
  let digit = cm
  for (; digit >= 10 && exponent < 9; exponent++) digit = Math.floor(digit / 10)
  return Math.min(9, digit) * 16 + exponent
}

function writeAngle(word: number, most: number, positive: string, negative: string): string | null {
  const thousandths = Math.abs(word - MIDDLE)
  if (thousandths > most * 3_600_000) return null
  const seconds = ((thousandths % 60_000) / 1_000).toFixed(3)
  return `${Math.floor(thousandths / 3_600_000)} ${Math.floor(thousandths / 60_000) % 60} ${seconds} ${word < MIDDLE ? negative : positive}`
}

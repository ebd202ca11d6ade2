export type Region =
  | 'north-america'
  | 'south-america'
  | 'west-europe'
  | 'east-europe'
  | 'africa'
  | 'south-asia'
  | 'south-east-asia'
  | 'east-asia'
  | 'china'
  | 'oceania'

/**
 * A country that sends visitors: its share of them, its clock (hours from UTC, of where most people live) and its usual
 * last mile.
 */
export type VisitorCountry = {
  code: string
  region: Region
  weight: number
  utcOffsetHours: number
  lastMileMs: number
}

const country = (
  code: string,
  region: Region,
  weight: number,
  utcOffsetHours: number,
  lastMileMs: number,
): VisitorCountry => ({ code, region, weight, utcOffsetHours, lastMileMs })

/** Thirty countries. The smallest still sends enough visitors for a figure of its own within five minutes. */
export const COUNTRIES: readonly VisitorCountry[] = [
  country('US', 'north-america', 14, -6, 9),
  country('CA', 'north-america', 4, -5, 10),
  country('MX', 'north-america', 4, -6, 18),
  country('BR', 'south-america', 7, -3, 17),
  country('AR', 'south-america', 3, -3, 19),
  country('CL', 'south-america', 3, -4, 16),
  country('CO', 'south-america', 3, -5, 20),
  country('GB', 'west-europe', 6, 0, 9),
  country('DE', 'west-europe', 7, 1, 10),
  country('FR', 'west-europe', 6, 1, 10),
  country('NL', 'west-europe', 3, 1, 6),
  country('ES', 'west-europe', 4, 1, 11),
  country('IT', 'west-europe', 4, 1, 13),
  country('PL', 'east-europe', 3, 1, 12),
  country('SE', 'west-europe', 3, 1, 7),
  country('TR', 'east-europe', 3.5, 3, 17),
  country('ZA', 'africa', 3, 2, 20),
  country('NG', 'africa', 3, 1, 32),
  country('EG', 'africa', 3, 2, 26),
  country('KE', 'africa', 3, 3, 28),
  country('IN', 'south-asia', 10, 5.5, 22),
  country('ID', 'south-east-asia', 5, 7, 24),
  country('SG', 'south-east-asia', 3, 8, 5),
  country('JP', 'east-asia', 7, 9, 7),
  country('KR', 'east-asia', 5, 9, 6),
  country('CN', 'china', 12, 8, 13),
  country('HK', 'east-asia', 3, 8, 5),
  country('TW', 'east-asia', 3, 8, 8),
  country('AU', 'oceania', 4, 10, 13),
  country('NZ', 'oceania', 3, 12, 14),
]

import { ERRORS, type ErrorCode } from '@fairway/contract'

export type ListedError = { code: ErrorCode; name: string; status: number }

/** Parts of the list, by the first code of each. */
const AREAS = [
  ['http', 0],
  ['account', 1000],
  ['domains', 2000],
  ['billing', 7000],
  ['integrations', 8000],
  ['delivery', 27_000],
  ['security', 28_000],
  ['billing', 29_000],
  ['stream', 30_000],
  ['steering', 810_000],
  ['sites', 900_000],
] as const
export type Area = (typeof AREAS)[number][0]

/** Codes of signing in and of an account that lie among those of domains. */
const OF_ACCOUNT = new Set([2521, 2523, 2455, 2456, 2700])

export function areaOf(code: number): Area {
  if (OF_ACCOUNT.has(code)) return 'account'
  return AREAS.findLast(([, from]) => code >= from)?.[0] ?? 'http'
}

/** Every code of the one catalogue that the API answers from, by area, each in the order of its numbers. */
export function errorsByArea(matches: (error: ListedError) => boolean): [Area, ListedError[]][] {
  const areas = new Map<Area, ListedError[]>([...new Set(AREAS.map(([area]) => area))].map((area) => [area, []]))
  for (const code of Object.keys(ERRORS)
    .map(Number)
    .sort((one, other) => one - other)) {
    if (!isListed(code)) continue
    const error = { code, ...ERRORS[code] }
    if (matches(error)) areas.get(areaOf(code))?.push(error)
  }
  return [...areas].filter(([, errors]) => errors.length > 0)
}

const isListed = (code: number): code is ErrorCode => code in ERRORS

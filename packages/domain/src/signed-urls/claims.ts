import { isBlock } from './address-block.ts'

/** What a token allows, once it is known to be well formed. Times are epoch seconds. */
export type TokenClaims = {
  host: string
  /** Folder below which it opens everything; begins and ends with a slash. */
  path: string
  exp: number
  /** 0 for at once. */
  nbf: number
  /** Empty lists allow everything. */
  countries: string[]
  addresses: string[]
  referrers: string[]
}

export const TOKEN_LIMITS = { bytes: 2_048, pathBytes: 200, hostBytes: 253, listed: 20, textBytes: 100 } as const

/** Until when times are believed: the end of 2099. */
const LAST_SECOND = 4_102_444_799

/** Claims that say nothing about who may play: when a token was made, and which one it is (RFC 7519 4.1). */
const SILENT: Record<string, boolean> = { iat: true, jti: true }
const KNOWN: Record<string, boolean> = {
  host: true,
  path: true,
  exp: true,
  nbf: true,
  countries: true,
  addresses: true,
  referrers: true,
}

/**
 * Claims of a token (RFC 7519) as read from JSON. One that is unknown would be a restriction that nobody keeps, so it
 * refuses the token. `problem` names the claim that is wrong.
 */
export function readClaims(
  said: unknown,
): { claims: TokenClaims; problem: '' } | { claims: undefined; problem: string } {
  const record = recordOf(said)
  if (record === undefined) return { claims: undefined, problem: 'payload' }
  // First, for what has a host is no list: those have numbers for names in one of the two worlds.
  const host = textOf(record['host'], TOKEN_LIMITS.hostBytes)
  if (host === '' || host !== host.toLowerCase()) return { claims: undefined, problem: 'host' }
  for (const name in record)
    if (KNOWN[name] !== true && SILENT[name] !== true) return { claims: undefined, problem: name.slice(0, 40) }
  const path = textOf(record['path'], TOKEN_LIMITS.pathBytes)
  if (!isFolder(path)) return { claims: undefined, problem: 'path' }
  const exp = secondsOf(record['exp'])
  if (exp === undefined || exp < 1) return { claims: undefined, problem: 'exp' }
  const nbf = record['nbf'] === undefined ? 0 : secondsOf(record['nbf'])
  if (nbf === undefined) return { claims: undefined, problem: 'nbf' }
  const countries = listOf(record['countries'])
  if (countries === undefined || !countries.every((one) => isCountry(one)))
    return { claims: undefined, problem: 'countries' }
  const addresses = listOf(record['addresses'])
  if (addresses === undefined || !addresses.every((one) => isBlock(one)))
    return { claims: undefined, problem: 'addresses' }
  const referrers = listOf(record['referrers'])
  if (referrers === undefined || !referrers.every((one) => isReferrer(one)))
    return { claims: undefined, problem: 'referrers' }
  return { claims: { host, path, exp, nbf, countries, addresses, referrers }, problem: '' }
}

/** An object of JSON. */
export function recordOf(said: unknown): Record<string, unknown> | undefined {
  return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : undefined
}

/** Visible ASCII, for nothing else stands in what it is compared with; empty for all that is none. */
function textOf(said: unknown, most: number): string {
  if (typeof said !== 'string' || said.length > most) return ''
  for (let i = 0; i < said.length; i++) if (said.charCodeAt(i) < 33 || said.charCodeAt(i) > 126) return ''
  return said
}

function secondsOf(said: unknown): number | undefined {
  return typeof said === 'number' && said >= 0 && said <= LAST_SECOND && said % 1 === 0 ? said : undefined
}

/** Left out it is empty; an empty one would say that nobody may, and is none. */
function listOf(said: unknown): string[] | undefined {
  if (said === undefined) return []
  if (!Array.isArray(said) || said.length < 1 || said.length > TOKEN_LIMITS.listed) return undefined
  const texts: string[] = []
  for (const one of said as unknown[]) {
    const text = textOf(one, TOKEN_LIMITS.textBytes)
    if (text === '') return undefined
    texts.push(text)
  }
  return texts
}

/** As the edge writes paths: nothing in it can be resolved or decoded once more. */
function isFolder(path: string): boolean {
  if (path.charCodeAt(0) !== 47 || path.charCodeAt(path.length - 1) !== 47) return false
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i)
    // " # % ? \\
    if (code === 34 || code === 35 || code === 37 || code === 63 || code === 92) return false
  }
  return !path.includes('//') && !path.includes('/./') && !path.includes('/../')
}

const isCountry = (text: string): boolean => text.length === 2 && isCapital(text, 0) && isCapital(text, 1)
const isCapital = (text: string, at: number): boolean => text.charCodeAt(at) >= 65 && text.charCodeAt(at) <= 90

/** A host name, or `*.` and one for all below it. */
function isReferrer(text: string): boolean {
  const name = text.startsWith('*.') ? text.slice(2) : text
  if (name === '') return false
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    const isLetter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (!isLetter && code !== 45 && code !== 46) return false
  }
  return true
}

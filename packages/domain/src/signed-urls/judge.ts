import { addressKey } from '../web-security/address-key.ts'
import { type TokenClaims, TOKEN_LIMITS, readClaims, recordOf } from './claims.ts'
import { isInBlock } from './address-block.ts'

/** Why a token opens nothing, in the order in which it is looked at. */
export const TOKEN_REFUSALS = [
  'token-missing',
  'token-malformed',
  'algorithm-refused',
  'key-unknown',
  'signature-wrong',
  'claims-refused',
  'host-differs',
  'path-outside',
  'not-yet-valid',
  'expired',
  'address-refused',
  'country-refused',
  'referrer-refused',
] as const
export type TokenRefusal = (typeof TOKEN_REFUSALS)[number]

/** A request for a signed video. */
export type SignedRequest = {
  host: string
  /** Normalised: percent-decoded, dot segments resolved, slashes merged. What is checked is what is fetched. */
  path: string
  /** All values of the parameter; two are as wrong as none. */
  tokens: string[]
  address: string
  /** Of the Referer field; empty without one. */
  referrer: string
  /** Asked only when a token names countries; empty is unknown. */
  country: () => string
}

/** What the evaluator cannot do itself. Texts are bytes. */
export type TokenWorld = {
  now: number
  /** Undefined for what is no base64url. */
  decode: (text: string) => string | undefined
  /** Undefined for what is no JSON. */
  parse: (text: string) => unknown
  hasKey: (id: string) => boolean
  /** ECDSA with P-256 and SHA-256; the signature is r and s, 32 bytes each (RFC 7518 3.4). */
  verify: (id: string, text: string, signature: string) => boolean
}

/** One check: what was found, and what would have passed. Empty words are left out. */
export type TokenCheck = { check: TokenRefusal; passed: boolean; found: string; wanted: string }

export type TokenVerdict = {
  /** Empty when it may play. */
  refusal: TokenRefusal | ''
  keyId: string
  claims: TokenClaims | undefined
}

/**
 * Holds a token (JWS in compact form, RFC 7515 7.1, by ES256) against a request: each check in turn until one fails. The
 * edge and the inspector run this same code; `trace` takes what each found.
 */
export function judgeToken(request: SignedRequest, world: TokenWorld, trace: TokenCheck[] | undefined): TokenVerdict {
  let keyId = ''
  let claims: TokenClaims | undefined
  const passes = (check: TokenRefusal, passed: boolean, found: string, wanted: string): boolean => {
    if (trace !== undefined) trace.push({ check, passed, found, wanted })
    return passed
  }
  const refused = (refusal: TokenRefusal): TokenVerdict => ({ refusal, keyId, claims })

  const token = request.tokens.length === 1 ? (request.tokens[0] ?? '') : ''
  if (!passes('token-missing', token !== '', `${request.tokens.length}`, '1')) return refused('token-missing')

  const parts = partsOf(token)
  const header = parts === undefined ? undefined : jsonOf(parts.header, world)
  const signature = parts === undefined ? undefined : world.decode(parts.signature)
  // Of what must be understood (RFC 7515 4.1.11) nothing is.
  const isWell = header !== undefined && signature !== undefined && header['crit'] === undefined
  if (!passes('token-malformed', isWell, '', '')) return refused('token-malformed')
  if (parts === undefined || header === undefined || signature === undefined) return refused('token-malformed')

  const algorithm = wordOf(header['alg'])
  if (!passes('algorithm-refused', algorithm === 'ES256', algorithm, 'ES256')) return refused('algorithm-refused')

  keyId = wordOf(header['kid'])
  if (!passes('key-unknown', keyId !== '' && world.hasKey(keyId), keyId, '')) return refused('key-unknown')

  const isGenuine = signature.length === 64 && world.verify(keyId, parts.signed, signature)
  if (!passes('signature-wrong', isGenuine, '', '')) return refused('signature-wrong')

  const read = readClaims(jsonOf(parts.payload, world))
  claims = read.claims
  if (!passes('claims-refused', claims !== undefined, read.problem, '')) return refused('claims-refused')
  if (claims === undefined) return refused('claims-refused')

  if (!passes('host-differs', request.host === claims.host, request.host, claims.host)) return refused('host-differs')
  if (!passes('path-outside', request.path.startsWith(claims.path), request.path, claims.path))
    return refused('path-outside')
  if (!passes('not-yet-valid', world.now >= claims.nbf, `${world.now}`, claims.nbf === 0 ? '' : `${claims.nbf}`))
    return refused('not-yet-valid')
  if (!passes('expired', world.now < claims.exp, `${world.now}`, `${claims.exp}`)) return refused('expired')

  const { addresses, countries, referrers } = claims
  const key = addresses.length === 0 ? '' : addressKey(request.address)
  const isNear = addresses.length === 0 || (key !== '' && addresses.some((block) => isInBlock(key, block)))
  if (!passes('address-refused', isNear, addresses.length === 0 ? '' : request.address, addresses.join(' ')))
    return refused('address-refused')

  const country = countries.length === 0 ? '' : request.country()
  const isAtHome = countries.length === 0 || (country !== '' && countries.includes(country))
  if (!passes('country-refused', isAtHome, country, countries.join(' '))) return refused('country-refused')

  const page = referrers.length === 0 ? '' : hostOfReferrer(request.referrer)
  const isKnown = referrers.length === 0 || (page !== '' && referrers.some((one) => isOfHost(page, one)))
  if (!passes('referrer-refused', isKnown, page, referrers.join(' '))) return refused('referrer-refused')

  return { refusal: '', keyId, claims }
}

type Parts = { header: string; payload: string; signature: string; /** What the signature is of. */ signed: string }

function partsOf(token: string): Parts | undefined {
  if (token.length > TOKEN_LIMITS.bytes) return undefined
  const first = token.indexOf('.')
  const second = first < 0 ? -1 : token.indexOf('.', first + 1)
  if (first < 1 || second < first + 2 || second === token.length - 1) return undefined
  for (let i = 0; i < token.length; i++) {
    if (i !== first && i !== second && !isOfBase64url(token.charCodeAt(i))) return undefined
  }
  return {
    header: token.slice(0, first),
    payload: token.slice(first + 1, second),
    signature: token.slice(second + 1),
    signed: token.slice(0, second),
  }
}

const isOfBase64url = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95

function jsonOf(text: string, world: TokenWorld): Record<string, unknown> | undefined {
  const bytes = world.decode(text)
  return bytes === undefined ? undefined : recordOf(world.parse(bytes))
}

/** Short and visible, or nothing: it is shown to people. */
function wordOf(said: unknown): string {
  if (typeof said !== 'string' || said.length > 64) return ''
  for (let i = 0; i < said.length; i++) if (said.charCodeAt(i) < 33 || said.charCodeAt(i) > 126) return ''
  return said
}

/** Host of the page that asks, in small letters; empty when it is not told. */
export function hostOfReferrer(referrer: string): string {
  const scheme = referrer.indexOf('://')
  if (scheme < 1 || referrer.length > 4_096) return ''
  let end = scheme + 3
  for (; end < referrer.length; end++) {
    const code = referrer.charCodeAt(end)
    if (code === 47 || code === 63 || code === 35 || code === 92) break
  }
  const authority = referrer.slice(scheme + 3, end)
  // Browsers leave it out (RFC 9110 10.1.3): who sends it wants to look like another.
  if (authority.includes('@') || authority.startsWith('[')) return ''
  const colon = authority.indexOf(':')
  return (colon < 0 ? authority : authority.slice(0, colon)).toLowerCase()
}

function isOfHost(page: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? page.endsWith(allowed.slice(1)) : page === allowed
}

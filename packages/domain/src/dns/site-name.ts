import { parse } from 'tldts'

// Names kept for private use and tests (RFC 6761, RFC 2606, and the internal zone of ICANN); no public suffix list has
// them.
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set([
  'test',
  'example',
  'invalid',
  'localhost',
  'internal',
  'local',
  'lan',
])

/** Whether a name is kept for private use, so that no parent zone of the internet delegates it. */
export const isSpecialUse = (name: string): boolean => PRIVATE_SUFFIXES.has(name.slice(name.lastIndexOf('.') + 1))

/** Whether a name lies where addresses lead back to names (RFC 1035 3.5, RFC 3596 2.5). */
export const isReverseName = (name: string): boolean => /(?:^|\.)(?:in-addr|ip6)\.arpa$/.test(name)

const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])'
const REVERSE_ZONE = new RegExp(`^(?:(?:${OCTET}\\.){3}in-addr|(?:[0-9a-f]\\.){12}ip6)\\.arpa$`)

/**
 * The reverse zone of a /24 or a /48, which is what is delegated to those who use the addresses. One depth for all:
 * no site lies inside another's, so that each is proven by a delegation of its own.
 */
export const isReverseZone = (name: string): boolean => REVERSE_ZONE.test(name)

/**
 * Whether a name is a root domain: one label below a public suffix (or below a name kept for private use), so that it
 * can be a site. So can the reverse zone of a /24 or a /48.
 */
export function isRootDomain(name: string): boolean {
  if (isReverseName(name)) return isReverseZone(name)
  const { domain, publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true })
  if (domain !== name || publicSuffix === null) return false
  return isIcann === true || isPrivate === true || PRIVATE_SUFFIXES.has(publicSuffix)
}

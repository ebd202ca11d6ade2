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

/**
 * Whether a name is a root domain: one label below a public suffix (or below a name kept for private use), so that it
 * can be a site.
 */
export function isRootDomain(name: string): boolean {
  const { domain, publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true })
  if (domain !== name || publicSuffix === null) return false
  return isIcann === true || isPrivate === true || PRIVATE_SUFFIXES.has(publicSuffix)
}

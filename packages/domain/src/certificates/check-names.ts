import { isAtOrUnder, isHostName } from '../dns/names.ts'

const MOST_NAMES = 98

/** What is wrong with the names of a certificate, as an error code; null when nothing is. Names are lower case. */
export function certificateNamesProblem(names: readonly string[], siteName: string): 28014 | 28015 | 28017 | null {
  if (names.length > MOST_NAMES) return 28014
  if (names.some((name) => !isAtOrUnder(bare(name), siteName))) return 28017
  const wildcards = names.filter((name) => name.startsWith('*.')).length
  // The name itself beside its wildcard is one certificate's usual pair.
  const pair = names.length === 2 && wildcards === 1 && names.some((name) => names.includes(`*.${name}`))
  return wildcards > 0 && wildcards < names.length && !pair ? 28015 : null
}

/** Can there be a certificate for the name: a host name of two labels or more, or a wildcard of one? */
export function isCertificateName(name: string): boolean {
  return bare(name).includes('.') && !bare(name).includes('*') && !bare(name).includes('_') && isHostName(bare(name))
}

const bare = (name: string): string => name.replace(/^\*\./, '')

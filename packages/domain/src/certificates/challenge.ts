import type { ChallengeType } from '@fairway/contract'

export const isWildcard = (name: string): boolean => name.startsWith('*.')

/**
 * How control over the names is proven: as was chosen, else in DNS where the world asks our name servers, else at the
 * edge. No authority takes HTTP for a wildcard.
 */
export function challengeFor(
  names: readonly string[],
  { chosen, isVerified }: { chosen: ChallengeType | null; isVerified: boolean },
): ChallengeType {
  return chosen ?? (isVerified || names.some(isWildcard) ? 'dns-01' : 'http-01')
}

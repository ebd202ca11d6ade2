import type { EdgeSecurity } from '@fairway/contract'
import { compileSecurity, withApiKeys } from '@fairway/domain'
import type { Keyed, SecurityDocument } from '@fairway/edge-lua'
import { keyed } from './policy.ts'

/** A site's web security as nginx looks it up, by domain. @throws Error when a rule means nothing or a key does not open */
export function securityDocuments(
  { domains, version }: EdgeSecurity,
  openKey: (sealed: string) => string,
): Keyed<SecurityDocument>[] {
  return domains.map(({ domainId, policy }) =>
    keyed(`security:${domainId}`, version, { domainId, rules: compileSecurity(withApiKeys(policy, openKey)) }),
  )
}

import { lookUpWith, type Revocation, revocationOf } from '@fairway/drivers'
import type { Config } from '@fairway/platform'
import { certificatesIn } from './read-certificate.ts'

const NOTHING: Revocation = { state: 'unknown', nextUpdate: null, response: null }

/**
 * What the authority says of the first certificate of a chain. Without the issuer's nothing can be asked, and nobody is
 * asked whom no setting names.
 */
export async function revocationOfChain(
  config: Pick<Config, 'revocationHosts' | 'resolver'>,
  chainPem: string,
  now: Date,
): Promise<Revocation> {
  const [leaf, issuer] = certificatesIn(chainPem) ?? []
  if (!leaf || !issuer || config.revocationHosts.length === 0) return NOTHING
  return revocationOf(leaf, issuer, {
    hosts: config.revocationHosts,
    lookUp: lookUpWith(config.resolver),
    now: now.getTime(),
  })
}

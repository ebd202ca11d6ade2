import { type Revocation, revocationOf } from '@fairway/drivers'
import type { Config, OutgoingGate } from '@fairway/platform'
import { certificatesIn } from './read-certificate.ts'

const NOTHING: Revocation = { state: 'unknown', nextUpdate: null, response: null }

/** Who wants to know, and by which door it is asked for. */
export type RevocationAsker = {
  config: Pick<Config, 'revocationHosts'>
  gate: OutgoingGate
  organizationId: string
}

/**
 * What the authority says of the first certificate of a chain. Without the issuer's nothing can be asked, and nobody is
 * asked whom no setting names.
 */
export async function revocationOfChain(asker: RevocationAsker, chainPem: string, now: Date): Promise<Revocation> {
  const { config, gate, organizationId } = asker
  const [leaf, issuer] = certificatesIn(chainPem) ?? []
  if (!leaf || !issuer || config.revocationHosts.length === 0) return NOTHING
  return revocationOf(leaf, issuer, {
    hosts: config.revocationHosts,
    gate,
    sender: { organizationId, purpose: 'revocation' },
    now: now.getTime(),
  })
}

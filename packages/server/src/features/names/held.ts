import { type ClaimRules, type NameHeld, isSpecialUse, samePair } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { type ClaimRow, type HolderRow, claimsAround, holdersOf } from './store.ts'

export type NameFacts = { around: ClaimRow[]; holders: HolderRow[] }
export type Claimant = Pick<ClaimRow, 'organization_id' | 'domain_name' | 'nameserver_pair'> & { claimed_at: Date }

/** Everything that anybody holds of a name. For the system's eyes: a tenant may be told what follows from it only. */
export async function factsOf(tx: Tx, name: string): Promise<NameFacts> {
  return { around: await claimsAround(tx, name), holders: await holdersOf(tx, name) }
}

/** What other organisations hold of a claimant's name. */
export function heldByOthers({ around, holders }: NameFacts, own: Claimant, now: Date): NameHeld {
  const others = around.filter(({ organization_id }) => organization_id !== own.organization_id)
  const same = others.filter(({ domain_name }) => domain_name === own.domain_name)
  const nested = others.filter(({ domain_name }) => domain_name !== own.domain_name)
  const isUnproven = ({ claim }: ClaimRow): boolean => claim === 'served' || claim === 'looking'
  const former = holders.filter(({ organization_id }) => organization_id !== own.organization_id)
  return {
    proven: same.some(({ claim }) => claim === 'proven'),
    provenAround: nested.some(({ claim }) => claim === 'proven'),
    first: same.some(isUnproven) || nested.some((claim) => isUnproven(claim) && claim.claimed_at <= own.claimed_at),
    reserved: former.some(({ reserved_until }) => reserved_until !== null && reserved_until > now),
    samePair: former.some(({ nameserver_pair }) => samePair(nameserver_pair, own.nameserver_pair)),
  }
}

export const claimRules = (config: Config, name: string): ClaimRules => ({
  canBeProven: !isSpecialUse(name),
  tolerant: config.domainProof === 'tolerant',
})

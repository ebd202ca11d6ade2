import { isAtOrUnder, judgeRecord, type WantedRecord } from '@fairway/domain'
import type { WhiteLabelState } from '@fairway/contract'
import type { Config, OutgoingGate } from '@fairway/platform'
import { tlsSeen } from './look-tls.ts'
import type { House } from './facts.ts'
import { seeDelegation, type DelegationSeen } from '../add-site/check-nameservers.ts'

export type Seen = { state: WhiteLabelState; seen: string[] }
export type Looker = { config: Config; gate: OutgoingGate }

/** More than any zone has is not worth keeping. */
const MOST_SEEN = 20
const MOST_LETTERS = 500

/** What the world's DNS says of each record. Delegations are asked of the parents themselves, all else of the resolver. */
export async function lookAt(
  by: Looker,
  partnerId: string,
  records: readonly WantedRecord[],
  house: House,
): Promise<Map<string, Seen>> {
  const zones = records.filter(({ type, place }) => type === 'NS' && place === 'parent').map(({ name }) => name)
  const delegations = new Map(
    await Promise.all(
      [...new Set(zones)].map(
        // Whoever names a zone chooses whom we ask: counted as an organisation's are.
        async (zone) => [zone, await seeDelegation({ ...by, organizationId: partnerId }, zone)] as const,
      ),
    ),
  )
  const found = await Promise.all(
    records.map(async (record) => {
      const seen = await seenOf(by, record, delegations)
      const found = { state: judgeRecord(record, seen, oursFor(record, house)), seen: seen ?? [] }
      // Letters and browsers come by TLS: an alias alone leads them to a warning.
      const { state, seen: shown } =
        record.use === 'links' && found.state === 'good' && by.config.publicUrl.startsWith('https:')
          ? await tlsSeen(by, partnerId, record.name, found.seen)
          : found
      return [record.id, { state, seen: bounded(shown) }] as const
    }),
  )
  return new Map(found)
}

async function seenOf(
  { config, gate }: Looker,
  { type, name, place, values }: WantedRecord,
  delegations: ReadonlyMap<string, DelegationSeen>,
): Promise<string[] | null> {
  const zone = [...delegations.keys()].find((one) => isAtOrUnder(name, one))
  const delegation = zone === undefined ? undefined : delegations.get(zone)
  if (place === 'parent' && delegation) {
    // What one of our own servers says of a delegation is what its users have told us, so it proves nothing.
    const counts = delegation.answered && (delegation.byParent || config.domainProof !== 'on')
    if (type === 'NS') return counts ? delegation.delegation.map((server) => server.name) : null
    // A resolver does not show glue.
    return delegation.byParent ? (delegation.delegation.find((server) => server.name === name)?.glue ?? []) : null
  }
  try {
    if (type === 'TXT') return await gate.names.textsOf(name)
    if (type === 'CNAME') return await aliasSeen(gate, name, values[0] ?? '')
    return await addressesOf(gate, name)
  } catch {
    return null
  }
}

/** The alias, or the addresses where there is none: at a zone's apex they stand for it when they are the target's own. */
async function aliasSeen(gate: OutgoingGate, name: string, target: string): Promise<string[]> {
  const alias = await gate.names.aliasOf(name)
  if (alias !== null) return [alias]
  const addresses = await addressesOf(gate, name)
  const wanted = addresses.length > 0 ? await addressesOf(gate, target) : []
  return addresses.length > 0 && addresses.every((address) => wanted.includes(address)) ? [target] : addresses
}

async function addressesOf({ names }: OutgoingGate, name: string): Promise<string[]> {
  try {
    return await names.addressesOf(name)
  } catch (error) {
    // The system's own look-up says so by throwing.
    if ((error as NodeJS.ErrnoException).code === 'ENOTFOUND') return []
    throw error
  }
}

/** Addresses that answer for the house; null for what leads elsewhere. */
function oursFor({ use }: WantedRecord, house: House): string[] | null {
  if (use !== 'nameservers' && use !== 'cname') return null
  return house.ours[use === 'cname' ? 'edge' : 'dns']
}

const bounded = (seen: readonly string[]): string[] =>
  seen.slice(0, MOST_SEEN).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MOST_LETTERS))

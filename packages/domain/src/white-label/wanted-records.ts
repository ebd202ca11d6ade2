import type { WhiteLabelRecord, WhiteLabelSettings } from '@fairway/contract'
import { isIpv4, isIpv6 } from '../dns/addresses.ts'
import type { AddressSet } from '../dns/house-addresses.ts'
import { isAtOrUnder } from '../dns/names.ts'

/** What the records of a partner follow from. */
export type WhiteLabelFacts = Pick<WhiteLabelSettings, 'serviceDomain' | 'cnameHost' | 'senderAddress'> & {
  /** Host name of the partner's console; null for the installation's own brand. */
  hostName: string | null
  /** Where the console of the installation is. */
  consoleHost: string
  /** Every nameserver name in a zone, the two that the zone itself is delegated to first. */
  namesIn: (zone: string) => readonly string[]
  /** The installation's own zone. */
  houseZone: string
  /** Where each of those names leads; no sets while nothing is known. */
  nameserverSets: (name: string) => readonly AddressSet[]
  edgeSets: readonly AddressSet[]
  /** A mechanism such as `include:_spf.relay.example`. */
  spf: string
  dkim: { selector: string; publicKey: string } | null
}

export type WantedRecord = Omit<WhiteLabelRecord, 'state' | 'seen' | 'checkedAt'>

const addressType = (address: string): 'A' | 'AAAA' => (isIpv6(address) ? 'AAAA' : 'A')

/** A name under a wildcard of ours that stands for all that are there. */
export const anyCdnName = (zone: string): string => `check.edge.${zone}`

/** The DNS records that a partner has to set for the names it has chosen, in the order in which they are set. */
export function wantedRecords(facts: WhiteLabelFacts): WantedRecord[] {
  return [...linkRecords(facts), ...nameserverRecords(facts), ...cnameRecords(facts), ...senderRecords(facts)]
}

function linkRecords({ hostName, consoleHost }: WhiteLabelFacts): WantedRecord[] {
  if (hostName === null || hostName === consoleHost) return []
  const isAddress = isIpv4(consoleHost) || isIpv6(consoleHost)
  return [
    {
      id: 'links',
      use: 'links',
      name: hostName,
      type: isAddress ? addressType(consoleHost) : 'CNAME',
      values: [consoleHost],
      place: 'own',
      required: true,
    },
  ]
}

/**
 * One of the families is required, the other one advice. Where nothing is known of a name it has a record without a
 * value, which nothing fulfils: names that lead nowhere are not given out.
 */
function addressRecords(
  record: Pick<WantedRecord, 'id' | 'use' | 'name' | 'place'>,
  sets: readonly AddressSet[],
): WantedRecord[] {
  const [first = { type: 'A' as const, addresses: [] }, ...others] = sets
  return [
    { ...record, type: first.type, values: first.addresses, required: true },
    ...others.map(({ type, addresses }) => ({
      ...record,
      id: `${record.id}-${type.toLowerCase()}`,
      type,
      values: addresses,
      required: false,
    })),
  ]
}

function nameserverRecords({ serviceDomain, namesIn, nameserverSets }: WhiteLabelFacts): WantedRecord[] {
  if (serviceDomain === null) return []
  const names = namesIn(serviceDomain)
  const pair = names.slice(0, 2)
  const address = (id: string, name: string, place: WantedRecord['place']): WantedRecord[] =>
    addressRecords({ id, use: 'nameservers', name, place }, nameserverSets(name))
  return [
    {
      id: 'ns',
      use: 'nameservers',
      name: serviceDomain,
      type: 'NS',
      values: [...pair],
      place: 'parent',
      required: true,
    },
    ...pair.flatMap((name, at) => address(`glue-${at + 1}`, name, 'parent')),
    ...names.slice(2).flatMap((name) => address(`name-${name.slice(0, name.indexOf('.'))}`, name, 'answered')),
  ]
}

function cnameRecords({ serviceDomain, cnameHost, namesIn, houseZone, edgeSets }: WhiteLabelFacts): WantedRecord[] {
  if (cnameHost === null) return []
  const answered = addressRecords(
    { id: 'cname-answer', use: 'cname', name: anyCdnName(cnameHost), place: 'answered' },
    edgeSets,
  )
  if (serviceDomain !== null && isAtOrUnder(cnameHost, serviceDomain)) return answered
  return [
    {
      id: 'cname-ns',
      use: 'cname',
      name: cnameHost,
      type: 'NS',
      values: namesIn(serviceDomain ?? houseZone).slice(0, 2),
      place: 'parent',
      required: true,
    },
    ...answered,
  ]
}

function senderRecords({ senderAddress, spf, dkim }: WhiteLabelFacts): WantedRecord[] {
  const domain = senderAddress?.split('@').at(-1)?.toLowerCase()
  if (!domain || !dkim) return []
  const text = { use: 'sender', type: 'TXT', place: 'own' } as const
  return [
    { ...text, id: 'spf', name: domain, values: [`v=spf1 ${spf} ~all`], required: true },
    {
      ...text,
      id: 'dkim',
      name: `${dkim.selector}._domainkey.${domain}`,
      values: [`v=DKIM1; k=rsa; p=${dkim.publicKey}`],
      required: true,
    },
    {
      ...text,
      id: 'dmarc',
      name: `_dmarc.${domain}`,
      values: ['v=DMARC1; p=quarantine; adkim=r; aspf=r'],
      required: false,
    },
  ]
}

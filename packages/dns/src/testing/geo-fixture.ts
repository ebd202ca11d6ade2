import type { Location } from '@fairway/contract'
import { parseCidr, type IpNetwork } from '@fairway/domain'
import type { Geo } from '@fairway/platform'

export const NOWHERE: Location = { continent: '00', country: null, region: null, city: null, network: null, asn: null }
export const JAPAN: Location = {
  continent: 'AS',
  country: 'JP',
  region: '13',
  city: 'Tokyo',
  network: 'AS2497',
  asn: 2497,
}
export const GERMANY: Location = {
  continent: 'EU',
  country: 'DE',
  region: 'BE',
  city: 'Berlin',
  network: 'AS3320',
  asn: 3320,
}
export const FRANCE: Location = {
  continent: 'EU',
  country: 'FR',
  region: 'IDF',
  city: 'Paris',
  network: 'AS3215',
  asn: 3215,
}

const LEAVES: [string, Location][] = [
  ['203.0.113.0/24', JAPAN],
  ['198.51.0.0/16', GERMANY],
  ['192.0.2.128/25', FRANCE],
  ['2001:db8:1::/48', JAPAN],
  ['2001:db8:2::/64', GERMANY],
]

/** A small world of documentation addresses. Leaves do not overlap; elsewhere nothing is known for a whole /8. */
export function geoFixture(): Pick<Geo, 'find' | 'prefetch' | 'location'> {
  const leaves = LEAVES.map(([text, location], i) => ({ place: i + 1, network: networkOf(text), location }))
  return {
    find(bytes, offset, family, into) {
      const leaf = leaves.find(({ network }) => network.family === family && startsWith(bytes, offset, network))
      into.place = leaf?.place ?? 0
      into.network = leaf ? 1 : 0
      into.prefixLength = leaf?.network.prefixLength ?? 8
    },
    prefetch() {},
    location: (place) => leaves[place - 1]?.location ?? NOWHERE,
  }
}

function networkOf(text: string): IpNetwork {
  const network = parseCidr(text)
  if (!network) throw new Error(`${text} is no network`)
  return network
}

function startsWith(bytes: Uint8Array, offset: number, { words, prefixLength }: IpNetwork): boolean {
  for (let bit = 0; bit < prefixLength; bit++) {
    const mine = ((bytes[offset + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1
    if (mine !== (((words[bit >> 5] ?? 0) >>> (31 - (bit & 31))) & 1)) return false
  }
  return true
}

import type { Location } from '@fairway/contract'
import ipaddr from 'ipaddr.js'
import { chinaNetworkOf } from './china-networks.ts'
import { continentOf } from './continents.ts'
import { findIpv6 } from './find-ipv6.ts'
import type { GeoTables } from './geo-file.ts'
import { findIpv4, prefetchIpv4 } from './ipv4-table.ts'
import { prepareGeo } from './prepare-geo.ts'
import { type SampledNetwork, sampleIpv4Networks } from './sample-networks.ts'
import type { GeoHit } from './geo-hit.ts'

export interface Geo {
  /**
   * Looks up the address at `bytes[offset]` (4 or 16 bytes, network order) and writes into `into`; allocates nothing.
   * IPv4 mapped into IPv6 counts as IPv4.
   */
  find(bytes: Uint8Array, offset: number, family: 4 | 6, into: GeoHit): void
  /**
   * Fetches what `find` will read for the first `count` of these IPv4 addresses (32 bits): done for many in a row the
   * waits for memory overlap, while `find` waits for each.
   */
  prefetch(addresses: Int32Array, count: number): void
  /** What a hit means; the same object for the same pair while it is remembered. */
  location(place: number, network: number): Location
  /** Where a textual address is; nothing known when it is not an address. */
  locate(address: string): Location
  /**
   * Real /24 networks of a country, the same for the same seed; networks with a known autonomous system are eight times
   * as likely.
   */
  sampleNetworks(country: string, count: number, seed: number): SampledNetwork[]
  /** Versions of the data, and the attribution its licence asks for. */
  readonly stamp: string
  readonly attribution: string
}

/** Loads the location data of the home, building it on first use (some seconds). */
export async function openGeo(config: { home: string }): Promise<Geo> {
  return geoOver(await prepareGeo(config.home))
}

const LOCATIONS_REMEMBERED = 50_000

function geoOver(tables: GeoTables): Geo {
  const remembered = new Map<number, Location>()
  const find: Geo['find'] = (bytes, offset, family, into) => {
    const mapped = family === 6 && isMapped(bytes, offset)
    if (family === 4 || mapped) findIpv4(tables, word(bytes, mapped ? offset + 12 : offset), into)
    else findIpv6(tables, word(bytes, offset), word(bytes, offset + 4), into)
    if (mapped) into.prefixLength += 96
  }
  const location: Geo['location'] = (place, network) => {
    const key = place * 2 ** 20 + network
    const known = remembered.get(key)
    if (known) return known
    // A client can make up subnets at will: the memory for them is bounded.
    if (remembered.size >= LOCATIONS_REMEMBERED) remembered.clear()
    const made = makeLocation(tables, place, network)
    remembered.set(key, made)
    return made
  }
  return {
    find,
    prefetch: (addresses, count) => prefetchIpv4(tables, addresses, count),
    location,
    locate(address) {
      if (!ipaddr.isValid(address)) return location(0, 0)
      const bytes = Uint8Array.from(ipaddr.parse(address).toByteArray())
      const hit = { place: 0, network: 0, prefixLength: 0 }
      find(bytes, 0, bytes.length === 4 ? 4 : 6, hit)
      return location(hit.place, hit.network)
    },
    sampleNetworks: (country, count, seed) =>
      sampleIpv4Networks(tables, country, count, seed).map(({ place, network, ...rest }) => ({
        ...rest,
        location: location(place, network),
      })),
    stamp: tables.stamp,
    attribution: 'IP Geolocation by DB-IP (https://db-ip.com)',
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0
  )
}

/** ::ffff:0:0/96 (RFC 4291 2.5.5.2). */
function isMapped(bytes: Uint8Array, at: number): boolean {
  return word(bytes, at) === 0 && word(bytes, at + 4) === 0 && word(bytes, at + 8) === 0xffff
}

function makeLocation(tables: GeoTables, place: number, network: number): Location {
  const country = tables.countries[tables.placeCountry[place] ?? 0] || null
  const asn = tables.networkAsn[network] || null
  const group = country === 'CN' && asn !== null ? chinaNetworkOf(asn) : null
  return {
    continent: continentOf(country),
    country,
    region: text(tables, tables.placeRegion[place] ?? 0),
    city: text(tables, tables.placeCity[place] ?? 0),
    network: asn === null ? null : (group ?? `AS${asn}`),
    asn,
  }
}

function text({ stringStart, stringBytes }: GeoTables, number: number): string | null {
  if (number === 0) return null
  return Buffer.from(
    stringBytes.buffer,
    stringBytes.byteOffset + (stringStart[number] ?? 0),
    (stringStart[number + 1] ?? 0) - (stringStart[number] ?? 0),
  ).toString('utf8')
}
export type { SampledNetwork } from './sample-networks.ts'

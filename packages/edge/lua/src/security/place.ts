import { addressKey } from '@fairway/domain/web-security'
import { geoTables, type GeoTables, type Numbers } from './geo-tables.ts'

/** Where an address is. Names that are not known are empty. */
export type Place = { names: Record<string, string | undefined>; networks: string[] }

/** By the location data of this machine; nothing is known while there is none. */
export function placeOf(address: string): Place {
  const tables = geoTables()
  const key = addressKey(address)
  if (tables === undefined || key === '') return UNKNOWN
  const leaf = key.length === 8 ? findIpv4(tables, tonumber(`0x${key}`) ?? 0) : findIpv6(tables, key)
  return described(tables, leaf.place, leaf.network)
}

const UNKNOWN: Place = { names: { continent: '00', country: '', region: '', city: '' }, networks: [] }

const at = (numbers: Numbers, index: number): number => numbers[index] ?? 0

type Leaf = { place: number; network: number }

/** The same as `findIpv4` of the platform, which has laid the tables out. */
function findIpv4({ v4First, v4Steps }: GeoTables, address: number): Leaf {
  const low = address % 16384
  const chunk = (address - low) / 16384
  let next = at(v4First, chunk) + 1
  let after = at(v4First, chunk + 1)
  while (next < after) {
    const middle = Math.floor((next + after) / 2)
    if (Math.floor(at(v4Steps, 2 * middle) / 262144) <= low) next = middle + 1
    else after = middle
  }
  const head = at(v4Steps, 2 * next - 2)
  const tail = at(v4Steps, 2 * next - 1)
  const upper = Math.floor(tail / 64) % 64
  return { place: upper * 262144 + (head % 262144), network: Math.floor(tail / 4096) }
}

/** The same as `findIpv6` of the platform. */
function findIpv6(tables: GeoTables, key: string): Leaf {
  const { v6Top, v6First, v6Low, v6Leaf, leafPlace, leafNetwork, v6Tops } = tables
  const high = tonumber(`0x${key.slice(0, 8)}`) ?? 0
  const low = tonumber(`0x${key.slice(8, 16)}`) ?? 0
  const top = lastAtOrBefore(v6Top, 0, v6Tops, high)
  if (top < 0) return { place: 0, network: 0 }
  const first = at(v6First, top)
  const end = at(v6First, top + 1)
  const step = at(v6Top, top) === high ? lastAtOrBefore(v6Low, first, end, low) : end - 1
  if (step < 0) return { place: 0, network: 0 }
  const leaf = at(v6Leaf, step)
  return { place: at(leafPlace, leaf), network: at(leafNetwork, leaf) }
}

/** Index of the last entry in [from, to) that is not above the value; from - 1 when there is none. */
function lastAtOrBefore(sorted: GeoTables['v6Top'], from: number, to: number, value: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (at(sorted, middle) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

function described(tables: GeoTables, place: number, network: number): Place {
  const country = tables.countries[at(tables.placeCountry, place)] ?? ''
  const asn = at(tables.networkAsn, network)
  const networks: string[] = []
  if (asn !== 0) {
    const name = `AS${asn}`
    const group = country === 'CN' ? tables.groups[name] : undefined
    if (group !== undefined) networks.push(group)
    networks.push(name)
  }
  return {
    names: {
      continent: tables.continents[country] ?? '00',
      country,
      region: text(tables, at(tables.placeRegion, place)),
      city: text(tables, at(tables.placeCity, place)),
    },
    networks,
  }
}

function text({ stringStart, stringBytes }: GeoTables, number: number): string {
  return number === 0 ? '' : stringBytes(at(stringStart, number), at(stringStart, number + 1) - at(stringStart, number))
}

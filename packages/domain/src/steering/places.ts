import type { Continent, Location } from '@fairway/contract'
import { CHINA_NETWORKS } from '@fairway/contract/lean'

/** A place key taken apart; `region` is null in a city of a country without regions. */
export type Place =
  | { kind: 'world' }
  | { kind: 'continent'; continent: Continent }
  | { kind: 'country'; country: string }
  | { kind: 'region'; country: string; region: string }
  | { kind: 'city'; country: string; region: string | null; city: string }

/** The names a location goes by: what filters are matched with and where its measurements stand. */
export type LocationKeys = {
  /** Place keys the location is in, finest first; always ends with its continent and `world`. */
  places: string[]
  /** Its network and, inside China, also the AS number behind the group. */
  networks: string[]
  /** Score keys, finest first, as the requirements order the levels of data. */
  scores: string[]
  /** Score keys of *regional latency*: region and coarser, never a network. */
  regional: string[]
}

/**
 * All keys of a location. Of an unknown country only the continent counts, `00` when that is not known either; nothing
 * finer is believed then.
 */
export function locationKeys(location: Location): LocationKeys {
  const { country } = location
  const network = networkOf(location)
  const networks = network === null ? [] : [network]
  if (network !== null && location.asn !== null && network !== `AS${location.asn}`) networks.push(`AS${location.asn}`)
  const continent = `continent:${location.continent}`
  if (country === null) {
    const keys = [continent, 'world']
    return { places: keys, networks, scores: keys, regional: keys }
  }

  const places: string[] = []
  const scores: string[] = []
  const add = (key: string) => {
    places.push(key)
    if (network !== null) scores.push(`${key}|${network}`)
    scores.push(key)
  }
  if (location.city) add(formatPlace({ kind: 'city', country, region: location.region, city: location.city }))
  if (location.region) add(formatPlace({ kind: 'region', country, region: location.region }))
  add(`country:${country}`)
  places.push(continent, 'world')
  scores.push(continent, 'world')
  const regional = location.region ? places.slice(location.city ? 1 : 0) : [`country:${country}`, continent, 'world']
  return { places, networks, scores, regional }
}

/**
 * Score keys of a location, finest first: network in city, city, network in region, region, network in country,
 * country, continent, world.
 */
export const scoreKeys = (location: Location): string[] => locationKeys(location).scores

/** Writes a place key. A dash in a region and a bar anywhere become a space, since they part the key. */
export function formatPlace(place: Place): string {
  switch (place.kind) {
    case 'world':
      return 'world'
    case 'continent':
      return `continent:${place.continent}`
    case 'country':
      return `country:${place.country}`
    case 'region':
      return `region:${place.country}-${regionPart(place.region)}`
    case 'city':
      return `city:${place.country}-${regionPart(place.region ?? '')}-${place.city.includes('|') ? place.city.replaceAll('|', ' ') : place.city}`
  }
}

const regionPart = (region: string): string => (/[-|]/.test(region) ? region.replaceAll(/[-|]/g, ' ') : region)

/** The level of a score key without its names, such as `region` or `city|network`. */
export function levelOf(scoreKey: string): string {
  const colon = scoreKey.indexOf(':')
  const kind = colon < 0 ? 'world' : scoreKey.slice(0, colon)
  return scoreKey.includes('|') ? `${kind}|network` : kind
}

const chinaGroups: ReadonlySet<string> = new Set(CHINA_NETWORKS)

// A China group names that network in China; the same operator abroad is known by its AS number.
function networkOf({ network, asn, country }: Location): string | null {
  if (network !== null && (country === 'CN' || !chinaGroups.has(network))) return network
  return asn === null ? null : `AS${asn}`
}

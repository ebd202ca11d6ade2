import type { Region, VisitorCountry } from './countries.ts'

type Footprint = Record<Region, number>

/** Milliseconds from the nearest place of a CDN to a region, as its map of places would give them. */
const FOOTPRINTS: Record<string, Footprint> = {
  swiftlane: {
    'north-america': 18,
    'south-america': 62,
    'west-europe': 25,
    'east-europe': 41,
    africa: 112,
    'south-asia': 88,
    'south-east-asia': 74,
    'east-asia': 66,
    china: 182,
    oceania: 88,
  },
  polaris: {
    'north-america': 31,
    'south-america': 40,
    'west-europe': 17,
    'east-europe': 22,
    africa: 58,
    'south-asia': 66,
    'south-east-asia': 81,
    'east-asia': 78,
    china: 165,
    oceania: 118,
  },
  tidewater: {
    'north-america': 44,
    'south-america': 95,
    'west-europe': 48,
    'east-europe': 66,
    africa: 90,
    'south-asia': 36,
    'south-east-asia': 21,
    'east-asia': 22,
    china: 39,
    oceania: 34,
  },
}
/** One place in Frankfurt; also what a CDN we know nothing of is like. */
const SINGLE_PLACE: Footprint = {
  'north-america': 98,
  'south-america': 190,
  'west-europe': 20,
  'east-europe': 32,
  africa: 106,
  'south-asia': 126,
  'south-east-asia': 168,
  'east-asia': 214,
  china: 238,
  oceania: 262,
}

/** Share of fetches that fail there by themselves, in percent. */
const WEAK_PLACES: Record<string, number> = {
  'swiftlane CN': 17,
  'polaris CN': 9,
  'tidewater NG': 4,
  'swiftlane KE': 3,
}
const USUAL_FAILURES_PERCENT = 0.4
const SPREAD = 0.26

/** Typical round trip in ms from a country to a CDN: its footprint, bent a little by the country's own cables. */
export function typicalRttMs(country: VisitorCountry, cdn: string): number {
  const footprint = FOOTPRINTS[cdn] ?? SINGLE_PLACE
  return country.lastMileMs + footprint[country.region] * between(0.78, 1.3, hashOf(`${country.code} ${cdn}`))
}

/** A network's own road to a CDN, as a factor of its country's. */
export function networkFactor(network: string, cdn: string): number {
  return between(0.82, 1.24, hashOf(`${network} ${cdn}`))
}

/** One measurement around a typical value: log-normal, as round trips are. `random` gives numbers in [0, 1). */
export function scattered(typicalMs: number, random: () => number): number {
  return typicalMs * Math.exp(SPREAD * normal(random))
}

export function failurePercent(country: VisitorCountry, cdn: string): number {
  return WEAK_PLACES[`${cdn} ${country.code}`] ?? USUAL_FAILURES_PERCENT
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function between(low: number, high: number, share: number): number {
  return low + (high - low) * share
}

/** FNV-1a, as a share of 1. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

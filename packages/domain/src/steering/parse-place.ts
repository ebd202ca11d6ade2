import { Continent, NetworkKey } from '@fairway/contract'
import { continentOf } from './continents.ts'
import type { Place } from './places.ts'

/** Reads a place key; null when it is none. */
export function parsePlace(key: string): Place | null {
  if (key === 'world') return { kind: 'world' }
  const [, kind, rest] = /^(continent|country|region|city):(.+)$/s.exec(key) ?? []
  if (kind === undefined || rest === undefined) return null
  if (kind === 'continent') {
    const continent = Continent.safeParse(rest)
    return continent.success ? { kind, continent: continent.data } : null
  }
  const [, country, tail] = /^([A-Z]{2})(?:-(.+))?$/s.exec(rest) ?? []
  if (country === undefined) return null
  if (kind === 'country') return tail === undefined ? { kind, country } : null
  if (tail === undefined) return null
  if (kind === 'region') return /[-|]/.test(tail) ? null : { kind, country, region: tail }
  const [, region, city] = /^([^-|]*)-([^|]+)$/s.exec(tail) ?? []
  return city === undefined ? null : { kind: 'city', country, region: region || null, city }
}

/** Takes `<place>` or `<place>|<network>` apart; null when it is no score key. */
export function parseScoreKey(key: string): { place: Place; network: string | null } | null {
  const bar = key.indexOf('|')
  const place = parsePlace(bar < 0 ? key : key.slice(0, bar))
  if (place === null) return null
  if (bar < 0) return { place, network: null }
  const network = NetworkKey.safeParse(key.slice(bar + 1))
  return network.success ? { place, network: network.data } : null
}

/**
 * Whether every visitor of the place `inner` is also in the place `outer`; a place is inside itself, an unreadable key
 * in nothing.
 */
export function isInside(inner: string, outer: string): boolean {
  const small = parsePlace(inner)
  const large = parsePlace(outer)
  if (small === null || large === null) return false
  if (large.kind === 'world' || inner === outer) return true
  if (small.kind === 'world' || small.kind === 'continent') return false
  if (large.kind === 'continent') return continentOf(small.country) === large.continent && large.continent !== '00'
  if (small.country !== large.country) return false
  if (large.kind === 'country') return true
  return large.kind === 'region' && small.kind === 'city' && small.region === large.region
}

import type { ScoresSnapshot, SteeringPolicy } from '@fairway/contract'
import type { Grain } from './place-numbers.ts'

/** What of a visitor's whereabouts can matter: to what grain of its place, and which networks (null: any may). */
export type Relevance = { grain: Grain; networks: ReadonlySet<string> | null }

/** Levels and networks that measurements have at all; they are the same for all policies of an organisation. */
type Measured = { grain: Grain; networks: ReadonlySet<string> }

const measured = new WeakMap<ScoresSnapshot, Measured>()

/**
 * What a policy looks at under these measurements: a place that neither names nor measures tell apart is the same place
 * to it.
 */
export function relevanceOf(policy: SteeringPolicy, scores: ScoresSnapshot | null): Relevance {
  const filters = [...policy.strategies, ...policy.vsrRules].filter((rule) => rule.enabled).map((rule) => rule.filter)
  const known = scores === null ? NOTHING : measuredOf(scores)
  const networks = new Set([...known.networks, ...filters.flatMap((filter) => filter.networks)])
  // Groups of networks have their name in one country only, so that a number alone does not tell them.
  const byNumber = [...networks].every((network) => /^AS\d+$/.test(network))
  return {
    grain: finer(known.grain, grainOf(filters.flatMap((filter) => filter.places))),
    networks: byNumber ? networks : null,
  }
}

const NOTHING: Measured = { grain: 'country', networks: new Set() }

function measuredOf(scores: ScoresSnapshot): Measured {
  const known = measured.get(scores)
  if (known) return known
  const keys = Object.values(scores.cdns).flatMap(({ places }) => Object.keys(places))
  const found = {
    grain: grainOf(keys),
    networks: new Set(keys.flatMap((key) => (key.includes('|') ? key.slice(key.indexOf('|') + 1) : []))),
  }
  measured.set(scores, found)
  return found
}

function grainOf(places: readonly string[]): Grain {
  if (places.some((place) => place.startsWith('city:'))) return 'place'
  return places.some((place) => place.startsWith('region:')) ? 'region' : 'country'
}

const FINENESS: Readonly<Record<Grain, number>> = { country: 0, region: 1, place: 2 }
const finer = (a: Grain, b: Grain): Grain => (FINENESS[a] > FINENESS[b] ? a : b)

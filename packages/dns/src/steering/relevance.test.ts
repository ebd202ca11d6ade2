import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Location, Measure, ScoresSnapshot } from '@fairway/contract'
import { projectLocation, policyIndex } from '@fairway/domain'
import * as fc from 'fast-check'
import { policyOf, strategyOf } from '../testing/zone-fixture.ts'
import { PlaceNumbers } from './place-numbers.ts'
import { relevanceOf } from './relevance.ts'

const COUNTRIES = ['DE', 'JP', 'CN', null]
const REGIONS = ['BE', 'BY', null]
const CITIES = ['Berlin', 'Munich', null]
const ASNS = [3320, 4134, 2497, null]
const WORLD: Location[] = COUNTRIES.flatMap((country) =>
  REGIONS.flatMap((region) =>
    CITIES.map(
      (city) =>
        ({
          continent: country === 'DE' ? 'EU' : country ? 'AS' : '00',
          country,
          region: country && region,
          city: country && city,
          network: null,
          asn: null,
        }) as Location,
    ),
  ),
)
const located = (place: number, network: number): Location => {
  const asn = ASNS[network] ?? null
  return {
    ...WORLD[place],
    asn,
    network: asn === null ? null : asn === 4134 && WORLD[place]?.country === 'CN' ? 'CT' : `AS${asn}`,
  } as Location
}
const PLACES = [
  'world',
  'continent:EU',
  'country:DE',
  'country:JP',
  'region:DE-BE',
  'region:CN-BY',
  'city:DE-BE-Berlin',
  'city:JP-BY-Munich',
]
const NETWORKS = ['AS3320', 'AS2497', 'CT']
const measure: Measure = { samples: 50, availability: 100, latencyMs: 10, newestAt: 1 }

test('visitors whom relevance does not tell apart are the same to the policy, whatever it names and whatever is measured', () => {
  const arbitrary = fc.record({
    filters: fc.array(fc.record({ places: fc.subarray(PLACES), networks: fc.subarray(NETWORKS) }), { maxLength: 3 }),
    keys: fc.array(fc.tuple(fc.constantFrom(...PLACES), fc.option(fc.constantFrom(...NETWORKS))), { maxLength: 4 }),
  })
  fc.assert(
    fc.property(arbitrary, ({ filters, keys }) => {
      const policy = policyOf(
        'p',
        [
          {
            cdnId: 'one',
            name: 'one',
            enabled: true,
            serving: true,
            cname: 'a.test',
            latencyFactor: 1,
            latencyAddMs: 0,
          },
        ],
        filters.map(({ places, networks }, i) => strategyOf(String(i), { filter: { places, networks, cidrs: [] } })),
      )
      const places = Object.fromEntries(
        keys.map(([place, network]) => [network ? `${place}|${network}` : place, { rum: measure }]),
      )
      const scores: ScoresSnapshot = {
        organizationId: 'o',
        serial: 1,
        builtAt: 1,
        lifetimeSeconds: 300,
        cdns: { one: { hardDown: false, hardDownSince: null, places } },
      }
      const { grain, networks } = relevanceOf(policy, scores)
      const numbers = new PlaceNumbers(located)
      const index = policyIndex(policy, scores)
      const seen = new Map<string, string>()
      for (const place of WORLD.keys())
        for (const network of ASNS.keys()) {
          const location = located(place, network)
          const key = `${numbers.of(place, grain)} ${networks === null || networks.has(`AS${location.asn}`) ? network : 'any'}`
          const projected = projectLocation(index, { address: '192.0.2.1', prefixLength: 24, location })
          assert.equal(seen.get(key) ?? projected, projected)
          seen.set(key, projected)
        }
    }),
  )
})

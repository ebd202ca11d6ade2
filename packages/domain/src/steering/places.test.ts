import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlaceKey, type Location } from '@fairway/contract'
import * as fc from 'fast-check'
import { continentOf } from './continents.ts'
import { isInside, parsePlace, parseScoreKey } from './parse-place.ts'
import { formatPlace, levelOf, locationKeys, scoreKeys, type Place } from './places.ts'

const SAN_JOSE: Location = {
  continent: 'NA',
  country: 'US',
  region: 'CA',
  city: 'San Jose',
  network: 'AS7922',
  asn: 7922,
}

test('a location has score keys from its network in the city to the world', () => {
  assert.deepEqual(scoreKeys(SAN_JOSE), [
    'city:US-CA-San Jose|AS7922',
    'city:US-CA-San Jose',
    'region:US-CA|AS7922',
    'region:US-CA',
    'country:US|AS7922',
    'country:US',
    'continent:NA',
    'world',
  ])
})

test('levels that are not known are left out', () => {
  assert.deepEqual(scoreKeys({ ...SAN_JOSE, region: null, network: null, asn: null }), [
    'city:US--San Jose',
    'country:US',
    'continent:NA',
    'world',
  ])
  assert.deepEqual(scoreKeys({ ...SAN_JOSE, country: null }), ['continent:NA', 'world'])
})

test('regional latency stands at the region, or the country where there is none', () => {
  assert.deepEqual(locationKeys(SAN_JOSE).regional, ['region:US-CA', 'country:US', 'continent:NA', 'world'])
  assert.deepEqual(locationKeys({ ...SAN_JOSE, city: null }).regional, [
    'region:US-CA',
    'country:US',
    'continent:NA',
    'world',
  ])
  assert.deepEqual(locationKeys({ ...SAN_JOSE, region: null }).regional, ['country:US', 'continent:NA', 'world'])
})

test('a network inside China answers to its group and its AS number, abroad to its AS number only', () => {
  const telecom: Location = { continent: 'AS', country: 'CN', region: '31', city: 'Shanghai', network: 'CT', asn: 4812 }
  assert.deepEqual(locationKeys(telecom).networks, ['CT', 'AS4812'])
  assert.deepEqual(locationKeys({ ...telecom, country: 'US' }).networks, ['AS4812'])
  assert.deepEqual(locationKeys({ ...telecom, asn: null, country: 'US' }).networks, [])
})

test('names that hold the marks of a key are still one key', () => {
  const { places } = locationKeys({ ...SAN_JOSE, country: 'DE', region: 'Nordrhein-Westfalen', city: 'Alt|Neu-Stadt' })
  assert.deepEqual(places.slice(0, 2), ['city:DE-Nordrhein Westfalen-Alt Neu-Stadt', 'region:DE-Nordrhein Westfalen'])
  for (const key of places) assert.ok(PlaceKey.safeParse(key).success, key)
})

test('a place key is read back as it was written', () => {
  const places: Place[] = [
    { kind: 'world' },
    { kind: 'continent', continent: '00' },
    { kind: 'country', country: 'JP' },
    { kind: 'region', country: 'US', region: 'CA' },
    { kind: 'city', country: 'US', region: 'CA', city: 'Winston-Salem' },
    { kind: 'city', country: 'SG', region: null, city: 'Singapore' },
  ]
  for (const place of places) assert.deepEqual(parsePlace(formatPlace(place)), place)
})

test('a text is a place exactly when the contract takes it', () => {
  const parts = fc
    .array(
      fc.constantFrom(
        'world',
        'city',
        'region',
        'country',
        'continent',
        ':',
        '-',
        '|',
        'US',
        'AS',
        '00',
        'CA',
        'x',
        'é',
        ' ',
      ),
      { maxLength: 6 },
    )
    .map((some) => some.join(''))
  fc.assert(
    fc.property(parts, (text) => assert.equal(parsePlace(text) !== null, PlaceKey.safeParse(text).success, text)),
    { numRuns: 3000 },
  )
})

test('score keys are taken apart', () => {
  assert.deepEqual(parseScoreKey('region:US-CA|AS7922'), {
    place: { kind: 'region', country: 'US', region: 'CA' },
    network: 'AS7922',
  })
  assert.deepEqual(parseScoreKey('world'), { place: { kind: 'world' }, network: null })
  assert.deepEqual([parseScoreKey('world|x'), parseScoreKey('nowhere'), parseScoreKey('')], [null, null, null])
  assert.deepEqual(['world', 'country:JP', 'city:US-CA-San Jose|CT'].map(levelOf), ['world', 'country', 'city|network'])
})

test('a place is inside what holds all of it', () => {
  const inside: [string, string][] = [
    ['city:US-CA-San Jose', 'region:US-CA'],
    ['city:US-CA-San Jose', 'country:US'],
    ['city:US-CA-San Jose', 'continent:NA'],
    ['region:US-CA', 'country:US'],
    ['country:JP', 'continent:AS'],
    ['continent:AS', 'world'],
    ['world', 'world'],
    ['continent:00', 'continent:00'],
  ]
  const outside: [string, string][] = [
    ['region:US-CA', 'city:US-CA-San Jose'],
    ['city:US--Nowhere', 'region:US-CA'],
    ['country:HK', 'country:CN'],
    ['country:JP', 'continent:EU'],
    ['world', 'continent:AS'],
    ['country:ZZ', 'continent:00'],
    ['continent:AS', 'country:JP'],
    ['junk', 'world'],
    ['world', 'junk'],
  ]
  for (const [inner, outer] of inside) assert.ok(isInside(inner, outer), `${inner} in ${outer}`)
  for (const [inner, outer] of outside) assert.ok(!isInside(inner, outer), `${inner} not in ${outer}`)
})

test('a country has the continent of the geo data, an unknown one 00', () =>
  assert.deepEqual(['JP', 'TR', 'RU', 'XK', 'AQ', 'zz', ''].map(continentOf), [
    'AS',
    'AS',
    'EU',
    'EU',
    '00',
    '00',
    '00',
  ]))

import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { type CityResponse, Reader } from 'maxmind'
import { findGeoSources } from './geo-sources.ts'
import { type Geo, openGeo } from './geo.ts'
import type { GeoHit } from './geo-hit.ts'
import { isCountry } from './continents.ts'
import { cityOf, regionOf } from './regions.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'geo-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
let geo: Geo
before(async () => {
  // Two roles that start at once must not build twice.
  const opened = await Promise.all([openGeo({ home }), openGeo({ home })])
  geo = opened[0]
})

test('well-known addresses are where they are', () => {
  assert.deepEqual(geo.locate('114.114.114.114').country, 'CN')
  assert.equal(geo.locate('8.8.8.8').network, 'AS15169')
  assert.equal(geo.locate('202.96.209.5').network, 'CT')
  assert.deepEqual(geo.locate('202.96.209.5'), {
    continent: 'AS',
    country: 'CN',
    region: '31',
    city: 'Shanghai',
    network: 'CT',
    asn: 4812,
  })
  assert.equal(geo.locate('2001:4860:4860::8888').asn, 15169)
  assert.equal(geo.locate('240e::1').network, 'CT')
  assert.equal(geo.locate('175.45.176.1').country, 'KP')
})

test('an IPv4 address mapped into IPv6 is that IPv4 address', () => {
  assert.deepEqual(geo.locate('::ffff:202.96.209.5'), geo.locate('202.96.209.5'))
})

test("what is no address, or nobody's, has no location", () => {
  for (const text of ['', 'x', '1.2.3.4.5', '999.1.1.1', '10.0.0.1', '127.0.0.1', 'fe80::1'])
    assert.deepEqual(
      geo.locate(text),
      { continent: '00', country: null, region: null, city: null, network: null, asn: null },
      text,
    )
})

test('an IPv6 address is never looked up in the IPv4 data', () => {
  const v6 = new Reader<Record<string, string>>(fs.readFileSync(findGeoSources().cityIpv6))
  const expected = v6.get('2001:4860:4860::8888')
  assert.equal(geo.locate('2001:4860:4860::8888').city, cityOf(expected?.['city'] ?? ''))
})

type Raw = { country_code: string; state1: string; city: string }
const expectedPlace = (raw: Raw | null) => {
  if (!raw || !isCountry(raw.country_code)) return { country: null, region: null, city: null }
  const city = cityOf(raw.city)
  return { country: raw.country_code, region: regionOf(raw.country_code, raw.state1, city ?? ''), city }
}
/** Deterministic addresses, so that a failure can be repeated. */
function* words(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    yield (state ^ (state >>> 13)) >>> 0
  }
}

for (const family of [4, 6] as const) {
  test(`10,000 random IPv${family} addresses and the borders of their networks agree with the maxmind library`, () => {
    const sources = findGeoSources()
    const reader = new Reader<Raw & CityResponse>(fs.readFileSync(family === 4 ? sources.cityIpv4 : sources.cityIpv6))
    const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
    const random = words(family)
    for (let i = 0; i < 10_000; i++) {
      const bytes = new Uint8Array(family === 4 ? 4 : 16)
      new DataView(bytes.buffer).setUint32(0, random.next().value)
      if (family === 6) {
        new DataView(bytes.buffer).setUint32(0, 0x20000000 | (random.next().value >>> (i % 2 ? 3 : 4)))
        new DataView(bytes.buffer).setUint32(4, i % 3 ? random.next().value : random.next().value & 0xffff0000)
      }
      geo.find(bytes, 0, family, hit)
      const { place, network, prefixLength } = hit
      const location = geo.location(place, network)
      const text = ipaddr.fromByteArray([...bytes]).toString()
      const { country, region, city } = location
      assert.deepEqual({ country, region, city }, expectedPlace(reader.get(text)), text)
      // Every corner of the reported network has the same place and network; one bit wider has not.
      for (const corner of corners(bytes, prefixLength)) {
        geo.find(corner, 0, family, hit)
        assert.deepEqual([hit.place, hit.network], [place, network], `${text}/${prefixLength}`)
        const at = geo.location(hit.place, hit.network)
        if (family === 4)
          assert.deepEqual(
            { country: at.country, region: at.region, city: at.city },
            expectedPlace(reader.get(ipaddr.fromByteArray([...corner]).toString())),
          )
      }
      if (prefixLength > 0)
        assert.ok(sibling(bytes, prefixLength, family, place, network), `${text}/${prefixLength} could be wider`)
    }
  })
}

function corners(bytes: Uint8Array, prefixLength: number): Uint8Array[] {
  const fill = (bit: 0 | 1) =>
    bytes.map((byte, index) => {
      const kept = Math.max(0, Math.min(8, prefixLength - index * 8))
      const mask = (0xff << (8 - kept)) & 0xff
      return (byte & mask) | (bit ? ~mask & 0xff : 0)
    })
  return [fill(0), fill(1)]
}

/**
 * In the network next door with the same parent, something differs somewhere: its nearest address or a narrower answer.
 */
function sibling(bytes: Uint8Array, prefixLength: number, family: 4 | 6, place: number, network: number): boolean {
  const other = bytes.slice()
  const index = (prefixLength - 1) >> 3
  other[index] = (other[index] ?? 0) ^ (0x80 >> ((prefixLength - 1) & 7))
  const hit: GeoHit = { place: 0, network: 0, prefixLength: 0 }
  geo.find(other, 0, family, hit)
  return hit.place !== place || hit.network !== network || hit.prefixLength > prefixLength
}

test('a later start loads the file that is there', async () => {
  const built = () => fs.statSync(path.join(home, 'geo', 'geo.bin')).mtimeMs
  const before = built()
  const again = await openGeo({ home })
  assert.equal(built(), before)
  assert.deepEqual(again.locate('8.8.8.8'), geo.locate('8.8.8.8'))
})

test('a cut file is built again', async () => {
  const file = path.join(home, 'geo', 'geo.bin')
  const other = path.join(home, 'geo', 'cut.bin')
  fs.writeFileSync(other, fs.readFileSync(file).subarray(0, 1_000_000))
  fs.renameSync(other, file)
  assert.equal((await openGeo({ home })).locate('202.96.209.5').country, 'CN')
})

test('sampled networks are of the country, repeat with the seed, and mostly have a known network', () => {
  const sample = geo.sampleNetworks('JP', 200, 7)
  assert.equal(sample.length, 200)
  assert.deepEqual(sample, geo.sampleNetworks('JP', 200, 7))
  for (const one of sample) assert.deepEqual([geo.locate(one.address).country, one.location.country], ['JP', 'JP'])
  assert.ok(sample.filter((one) => one.location.asn !== null).length > 150)
  assert.deepEqual(geo.sampleNetworks('XX', 5, 1), [])
})

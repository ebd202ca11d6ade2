import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { AttackKind } from '@fairway/contract'
import { CdnSampler } from './cdn-sampler.ts'
import { COUNTRIES } from './countries.ts'
import { type Person, gatherCrowd } from './crowd.ts'
import { activity } from './day-curve.ts'
import { typicalRttMs } from './latency-model.ts'
import { measured } from './measure.ts'
import { Strangers } from './strangers.ts'
import { visitorNetworks } from './visitor-networks.ts'

const CDNS = ['swiftlane', 'polaris', 'tidewater']
const HOUR_MS = 3_600_000
const MONDAY = Date.UTC(2026, 0, 5)

/** A sequence that is spread evenly over [0, 1): the same figures at every run. */
function evenly(): () => number {
  let at = 0
  return () => (at = (at + 0.618_033_988_75) % 1)
}

const germany = COUNTRIES.find(({ code }) => code === 'DE')
assert.ok(germany)
const person: Person = { country: germany, address: '80.147.0.9', subnet: '80.147.0.0', network: 'AS3320' }

test('people are awake in the evening of their own clock and asleep before dawn, a little less busy at weekends', () => {
  assert.ok(activity(MONDAY + 20 * HOUR_MS, 0) > 3 * activity(MONDAY + 4 * HOUR_MS, 0))
  assert.equal(activity(MONDAY + 20 * HOUR_MS, 0), activity(MONDAY + 12 * HOUR_MS, 8))
  assert.ok(activity(MONDAY + 5 * 24 * HOUR_MS, 0) < activity(MONDAY, 0))
  const week = Array.from({ length: 7 * 24 }, (_, hour) => activity(MONDAY + hour * HOUR_MS, 0))
  const average = week.reduce((sum, value) => sum + value, 0) / week.length
  assert.ok(average > 0.9 && average < 1.1, String(average))
})

test('thirty countries come, each with a share worth measuring', () => {
  const networks = Object.fromEntries(
    COUNTRIES.map(({ code }, at) => [code, [{ subnet: `${at + 11}.0.0.0`, network: `AS${at + 1}` }]]),
  )
  const crowd = gatherCrowd(networks, evenly())
  const people = Array.from({ length: 20_000 }, (_, at) => crowd.pick(MONDAY + (at % 24) * HOUR_MS))
  const counts = Map.groupBy(people, ({ country }) => country.code)
  assert.equal(counts.size, 30)
  for (const [code, group] of counts) assert.ok(group.length > 0.01 * people.length, `${code} ${group.length}`)
  for (const { address, subnet } of people.slice(0, 100))
    assert.equal(address.slice(0, address.lastIndexOf('.')), subnet.slice(0, subnet.lastIndexOf('.')))
})

test('every CDN is the fastest for somebody, and no road is shorter than light allows', () => {
  const winners = new Set(
    COUNTRIES.map((country) => CDNS.toSorted((a, b) => typicalRttMs(country, a) - typicalRttMs(country, b))[0]),
  )
  assert.deepEqual([...winners].toSorted(), [...CDNS].toSorted())
  for (const country of COUNTRIES) for (const cdn of [...CDNS, 'edge']) assert.ok(typicalRttMs(country, cdn) > 5)
})

test('a fault of the real listener shows in what a visitor reports: its delay is added, its failure is a failure', () => {
  const usual = measured(person, 'polaris', { ok: true, ms: 1 }, evenly())
  const slow = measured(person, 'polaris', { ok: true, ms: 801 }, evenly())
  assert.ok(usual.r !== undefined && slow.r !== undefined)
  assert.equal(Math.round(slow.r - usual.r), 800)
  assert.deepEqual(measured(person, 'polaris', { ok: false, ms: 3 }, evenly()), { c: 'polaris', ok: 0 })
})

test('the sampler tells what the listener does now', async () => {
  let status = 200
  const server = http.createServer((_, response) => response.writeHead(status).end('x')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const at = server.address()
  using sampler = new CdnSampler()
  const random = evenly()
  sampler.watch([
    {
      cdnId: 'polaris',
      address: '127.0.0.1',
      port: typeof at === 'object' && at ? at.port : 0,
      host: 'www.example.test',
    },
  ])
  const drawn = async (ok: boolean) => {
    while (sampler.draw('polaris', random)?.ok !== ok) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(sampler.draw('polaris', random), null)
  await drawn(true)
  status = 503
  await drawn(false)
  server.close()
})

test('the networks are drawn once for a home, and again when the draw is damaged', async (t) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-networks-'))
  t.after(() => fs.rmSync(home, { recursive: true, force: true }))
  const geo = (first: number) => async () => ({
    sampleNetworks: () => [
      {
        address: `${first}.0.0.0`,
        prefixLength: 24 as const,
        location: { continent: '00' as const, country: null, region: null, city: null, network: null, asn: null },
      },
    ],
  })
  const subnet = async (first: number) => (await visitorNetworks(home, geo(first)))['DE']?.[0]?.subnet
  assert.equal(await subnet(11), '11.0.0.0')
  assert.equal(await subnet(12), '11.0.0.0')
  fs.writeFileSync(path.join(home, 'cache', 'visitor-networks.json'), '{"DE": [')
  assert.equal(await subnet(12), '12.0.0.0')
})

test('strangers: the same few attack, true crawlers come from their own network, and false ones do not', () => {
  const networks = Object.fromEntries(
    COUNTRIES.map(({ code }, at) => [code, [{ subnet: `${at + 11}.0.0.0`, network: `AS${at + 1}` }]]),
  )
  const strangers = new Strangers(gatherCrowd(networks, evenly()), evenly())
  const seen = Array.from({ length: 2_000 }, () => strangers.pick(MONDAY))
  const of = (test: (one: (typeof seen)[number]) => boolean) => seen.filter(test)
  const crawlers = of(({ asks }) => asks.headers['user-agent']?.includes('Googlebot') ?? false)
  const own = crawlers.filter(({ person: { network } }) => network === 'AS15169')
  assert.ok(own.length > 0 && own.length < crawlers.length)
  for (const { person: one } of own) assert.match(one.address, /^66\.249\.66\.\d+$/)
  const guessers = of(({ asks }) => asks.path === '/login')
  assert.ok(guessers.length > 50)
  assert.ok(new Set(guessers.map(({ person: one }) => one.address)).size <= 12)
  for (const kind of AttackKind.options) {
    const attackers = Array.from({ length: 200 }, () => strangers.attacker(kind))
    assert.ok(new Set(attackers.map(({ person: one }) => one.address)).size <= 12)
  }
})

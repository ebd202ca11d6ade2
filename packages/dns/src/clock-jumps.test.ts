import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepFlattened } from './builder/flatten.ts'
import { FlatTable } from './steering/flat-table.ts'
import { type FlatName, readScores } from './store/json-files.ts'
import { builderOf } from './testing/builder-fixture.ts'
import { signingBy, zoneKey } from './testing/key-fixture.ts'
import { ask, serve, silentLog } from './testing/server-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from './testing/zone-fixture.ts'
import { TYPE } from './wire/codes.ts'
import { nameToWire } from './wire/name.ts'

const DAY_MS = 86_400_000
/** What the rest of the world has. */
const TRUE_TIME = Date.UTC(2026, 5, 1)
const AHEAD_AND_BACK = [DAY_MS, 0]
const BEHIND_AND_BACK = [-DAY_MS, 0]

/** Validators ask whether it is now, by their own clock, a time that the signature stands for (RFC 4035 5.3.1). */
const isInForce = ({ inception, expiration }: { inception: number; expiration: number }) =>
  inception <= TRUE_TIME / 1000 && TRUE_TIME / 1000 < expiration

for (const [what, jumps] of [
  ['ahead', AHEAD_AND_BACK],
  ['behind', BEHIND_AND_BACK],
] as const)
  test(`a clock that is a day ${what} and put right makes no signed zone bogus, neither then nor after`, async () => {
    const clock = { now: TRUE_TIME }
    const zone = zoneOf('signed.test', 'www 300 A 192.0.2.1\n*.wild 300 A 192.0.2.4', { signing: signingBy(zoneKey()) })
    await using served = await serve([], { clock: () => clock.now })
    for (const [at, jump] of jumps.entries()) {
      clock.now = TRUE_TIME + jump
      // Compiled by the wrong clock, and again by the right one, which keeps what was signed.
      await served.put({ ...zone, version: at + 1 })
      for (const name of ['www.signed.test', 'a.wild.signed.test', 'nothing.signed.test']) {
        const { answers, authorities } = await ask(served.at, name, { dnssecOk: true })
        const signatures = [...(answers ?? []), ...(authorities ?? [])].flatMap((one) =>
          one.type === 'RRSIG' ? [one.data as unknown as { inception: number; expiration: number }] : [],
        )
        assert.ok(signatures.length > 0, name)
        assert.ok(signatures.every(isInForce), `${name} with a clock ${jump / DAY_MS} days off`)
      }
    }
  })

const CDNS = [cdnOf('one', 'a.one.test'), cdnOf('two', 'a.two.test')]
const POLICY = policyOf('p', CDNS, [
  strategyOf('fast', {
    method: 'best-latency',
    targets: [
      { cdnId: 'one', weight: 1 },
      { cdnId: 'two', weight: 1 },
    ],
  }),
])
const measured = (latencyMs: number) => ({
  hardDown: false,
  hardDownSince: null,
  places: { world: { rum: { samples: 100, availability: 100, latencyMs, newestAt: TRUE_TIME } } },
})
const SCORES = {
  organizationId: 'org-1',
  serial: 1,
  builtAt: TRUE_TIME,
  lifetimeSeconds: 300,
  cdns: { one: measured(30), two: measured(10) },
}

for (const jump of [DAY_MS, -DAY_MS])
  test(`visitors are answered while the clock is ${jump / DAY_MS} days off, and by measurements as soon as it is right`, async () => {
    const clock = { now: TRUE_TIME }
    const zone = zoneOf('steered.test', '', {
      steered: [{ name: 'www.steered.test', domainId: 'd', policyId: POLICY.id }],
      policies: [POLICY],
    })
    await using served = await serve([zone], { clock: () => clock.now, scores: [SCORES] })
    const target = async () => (await ask(served.at, 'www.steered.test')).answers?.find(({ type }) => type === 'CNAME')
    const isTwo = async () => String((await target())?.data) === 'a.two.test'
    assert.ok(await isTwo())
    clock.now += jump
    served.steering.tick()
    assert.ok(await target())
    // No new measurements come meanwhile.
    clock.now = TRUE_TIME + 20_000
    served.steering.tick()
    assert.ok(await isTwo())
  })

test('scores are kept on the disk again as soon as a clock that was a day ahead is right', async (t) => {
  const { clock, files, start } = await builderOf(t)
  const builder = start()
  const kept: number[] = []
  for (const [index, at] of [0, DAY_MS, 1000, 2000].entries()) {
    clock.now = TRUE_TIME + at
    await builder.score({ ...SCORES, serial: index + 1 })
    kept.push(...readScores(files.scores, assert.fail).map(({ serial }) => serial))
  }
  assert.deepEqual(kept, [1, 2, 3, 3])
})

test('parted from the API for an hour, every name is answered, and by measurements again with the first that come', async () => {
  const clock = { now: TRUE_TIME }
  const zone = zoneOf('steered.test', 'plain 300 A 192.0.2.1', {
    steered: [{ name: 'www.steered.test', domainId: 'd', policyId: POLICY.id }],
    policies: [POLICY],
  })
  await using served = await serve([zone], { clock: () => clock.now, scores: [SCORES] })
  for (let minute = 0; minute < 60; minute++) {
    clock.now += 60_000
    served.steering.tick()
    for (const name of ['www.steered.test', 'plain.steered.test'])
      assert.equal((await ask(served.at, name)).answers?.length, 1, `${name} after ${minute + 1} minutes`)
  }
  const { one, two } = SCORES.cdns
  const late = (cdn: typeof one, latencyMs: number) => ({
    ...cdn,
    places: { world: { rum: { ...cdn.places.world.rum, latencyMs, newestAt: clock.now } } },
  })
  const cdns = { one: late(one, 5), two: late(two, 50) }
  served.steering.setScores({ ...SCORES, serial: 2, builtAt: clock.now, cdns })
  assert.equal((await ask(served.at, 'www.steered.test')).answers?.[0]?.data, 'a.one.test')
})

test('addresses of a name outside are asked for again when the clock was put back, and told for no longer than ever', async () => {
  const vendor = zoneOf('vendor.test', 'edge 40 A 198.51.100.1')
  await using resolver = await serve([vendor])
  const clock = { now: TRUE_TIME + DAY_MS }
  const found: FlatName[][] = []
  let told = () => {}
  using kept = keepFlattened({
    resolver: `127.0.0.1:${resolver.at.port}`,
    wanted: () => new Map([['edge.vendor.test', null]]),
    known: [],
    changed: ({ names }) => (found.push(names), told()),
    keep: async () => {},
    clock: () => clock.now,
    log: silentLog,
  })
  const next = () => new Promise<void>((resolve) => (told = resolve))
  const first = next()
  kept.refresh()
  await first
  clock.now = TRUE_TIME
  const table = new FlatTable(() => clock.now)
  table.merge(found[0] ?? [])
  const { bytes } = table.find(nameToWire('edge.vendor.test'), TYPE.A) ?? assert.fail()
  assert.ok(new DataView(bytes.buffer, bytes.byteOffset).getUint32(6) <= 3600)
  const second = next()
  kept.refresh()
  await second
  assert.deepEqual(
    found.map(([one]) => one?.expiresAt),
    [TRUE_TIME + DAY_MS + 40_000, TRUE_TIME + 40_000],
  )
})

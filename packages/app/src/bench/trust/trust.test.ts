import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { makeLog } from '@fairway/platform'
import { ATTACKS, WARM_UP_SECONDS, damageOf } from './attacks.ts'
import { outageOf, outageOfCountry } from './outages.ts'
import { TrustWorld } from './trust-world.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trust-'))
after(() => fs.rmSync(folder, { recursive: true }))
const log = makeLog('test', { logLevel: 'fatal' })
let worlds = 0
const world = (perCountry = 60) =>
  new TrustWorld(path.join(folder, String(worlds++)), log, { countries: 5, perCountry })

// The last one takes longest to reckon: it is tried where it has most to gain. `bench poisoning` has all among many.
for (const [at, attack] of ATTACKS.entries())
  for (const perCountry of at < 2 ? [60, 24] : [24])
    test(`${attack.name} moves nobody outside, among ${perCountry} /24s in each country`, () => {
      const damage = damageOf(world(perCountry), attack)
      assert.deepEqual({ outside: damage.outside, named: damage.named }, { outside: 0, named: true })
    })

test('an outage in one country is acted on by beacons alone within 45 s, and only there', () => {
  const one = world()
  one.run(WARM_UP_SECONDS)
  const { actedMs, elsewhere } = outageOfCountry(one, 'DE')
  assert.ok(actedMs <= 45_000, String(actedMs))
  assert.equal(elsewhere, 0)
})

test('an outage that probes see is acted on within 15 s; it is back first within 20 s and for all within 60 s', () => {
  const one = world()
  one.run(WARM_UP_SECONDS)
  for (const seconds of [90, 320]) {
    const { goneMs, firstBackMs, allBackMs, counts } = outageOf(one, seconds)
    assert.ok(goneMs <= 15_000, String(goneMs))
    assert.ok(firstBackMs <= 20_000 && allBackMs <= 60_000, JSON.stringify({ seconds, counts }))
    assert.ok(counts.some((count) => count > 0 && count < one.visitors.length * 0.2))
    one.run(60)
  }
})

test('failing again while it comes back leaves at once', () => {
  const one = world(24)
  one.run(WARM_UP_SECONDS)
  one.alive = (cdn) => cdn !== 'polaris'
  one.run(60)
  one.alive = () => true
  one.run(24)
  assert.ok(one.movedOff('polaris').length < one.visitors.length)
  one.alive = (cdn) => cdn !== 'polaris'
  one.run(4)
  assert.equal(one.movedOff('polaris').length, one.visitors.length)
})

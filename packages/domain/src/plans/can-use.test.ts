import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAN_FEATURES } from '@fairway/contract'
import { canUse, canUseStrategy, canUseTtl } from './can-use.ts'

const everyone = { places: [], networks: [], cidrs: [] }
const japan = { ...everyone, places: ['country:JP'] }

test('a plan that lacks an ability is refused with the code of that ability', () => {
  assert.deepEqual(
    (
      [
        'dns.staticRouting',
        'dns.geoFilter',
        'dns.dynamicRouting',
        'dns.vsr',
        'dns.cnameFlattening',
        'multiCdn.enable',
      ] as const
    ).map((feature) => canUse([], feature)),
    [810001, 810002, 810003, 810004, 810006, 27005],
  )
  for (const feature of PLAN_FEATURES) assert.equal(canUse(PLAN_FEATURES, feature), null)
})

test('a strategy needs the ability of its method, then that of its filter', () => {
  assert.equal(canUseStrategy([], { method: 'weighted-distribution', filter: japan }), 810001)
  assert.equal(canUseStrategy(['dns.staticRouting'], { method: 'best-latency', filter: everyone }), 810003)
  assert.equal(canUseStrategy(['dns.staticRouting'], { method: 'static-route', filter: japan }), 810002)
  assert.equal(canUseStrategy(['dns.dynamicRouting'], { method: 'regional-latency', filter: everyone }), null)
  assert.equal(
    canUseStrategy(['dns.dynamicRouting', 'dns.geoFilter'], { method: 'best-availability', filter: japan }),
    null,
  )
})

test('a TTL below the plan’s least is refused, Auto never', () =>
  assert.deepEqual([canUseTtl(60, 30), canUseTtl(60, 60), canUseTtl(60, null)], [810005, null, null]))

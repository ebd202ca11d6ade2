import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TryLater } from '../driver.ts'
import { startFakeTencent, TENCENT_VALUES } from '../testing/fake-tencent.ts'
import { DELIVERY, vendorWorld } from '../testing/vendor-world.ts'
import { vendorConformance } from '../vendor.conformance.ts'
import { tencent } from './tencent.ts'
import { tencentConfig } from './tencent-config.ts'

const under = {
  driver: tencent,
  values: TENCENT_VALUES,
  start: startFakeTencent,
  tells: { status: { 4: 5, 5: 2, ok: 93 }, cache: { HIT: 80, uncached: 20 }, country: {} },
}
vendorConformance(under)

test('Tencent Cloud says which record it wants to see, and takes the domain when it has seen it', async () => {
  const vendor = await startFakeTencent()
  await using world = await vendorWorld({ ...under, start: async () => vendor })
  vendor.proof.wanted = true
  await assert.rejects(tencent.create(world.context, world.order()), (error) => {
    assert.ok(error instanceof TryLater)
    assert.deepEqual(error.records, [
      { name: '_cdnauth.www.example.test', value: '202601011200abcdef' },
      { name: '_cdnauth.example.test', value: '202601011200abcdef' },
    ])
    return true
  })
  assert.deepEqual(vendor.things(), [])
  vendor.proof.seen = true
  vendor.proof.wanted = false
  assert.deepEqual(await tencent.create(world.context, world.order()), {
    ref: 'www.example.test',
    cname: 'www.example.test.cdn.dnsv1.com',
    certificate: 'fingerprint-first',
  })
})

test('Tencent Cloud: a purge is a task that is asked about until it is done', async () => {
  await using world = await vendorWorld(under)
  const placed = await tencent.create(world.context, world.order())
  const purge = (vendorRef: string | null) =>
    tencent.purge(world.context, world.order({ vendorRef: placed?.ref ?? null }), {
      kind: 'directory',
      targets: ['/a/'],
      soft: false,
      version: 1,
      reference: 'p',
      vendorRef,
    })
  const first = await purge(null)
  assert.ok(first.state === 'in-progress' && first.vendorRef)
  world.comply()
  assert.deepEqual(await purge(first.vendorRef), { state: 'done', everything: false })
  assert.deepEqual(world.vendor.purges(), ['http://www.example.test/a/', 'https://www.example.test/a/'])
})

test('Tencent Cloud: a domain that somebody else has set up is left alone, also when ours is removed', async () => {
  await using world = await vendorWorld(under)
  world.comply()
  await tencent.create(world.context, world.order())
  await assert.rejects(tencent.create(world.context, world.order({ reference: 'ref-9' })), /set up by somebody else/)
  assert.equal(await tencent.remove(world.context, world.order({ reference: 'ref-9' })), 'done')
  assert.equal(world.vendor.things().length, 1)
})

test('Tencent Cloud: cache rules are written in reverse, since the last one decides there', () => {
  const cache = {
    ...DELIVERY.cache,
    honorOrigin: false,
    rules: [
      { type: 'extension' as const, path: 'jpg', ttlSeconds: 60, honorOrigin: false },
      { type: 'directory' as const, path: '/a/', ttlSeconds: 90, honorOrigin: true },
    ],
    bypass: [{ type: 'pattern' as const, path: '/me*' }],
  }
  assert.deepEqual(
    tencentConfig({ ...DELIVERY, cache }).Cache.RuleCache.map(({ RuleType, RulePaths, CacheConfig }) => [
      RuleType,
      RulePaths[0],
      Object.entries(CacheConfig)
        .filter(([, { Switch }]) => Switch === 'on')
        .map(([name]) => name)
        .join(),
    ]),
    [
      ['all', '*', 'Cache'],
      ['directory', '/a', 'FollowOrigin'],
      ['file', 'jpg', 'Cache'],
      ['path', '/me*', 'NoCache'],
    ],
  )
})

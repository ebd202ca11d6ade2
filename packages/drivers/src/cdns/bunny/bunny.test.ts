import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUNNY_VALUES, startFakeBunny } from '../testing/fake-bunny.ts'
import { DELIVERY, vendorWorld } from '../testing/vendor-world.ts'
import { vendorConformance } from '../vendor.conformance.ts'
import { bunny } from './bunny.ts'
import { rulesFor } from './bunny-rules.ts'

const under = {
  driver: bunny,
  values: BUNNY_VALUES,
  start: startFakeBunny,
  tells: { status: { 4: 5, ok: 95 }, cache: { HIT: 80, uncached: 20 }, country: {} },
}
vendorConformance(under)

test('bunny.net waits for a certificate, and serves when it has one', async () => {
  await using world = await vendorWorld(under)
  world.comply()
  const { certificate } = world.wants
  world.wants.certificate = null
  const first = await bunny.create(world.context, world.order())
  const order = world.order({ vendorRef: first?.ref ?? null })
  assert.equal((await bunny.observe(world.context, order)).state, 'waiting-ssl')
  world.wants.certificate = certificate
  await bunny.apply(world.context, order)
  assert.deepEqual(await bunny.observe(world.context, order), { state: 'operational' })
})

test('bunny.net purges addresses, directories by an asterisk, tags and the zone', async () => {
  await using world = await vendorWorld(under)
  const placed = await bunny.create(world.context, world.order())
  const purge = (kind: 'url' | 'directory' | 'tag' | 'all', targets: string[]) =>
    bunny.purge(world.context, world.order({ vendorRef: placed?.ref ?? null }), {
      kind,
      targets,
      soft: false,
      version: 1,
      reference: 'p',
      vendorRef: null,
    })
  await purge('url', ['/a?x=1'])
  await purge('directory', ['/b/'])
  await purge('tag', ['news'])
  await purge('all', [])
  assert.deepEqual(world.vendor.purges(), [
    'https://www.example.test/a?x=1',
    'https://www.example.test/b/*',
    'tag news',
    'all',
  ])
})

test('bunny.net: each rule leaves out what the ones before it are about', () => {
  const cache = {
    ...DELIVERY.cache,
    rules: [
      { type: 'extension' as const, path: 'jpg', ttlSeconds: 60, honorOrigin: false },
      { type: 'directory' as const, path: '/a', ttlSeconds: 90, honorOrigin: true },
    ],
    bypass: [{ type: 'pattern' as const, path: '/me*' }],
  }
  const rules = rulesFor('h.test', 'n', { ...DELIVERY, cache })
  assert.deepEqual(
    rules.map(({ ActionParameter1, Triggers }) => [
      ActionParameter1,
      Triggers.map(
        ({ Type, PatternMatches, PatternMatchingType }) => `${Type} ${PatternMatchingType} ${PatternMatches.join(' ')}`,
      ),
    ]),
    [
      ['0', ['0 0 *://h.test/me*']],
      ['60', ['3 0 jpg', '0 2 *://h.test/me*']],
      ['90', ['0 0 *://h.test/a/*', '0 2 *://h.test/me*', '3 2 jpg', '2 2 *']],
      ['3600', ['2 2 *', '0 2 *://h.test/me* *://h.test/a/*', '3 2 jpg']],
    ],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TryLater } from '../driver.ts'
import { AKAMAI_VALUES, startFakeAkamai } from '../testing/fake-akamai.ts'
import { vendorWorld } from '../testing/vendor-world.ts'
import { vendorConformance } from '../vendor.conformance.ts'
import { akamai } from './akamai.ts'

const under = {
  driver: akamai,
  values: AKAMAI_VALUES,
  start: startFakeAkamai,
  tells: { status: {}, cache: { HIT: 80, uncached: 20 }, country: {} },
  ownCertificates: false,
  delivery: { alwaysHttps: true },
}
vendorConformance(under)

test('Akamai says which record its certificate waits for', async () => {
  const vendor = await startFakeAkamai()
  await using world = await vendorWorld({ ...under, start: async () => vendor })
  world.comply()
  const placed = await akamai.create(world.context, world.order())
  const order = world.order({ vendorRef: placed?.ref ?? null })
  assert.deepEqual(await akamai.observe(world.context, order), { state: 'operational' })
  world.hesitate()
  const seen = await akamai.observe(world.context, order)
  assert.ok(seen.state === 'waiting-ssl')
  assert.match(seen.detail, /_acme-challenge\.www\.example\.test to www\.example\.test\.validate-akdv\.net/)
})

test('Akamai: a change waits for the activation before it', async () => {
  await using world = await vendorWorld(under)
  const placed = await akamai.create(world.context, world.order())
  const order = world.order({ vendorRef: placed?.ref ?? null })
  world.wants.delivery.cache.defaultTtlSeconds = 60
  await assert.rejects(akamai.apply(world.context, order), (error) => error instanceof TryLater)
  world.comply()
  await akamai.apply(world.context, order)
  assert.deepEqual(await akamai.observe(world.context, order), { state: 'operational' })
  assert.match(JSON.stringify(world.vendor.settings()), /"defaultTtl":"60s"/)
})

test('Akamai: an origin that is not asked by HTTPS, or visitors who may stay with HTTP, are refused with the way out', async () => {
  await using world = await vendorWorld(under)
  world.wants.delivery.alwaysHttps = false
  await assert.rejects(akamai.create(world.context, world.order()), /switch Always HTTPS on/)
})

test('Akamai purges addresses and tags, by code for everything, and deletes unless it is soft', async () => {
  await using world = await vendorWorld(under)
  const placed = await akamai.create(world.context, world.order())
  const purge = (kind: 'url' | 'directory' | 'tag' | 'all', targets: string[], soft: boolean) =>
    akamai.purge(world.context, world.order({ vendorRef: placed?.ref ?? null }), {
      kind,
      targets,
      soft,
      version: 1,
      reference: 'p',
      vendorRef: null,
    })
  await purge('url', ['/a'], false)
  await purge('tag', ['news'], true)
  await purge('all', [], false)
  assert.deepEqual(await purge('directory', ['/b/'], true), { state: 'done', everything: true })
  assert.deepEqual(world.vendor.purges(), [
    'delete url http://www.example.test/a https://www.example.test/a',
    'invalidate tag news',
    'delete cpcode 1000',
    'invalidate cpcode 1000',
  ])
})

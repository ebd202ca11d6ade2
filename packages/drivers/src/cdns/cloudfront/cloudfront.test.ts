import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TryLater } from '../driver.ts'
import { CLOUDFRONT_VALUES, startFakeCloudfront } from '../testing/fake-cloudfront.ts'
import { vendorWorld } from '../testing/vendor-world.ts'
import { vendorConformance } from '../vendor.conformance.ts'
import { cloudfront } from './cloudfront.ts'

const under = {
  driver: cloudfront,
  values: CLOUDFRONT_VALUES,
  start: startFakeCloudfront,
  tells: { status: { 4: 5, 5: 2, ok: 93 }, cache: {}, country: {} },
}
vendorConformance(under)

test('CloudFront: without a certificate it has no alias and waits; with one it gets both', async () => {
  await using world = await vendorWorld(under)
  world.comply()
  const { certificate } = world.wants
  world.wants.certificate = null
  const first = await cloudfront.create(world.context, world.order())
  assert.match(first?.cname ?? '', /^d[a-z0-9]+\.cloudfront\.net$/)
  const order = world.order({ vendorRef: first?.ref ?? null })
  assert.equal((await cloudfront.observe(world.context, order)).state, 'waiting-ssl')
  assert.match(JSON.stringify(world.vendor.settings()), /"Aliases":\{"Quantity":0\}/)
  world.wants.certificate = certificate
  await cloudfront.apply(world.context, order)
  assert.match(JSON.stringify(world.vendor.settings()), /"Aliases":\{"Quantity":1,"Items":\["www\.example\.test"\]\}/)
  assert.deepEqual(await cloudfront.observe(world.context, order), { state: 'operational' })
})

test('CloudFront: an invalidation is the same when it is asked for again, and done when it is completed', async () => {
  await using world = await vendorWorld(under)
  const placed = await cloudfront.create(world.context, world.order())
  const order = world.order({ vendorRef: placed?.ref ?? null })
  const purge = (vendorRef: string | null) =>
    cloudfront.purge(world.context, order, {
      kind: 'url',
      targets: ['/a', '/b?x=1'],
      soft: false,
      version: 1,
      reference: 'receipt-1-0',
      vendorRef,
    })
  const [first, second] = [await purge(null), await purge(null)]
  assert.ok(first.state === 'in-progress' && second.state === 'in-progress' && first.vendorRef === second.vendorRef)
  assert.deepEqual(world.vendor.purges(), ['/a', '/a?*', '/b?x=1'])
  world.comply()
  assert.deepEqual(await purge(first.vendorRef ?? null), { state: 'done', everything: false })
})

test('CloudFront: more invalidations than it takes at a time have to wait', async () => {
  await using world = await vendorWorld(under)
  const placed = await cloudfront.create(world.context, world.order())
  const purge = (reference: string) =>
    cloudfront.purge(world.context, world.order({ vendorRef: placed?.ref ?? null }), {
      kind: 'directory',
      targets: ['/a/', '/b/', '/c/', '/d/', '/e/'],
      soft: false,
      version: 1,
      reference,
      vendorRef: null,
    })
  for (const reference of ['1', '2', '3']) assert.equal((await purge(reference)).state, 'in-progress')
  await assert.rejects(purge('4'), (error) => error instanceof TryLater && error.afterMs === 60_000)
  world.comply()
  assert.equal((await purge('4')).state, 'done')
})

test('CloudFront: what is served stays while new settings are on their way', async () => {
  await using world = await vendorWorld(under)
  world.comply()
  const placed = await cloudfront.create(world.context, world.order())
  const order = world.order({ vendorRef: placed?.ref ?? null, vendorCertificate: placed?.certificate ?? null })
  world.hesitate()
  world.wants.delivery.cache.defaultTtlSeconds = 60
  await cloudfront.apply(world.context, order)
  assert.deepEqual(await cloudfront.observe(world.context, order), {
    state: 'deploying',
    detail: 'CloudFront shows the distribution as InProgress',
    stays: true,
  })
})

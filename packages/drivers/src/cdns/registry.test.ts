import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ByoPlatform, CdnDriverName } from '@fairway/contract'
import { driverWorld } from '../testing/driver-world.ts'
import { cdnDriverConformance } from './driver.conformance.ts'
import { TryLater } from './driver.ts'
import { CDN_DRIVERS } from './registry.ts'

// Vendors have suites of their own, each beside a server that stands in for it.
for (const name of CdnDriverName.options.filter((name) => !ByoPlatform.safeParse(name).success))
  cdnDriverConformance(CDN_DRIVERS[name], { ownName: name !== 'custom' })

describe('CDN drivers', () => {
  it('are registered under their own names', () => {
    for (const name of CdnDriverName.options) assert.equal(CDN_DRIVERS[name].id, name)
  })

  it('answer by names of the agreed form', async () => {
    await using world = await driverWorld()
    assert.equal(CDN_DRIVERS['fairway-edge'].cnameFor(world.order(), 'fairway.test'), '8ceee5a20092.edge.fairway.test')
    assert.equal(CDN_DRIVERS.simulated.cnameFor(world.order(), 'fairway.test'), '8ceee5a20092.polaris.cdn.fairway.test')
    assert.equal(CDN_DRIVERS.custom.cnameFor(world.order(), 'fairway.test'), 'cdn.customer.example')
    for (const wrong of [null, '', 'not a name', 'a..b', '-x.test'])
      assert.throws(() => CDN_DRIVERS.custom.cnameFor(world.order({ customCname: wrong }), 'fairway.test'))
  })

  it('differ in what simulated CDNs can do', () => {
    const can = (slug: string) =>
      Object.entries(CDN_DRIVERS.simulated.capabilities(slug)).filter(([, able]) => able).length
    assert.ok(can('swiftlane') > can('polaris') && can('polaris') > can('tidewater'))
  })

  it('hold a simulated CDN for deploying while only its own listener is missing', async () => {
    await using world = await driverWorld()
    world.comply()
    await CDN_DRIVERS.simulated.create(world.context, world.order())
    const context = {
      ...world.context,
      simulatedAcknowledged: async () => ({ state: 'waiting' as const, why: 'node-1 does not listen yet' }),
    }
    assert.deepEqual(await CDN_DRIVERS.simulated.observe(context, world.order()), {
      state: 'deploying',
      detail: 'node-1 does not listen yet',
    })
  })
})

describe('purges', () => {
  const url = { kind: 'url' as const, targets: ['/a'], soft: false, version: 1, reference: 'purge-1', vendorRef: null }

  it('are done when the edge has confirmed them, and not before', async () => {
    await using world = await driverWorld()
    assert.equal((await CDN_DRIVERS.simulated.purge(world.context, world.order(), url)).state, 'in-progress')
    world.refuse('disk full')
    assert.deepEqual(await CDN_DRIVERS.simulated.purge(world.context, world.order(), url), {
      state: 'failed',
      why: 'disk full',
    })
    world.comply()
    assert.deepEqual(await CDN_DRIVERS.simulated.purge(world.context, world.order(), url), {
      state: 'done',
      everything: false,
    })
  })

  it('by tag take everything of a CDN that knows no tags, and say so', async () => {
    await using world = await driverWorld()
    world.comply()
    assert.deepEqual(
      await CDN_DRIVERS.simulated.purge(world.context, world.order({ slug: 'tidewater' }), { ...url, kind: 'tag' }),
      { state: 'done', everything: true },
    )
  })

  it('beyond what a CDN takes in a minute have to wait', async () => {
    await using world = await driverWorld()
    world.comply()
    for (let i = 0; i < 20; i++)
      await CDN_DRIVERS.simulated.purge(world.context, world.order({ slug: 'tidewater' }), url)
    await assert.rejects(
      CDN_DRIVERS.simulated.purge(world.context, world.order({ slug: 'tidewater' }), url),
      (error) => error instanceof TryLater && error.afterMs === 60_000,
    )
  })

  it('of a CDN that is set up elsewhere are made there', async () => {
    await using world = await driverWorld()
    assert.equal((await CDN_DRIVERS.custom.purge(world.context, world.order(), url)).state, 'unsupported')
  })
})

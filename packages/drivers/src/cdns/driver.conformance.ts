import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CdnCapabilities, HostName } from '@fairway/contract'
import { driverWorld } from '../testing/driver-world.ts'
import type { CdnDriver } from './driver.ts'

/** What every driver promises, whatever stands behind it. `ownName`: it answers by a name of the installation's, one for each domain. */
export function cdnDriverConformance(driver: CdnDriver, { ownName }: { ownName: boolean }): void {
  describe(`the CDN driver ${driver.id}`, () => {
    it('says everything that it can and cannot do', () => {
      for (const slug of ['swiftlane', 'polaris', 'tidewater', 'anything']) assert.ok(CdnCapabilities.strict().safeParse(driver.capabilities(slug)).success)
    })

    it('knows its name before it is created, always the same, and a host name', async () => {
      await using world = await driverWorld()
      const name = driver.cnameFor(world.order(), 'fairway.test')
      assert.equal(HostName.parse(name), name)
      assert.equal(driver.cnameFor(world.order({ reference: 'another', version: 99, host: 'other.test' }), 'fairway.test'), name)
      if (!ownName) return
      assert.ok(name.endsWith('.fairway.test'))
      for (const other of [{ domainId: 'domain-2' }, { cdnId: 'cdn-2' }]) assert.notEqual(driver.cnameFor(world.order(other), 'fairway.test'), name)
    })

    it('is not operational before the facts say so, and then it is', async () => {
      await using world = await driverWorld()
      await driver.create(world.context, world.order())
      assert.notEqual((await driver.observe(world.context, world.order())).state, 'operational')
      world.comply()
      assert.deepEqual(await driver.observe(world.context, world.order()), { state: 'operational' })
    })

    it('may be created and changed again and again', async () => {
      await using world = await driverWorld()
      await driver.create(world.context, world.order())
      const published = world.publications()
      for (const verb of ['create', 'apply', 'create'] as const) await driver[verb](world.context, world.order())
      assert.equal(world.publications(), published)
      world.comply()
      assert.equal((await driver.observe(world.context, world.order())).state, 'operational')
    })

    it('tells the reason when the outside refuses, and recovers when it does no longer', async () => {
      await using world = await driverWorld()
      await driver.create(world.context, world.order())
      world.refuse('disk full')
      const seen = await driver.observe(world.context, world.order())
      assert.ok(seen.state === 'failed' && seen.detail.includes('disk full'), JSON.stringify(seen))
      world.comply()
      assert.deepEqual(await driver.observe(world.context, world.order()), { state: 'operational' })
    })

    it('is removed only when it is gone, and may be removed again', async () => {
      await using world = await driverWorld()
      world.comply()
      await driver.create(world.context, world.order())
      assert.equal((await driver.observe(world.context, world.order())).state, 'operational')
      world.hesitate()
      const first = await driver.remove(world.context, world.order())
      assert.equal(first, ownName ? 'in-progress' : 'done')
      world.comply()
      assert.equal(await driver.remove(world.context, world.order()), 'done')
      assert.equal(await driver.remove(world.context, world.order()), 'done')
      if (ownName) assert.deepEqual(await driver.observe(world.context, world.order()), { state: 'gone' })
    })
  })
}

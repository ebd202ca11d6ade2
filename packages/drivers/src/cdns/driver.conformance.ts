import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CdnCapabilities, HostName } from '@fairway/contract'
import { type DriverWorld, driverWorld } from '../testing/driver-world.ts'
import { type CdnDriver, type CdnOrder, VendorRefusal } from './driver.ts'

export type DriverPromises = {
  /** It answers by a name of the installation's, one for each domain. */
  ownName: boolean
  /** What surrounds it; a vendor's is another than that of our own edge. */
  world?: () => Promise<DriverWorld>
}

/** What every driver promises, whatever stands behind it. */
export function cdnDriverConformance(
  driver: CdnDriver,
  { ownName, world: newWorld = driverWorld }: DriverPromises,
): void {
  describe(`the CDN driver ${driver.id}`, () => {
    it('says everything that it can and cannot do', () => {
      for (const slug of ['swiftlane', 'polaris', 'tidewater', 'anything'])
        assert.ok(CdnCapabilities.strict().safeParse(driver.capabilities(slug)).success)
    })

    it('knows its name before it is created, always the same, and a host name', async () => {
      await using world = await newWorld()
      const name = driver.cnameFor(world.order(), 'fairway.test')
      assert.equal(HostName.parse(name), name)
      assert.equal(
        driver.cnameFor(world.order({ reference: 'another', version: 99, host: 'other.test' }), 'fairway.test'),
        name,
      )
      if (!ownName) return
      assert.ok(name.endsWith('.fairway.test'))
      for (const other of [{ domainId: 'domain-2' }, { cdnId: 'cdn-2' }])
        assert.notEqual(driver.cnameFor(world.order(other), 'fairway.test'), name)
    })

    it('is not operational before the facts say so, and then it is', async () => {
      await using world = await newWorld()
      const { tell, order } = talkingTo(driver, world)
      await tell('create')
      assert.notEqual((await driver.observe(world.context, order())).state, 'operational')
      world.comply()
      assert.deepEqual(await driver.observe(world.context, order()), { state: 'operational' })
    })

    it('may be created and changed again and again', async () => {
      await using world = await newWorld()
      const { tell, order } = talkingTo(driver, world)
      await tell('create')
      const published = world.publications()
      for (const verb of ['create', 'apply', 'create'] as const) await tell(verb)
      assert.equal(world.publications(), published)
      world.comply()
      assert.equal((await driver.observe(world.context, order())).state, 'operational')
    })

    it('tells the reason when the outside refuses, and recovers when it does no longer', async () => {
      await using world = await newWorld()
      const { tell, order } = talkingTo(driver, world)
      await tell('create')
      world.refuse('disk full')
      // Some tell it as a state, others in what they answer; the reconciler makes the same of both.
      const seen = await driver.observe(world.context, order()).catch((error: unknown) => ({
        state: error instanceof VendorRefusal ? ('failed' as const) : ('gone' as const),
        detail: String(error),
      }))
      assert.ok(seen.state === 'failed' && seen.detail.includes('disk full'), JSON.stringify(seen))
      world.comply()
      assert.deepEqual(await driver.observe(world.context, order()), { state: 'operational' })
    })

    it('is removed only when it is gone, and may be removed again', async () => {
      await using world = await newWorld()
      const { tell, order } = talkingTo(driver, world)
      world.comply()
      await tell('create')
      assert.equal((await driver.observe(world.context, order())).state, 'operational')
      world.hesitate()
      const first = await driver.remove(world.context, order())
      assert.equal(first, ownName ? 'in-progress' : 'done')
      world.comply()
      assert.equal(await driver.remove(world.context, order()), 'done')
      assert.equal(await driver.remove(world.context, order()), 'done')
      if (ownName) assert.deepEqual(await driver.observe(world.context, order()), { state: 'gone' })
    })
  })
}

/** What the reconciler does between two calls: it keeps what the driver has told. */
function talkingTo(driver: CdnDriver, world: DriverWorld) {
  let known: Partial<CdnOrder> = {}
  const order = () => world.order(known)
  const tell = async (verb: 'create' | 'apply') => {
    const placed = await driver[verb](world.context, order())
    if (placed) known = { vendorRef: placed.ref, vendorCertificate: placed.certificate }
  }
  return { tell, order }
}

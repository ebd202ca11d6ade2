import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CdnOrder, Placed, Told } from './driver.ts'
import { TryLater, VendorRefusal } from './driver.ts'
import { cdnDriverConformance } from './driver.conformance.ts'
import { startFakeVendor } from './testing/fake-vendor.ts'
import { type StartVendor, type VendorWorld, newCertificate, vendorWorld } from './testing/vendor-world.ts'

/** What every driver of a vendor promises beside what all drivers do. */
export function vendorConformance(under: StartVendor): void {
  const { driver } = under
  cdnDriverConformance(driver, { ownName: true, world: () => vendorWorld(under) })

  const place = async (world: VendorWorld, known: Partial<CdnOrder> = {}): Promise<Placed> => {
    const placed = await driver.create(world.context, world.order(known))
    assert.ok(placed)
    return placed
  }
  const knownFrom = (placed: Placed) => ({ vendorRef: placed.ref, vendorCertificate: placed.certificate })

  describe(`${driver.id} as a vendor`, () => {
    it('is asked nothing that its own publication does not allow, from the first call to the last', async () => {
      await using world = await vendorWorld(under)
      Object.assign(world.wants.delivery, {
        alwaysHttps: true,
        compression: 'gzip',
        cache: {
          ...world.wants.delivery.cache,
          honorOrigin: false,
          ignoreQuery: true,
          rules: [
            { type: 'directory', path: '/static/', ttlSeconds: 86_400, honorOrigin: false },
            { type: 'extension', path: 'jpg', ttlSeconds: 600, honorOrigin: true },
          ],
          bypass: [{ type: 'directory', path: '/account/' }],
        },
      })
      world.comply()
      const known = knownFrom(await place(world))
      assert.deepEqual(await driver.observe(world.context, world.order(known)), { state: 'operational' })
      for (const [kind, targets] of [
        ['url', ['/a', '/b?x=1']],
        ['directory', ['/static/']],
        ['tag', ['news']],
        ['all', []],
      ] as const) {
        const word = await driver.purge(world.context, world.order(known), {
          kind,
          targets: [...targets],
          soft: false,
          version: 1,
          reference: `purge-${kind}`,
          vendorRef: null,
        })
        assert.ok(word.state === 'done' || word.state === 'in-progress', JSON.stringify(word))
      }
      const traffic = await driver.traffic?.read(
        world.context,
        world.order(known),
        Date.UTC(2026, 0, 1),
        Date.UTC(2026, 0, 2),
      )
      assert.deepEqual(
        traffic?.map(({ at, requests, bytes }) => [at, requests, bytes]),
        [[Date.UTC(2026, 0, 1, 10), 100, 5_000]],
      )
      const requestsOf = (told: Told = {}) =>
        Object.fromEntries(Object.entries(told).map(([value, { requests }]) => [value, requests]))
      assert.deepEqual(
        {
          status: requestsOf(traffic?.[0]?.status),
          cache: requestsOf(traffic?.[0]?.cache),
          country: requestsOf(traffic?.[0]?.country),
        },
        under.tells,
      )
      assert.deepEqual(
        await driver.traffic?.read(world.context, world.order(known), Date.UTC(2026, 0, 1, 11), Date.UTC(2026, 0, 2)),
        [],
      )
      for (let i = 0; i < 5 && (await driver.remove(world.context, world.order(known))) !== 'done'; i++);
      assert.deepEqual(world.vendor.refused, [])
      assert.deepEqual(world.vendor.things(), [])
    })

    it('goes on where it was stopped, after any of its calls, and never makes anything twice', async () => {
      await using whole = await vendorWorld(under)
      whole.comply()
      const placed = await place(whole)
      const calls = whole.vendor.heard.length
      for (let after = 0; after < calls; after++) {
        await using world = await vendorWorld(under)
        world.comply()
        world.vendor.weather.cutAfter = after
        await assert.rejects(place(world), Error, `call ${after} of ${calls}`)
        const known = knownFrom(await place(world))
        assert.equal((await driver.observe(world.context, world.order(known))).state, 'operational')
        assert.deepEqual(
          [world.vendor.things().length, world.vendor.settings(), known.vendorCertificate],
          [whole.vendor.things().length, whole.vendor.settings(), placed.certificate],
          `stopped after call ${after} of ${calls}`,
        )
        assert.deepEqual(world.vendor.refused, [])
      }
    })

    it('is left in peace for as long as it asks', async () => {
      await using world = await vendorWorld(under)
      world.vendor.weather.busy = 1
      await assert.rejects(place(world), (error) => error instanceof TryLater && error.afterMs === 7_000)
      await place(world)
    })

    it('gets what has changed, and no other call that writes when nothing has', async () => {
      await using world = await vendorWorld(under)
      world.comply()
      const known = knownFrom(await place(world))
      const before = structuredClone(world.vendor.settings())
      const from = world.vendor.heard.length
      await driver.apply(world.context, world.order(known))
      assert.deepEqual(
        world.vendor.heard
          .slice(from)
          .filter(isWriting)
          .map(({ method, path }) => `${method} ${path}`),
        [],
      )
      world.wants.delivery.origin.addresses = ['other.example.net']
      await driver.apply(world.context, world.order(known))
      assert.notDeepEqual(world.vendor.settings(), before)
      assert.deepEqual(await driver.observe(world.context, world.order(known)), { state: 'operational' })
    })

    if (under.ownCertificates !== false)
      it('gets our certificate once, and the next one when there is one', async () => {
        await using world = await vendorWorld(under)
        world.comply()
        const first = await place(world)
        assert.equal(first.certificate, 'fingerprint-first')
        await driver.apply(world.context, world.order(knownFrom(first)))
        assert.equal(world.vendor.certificates().length, 1)
        world.wants.certificate = newCertificate('second')
        const second = await place(world, knownFrom(first))
        assert.equal(second.certificate, 'fingerprint-second')
        assert.deepEqual(world.vendor.certificates().map(leafOf), ['leaf first', 'leaf second'])
      })

    it('loses only what is of this order when it is removed', async () => {
      await using world = await vendorWorld(under)
      world.comply()
      const known = knownFrom(await place(world))
      const other = { reference: 'ref-2', domainId: 'domain-2', host: 'shop.example.test' }
      await place(world, other)
      const both = world.vendor.things().length
      for (let i = 0; i < 5 && (await driver.remove(world.context, world.order(known))) !== 'done'; i++);
      assert.ok(world.vendor.things().length > 0 && world.vendor.things().length < both)
      for (let i = 0; i < 5 && (await driver.remove(world.context, world.order(other))) !== 'done'; i++);
      assert.deepEqual(world.vendor.things(), [])
    })

    it('never hears of what was not made, unless it is to be removed', async () => {
      await using world = await vendorWorld(under)
      assert.deepEqual(await driver.observe(world.context, world.order()), { state: 'gone' })
      assert.equal(
        (
          await driver.purge(world.context, world.order(), {
            kind: 'all',
            targets: [],
            soft: false,
            version: 1,
            reference: 'x',
            vendorRef: null,
          })
        ).state,
        'done',
      )
      assert.equal(world.vendor.heard.length, 0)
      world.comply()
      assert.equal(await driver.remove(world.context, world.order()), 'done')
    })

    it('tells no secret of the key, not even when the vendor repeats it', async () => {
      const { values } = under
      const secrets = Object.values(values).filter((value) => value.length >= 8)
      await using world = await vendorWorld(under)
      const key = world.wants.certificate?.keyPem ?? ''
      const said: string[] = []
      for (const status of [400, 401, 403, 404, 409, 500]) {
        const words = [...secrets, key].join(' ')
        const body = {
          errors: [{ code: words, message: words }],
          msg: words,
          detail: words,
          Message: words,
          ErrorKey: words,
          title: words,
          Response: { Error: { Code: words, Message: words } },
        }
        await using echo = await startFakeVendor(() =>
          driver.id === 'cloudfront'
            ? {
                status,
                text: `<ErrorResponse><Error><Code>${words}</Code><Message>${words}</Message></Error></ErrorResponse>`,
              }
            : { status, body },
        )
        world.wants.apiUrl = echo.url
        for (const call of [
          () => driver.create(world.context, world.order()),
          () => driver.observe(world.context, world.order({ vendorRef: 'x' })),
          () => driver.remove(world.context, world.order()),
        ]) {
          const outcome = await call().then(
            (value) => JSON.stringify(value),
            (error: unknown) =>
              `${String(error)} ${error instanceof Error ? error.stack : ''} ${error instanceof VendorRefusal ? error.code : ''}`,
          )
          said.push(outcome ?? '')
        }
      }
      for (const text of said)
        for (const secret of [...secrets, key, key.split('\n')[1] ?? '']) assert.ok(!text.includes(secret), text)
    })
  })
}

/** Some questions are asked by POST. */
const isWriting = ({
  method,
  path,
  headers,
}: {
  method: string
  path: string
  headers: Record<string, unknown>
}): boolean =>
  method !== 'GET' &&
  !path.endsWith('/search/find-by-value') &&
  !/^Describe|\.List/.test(String(headers['x-tc-action'] ?? headers['x-amz-target'] ?? ''))
const leafOf = (pem: string): string =>
  Buffer.from(/-----BEGIN CERTIFICATE-----\s*([^-]*)/.exec(pem)?.[1] ?? '', 'base64').toString()

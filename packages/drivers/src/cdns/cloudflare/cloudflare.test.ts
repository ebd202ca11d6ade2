import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOUDFLARE_VALUES, startFakeCloudflare } from '../testing/fake-cloudflare.ts'
import { vendorWorld } from '../testing/vendor-world.ts'
import { vendorConformance } from '../vendor.conformance.ts'
import { cloudflare } from './cloudflare.ts'

const under = {
  driver: cloudflare,
  values: CLOUDFLARE_VALUES,
  start: startFakeCloudflare,
  tells: { status: { 2: 93, 4: 5, 5: 2 }, cache: { HIT: 80, MISS: 18, BYPASS: 2 }, country: { JP: 80, DE: 18 } },
}
vendorConformance(under)

test('Cloudflare tells what it wants to see in DNS until it has seen it', async () => {
  await using world = await vendorWorld(under)
  world.wants.certificate = null
  const placed = await cloudflare.create(world.context, world.order())
  const order = world.order({ vendorRef: placed?.ref ?? null })
  const seen = await cloudflare.observe(world.context, order)
  assert.ok(seen.state === 'deploying')
  assert.deepEqual(seen.records, [
    { name: '_cf-custom-hostname.www.example.test', value: '0e2d5a7f' },
    { name: '_acme-challenge.www.example.test', value: 'dcv-810b7d5f' },
  ])
  world.comply()
  assert.deepEqual(await cloudflare.observe(world.context, order), { state: 'operational' })
})

test('Cloudflare purges by address in both schemes, by prefix, tag and host', async () => {
  await using world = await vendorWorld(under)
  const placed = await cloudflare.create(world.context, world.order())
  const purge = (kind: 'url' | 'directory' | 'tag' | 'all', targets: string[]) =>
    cloudflare.purge(world.context, world.order({ vendorRef: placed?.ref ?? null }), {
      kind,
      targets,
      soft: false,
      version: 1,
      reference: 'p',
      vendorRef: null,
    })
  await purge('url', ['/a'])
  await purge('directory', ['/b/'])
  await purge('tag', ['news'])
  await purge('all', [])
  assert.deepEqual(
    world.vendor.purges().map((text) => JSON.parse(text) as unknown),
    [
      { files: ['https://www.example.test/a', 'http://www.example.test/a'] },
      { prefixes: ['www.example.test/b/'] },
      { tags: ['news'] },
      { hosts: ['www.example.test'] },
    ],
  )
})

test('Cloudflare: a host name that somebody else has set up in the zone is left alone', async () => {
  await using world = await vendorWorld(under)
  await cloudflare.create(world.context, world.order())
  await assert.rejects(cloudflare.create(world.context, world.order({ reference: 'ref-9' })), /set up by somebody else/)
})

test('Cloudflare: a key without a zone says so', async () => {
  await using world = await vendorWorld({ ...under, values: { token: CLOUDFLARE_VALUES.token } })
  await assert.rejects(cloudflare.create(world.context, world.order()), /names no zone/)
})

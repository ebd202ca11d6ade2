import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FASTLY_VALUES, startFakeFastly } from '../testing/fake-fastly.ts'
import { DELIVERY, vendorWorld } from '../testing/vendor-world.ts'
import { vendorConformance } from '../vendor.conformance.ts'
import { fastly } from './fastly.ts'
import { snippetsFor } from './fastly-vcl.ts'

const under = {
  driver: fastly,
  values: FASTLY_VALUES,
  start: startFakeFastly,
  tells: { status: { 2: 93, 4: 5, 5: 2 }, cache: { HIT: 80, MISS: 18, BYPASS: 2 }, country: {} },
}
vendorConformance(under)

test('Fastly is reached by the name of its TLS configuration, without a certificate by the one for plain HTTP', async () => {
  await using world = await vendorWorld(under)
  assert.equal((await fastly.create(world.context, world.order()))?.cname, 'j.sni.global.fastly.net')
  world.wants.certificate = null
  assert.equal((await fastly.create(world.context, world.order()))?.cname, 'dualstack.nonssl.global.fastly.net')
})

test('Fastly purges addresses and keys, softly where that is wanted, and everything for a directory', async () => {
  await using world = await vendorWorld(under)
  const placed = await fastly.create(world.context, world.order())
  const purge = (kind: 'url' | 'directory' | 'tag', targets: string[], soft = false) =>
    fastly.purge(world.context, world.order({ vendorRef: placed?.ref ?? null }), {
      kind,
      targets,
      soft,
      version: 1,
      reference: 'p',
      vendorRef: null,
    })
  await purge('url', ['/a', 'shop.example.test/b'], true)
  await purge('tag', ['news'])
  assert.deepEqual(await purge('directory', ['/c/']), { state: 'done', everything: true })
  assert.deepEqual(world.vendor.purges(), ['soft www.example.test/a', 'soft shop.example.test/b', 'key news', 'all'])
})

test('Fastly: the first rule that fits decides, and what the origin says goes before it where that is wanted', () => {
  const cache = {
    ...DELIVERY.cache,
    ignoreQuery: true,
    rules: [
      { type: 'extension' as const, path: 'jpg', ttlSeconds: 60, honorOrigin: false },
      { type: 'pattern' as const, path: '/a*"b', ttlSeconds: 0, honorOrigin: true },
    ],
    bypass: [{ type: 'directory' as const, path: '/me' }],
  }
  const vcl = Object.fromEntries(
    snippetsFor({ ...DELIVERY, cache, alwaysHttps: true }).map(({ type, content }) => [type, content]),
  )
  assert.equal(
    vcl['fetch'],
    [
      String.raw`if (req.url.path ~ "\.jpg$") { set beresp.ttl = 60s; }`,
      'else if (req.url.path ~ "^\\/a.*%22b$") { if (!beresp.http.Cache-Control && !beresp.http.Surrogate-Control && !beresp.http.Expires) { set beresp.cacheable = false; set beresp.ttl = 0s; } }',
      'else { if (!beresp.http.Cache-Control && !beresp.http.Surrogate-Control && !beresp.http.Expires) { set beresp.ttl = 3600s; } }',
    ].join('\n'),
  )
  assert.match(
    vcl['recv'] ?? '',
    /^if \(!req\.http\.Fastly-SSL\).*\n.*"\^\\\/me\\\/".*\n.*X-Fairway-Url.*\n.*return\(pass\)/,
  )
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cacheRules, domains, EXPIRY_UNITS, ExpiryUnit, versions } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { list, create, update, remove, noCache, createNoCache, removeNoCache } = cacheRules.routes
let api: ApiUnderTest
let nodes: NodeUnderTest[]
before(async () => {
  api = await startApiUnderTest()
  nodes = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

const placeOf = ({ site, domain }: SteeredDomain) => ({ site, domain })
const day = { value: 1, unit: 'day' as const }
const rule = (more: object = {}) => ({
  type: 'directory' as const,
  path: '/images/',
  expiry: day,
  honorOrigin: true,
  ...more,
})
const refused = async (own: SteeredDomain, more: object) => {
  const { code, fields } = await own.client.refusal(create, { ...placeOf(own), ...rule(more) })
  return [code, fields[0]?.path, fields[0]?.message]
}

test('rules reach the edge compiled for each CDN, in the order in which they decide, and can be undone', async () => {
  const own = await newSteeredDomain(api)
  const place = placeOf(own)
  await attach(own, ['edge', 'tidewater'])
  await own.client.call(create, {
    ...place,
    ...rule({ type: 'extension', path: '.jpg', expiry: { value: 3, unit: 'hour' } }),
  })
  await own.client.call(create, { ...place, ...rule({ type: 'pattern', path: '/a*b' }) })
  const last = await own.client.call(create, { ...place, ...rule() })
  await own.client.call(createNoCache, { ...place, type: 'directory', path: '/account/' })
  assert.deepEqual(
    (await own.client.call(list, place)).data.map(({ path }) => path),
    ['/a*b', '/images/', '.jpg', '/'],
  )
  const document = await until(async () => {
    const [domain] = nodes[1]?.document('edge-site', own.site)?.domains ?? []
    return domain?.cache.bypass.length === 1 && domain
  })
  assert.deepEqual(
    document.cache.rules.map(({ path, ttlSeconds }) => [path, ttlSeconds]),
    [
      ['/a*b', 86_400],
      ['/images/', 86_400],
      ['.jpg', 10_800],
    ],
  )
  assert.deepEqual(
    document.cdns['tidewater']?.cache.rules.map(({ path, ttlSeconds }) => [path, ttlSeconds]),
    [
      ['/a*b', 86_400],
      ['/images/', 86_400],
      ['.jpg', 7_200],
    ],
  )
  await own.client.call(versions.routes.revert, { site: own.site, number: String(last.meta.version) })
  assert.deepEqual(
    (await own.client.call(list, place)).data.map(({ path }) => path),
    ['/a*b', '.jpg', '/'],
  )
})

test('the default rule is the last and cannot be removed, but changed', async () => {
  const own = await newSteeredDomain(api)
  const place = placeOf(own)
  const [row] = (await own.client.call(list, place)).data
  assert.deepEqual(
    [row?.id, row?.type, row?.ttlSeconds, row?.expiry, row?.honorOrigin, row?.everything],
    [own.domain, 'default', 7_200, { value: 2, unit: 'hour' }, true, false],
  )
  const changed = await own.client.call(update, {
    ...place,
    id: own.domain,
    expiry: { value: 7, unit: 'day' },
    honorOrigin: false,
    everything: true,
  })
  assert.deepEqual([changed.data.ttlSeconds, changed.data.honorOrigin, changed.data.everything], [604_800, false, true])
  assert.equal((await own.client.call(domains.routes.get, place)).cacheTtlSeconds, 604_800)
  assert.equal((await own.client.call(update, { ...place, id: own.domain, honorOrigin: false })).meta.version, null)
  assert.equal((await own.client.refusal(remove, { ...place, id: own.domain })).code, 404)
})

test('a path has the form of its type', async () => {
  const own = await newSteeredDomain(api)
  for (const [type, path, message] of [
    ['directory', '/a', 'cachePathDirectory'],
    ['directory', 'a/', 'cachePathDirectory'],
    ['directory', '/a*/', 'cachePathDirectory'],
    ['directory', '/a b/', 'cachePathDirectory'],
    ['directory', '/a/?x/', 'cachePathQuery'],
    ['extension', 'jpg', 'cachePathExtension'],
    ['extension', '.j-g', 'cachePathExtension'],
    ['extension', '.', 'cachePathExtension'],
    ['extension', '.tar.gz', 'cachePathExtension'],
    ['extension', '.jpg?x', 'cachePathQuery'],
    ['pattern', 'a*', 'cachePathPattern'],
    ['pattern', '/a"b', 'cachePathPattern'],
    ['pattern', '/a?b', 'cachePathQuery'],
    ['pattern', `/${'a*'.repeat(9)}`, 'cachePathStars'],
    ['pattern', `/${'a'.repeat(500)}`, 'max:500'],
  ] as const)
    assert.deepEqual(await refused(own, { type, path }), [400, 'path', `validation.${message}`], path)
  for (const [type, path] of [
    ['directory', '/'],
    ['directory', "/a-._~!$&'()+,;=:@%20/b/"],
    ['extension', '.JPG'],
    ['extension', '.woff2'],
    ['pattern', '/*'],
    ['pattern', '/a/*/b*.html'],
    ['pattern', `/${'a*'.repeat(8)}`],
  ] as const)
    await own.client.call(create, { ...placeOf(own), ...rule({ type, path }) })
})

test('an expiry is within what its unit allows', async () => {
  const own = await newSteeredDomain(api)
  for (const unit of ExpiryUnit.options) {
    for (const value of [0, EXPIRY_UNITS[unit].max + 1])
      assert.deepEqual(await refused(own, { expiry: { value, unit } }), [
        400,
        'expiry.value',
        `validation.between:1:${EXPIRY_UNITS[unit].max}`,
      ])
    const { data } = await own.client.call(create, {
      ...placeOf(own),
      ...rule({ path: `/${unit}/`, expiry: { value: EXPIRY_UNITS[unit].max, unit } }),
    })
    assert.equal(data.ttlSeconds, EXPIRY_UNITS[unit].max * EXPIRY_UNITS[unit].seconds)
  }
  assert.equal((await refused(own, { expiry: { value: 1.5, unit: 'day' } }))[0], 400)
})

test('27005: patterns, unusual lifetimes and following the origin are abilities of the plan', async () => {
  const own = await newSteeredDomain(api, { planId: 'developer' })
  const place = placeOf(own)
  const plain = { honorOrigin: false }
  assert.deepEqual((await refused(own, { ...plain, type: 'pattern', path: '/*' }))[0], 27_005)
  assert.deepEqual((await refused(own, { ...plain, expiry: { value: 119, unit: 'minute' } }))[0], 27_005)
  assert.deepEqual((await refused(own, { ...plain, expiry: { value: 29, unit: 'day' } }))[0], 27_005)
  assert.deepEqual((await refused(own, { honorOrigin: true }))[0], 27_005)
  assert.equal((await own.client.refusal(createNoCache, { ...place, type: 'pattern', path: '/*' })).code, 27_005)
  for (const [path, expiry] of [
    ['/a/', { value: 2, unit: 'hour' }],
    ['/b/', { value: 28, unit: 'day' }],
  ] as const)
    await own.client.call(create, { ...place, ...rule({ ...plain, path, expiry }) })
  // What a domain begins with stays; coming back to it is what the plan lacks.
  await own.client.call(update, { ...place, id: own.domain, honorOrigin: false })
  assert.equal((await own.client.refusal(update, { ...place, id: own.domain, honorOrigin: true })).code, 27_005)
})

test('27025: two rules of one kind for one path; another kind is another rule', async () => {
  const own = await newSteeredDomain(api)
  await own.client.call(create, { ...placeOf(own), ...rule() })
  assert.equal((await refused(own, {}))[0], 27_025)
  await own.client.call(create, { ...placeOf(own), ...rule({ type: 'pattern' }) })
  await own.client.call(createNoCache, { ...placeOf(own), type: 'directory', path: '/images/' })
  assert.equal(
    (await own.client.refusal(createNoCache, { ...placeOf(own), type: 'directory', path: '/images/' })).code,
    27_025,
  )
})

test('27004: the fifty-first rule', async () => {
  const own = await newSteeredDomain(api)
  for (let i = 0; i < 50; i++) await own.client.call(create, { ...placeOf(own), ...rule({ path: `/${i}/` }) })
  assert.equal((await refused(own, {}))[0], 27_004)
})

test('rules are changed and removed by their id; unknown ones are 404', async () => {
  const own = await newSteeredDomain(api)
  const place = placeOf(own)
  const { id } = (await own.client.call(create, { ...place, ...rule() })).data
  assert.deepEqual(
    (await own.client.call(update, { ...place, id, expiry: { value: 2, unit: 'month' } })).data.ttlSeconds,
    5_184_000,
  )
  assert.deepEqual((await own.client.call(remove, { ...place, id })).data, { id })
  assert.equal((await own.client.refusal(remove, { ...place, id })).code, 404)
  const never = (await own.client.call(createNoCache, { ...place, type: 'extension', path: '.live' })).data.id
  assert.equal((await own.client.call(noCache, place)).meta.total, 1)
  await own.client.call(removeNoCache, { ...place, id: never })
  assert.equal((await own.client.refusal(removeNoCache, { ...place, id: never })).code, 404)
})

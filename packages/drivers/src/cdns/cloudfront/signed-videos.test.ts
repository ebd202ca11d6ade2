import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { test } from 'node:test'
import { VendorRefusal } from '../driver.ts'
import { CLOUDFRONT_VALUES, startFakeCloudfront } from '../testing/fake-cloudfront.ts'
import { type VideosOrder, forgetVideos, placeVideos, removeVideos } from './signed-videos.ts'

const newKey = (keyId: string, type: 'rsa' | 'ec' = 'rsa') => ({
  keyId,
  pem: (type === 'rsa'
    ? crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
    : crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  ).publicKey
    .export({ type: 'spki', format: 'pem' })
    .toString(),
})
const [first, second] = [newKey('aaaaaaaaaaaaaaaa'), newKey('bbbbbbbbbbbbbbbb')]
const order: VideosOrder = {
  name: 'fairway-videos-0123456789abcdef',
  origin: { host: '0123456789abcdef.stream.example.net', port: 80, protocol: 'http' },
  originPath: '/t/0.4102444799.0123456789abcdef.-.0123456789abcdef0123456789abcdef01234567',
  keys: [first],
}
const account = (vendor: { url: string }) => ({ values: CLOUDFRONT_VALUES, apiUrl: vendor.url })

test('CloudFront: a distribution for videos gives them to nobody without a signature of one of the keys', async () => {
  await using vendor = await startFakeCloudfront()
  const placed = await placeVideos(account(vendor), order)
  assert.match(placed.host, /^d[a-z0-9]+\.cloudfront\.net$/)
  assert.match(placed.keyPairIds[first.keyId] ?? '', /^K[0-9A-Z]+$/)
  assert.equal(placed.isLive, false)
  vendor.mood.at = 'comply'
  assert.deepEqual(await placeVideos(account(vendor), order), { ...placed, isLive: true })
  const [settings] = vendor.settings() as {
    DefaultCacheBehavior: { TrustedKeyGroups: unknown; ForwardedValues: unknown }
    Origins: { Items: { OriginPath: string; DomainName: string }[] }
  }[]
  const { TrustedKeyGroups, ForwardedValues } = settings?.DefaultCacheBehavior ?? {}
  assert.match(JSON.stringify(TrustedKeyGroups), /^\{"Enabled":true,"Quantity":1,"Items":\["\w+"\]\}$/)
  // A viewer's signature, cookies and measurements make no object of their own, and the origin is asked by its name.
  assert.deepEqual(ForwardedValues, {
    QueryString: true,
    Cookies: { Forward: 'none' },
    Headers: { Quantity: 0 },
    QueryStringCacheKeys: { Quantity: 4, Items: ['_HLS_msn', '_HLS_part', '_HLS_skip', '_HLS_push'] },
  })
  assert.equal(settings?.Origins.Items[0]?.OriginPath, order.originPath)
  assert.equal(vendor.things().length, 3)
  assert.deepEqual(vendor.refused, [])
})

test('CloudFront: a key is changed for another with both in force, and the old one leaves nothing behind', async () => {
  await using vendor = await startFakeCloudfront()
  vendor.mood.at = 'comply'
  const group = (keys: number) => `key group ${order.name} of ${keys}`
  const { keyPairIds } = await placeVideos(account(vendor), order)
  const both = await placeVideos(account(vendor), { ...order, keys: [first, second] })
  assert.equal(both.keyPairIds[first.keyId], keyPairIds[first.keyId])
  assert.ok(vendor.things().includes(group(2)))
  const after = await placeVideos(account(vendor), { ...order, keys: [second] })
  assert.deepEqual(after.keyPairIds, { [second.keyId]: both.keyPairIds[second.keyId] })
  assert.deepEqual(
    vendor.things().filter((thing) => !thing.startsWith('distribution')),
    [`public key ${order.name}-${second.keyId}`, group(1)],
  )
  assert.deepEqual(vendor.refused, [])
})

test('CloudFront: what was cut off in the middle is finished by the next turn, and nothing is made twice', async () => {
  for (let cut = 0; cut < 8; cut++) {
    await using vendor = await startFakeCloudfront()
    vendor.mood.at = 'comply'
    vendor.weather.cutAfter = cut
    await placeVideos(account(vendor), order).catch(() => null)
    vendor.weather.cutAfter = null
    const placed = await placeVideos(account(vendor), order)
    assert.equal(placed.isLive, true)
    assert.equal(vendor.things().length, 3, `cut after ${cut}`)
  }
})

test('CloudFront: taken away it is switched off first, closed to the last moment, and leaves nothing', async () => {
  await using vendor = await startFakeCloudfront()
  vendor.mood.at = 'comply'
  await placeVideos(account(vendor), order)
  vendor.mood.at = 'hesitate'
  assert.equal(await removeVideos(account(vendor), order), 'in-progress')
  assert.match(JSON.stringify(vendor.settings()), /"Enabled":false/)
  assert.match(JSON.stringify(vendor.settings()), /"TrustedKeyGroups":\{"Enabled":true/)
  assert.equal(await removeVideos(account(vendor), order), 'in-progress')
  vendor.mood.at = 'comply'
  assert.equal(await removeVideos(account(vendor), order), 'done')
  assert.deepEqual(vendor.things(), [])
  assert.equal(await removeVideos(account(vendor), order), 'done')
  assert.deepEqual(vendor.refused, [])
})

test('CloudFront: what is gone is forgotten once, by folder, and as a whole when there is too much of it', async () => {
  await using vendor = await startFakeCloudfront()
  await forgetVideos(account(vendor), order, ['a'], 'before')
  await placeVideos(account(vendor), order)
  for (const reference of ['one', 'one']) await forgetVideos(account(vendor), order, ['a', 'b'], reference)
  assert.deepEqual(vendor.purges(), ['/a/*', '/b/*'])
  await forgetVideos(account(vendor), order, [...'abcdefghijk'], 'two')
  assert.deepEqual(vendor.purges().slice(2), ['/*'])
  assert.deepEqual(vendor.refused, [])
})

test('CloudFront: without a key nothing is placed, and one that it does not take is a refusal in its words', async () => {
  await using vendor = await startFakeCloudfront()
  await assert.rejects(placeVideos(account(vendor), { ...order, keys: [] }), /would be open/)
  assert.deepEqual(vendor.heard, [])
  await assert.rejects(
    placeVideos(account(vendor), { ...order, keys: [newKey('cccccccccccccccc', 'ec')] }),
    (error) => error instanceof VendorRefusal && /RSA/.test(error.message),
  )
})

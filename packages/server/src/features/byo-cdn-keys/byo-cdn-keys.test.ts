import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { auditLog, byoCdnKeys, type ByoPlatform } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'

const { create, list, remove, test: tryOut, update } = byoCdnKeys.routes
const seen: string[] = []
let status = 200
let api: ApiUnderTest
let vendor: http.Server
before(async () => {
  vendor = http.createServer((request, response) => {
    seen.push(String(request.headers['fastly-key']))
    response.writeHead(status).end('{"detail":"no such token"}')
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  api = await startApiUnderTest({
    FAIRWAY_CDN_API_URLS: `fastly=http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
  })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  vendor.close()
})

const FINE: Record<ByoPlatform, Record<string, string>> = {
  cloudfront: {
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    loggingBucket: 'my-logs',
    acmArns: 'arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012',
  },
  cloudflare: { token: 'a'.repeat(40) },
  fastly: { token: 'f'.repeat(32) },
  bunny: { token: '87654321-4321-4321-4321-210987654321' },
  akamai: {
    host: 'akab-abcdefghijklmnop-qrstuvwxyzabcdef.luna.akamaiapis.net',
    clientToken: 'akab-abcdefghijklmnop',
    accessToken: 'akab-qrstuvwxyzabcdef',
    clientSecret: 'c'.repeat(44),
  },
  tencent: { secretId: 'AKIDabcdefghijklmnop', secretKey: 's'.repeat(32) },
}
const WRONG: [ByoPlatform, string, string][] = [
  ['cloudfront', 'region', 'moon'],
  ['cloudfront', 'accessKeyId', 'AKIA'],
  ['cloudfront', 'secret', 'short'],
  ['cloudfront', 'loggingBucket', '_'],
  ['cloudfront', 'acmArns', 'arn:aws:acm:eu-west-1:1:certificate/x'],
  ['cloudflare', 'token', 'a b'],
  ['cloudflare', 'zoneId', 'z'],
  ['fastly', 'token', ''],
  ['bunny', 'token', 'x'],
  ['akamai', 'host', 'akab-abcdefghijklm.luna.akamaiapis.net.evil.example'],
  ['akamai', 'clientToken', 'x'],
  ['akamai', 'accessToken', 'x'],
  ['akamai', 'clientSecret', 'x'],
  ['tencent', 'secretId', 'x'],
  ['tencent', 'secretKey', 'x'],
]

test('a key of every platform is kept, and its secrets are never seen again', async () => {
  const client = await api.newClient()
  for (const [platform, values] of Object.entries(FINE) as [ByoPlatform, Record<string, string>][])
    await client.call(create, { platform, name: platform, values })
  const answered =
    JSON.stringify(await client.call(list, { page_size: -1 })) +
    JSON.stringify((await client.call(auditLog.routes.list, {})).data)
  const stored = JSON.stringify(await api.database.system((tx) => tx.query('SELECT * FROM byo_cdn_key')))
  for (const secret of [
    'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    'a'.repeat(40),
    'f'.repeat(32),
    FINE.bunny['token'] ?? '',
    'c'.repeat(44),
    's'.repeat(32),
  ])
    assert.ok(!answered.includes(secret) && !stored.includes(secret), secret)
  const cloudfront = (await client.call(list, { search: 'cloudfront' })).data[0]
  assert.deepEqual(
    [cloudfront?.fields['accessKeyId'], cloudfront?.secretsSet, cloudfront?.testedAt],
    ['AKIAIOSFODNN7EXAMPLE', ['secret'], null],
  )
})

test('each field has its form: another is 8491 and named', async () => {
  const client = await api.newClient()
  for (const [platform, field, value] of WRONG) {
    const refusal = await client.refusal(create, { platform, name: 'x', values: { ...FINE[platform], [field]: value } })
    assert.deepEqual(
      [refusal.code, refusal.fields],
      [8491, [{ path: `values.${field}`, message: 'code:8491' }]],
      `${platform} ${field}`,
    )
  }
  assert.equal(
    (await client.refusal(create, { platform: 'fastly', name: 'x', values: { ...FINE.fastly, extra: 'y' } })).code,
    8491,
  )
  assert.equal(
    (await client.refusal(create, { platform: 'unheard-of' as 'fastly', name: 'x', values: {} })).status,
    400,
  )
})

test('the same key twice is 8421, in one organisation only', async () => {
  const [client, other] = [await api.newClient(), await api.newClient()]
  await client.call(create, { platform: 'fastly', name: 'one', values: FINE.fastly })
  assert.equal((await client.refusal(create, { platform: 'fastly', name: 'two', values: FINE.fastly })).code, 8421)
  await other.call(create, { platform: 'fastly', name: 'one', values: FINE.fastly })
  const { id } = await client.call(create, { platform: 'fastly', name: 'two', values: { token: 'g'.repeat(32) } })
  assert.equal((await client.refusal(update, { id, name: 'two', values: FINE.fastly })).code, 8421)
})

test("testing makes the vendor's call with the stored secret, also after a change that left the secret out", async () => {
  const client = await api.newClient()
  const { id } = await client.call(create, { platform: 'fastly', name: 'one', values: FINE.fastly })
  status = 200
  const good = await client.call(tryOut, { id })
  assert.deepEqual(
    [good.problem, good.key.testProblem, good.key.testedAt !== null, seen.at(-1)],
    [null, null, true, 'f'.repeat(32)],
  )
  await client.call(update, { id, name: 'renamed', values: {} })
  status = 401
  const bad = await client.call(tryOut, { id })
  assert.deepEqual(
    [bad.problem, bad.detail, bad.key.name, seen.at(-1)],
    ['refused', '401 no such token', 'renamed', 'f'.repeat(32)],
  )
  const replaced = await client.call(update, { id, name: 'renamed', values: { token: 'h'.repeat(32) } })
  assert.equal(replaced.testedAt, null)
  await client.call(remove, { id })
  assert.equal((await client.refusal(tryOut, { id })).status, 404)
})

test('plans without it are refused', async () => {
  const client = await api.newClient({ planId: 'business' })
  assert.equal((await client.refusal(list, {})).code, 27005)
  assert.equal((await client.refusal(create, { platform: 'fastly', name: 'x', values: FINE.fastly })).code, 27005)
})

import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { ByoPlatform } from '@fairway/contract'
import { signEdgeGrid } from './akamai/sign-edge-grid.ts'
import { testCredentials } from './credentials.ts'
import { signTc3 } from './tencent/sign-tc3.ts'

type Heard = { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }
const heard: Heard[] = []
let answer: { status: number; body: string } = { status: 200, body: '{}' }
let server: http.Server
let config: { cdnApiUrls: string[] }
before(async () => {
  server = http.createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (body += chunk))
      .on('end', () => {
        heard.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
        response.writeHead(answer.status, { location: 'http://127.0.0.1:1/' }).end(answer.body)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  config = {
    cdnApiUrls: (['akamai', 'bunny', 'cloudflare', 'cloudfront', 'fastly', 'tencent'] as const).map(
      (name) => `${name}=${base}`,
    ),
  }
})
after(() => void server.close())

const VALUES: Record<ByoPlatform, Record<string, string>> = {
  akamai: {
    host: 'akab-x.luna.akamaiapis.net',
    clientToken: 'akab-client',
    accessToken: 'akab-access-token',
    clientSecret: 'client-secret-value',
  },
  bunny: { token: 'bunny-token-value' },
  cloudflare: { token: 'cloudflare-token' },
  cloudfront: { accessKeyId: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-west-1' },
  fastly: { token: 'fastly-token-value' },
  tencent: { secretId: 'AKIDtencent', secretKey: 'tencent-secret-key' },
}

async function ask(platform: ByoPlatform, status: number, body: string) {
  answer = { status, body }
  const outcome = await testCredentials(config, platform, VALUES[platform])
  return { ...outcome, call: heard.at(-1) }
}

test('each vendor is asked its own cheapest question, with the key where that vendor wants it', async () => {
  const calls = {
    cloudflare: await ask('cloudflare', 200, '{"result":{"status":"active"}}'),
    fastly: await ask('fastly', 200, '{}'),
    bunny: await ask('bunny', 200, '{}'),
    cloudfront: await ask('cloudfront', 200, '<DistributionList/>'),
    akamai: await ask('akamai', 200, '{}'),
    tencent: await ask('tencent', 200, '{"Response":{"TotalNumber":0}}'),
  }
  assert.deepEqual(
    Object.values(calls).map(({ problem }) => problem),
    [null, null, null, null, null, null],
  )
  assert.deepEqual(
    [calls.cloudflare.call?.url, calls.cloudflare.call?.headers.authorization],
    ['/client/v4/user/tokens/verify', 'Bearer cloudflare-token'],
  )
  assert.deepEqual(
    [calls.fastly.call?.url, calls.fastly.call?.headers['fastly-key']],
    ['/tokens/self', 'fastly-token-value'],
  )
  assert.deepEqual(
    [calls.bunny.call?.url.split('?')[0], calls.bunny.call?.headers['accesskey']],
    ['/pullzone', 'bunny-token-value'],
  )
  assert.equal(calls.cloudfront.call?.url, '/2020-05-31/distribution?MaxItems=1')
  assert.match(
    String(calls.cloudfront.call?.headers.authorization),
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/cloudfront\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/,
  )
  assert.equal(calls.akamai.call?.url, '/identity-management/v3/api-clients/self')
  assert.match(
    String(calls.akamai.call?.headers.authorization),
    /^EG1-HMAC-SHA256 client_token=akab-client;access_token=akab-access-token;timestamp=\d{8}T\d\d:\d\d:\d\d\+0000;nonce=[\w-]+;signature=\S{44}$/,
  )
  assert.deepEqual(
    [calls.tencent.call?.method, calls.tencent.call?.headers['x-tc-action'], calls.tencent.call?.body],
    ['POST', 'DescribeDomains', '{"Limit":1}'],
  )
})

test('how a vendor refuses is told in one of a few ways', async () => {
  const cases: [ByoPlatform, number, string, string | null][] = [
    ['cloudflare', 400, '{"errors":[{"message":"Invalid request headers"}]}', 'refused'],
    ['cloudflare', 200, '{"result":{"status":"disabled"}}', 'refused'],
    ['fastly', 401, '{"msg":"Provided credentials are missing or invalid"}', 'refused'],
    ['bunny', 403, '{}', 'forbidden'],
    ['bunny', 429, '', 'rateLimited'],
    ['akamai', 401, '{"detail":"Invalid authorization"}', 'refused'],
    ['akamai', 503, 'rubbish', 'vendorFailed'],
    [
      'cloudfront',
      403,
      '<ErrorResponse><Error><Code>InvalidClientTokenId</Code><Message>The security token included in the request is invalid.</Message></Error></ErrorResponse>',
      'refused',
    ],
    [
      'cloudfront',
      403,
      '<ErrorResponse><Error><Code>AccessDenied</Code><Message>not authorized</Message></Error></ErrorResponse>',
      'forbidden',
    ],
    ['tencent', 200, '{"Response":{"Error":{"Code":"AuthFailure.SignatureFailure","Message":"wrong"}}}', 'refused'],
    ['tencent', 200, '{"Response":{"Error":{"Code":"UnauthorizedOperation","Message":"no"}}}', 'forbidden'],
    ['fastly', 302, '', 'unexpected'],
  ]
  for (const [platform, status, body, expected] of cases)
    assert.equal((await ask(platform, status, body)).problem, expected, `${platform} ${status} ${body}`)
})

test('what a vendor says back never holds the key', async () => {
  const { detail } = await ask('fastly', 401, JSON.stringify({ detail: 'the token fastly-token-value is unknown' }))
  assert.equal(detail, '401 the token … is unknown')
})

test('a vendor that does not answer is told as that', async () => {
  const outcome = await testCredentials({ cdnApiUrls: ['bunny=http://127.0.0.1:1'] }, 'bunny', VALUES.bunny)
  assert.equal(outcome.problem, 'unreachable')
})

test('Akamai: the published examples of EdgeGrid', () => {
  const client = {
    host: 'akaa-baseurl-xxxxxxxxxxx-xxxxxxxxxxxxx.luna.akamaiapis.net',
    clientToken: 'akab-client-token-xxx-xxxxxxxxxxxxxxxx',
    accessToken: 'akab-access-token-xxx-xxxxxxxxxxxxxxxx',
    clientSecret: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=',
    now: new Date('2014-03-21T19:34:21Z'),
    nonce: 'nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx',
  }
  const signature = (call: { method: string; path: string; body: string }) =>
    signEdgeGrid({ ...client, ...call }).split('signature=')[1]
  assert.equal(signature({ method: 'GET', path: '/', body: '' }), 'tL+y4hxyHxgWVD30X3pWnGKHcPzmrIF+LThiAOhMxYU=')
  assert.equal(
    signature({ method: 'GET', path: '/testapi/v1/t1?p1=1&p2=2', body: '' }),
    'hKDH1UlnQySSHjvIcZpDMbQHihTQ0XyVAKZaApabdeA=',
  )
  assert.equal(
    signature({ method: 'POST', path: '/testapi/v1/t3', body: 'datadatadatadatadatadatadatadata' }),
    'hXm4iCxtpN22m4cbZb4lVLW5rhX8Ca82vCFqXzSTPe4=',
  )
})

test('Tencent: another secret, body or second is another signature', () => {
  const call = {
    host: 'cdn.tencentcloudapi.com',
    service: 'cdn',
    body: '{}',
    secretId: 'AKID',
    secretKey: 'key',
    seconds: 1_551_113_065,
  }
  const all = [
    call,
    { ...call, secretKey: 'other' },
    { ...call, body: '{"Limit":1}' },
    { ...call, seconds: call.seconds + 1 },
  ].map(signTc3)
  assert.equal(new Set(all).size, 4)
  assert.match(
    all[0] ?? '',
    /^TC3-HMAC-SHA256 Credential=AKID\/2019-02-25\/cdn\/tc3_request, SignedHeaders=content-type;host, Signature=[0-9a-f]{64}$/,
  )
})

import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { MarketplaceAway, TokenRefused } from './marketplace.ts'
import { openMarketplace } from './open-marketplace.ts'
import { purchaseToken } from './own-sales.ts'

const SECRET = 'a-secret-of-this-installation'
let aws: http.Server
let url = ''
let call: { headers: http.IncomingHttpHeaders; body: string } | null = null
let answer: [status: number, body: string] = [200, '']
before(async () => {
  aws = http.createServer((request, response) => {
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (body += chunk))
      .on('end', () => {
        call = { headers: request.headers, body }
        response.writeHead(answer[0], { 'content-type': 'application/x-amz-json-1.1' }).end(answer[1])
      })
  })
  await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`
})
after(() => void aws.close())

const marketplace = () =>
  openMarketplace({ awsMarketplaceKey: 'AKIDEXAMPLE:very/secret:key', awsMarketplaceUrl: url }, SECRET)
const refusalOf = (token: string, from = marketplace()) =>
  from.resolve(token).then(
    () => assert.fail('resolved'),
    (error: unknown) => (error instanceof TokenRefused ? error.why : error instanceof MarketplaceAway ? 'away' : error),
  )

test('AWS is asked for the customer of a token, with a signed ResolveCustomer', async () => {
  answer = [200, '{"CustomerIdentifier":"ifAPi5AcF3","ProductCode":"abc"}']
  assert.deepEqual(await marketplace().resolve('tok+en/='), { customerId: 'ifAPi5AcF3' })
  assert.deepEqual(JSON.parse(call?.body ?? ''), { RegistrationToken: 'tok+en/=' })
  assert.deepEqual(
    [call?.headers['x-amz-target'], call?.headers['content-type']],
    ['AWSMPMeteringService.ResolveCustomer', 'application/x-amz-json-1.1'],
  )
  assert.match(
    String(call?.headers.authorization),
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/aws-marketplace\/aws4_request, SignedHeaders=[\w;-]*x-amz-target[\w;-]*, Signature=[0-9a-f]{64}$/,
  )
})

for (const [status, body, expected] of [
  [400, '{"__type":"com.amazonaws.marketplace#ExpiredTokenException","message":"x"}', 'expired'],
  [400, '{"__type":"InvalidTokenException"}', 'unknown'],
  [400, '{"__type":"ThrottlingException"}', 'away'],
  [500, 'rubbish', 'away'],
  [200, '{}', 'away'],
] as const) {
  test(`AWS answers ${status} ${body}: ${expected}`, async () => {
    answer = [status, body]
    assert.equal(await refusalOf('t'), expected)
  })
}

test('a purchase of the operator is good for whom and until when it says, and cannot be made up', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000)
  const token = purchaseToken(SECRET, { customerId: 'contract-17', expiresAt: inAnHour })
  const without = openMarketplace({ awsMarketplaceKey: '', awsMarketplaceUrl: url }, SECRET)
  assert.deepEqual(
    [await marketplace().resolve(token), await without.resolve(token)],
    [{ customerId: 'contract-17' }, { customerId: 'contract-17' }],
  )
  assert.equal(
    await refusalOf(purchaseToken(SECRET, { customerId: 'contract-17', expiresAt: new Date(Date.now() - 1) })),
    'expired',
  )
  for (const made of [
    purchaseToken('another secret', { customerId: 'contract-17', expiresAt: inAnHour }),
    token.slice(0, -1),
    token.replace(/^own\.\d/, 'own.9'),
    'own.',
    '',
  ])
    assert.equal(await refusalOf(made, without), 'unknown')
})

import assert from 'node:assert/strict'
import http from 'node:http'
import { isIP } from 'node:net'
import { after, before, test } from 'node:test'
import { loadConfig, makeLog, OutgoingGate } from '@fairway/platform'
import { postWebhook } from './post-webhook.ts'

let server: http.Server
let port: number
const seen: { url: string; host: string; body: string }[] = []
before(async () => {
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push({ url: request.url ?? '', host: request.headers.host ?? '', body: Buffer.concat(chunks).toString() })
      if (request.url === '/away') response.writeHead(302, { location: '/landed' }).end()
      else if (request.url === '/long') response.end('x'.repeat(100_000))
      else if (request.url !== '/silent') response.writeHead(201).end('taken')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const sender = { organizationId: 'o1', purpose: 'webhook' } as const
const gateWith = (addresses: readonly string[], privateNetworks: string) => {
  const config = loadConfig({ FAIRWAY_PRIVATE_NETWORKS: privateNetworks, FAIRWAY_LOG_LEVEL: 'error' })
  const names = {
    addressesOf: async (host: string) => (isIP(host) ? [host] : [...addresses]),
    aliasOf: async () => null,
    namesOf: async () => [],
    textsOf: async () => [],
  }
  return new OutgoingGate({ config, log: makeLog('test', config), names })
}
const post = (
  path: string,
  more: { host?: string; allowPrivate?: boolean; timeoutMs?: number; addresses?: string[] } = {},
) =>
  postWebhook({
    url: `http://${more.host ?? 'hooks.example'}:${port}${path}`,
    headers: {},
    body: '{"a":1}',
    gate: gateWith(more.addresses ?? ['127.0.0.1'], more.allowPrivate === false ? '' : '127.0.0.0/8'),
    sender,
    timeoutMs: more.timeoutMs ?? 5_000,
  })

test('a hook is posted to the address that its name stands for, under its name', async () => {
  const answer = await post('/in?x=1')
  assert.deepEqual([answer.status, answer.response, answer.address, answer.problem], [201, 'taken', '127.0.0.1', null])
  assert.deepEqual(seen.at(-1), { url: '/in?x=1', host: `hooks.example:${port}`, body: '{"a":1}' })
})

test('addresses of private networks are not connected to, however they are written', async () => {
  const before = seen.length
  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'inside.example']) {
    const answer = await post('/in', { host, allowPrivate: false })
    assert.deepEqual(
      [answer.status, answer.problem],
      [null, 'the name stands for an address of a private network'],
      host,
    )
  }
  assert.equal(seen.length, before)
})

test('a name whose addresses are all private is not connected to', async () => {
  const answer = await post('/in', { allowPrivate: false, addresses: ['10.0.0.1', '192.168.0.1'] })
  assert.equal(answer.problem, 'the name stands for an address of a private network')
})

test('a redirect is an answer, not a way on', async () => {
  const answer = await post('/away')
  assert.equal(answer.status, 302)
  assert.ok(!seen.some(({ url }) => url === '/landed'))
})

test('of a long answer the beginning is kept', async () => {
  assert.equal((await post('/long')).response?.length, 2_000)
})

test('what does not answer, does not listen or has no address is told as such', async () => {
  assert.match((await post('/silent', { timeoutMs: 50 })).problem ?? '', /no answer within 0.05 s/)
  assert.equal((await post('/in', { addresses: [] })).problem, 'the name has no address')
  const closed = await postWebhook({
    url: 'http://127.0.0.1:1/',
    headers: {},
    body: '{}',
    gate: gateWith([], '127.0.0.0/8'),
    sender,
  })
  assert.match(closed.problem ?? '', /ECONNREFUSED/)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { ConfigError, loadConfig } from '../config.ts'
import type { LogFields } from '../log.ts'
import { OutgoingGate, OutgoingRefusal, type Sender } from './gate.ts'

const SENDER: Sender = { organizationId: 'o1', purpose: 'webhook' }
const reached: string[] = []
let port: number
const inner = http.createServer((request, response) => {
  reached.push(`${request.headers.host} ${request.url}`)
  const [, way, to] = /^\/(to|long)\/?(.*)$/.exec(request.url ?? '') ?? []
  if (way === 'to') response.writeHead(302, { location: decodeURIComponent(to ?? '') }).end()
  else response.end(way === 'long' ? 'x'.repeat(200_000) : 'inside')
})
before(async () => {
  await once(inner.listen(0, '127.0.0.1'), 'listening')
  port = (inner.address() as AddressInfo).port
})
after(() => {
  inner.closeAllConnections()
  inner.close()
})
beforeEach(() => void (reached.length = 0))

/** `answers` are what the resolver says, one after the other; the last one from then on. */
function gateWith(answers: string[][], settings: Record<string, string> = {}, clock = () => 0) {
  const lines: LogFields[] = []
  const take = (fields: LogFields) => void lines.push(fields)
  const log = { debug: take, info: take, warn: take, error: take, child: () => log }
  let asked = 0
  const names = {
    addressesOf: async () => answers[Math.min(asked++, answers.length - 1)] ?? [],
    aliasOf: async () => null,
    namesOf: async () => [],
    textsOf: async () => [],
  }
  return { gate: new OutgoingGate({ config: loadConfig(settings), log, clock, names }), lines, asked: () => asked }
}
const get = (gate: OutgoingGate, path = '/', more: { redirects?: number; mostBytes?: number } = {}) =>
  gate.exchange(SENDER, {
    url: new URL(`http://name.example:${port}${path}`),
    timeoutMs: 2_000,
    mostBytes: 100_000,
    ...more,
  })
const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: unknown) => (error instanceof OutgoingRefusal ? error.reason : String(error)),
  )

test('what leads inside is not connected to, and is written down with organisation, purpose and reason', async () => {
  const { gate, lines } = gateWith([['127.0.0.1', '::1']])
  assert.equal(await reasonOf(get(gate)), 'private-address')
  assert.deepEqual(reached, [])
  assert.deepEqual(lines, [
    {
      event: 'outgoing.refused',
      organization: 'o1',
      purpose: 'webhook',
      host: 'name.example',
      port,
      reason: 'private-address',
    },
  ])
})

test('a name that answers a public address first and an inner one then (rebinding) never leads inside', async () => {
  const { gate, asked } = gateWith([['8.8.8.8'], ['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['127.0.0.1', '8.8.8.8']])
  const peerOf = async () => (await gate.admit(SENDER, { host: 'name.example', port })).host
  assert.equal(await peerOf(), '8.8.8.8')
  assert.equal(asked(), 1, 'what was checked is what is connected to: nobody asks again in between')
  assert.equal(await reasonOf(peerOf()), 'private-address')
  assert.deepEqual([await peerOf(), await peerOf()], ['8.8.8.8', '8.8.8.8'])
  const { request, peer } = await gateWith([['8.8.8.8'], ['127.0.0.1']]).gate.request(SENDER, {
    url: new URL(`http://name.example:${port}/`),
    timeoutMs: 200,
    mostBytes: 1,
  })
  await once(request.end(), 'error')
  assert.deepEqual([peer.host, reached], ['8.8.8.8', []])
})

test('the request goes to the checked address under the name that was asked for', async () => {
  const { gate } = gateWith([['127.0.0.1']], { FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8' })
  const { status, body } = await get(gate, '/a?b=c')
  assert.deepEqual([status, body.toString(), reached], [200, 'inside', [`name.example:${port} /a?b=c`]])
})

test('a listed network is open with all its ports, a listed address with a port at that port only', () => {
  const { gate } = gateWith([], { FAIRWAY_PRIVATE_NETWORKS: '10.1.0.0/16, 127.0.0.1:8070,fd00::/8,[::1]:53' })
  const open: [string, number | null][] = [
    ['10.1.2.3', 1],
    ['10.1.2.3', null],
    ['::ffff:10.1.2.3', 80],
    ['127.0.0.1', 8070],
    ['fd12::1', 443],
    ['::1', 53],
    ['8.8.8.8', null],
  ]
  const closed: [string, number | null][] = [
    ['10.2.0.1', 1],
    ['127.0.0.1', 8071],
    ['127.0.0.1', null],
    ['127.0.0.2', 8070],
    ['fe80::1', 443],
    ['::1', 54],
    ['64:ff9b::a01:203', 80],
    ['not an address', 80],
  ]
  assert.deepEqual(
    [open.filter((one) => !gate.reaches(...one)), closed.filter((one) => gate.reaches(...one))],
    [[], []],
  )
  for (const wrong of ['10.0.0.0/33', 'localhost', '10.0.0.1:0', '10.0.0.1:70000', '::1:53:', '10.0.0.0/8;'])
    assert.throws(() => loadConfig({ FAIRWAY_PRIVATE_NETWORKS: wrong }), ConfigError, wrong)
})

test('each redirect is checked anew, and only as many are followed as were asked for', async () => {
  const listed = { FAIRWAY_PRIVATE_NETWORKS: `127.0.0.1:${port}` }
  const to = (address: string) => `/to/${encodeURIComponent(address)}`
  const outside = gateWith([['127.0.0.1'], ['169.254.169.254']], listed).gate
  assert.equal(await reasonOf(get(outside, to('http://meta.example/'), { redirects: 3 })), 'private-address')
  const again = gateWith([['127.0.0.1']], listed).gate
  assert.equal((await get(again, to(`http://name.example:${port}/x`), { redirects: 1 })).status, 200)
  assert.equal((await get(again, to(to('/x')), { redirects: 1 })).status, 302)
  assert.equal((await get(again, to(`http://name.example:${port}/x`))).status, 302)
  assert.equal((await get(again, to('file:///etc/passwd'), { redirects: 3 })).status, 302)
})

test('an answer beyond its bound is cut', async () => {
  const { gate } = gateWith([['127.0.0.1']], { FAIRWAY_PRIVATE_NETWORKS: '127.0.0.1' })
  assert.match(await reasonOf(get(gate, '/long', { mostBytes: 1_000 })), /longer than 1000 bytes/)
  assert.equal((await get(gate, '/long', { mostBytes: 200_000 })).body.length, 200_000)
})

test('a resolver that never answers holds nobody longer than the time that was given', async () => {
  const never = {
    addressesOf: () => new Promise<string[]>(() => {}),
    aliasOf: async () => null,
    namesOf: async () => [],
    textsOf: async () => [],
  }
  const { gate } = gateWith([])
  const silent = new OutgoingGate({
    config: loadConfig({}),
    log: { debug() {}, info() {}, warn() {}, error() {}, child: () => assert.fail() },
    names: never,
  })
  const asked = silent.exchange(SENDER, { url: new URL('http://name.example/'), timeoutMs: 30, mostBytes: 1 })
  assert.match(await reasonOf(asked), /TimeoutError/)
  assert.equal(await reasonOf(get(gate)), 'unresolved')
})

test('an organisation opens no more than its rate, and takes nothing from another one', async () => {
  let now = 0
  const { gate } = gateWith([['8.8.8.8']], { FAIRWAY_OUTGOING_RATE: '2' }, () => now)
  const admit = (organizationId: string | null) =>
    reasonOf(gate.admit({ organizationId, purpose: 'probe' }, { host: 'name.example', port: 80 }))
  const many = async (organizationId: string | null, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => admit(organizationId)))).filter((one) => one === 'opened')
      .length
  assert.equal(await many('o1', 100), 20)
  assert.equal(await many('o2', 10), 10)
  assert.equal(await many(null, 100), 100)
  now += 3_000
  assert.equal(await many('o1', 100), 6)
  assert.equal(await admit('o1'), 'too-many')
})

test('what is refused each second is written down once a minute, with how often', async () => {
  let now = 0
  const { gate, lines } = gateWith([['10.0.0.1']], {}, () => now)
  for (; now < 120_000; now += 1_000) await reasonOf(gate.admit(SENDER, { host: 'name.example', port: 80 }))
  assert.deepEqual(
    lines.map(({ repeated }) => repeated),
    [undefined, 59],
  )
})

test('whatever the resolver answers, nothing but a public address is ever handed out', async () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('127.0.0.1', '10.0.0.1', 'x', '', 'fe80::1%lo'))
  await fc.assert(
    fc.asyncProperty(fc.array(address, { maxLength: 4 }), async (answers) => {
      const { gate } = gateWith([answers])
      const peer = await gate
        .admit({ ...SENDER, organizationId: null }, { host: 'n.example', port: 80 })
        .catch(() => null)
      return peer === null ? !answers.some((one) => gate.reaches(one, 80)) : gateWith([]).gate.reaches(peer.host, null)
    }),
  )
})

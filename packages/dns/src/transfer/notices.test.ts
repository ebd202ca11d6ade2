import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import dnsPacket from 'dns-packet'
import { signRequest } from '@fairway/platform'
import { ask, askUdp, serve, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

const KEY = { name: 'hidden', algorithm: 'hmac-sha384', secret: crypto.randomBytes(32) }
const primary = (expired = false, addresses = ['127.0.0.1']) => ({
  addresses,
  key: { name: KEY.name, algorithm: KEY.algorithm, sealedSecret: KEY.secret.toString('base64') },
  expired,
})
const zone = (origin: string, extra = {}) => zoneOf(origin, 'www 300 A 192.0.2.1\nout 300 CNAME www.kept.test.', extra)

const heard: string[] = []
let served: Served
before(async () => {
  served = await serve(
    [
      zone('kept.test', { primary: primary() }),
      zone('far.test', { primary: primary(false, ['192.0.2.53', '2001:db8::53']) }),
      zone('own.test'),
    ],
    { noticed: (zoneId) => heard.push(zoneId) },
  )
})
after(() => served[Symbol.asyncDispose]())
beforeEach(() => heard.splice(0))

const notice = (name: string, type = 'SOA') =>
  dnsPacket.encode({ type: 'query', opcode: 'NOTIFY', id: 77, flags: 4 << 11, questions: [{ type, name }] })
const rcodeOf = async (message: Buffer) => {
  const answer = await askUdp(served.at, message)
  assert.deepEqual([answer.readUInt16BE(0), (answer[2] ?? 0) >> 3], [77, 0x10 | 4], 'a response to a NOTIFY')
  return (answer[3] ?? 0) & 15
}

test('a primary is heard by its address, with and without a signature, and answered the way it asked', async () => {
  assert.equal(await rcodeOf(notice('KEPT.test')), 0)
  const signed = signRequest(notice('kept.test'), KEY, Date.now())
  assert.equal(await rcodeOf(signed), 0)
  assert.equal((await askUdp(served.at, signed)).readUInt16BE(10), 1, 'signed too')
  assert.deepEqual(heard, ['site-kept.test', 'site-kept.test', 'site-kept.test'])
})

test('nobody else is: other addresses, zones that are kept here, names inside, other types, wrong keys', async () => {
  for (const message of [
    notice('far.test'),
    notice('own.test'),
    notice('www.kept.test'),
    notice('kept.test', 'A'),
    notice('elsewhere.test'),
  ])
    assert.equal(await rcodeOf(message), 5)
  for (const key of [
    { ...KEY, secret: crypto.randomBytes(32) },
    { ...KEY, name: 'other' },
    { ...KEY, algorithm: 'hmac-sha1' },
  ])
    assert.equal(await rcodeOf(signRequest(notice('kept.test'), key, Date.now())), 9)
  assert.equal(await rcodeOf(signRequest(notice('kept.test'), KEY, Date.now() - 3_600_000)), 9)
  assert.deepEqual(heard, [])
})

test('a zone that has expired answers SERVFAIL and says why, goes to nobody, and comes back', async () => {
  await served.put(zone('kept.test', { primary: primary(true) }))
  for (const type of ['A', 'SOA', 'TXT']) {
    const answer = await ask(served.at, 'www.kept.test', { type, udpPayloadSize: 1232 })
    const told = answer.additionals.at(0)?.options?.find((one) => one.code === 15) as { data?: Buffer } | undefined
    assert.deepEqual(
      [answer.rcode, answer.flag_aa, answer.answers.length, told?.data?.readUInt16BE(0)],
      ['SERVFAIL', false, 0, 24],
    )
  }
  const through = await ask(served.at, 'out.own.test')
  assert.deepEqual(
    [through.rcode, through.answers.map(({ type }) => type)],
    ['NOERROR', ['CNAME']],
    'who points to it answers that much',
  )
  served.transfers.set('org-1', {
    organizationId: 'org-1',
    version: 1,
    peers: [{ keyName: 'mine', sealedSecret: KEY.secret.toString('base64'), notify: null }],
  })
  const question = signRequest(
    dnsPacket.encode({ type: 'query', id: 7, questions: [{ type: 'AXFR', name: 'kept.test' }] }),
    { name: 'mine', secret: KEY.secret },
    Date.now(),
  )
  const [message] = [...(served.handler.transfer(question, '192.0.2.1') ?? [])]
  assert.deepEqual([(message?.[3] ?? 0) & 15, message?.readUInt16BE(6)], [2, 0])
  await served.put(zone('kept.test', { primary: primary() }))
  assert.equal((await ask(served.at, 'www.kept.test')).answers.length, 1)
})

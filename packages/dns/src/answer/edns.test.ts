import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import dnsPacket from 'dns-packet'
import { ask, askUdp, serve, type Served } from '../testing/server-fixture.ts'
import { Peer } from '../wire/peer.ts'
import { zoneOf } from '../testing/zone-fixture.ts'

let served: Served
before(async () => {
  served = await serve([zoneOf('example.test', 'www 300 A 192.0.2.1')])
})
after(() => served[Symbol.asyncDispose]())

/** A query for www.example.test A with these bytes as its additional section. */
function query(additionals: number, bytes: number[]): Buffer {
  const plain = dnsPacket.encode({ type: 'query', id: 99, questions: [{ type: 'A', name: 'www.example.test' }] })
  plain.writeUInt16BE(additionals, 10)
  return Buffer.concat([plain, Buffer.from(bytes)])
}
/** An OPT record: version, flags, options. */
const opt = ({ owner = [0], version = 0, flags = 0, udp = 1232, options = [] as number[] } = {}) => [
  ...owner,
  0,
  41,
  udp >> 8,
  udp & 255,
  0,
  version,
  flags >> 8,
  flags & 255,
  options.length >> 8,
  options.length & 255,
  ...options,
]
const option = (code: number, data: number[]) => [code >> 8, code & 255, data.length >> 8, data.length & 255, ...data]
const subnet = (data: number[]) => opt({ options: option(8, data) })

const rcodeOf = async (message: Buffer) => {
  const answer = dnsPacket.decode(await askUdp(served.at, message))
  const found = answer.additionals.find((record) => record.type === 'OPT')
  return {
    rcode: answer.rcode,
    opt: found !== undefined,
    extended: found?.extendedRcode ?? 0,
    options: found?.options ?? [],
  }
}

test('who sends no OPT gets none', async () => {
  assert.deepEqual((await ask(served.at, 'www.example.test')).additionals, [])
})

test('who sends OPT gets ours, with DO as it was', async () => {
  for (const dnssecOk of [true, false]) {
    const answer = await ask(served.at, 'www.example.test', { edns: true, dnssecOk })
    const [found] = answer.additionals
    assert.deepEqual(
      [found?.type, found?.udpPayloadSize, found?.ednsVersion, found?.flag_do],
      ['OPT', 1232, 0, dnssecOk],
    )
  }
})

test('unknown flags and options are ignored and not sent back', async () => {
  const answer = await askUdp(
    served.at,
    query(1, opt({ flags: 0x7fff, options: [...option(9, []), ...option(65001, [])] })),
  )
  assert.deepEqual([...answer.subarray(-11)], opt())
})

test('another version of EDNS gets BADVERS and no answer', async () => {
  const answer = await rcodeOf(query(1, opt({ version: 1, options: [1, 2, 3] })))
  assert.deepEqual(answer, { rcode: 'NOERROR', opt: true, extended: 1, options: [] })
})

const malformed: Record<string, Buffer> = {
  'two OPT records': query(2, [...opt(), ...opt()]),
  'OPT with a name': query(1, opt({ owner: [1, 97, 0] })),
  'an option longer than its record': query(1, opt({ options: [0, 8, 0, 9, 0] })),
  'half an option': query(1, opt({ options: [0, 8, 0] })),
  'OPT longer than the message': query(1, opt().slice(0, -1)),
  'fewer records than announced': query(2, opt()),
  'bytes after the end': query(1, [...opt(), 0]),
  'bytes after a plain question': query(0, [1]),
  'OPT in the authority section': (() => {
    const message = query(0, opt())
    message.writeUInt16BE(1, 8)
    return message
  })(),
  'two questions': (() => {
    const message = query(0, [0, 0, 1, 0, 1])
    message.writeUInt16BE(2, 4)
    return message
  })(),
  'no question': Buffer.from([0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  'a compressed question': Buffer.from([0, 99, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1]),
  'a label of 64 bytes': Buffer.from([
    0,
    99,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    64,
    ...new Array<number>(64).fill(97),
    0,
    0,
    1,
    0,
    1,
  ]),
  'a name of 256 bytes': Buffer.from([
    0,
    99,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    ...Array.from({ length: 127 }, () => [1, 97]).flat(),
    1,
    97,
    0,
    0,
    1,
    0,
    1,
  ]),
  'a question that breaks off': Buffer.from([0, 99, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 0, 0, 1]),
  'an answer in the query': (() => {
    const message = query(0, [])
    message.writeUInt16BE(1, 6)
    return message
  })(),
  'a subnet of an unknown family': query(1, subnet([0, 3, 0, 0])),
  'a subnet of family 0 with an address': query(1, subnet([0, 0, 8, 0, 1])),
  'a subnet with too few address bytes': query(1, subnet([0, 1, 24, 0, 192, 0])),
  'a subnet with too many address bytes': query(1, subnet([0, 1, 24, 0, 192, 0, 2, 0])),
  'a subnet with bits beyond its prefix': query(1, subnet([0, 1, 20, 0, 192, 0, 0x28])),
  'a subnet with a scope': query(1, subnet([0, 1, 24, 24, 192, 0, 2])),
  'an IPv4 subnet of 33 bits': query(1, subnet([0, 1, 33, 0, 192, 0, 2, 0, 0])),
  'an IPv6 subnet of 129 bits': query(1, subnet([0, 2, 129, 0, ...new Array<number>(17).fill(0)])),
  'a subnet option of three bytes': query(1, subnet([0, 1, 0])),
}
for (const [what, message] of Object.entries(malformed)) {
  test(`${what} is a format error`, async () => {
    assert.equal((await rcodeOf(message)).rcode, 'FORMERR')
  })
}

test('a subnet is echoed as it was sent, with scope 0 where nothing is steered', async () => {
  for (const data of [
    [0, 1, 24, 0, 192, 0, 2],
    [0, 1, 0, 0],
    [0, 0, 0, 0],
    [0, 2, 56, 0, 0x20, 1, 0xd, 0xb8, 0, 1, 0],
    [0, 2, 0, 0],
    [0, 1, 13, 0, 192, 0],
  ]) {
    const answer = await askUdp(served.at, query(1, subnet(data)))
    assert.deepEqual([...answer.subarray(-4 - data.length)], option(8, data))
  }
})

test('a name that is not ours, or does not exist, echoes the subnet too', async () => {
  for (const name of ['nothing.example.test', 'www.elsewhere.test']) {
    const found = (await ask(served.at, name, { subnet: '192.0.2.0/24' })).additionals.at(0)?.options?.at(0)
    assert.deepEqual([found?.sourcePrefixLength, found?.scopePrefixLength, found?.ip], [24, 0, '192.0.2.0'])
  }
})

test('a response is never answered', async () => {
  const message = query(0, [])
  message[2] = 0x80
  const ours = dnsPacket.encode({ type: 'query', id: 5, questions: [{ type: 'A', name: 'www.example.test' }] })
  const out = Buffer.alloc(1232)
  assert.equal(served.answerer.answer(message, message.length, new Peer().setText('127.0.0.1'), 'udp', out), 0)
  assert.equal(served.answerer.answer(ours.subarray(0, 11), 11, new Peer().setText('127.0.0.1'), 'udp', out), 0)
  assert.ok(served.answerer.answer(ours, ours.length, new Peer().setText('127.0.0.1'), 'udp', out) > 0)
})

test('a cookie is answered with one of ours, and a cookie of a wrong length is malformed', async () => {
  const client = [1, 2, 3, 4, 5, 6, 7, 8]
  const answer = await askUdp(served.at, query(1, opt({ options: option(10, client) })))
  const found = [...answer.subarray(-28)]
  assert.deepEqual([found.slice(0, 4), found.slice(4, 12), found.slice(12, 16)], [[0, 10, 0, 24], client, [1, 0, 0, 0]])
  const again = await askUdp(served.at, query(1, opt({ options: option(10, found.slice(4)) })))
  assert.deepEqual([...again.subarray(-24, -16)], client)
  for (const length of [0, 7, 9, 15, 41]) {
    const { rcode, options } = await rcodeOf(
      query(
        1,
        opt({
          options: option(
            10,
            Array.from({ length }, () => 0),
          ),
        }),
      ),
    )
    // To send back eight bytes of what has fewer would be to read behind the packet.
    assert.deepEqual([rcode, options], ['FORMERR', []], String(length))
  }
})

test('refusals say why: not our zone, a transfer that is not allowed, a type that is none', async () => {
  const told = async (name: string, type: string) => {
    const answer = await ask(served.at, name, { type, udpPayloadSize: 1232 })
    const code = answer.additionals.at(0)?.options?.find((one) => one.code === 15) as { data?: Buffer } | undefined
    return [answer.rcode, code?.data?.readUInt16BE(0)]
  }
  assert.deepEqual(await told('www.elsewhere.test', 'A'), ['REFUSED', 20])
  assert.deepEqual(await told('example.test', 'AXFR'), ['REFUSED', 18])
  assert.deepEqual(await told('www.example.test', 'UNKNOWN_128'), ['FORMERR', 30])
  assert.deepEqual(await told('www.example.test', 'A'), ['NOERROR', undefined])
})

test('who asks which server answers is told its name, and nobody else is (RFC 5001)', async () => {
  served.answerer.identify('ams-1')
  const answer = await askUdp(served.at, query(1, opt({ options: option(3, []) })))
  assert.equal(answer.subarray(-9).toString('latin1'), '\0\x03\0\x05ams-1')
  assert.deepEqual((await rcodeOf(query(1, opt()))).options, [])
})

test('an unknown opcode is answered in EDNS to who speaks it (RFC 6891 6.1.1)', async () => {
  const message = query(1, opt())
  message[2] = 5 << 3
  assert.deepEqual(await rcodeOf(message), { rcode: 'NOTIMP', opt: true, extended: 0, options: [] })
})

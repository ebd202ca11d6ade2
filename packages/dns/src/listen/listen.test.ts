import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { once } from 'node:events'
import dnsPacket from 'dns-packet'
import type { Log, LogFields } from '@fairway/platform'
import { askTcp, ask, serve, silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { TCP_LIMITS } from './tcp-limits.ts'

const ZONE = zoneOf('example.test', 'www 300 A 192.0.2.1')
const query = (id: number) =>
  dnsPacket.encode({ type: 'query', id, questions: [{ type: 'A', name: 'www.example.test' }] })
const framed = (message: Buffer) => Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])

test('a query that arrives in pieces is answered when it is whole', async () => {
  await using served = await serve([ZONE])
  const socket = net.connect(served.at.port, served.at.host)
  socket.setNoDelay(true)
  for (const byte of framed(query(7))) {
    socket.write(Buffer.from([byte]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.equal(dnsPacket.decode(answer.subarray(2)).id, 7)
  socket.destroy()
})

test('a thousand queries at once on one connection are all answered', async () => {
  await using served = await serve([ZONE])
  const answers = await askTcp(
    served.at,
    Array.from({ length: 1000 }, (_, id) => query(id)),
  )
  assert.deepEqual(
    answers.map((answer) => answer.readUInt16BE(0)),
    Array.from({ length: 1000 }, (_, id) => id),
  )
})

test('a client that has sent all and closes its side still gets the answers', async () => {
  await using served = await serve([ZONE])
  const socket = net.connect(served.at.port, served.at.host)
  socket.end(framed(query(9)))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.equal(dnsPacket.decode(answer.subarray(2)).id, 9)
  await once(socket, 'close')
})

test('one peer has only so many connections, and a closed one makes room', async () => {
  await using served = await serve([ZONE], { tcpLimits: { ...TCP_LIMITS, connectionsPerPeer: 2 } })
  const open = async () => {
    const socket = net.connect(served.at.port, served.at.host)
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const answers = async (socket: net.Socket) => {
    socket.write(framed(query(1)))
    return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
  }
  const [first, second] = [await open(), await open()]
  assert.deepEqual([await answers(first), await answers(second)], [true, true])
  assert.equal(await answers(await open()), false)
  first.end()
  await once(first, 'close')
  const again = await open()
  assert.equal(await answers(again), true)
  for (const socket of [second, again]) socket.destroy()
})

test('who sends bytes but no whole query loses the connection', async () => {
  await using served = await serve([ZONE], { tcpLimits: { ...TCP_LIMITS, idleMs: 200 } })
  const socket = net.connect(served.at.port, served.at.host)
  // A byte that meets the closed connection is answered by a reset, which is no failure here.
  socket.on('error', () => {})
  const drip = setInterval(() => socket.write(Buffer.from([0])), 20)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(drip)
})

test('a fault of ours is SERVFAIL for one, one line in the log, and no harm to the next', async () => {
  const lines: LogFields[] = []
  const log: Log = { ...silentLog, error: (fields) => void lines.push(fields), child: () => log }
  await using served = await serve([ZONE], { log })
  const fault = () => {
    throw new Error('a fault of ours')
  }
  const { find } = served.zones
  served.zones.find = fault
  for (let i = 0; i < 3; i++) {
    const answer = await ask(served.at, 'www.example.test', { edns: true })
    assert.deepEqual([answer.rcode, answer.questions.length, answer.additionals.length], ['SERVFAIL', 1, 1])
  }
  served.zones.find = find
  assert.equal((await ask(served.at, 'www.example.test')).rcode, 'NOERROR')
  assert.deepEqual([served.handler.failures, lines.map((line) => line.event)], [3, ['answer.failed']])
})

test('an observer that fails costs no answer', async () => {
  await using served = await serve([ZONE], {
    observe: () => {
      throw new Error('observer')
    },
  })
  assert.equal((await ask(served.at, 'www.example.test')).rcode, 'NOERROR')
})

test('a server that leaves answers what was asked, ends who asks nothing, and takes nobody new', async () => {
  await using served = await serve([ZONE])
  const idle = net.connect(served.at.port, served.at.host)
  await once(idle, 'connect')
  const asking = net.connect(served.at.port, served.at.host)
  const half = framed(query(8))
  asking.write(Buffer.concat([framed(query(7)), half.subarray(0, 5)]))
  const [first] = (await once(asking, 'data')) as [Buffer]
  assert.equal(dnsPacket.decode(first.subarray(2)).id, 7)
  const left = served.leave()
  asking.write(half.subarray(5))
  const [second] = (await once(asking, 'data')) as [Buffer]
  assert.equal(dnsPacket.decode(second.subarray(2)).id, 8)
  await Promise.all([left, once(idle.resume(), 'close'), once(asking.resume(), 'close')])
  const late = net.connect(served.at.port, served.at.host)
  assert.equal(((await once(late, 'error')) as [NodeJS.ErrnoException])[0].code, 'ECONNREFUSED')
})

/** An answer of some 60 KB, as a customer may make in a zone of his own. */
const LARGE = zoneOf(
  'large.test',
  Array.from({ length: 235 }, (_, at) => `txt 300 TXT "${String(at).padStart(4, '0').repeat(60)}"`).join('\n'),
)
const largeQuery = framed(
  dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'TXT', name: 'txt.large.test' }] }),
)

test('who asks for much and reads nothing is answered no more than his share, and read again when he reads', async () => {
  await using served = await serve([ZONE, LARGE])
  const seen = { answered: 0, bytes: 0 }
  const { handle } = served.handler
  served.handler.handle = (...given) => {
    if (given[3] === 'tcp') seen.answered++
    return handle.apply(served.handler, given)
  }
  const socket = net.connect(served.at.port, served.at.host)
  await once(socket, 'connect')
  socket.pause()
  socket.write(Buffer.concat(Array.from({ length: 1500 }, () => largeQuery)))
  let before = -1
  // Each question over UDP is a turn of the server's; it answers no more when none brings another answer.
  while (before !== seen.answered || seen.answered === 0) {
    before = seen.answered
    for (let i = 0; i < 20; i++) assert.equal((await ask(served.at, 'www.example.test')).rcode, 'NOERROR')
  }
  assert.ok(seen.answered < 200, `${seen.answered} of 1500 large answers were made for who reads nothing`)
  socket.on('data', (chunk: Buffer) => void (seen.bytes += chunk.length))
  socket.resume()
  while (seen.answered < 1500) await once(socket, 'data')
  const whole = 1500 * (2 + (await ask(served.at, 'txt.large.test', { type: 'TXT', transport: 'tcp' })).bytes)
  for (; seen.bytes < whole;) await once(socket, 'data')
  assert.equal(seen.bytes, whole)
  socket.destroy()
})

test('of those who read nothing the one who has waited longest makes room, and others are answered', async () => {
  const limits = { ...TCP_LIMITS, unsentBytes: 1 << 20 }
  await using served = await serve([ZONE, LARGE], { tcpLimits: limits })
  const many = Array.from({ length: 40 }, () => {
    const socket = net.connect(served.at.port, served.at.host)
    socket.on('error', () => {})
    socket.pause()
    socket.write(Buffer.concat(Array.from({ length: 200 }, () => largeQuery)))
    return socket
  })
  const ids = async () => (await askTcp(served.at, [query(1), query(2)])).map((answer) => answer.readUInt16BE(0))
  for (let i = 0; i < 20; i++) assert.deepEqual(await ids(), [1, 2])
  const whole = 200 * (2 + (await ask(served.at, 'txt.large.test', { type: 'TXT', transport: 'tcp' })).bytes)
  const got = await Promise.all(
    many.map(async (socket) => {
      let bytes = 0
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes === whole) socket.destroy()
      })
      socket.resume()
      if (!socket.closed) await once(socket, 'close')
      return bytes
    }),
  )
  assert.ok((got[0] ?? whole) < whole, 'the first has made room')
  assert.equal(got.at(-1), whole, 'the last has not')
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { test } from 'node:test'
import dnsPacket, { type Answer } from 'dns-packet'
import { ownPeer } from '../outgoing/peer.ts'
import { transferZone } from './dns-stream.ts'

const SOA: Answer = {
  type: 'SOA',
  name: 'tarpit.test',
  ttl: 60,
  data: { mname: 'ns.test', rname: 'h.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
}
const text = (name: string, characters: number): Answer => ({
  type: 'TXT',
  name: `${name}.tarpit.test`,
  ttl: 60,
  data: Array.from({ length: Math.ceil(characters / 200) }, () => 'x'.repeat(Math.min(200, characters))),
})
const BOUNDS = { timeoutMs: 20_000, quietMs: 10_000, most: 20_000, mostBytes: 2 ** 20, longest: 4_096 }

/** A name server that says by itself what a transfer is answered with. */
async function nameServer(answer: (send: (answers: Answer[]) => void, socket: Socket) => void) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (query: Buffer) => {
      const id = query.readUInt16BE(2)
      answer((answers) => {
        const message = dnsPacket.encode({ type: 'response', id, flags: 0, questions: [], answers, additionals: [] })
        const length = Buffer.alloc(2)
        length.writeUInt16BE(message.length)
        socket.write(Buffer.concat([length, message]))
      }, socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    at: ownPeer({ host: '127.0.0.1', port: address.port }),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

test('a zone of huge records is left before it fills the memory', async () => {
  let sent = 0
  await using server = await nameServer((send, socket) => {
    send([SOA])
    const more = () => {
      while (sent < 2_000 && !socket.destroyed) {
        send([text(`huge${sent++}`, 60_000)])
        if (socket.writableNeedDrain) return void socket.once('drain', more)
      }
      if (!socket.destroyed) send([SOA])
    }
    more()
  })
  assert.equal(await transferZone(server.at, 'tarpit.test', BOUNDS), null)
  assert.ok(sent < 2_000, `${sent} records of 60 kB were sent`)
})

test('a record whose value is longer than anybody writes is left out of the zone, others are not', async () => {
  await using server = await nameServer((send) => send([SOA, text('short', 40), text('long', 5_000), SOA]))
  const records = await transferZone(server.at, 'tarpit.test', BOUNDS)
  assert.deepEqual(
    records?.map(({ name }) => name),
    ['tarpit.test', 'short.tarpit.test'],
  )
})

test('a server that falls silent within a transfer is left long before the time is up', async () => {
  await using server = await nameServer((send) => send([SOA]))
  const began = performance.now()
  assert.equal(await transferZone(server.at, 'tarpit.test', { ...BOUNDS, quietMs: 200 }), null)
  assert.ok(performance.now() - began < 10_000)
})

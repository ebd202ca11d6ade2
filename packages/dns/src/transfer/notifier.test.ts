import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { loadConfig, OutgoingGate } from '@fairway/platform'
import { Secondaries } from '../builder/secondaries.ts'
import { compileZone } from '../segment/compile.ts'
import { Segment } from '../segment/segment.ts'
import { openKey } from '../testing/key-fixture.ts'
import { silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { Notifier } from './notifier.ts'

const HOST = '127.0.0.88'

test('notices beyond the rate of an organisation wait for their turn, the newest of each zone', async () => {
  const socket = dgram.createSocket('udp4')
  await once(socket.bind(0, HOST), 'listening')
  // On a busy machine one may be sent again before its answer is there.
  const heard = new Set<string>()
  socket.on('message', (message, { port, address }) => {
    // The label of the zone, and the one byte that stands for its SOA.
    heard.add(`${message.toString('latin1', 13, 15)} ${message[22]}`)
    const answer = Buffer.from(message.subarray(0, 12))
    answer.writeUInt8((answer[2] ?? 0) | 0x80, 2)
    socket.send(answer, port, address)
  })
  const config = loadConfig({ FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8', FAIRWAY_OUTGOING_RATE: '1' })
  // Ten at once; time goes on whenever somebody asks for it.
  let now = 0
  const gate = new OutgoingGate({ config, log: silentLog, clock: () => (now += 400) })
  await using notifier = new Notifier(gate, silentLog, Date.now)
  const peer = {
    name: 'mine',
    organizationId: 'o1',
    secret: Buffer.alloc(32),
    notify: `${HOST}:${socket.address().port}`,
  }
  const zone = (at: number, version: number) => ({
    zoneId: `z${at}`,
    origin: Buffer.from(`\u0002${String(at).padStart(2, '0')}\0`, 'latin1'),
    soa: Buffer.from([version]),
  })
  for (let at = 0; at < 20; at++) notifier.notify(zone(at, 1), peer)
  notifier.notify(zone(19, 2), peer)
  while (heard.size < 20) await once(socket, 'message')
  assert.deepEqual(
    [...heard],
    Array.from({ length: 20 }, (_, at) => `${String(at).padStart(2, '0')} ${at === 19 ? 2 : 1}`),
  )
  socket.close()
})

test('what is read at a start is announced to nobody; a secondary that is new hears of every zone', async () => {
  const told: string[] = []
  const notify = ({ zoneId }: { zoneId: string }, { name }: { name: string }) => void told.push(`${name} ${zoneId}`)
  const secondaries = new Secondaries({ notifier: { notify }, openKey, log: silentLog })
  const segmentOf = (version: number) => Segment.open(compileZone(zoneOf('a.test', '', { version }), version))
  const listed = (...names: string[]) => ({
    organizationId: 'org-1',
    version: names.length,
    peers: names.map((keyName) => ({ keyName, sealedSecret: '', notify: `${HOST}:53` })),
  })
  secondaries.served(await segmentOf(1))
  secondaries.set('org-1', listed('one'), { isKnown: true })
  secondaries.set('org-1', listed('one'))
  assert.deepEqual(told, [])
  secondaries.served(await segmentOf(2))
  secondaries.set('org-1', listed('one', 'two'))
  assert.deepEqual(told, ['one site-a.test', 'one site-a.test', 'two site-a.test'])
})

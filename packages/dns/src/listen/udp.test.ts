import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import dnsPacket from 'dns-packet'
import type { HostPort, Log, LogFields } from '@fairway/platform'
import { ask, askUdp, serve, silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { loadLibc, type Libc } from '@fairway/platform/lean'
import { batchesWork } from './self-test.ts'
import { listenUdp, type UdpListener } from './udp.ts'
import type { UdpOptions } from './udp-options.ts'

const ZONE = zoneOf('example.test', 'www 300 A 192.0.2.1')
const libc = loadLibc()
const skip = libc === null && 'this machine has no batches'
const QUERIES = 3000

/**
 * Sends queries with every id at once from some sockets of one client and answers the ids that came back, with where
 * they came from.
 */
async function burst(at: HostPort, count: number): Promise<{ ids: Set<number>; from: Set<string> }> {
  const ids = new Set<number>()
  const from = new Set<string>()
  const sockets = Array.from({ length: 4 }, () =>
    dgram.createSocket({ type: isIPv6(at.host) ? 'udp6' : 'udp4', recvBufferSize: 4 << 20 }),
  )
  const all = Promise.withResolvers<void>()
  for (const socket of sockets) {
    socket.on('message', (message, peer) => {
      const { id, rcode, answers } = dnsPacket.decode(message)
      assert.deepEqual([rcode, answers?.length], ['NOERROR', 1])
      ids.add(id ?? -1)
      from.add(`${peer.address} ${peer.port}`)
      if (ids.size === count) all.resolve()
    })
  }
  // In portions that every machine's socket buffers have room for.
  for (let id = 0; id < count; id += 100) {
    for (let i = id; i < Math.min(count, id + 100); i++)
      sockets[i % sockets.length]?.send(
        dnsPacket.encode({ type: 'query', id: i, questions: [{ type: 'A', name: 'www.example.test' }] }),
        at.port,
        at.host,
      )
    while (ids.size < Math.min(count, id + 100))
      await Promise.race([all.promise, once(sockets[0] ?? assert.fail(), 'message'), sleep(5)])
  }
  for (const socket of sockets) socket.close()
  return { ids, from }
}

for (const transport of ['dgram', 'mmsg'] as const) {
  for (const host of ['127.0.0.1', '127.0.0.77', '::1']) {
    test(
      `bursts from several clients at ${host} are all answered, from where they were asked, by ${transport}`,
      { skip: transport === 'mmsg' && skip },
      async () => {
        await using served = await serve([ZONE], { transport, host })
        const { ids, from } = await burst(served.at, QUERIES)
        assert.equal(ids.size, QUERIES)
        assert.deepEqual([...from], [`${host} ${served.at.port}`])
        const { counters } = served.udp
        assert.deepEqual(
          [served.udp.transport(), counters.batched > 0, counters.faults, counters.sendErrors],
          [transport, transport === 'mmsg', 0, 0],
        )
      },
    )
  }
}

test('batches show that they work before they are used', { skip }, async () => {
  assert.equal(await batchesWork(silentLog), true)
  const mute: Libc = { ...(libc ?? assert.fail()), sendmmsg: (_fd, _headers, count) => count }
  const deaf: Libc = { ...(libc ?? assert.fail()), recvmmsg: () => -1 }
  for (const broken of [mute, deaf])
    assert.equal(await batchesWork(silentLog, { libc: broken, patienceMs: 200 }), false)
})

const HELLO = Buffer.from('a datagram that is no heartbeat')
const told = () => {
  const lines: LogFields[] = []
  const log: Log = { ...silentLog, error: (fields) => void lines.push(fields), child: () => log }
  return { lines, log }
}
const listening = (libcOf: Partial<Libc>, log: Log, more: Partial<UdpOptions> = {}) => {
  const echo: UdpOptions['handler'] = {
    expect() {},
    prefetch() {},
    handle: (bytes, length, _peer, _transport, out) =>
      length < HELLO.length ? 0 : (out.set(bytes.subarray(0, length)), length),
  }
  return listenUdp({
    at: { host: '127.0.0.1', port: 0 },
    handler: echo,
    log,
    transport: 'mmsg',
    libc: { ...(libc ?? assert.fail()), ...libcOf },
    beatMs: 5,
    ...more,
  })
}
const until = async (what: () => boolean) => {
  for (const end = Date.now() + 20_000; !what(); await sleep(5)) assert.ok(Date.now() < end, 'it never came')
}

test('a kernel that takes no batches costs no answer', { skip }, async () => {
  const { lines, log } = told()
  await using listener = await listening({ sendmmsg: () => -1 }, log)
  for (let i = 0; i < 20; i++) assert.deepEqual(await askUdp({ host: '127.0.0.1', port: listener.port }, HELLO), HELLO)
  assert.deepEqual([lines, listener.counters.faults], [[], 0])
})

for (const [what, broken] of Object.entries({
  'gives none': { recvmmsg: () => -1 },
  'sends none and says it did': { sendmmsg: (_fd: number, _headers: bigint, count: number) => count },
})) {
  test(
    `batches of a kernel that ${what} are ended by the watchdog, and the socket is served without`,
    { skip },
    async () => {
      const { lines, log } = told()
      await using listener = await listening(broken, log)
      await until(() => listener.transport() === 'dgram')
      assert.deepEqual(
        lines.map(({ event, goesOnWith }) => `${String(event)} ${String(goesOnWith)}`),
        ['udp.batches-ended mmsg', 'udp.batches-ended mmsg', 'udp.batches-ended mmsg', 'udp.batches-ended dgram'],
      )
      assert.deepEqual(await askUdp({ host: '127.0.0.1', port: listener.port }, HELLO), HELLO)
    },
  )
}

test('a call that throws ends batches at once', { skip }, async () => {
  const { lines, log } = told()
  let calls = 0
  const recvmmsg: Libc['recvmmsg'] = () => {
    calls++
    throw new Error('no such call')
  }
  await using listener = await listening({ recvmmsg }, log, { beatMs: 60_000 })
  const at = { host: '127.0.0.1', port: listener.port }
  const client = dgram.createSocket('udp4').unref()
  await until(() => (client.send(HELLO, at.port, at.host), listener.transport() === 'dgram'))
  assert.deepEqual([lines.length, calls], [4, 4])
  assert.deepEqual(await askUdp(at, HELLO), HELLO)
  client.close()
})

for (const [what, { batch, waits }] of Object.entries({
  'that brings one datagram at a time is not waited for': { batch: 1, waits: 0 },
  'that brings some is waited for a few times in a turn of the event loop': { batch: 2, waits: 10 },
  'that brings full batches is not waited for': { batch: 63, waits: 0 },
})) {
  test(`a kernel ${what}`, { skip }, async () => {
    const turns: number[] = []
    let waited = 0
    const recvmmsg: Libc['recvmmsg'] = () => batch
    const usleep: Libc['usleep'] = () => {
      waited++
      return 0
    }
    await using listener = await listening({ recvmmsg, sendmmsg: (_fd, _headers, count) => count, usleep }, silentLog, {
      beatMs: 60_000,
    })
    const client = dgram.createSocket('udp4').unref()
    for (let turn = 0; turn < 3; turn++) {
      const before = [listener.counters.received, waited] as const
      client.send(HELLO, listener.port, '127.0.0.1')
      await until(() => listener.counters.received > before[0])
      turns.push(waited - before[1])
    }
    assert.deepEqual(turns, [waits, waits, waits])
    client.close()
  })
}

test('the watchdog rests while all is well', { skip }, async () => {
  const { lines, log } = told()
  await using listener = await listening({}, log)
  await until(() => listener.counters.own > 100)
  assert.deepEqual([lines, listener.counters.faults, listener.transport()], [[], 0, 'mmsg'])
})

test(
  'on a shared address each watchdog finds the port that leads to its own process, again when others come and go',
  { skip },
  async () => {
    const { lines, log } = told()
    const at = { host: '127.0.0.1', port: 0 }
    const open = new Set<UdpListener>()
    const kept = async (starting: Promise<UdpListener>) => {
      const listener = await starting
      open.add(listener)
      return listener
    }
    const leave = async (listener: UdpListener) => {
      open.delete(listener)
      await listener[Symbol.asyncDispose]()
    }
    try {
      const first = await kept(listening({}, log, { sharers: 3, beatMs: 20 }))
      const share = () => kept(listening({}, log, { at: { ...at, port: first.port }, sharers: 3, beatMs: 20 }))
      const others = [await share(), await share()]
      const beats = async (listeners: UdpListener[]) => {
        const before = listeners.map(({ counters }) => counters.own)
        await until(() => listeners.every(({ counters }, i) => counters.own > (before[i] ?? 0) + 50))
      }
      await beats([first, ...others])
      await leave(first)
      await beats(others)
      const again = await share()
      await beats([...others, again])
      for (const listener of [...others, again])
        assert.deepEqual([listener.transport(), listener.counters.faults], ['mmsg', 0])
    } finally {
      for (const listener of open) await leave(listener)
    }
    assert.deepEqual(lines, [])
  },
)

test('a socket that goes answers what it holds', { skip }, async () => {
  const listener = await listening({}, silentLog, { beatMs: 60_000 })
  const client = dgram.createSocket('udp4')
  let answered = 0
  const all = new Promise<void>((resolve) => client.on('message', () => void (++answered === 100 && resolve())))
  await new Promise<void>((resolve) => client.bind(0, '127.0.0.1', resolve))
  await Promise.all(
    Array.from(
      { length: 100 },
      () => new Promise((resolve) => client.send(HELLO, listener.port, '127.0.0.1', resolve)),
    ),
  )
  await listener[Symbol.asyncDispose]()
  await all
  client.close()
})

test('an address that is taken is said to be so, whichever the transport', async () => {
  await using served = await serve([ZONE])
  for (const transport of ['dgram', 'mmsg'] as const) {
    await assert.rejects(
      listenUdp({ at: served.at, handler: { expect() {}, prefetch() {}, handle: () => 0 }, log: silentLog, transport }),
      /EADDRINUSE/,
    )
  }
})

test('a query longer than any is refused as malformed', { skip }, async () => {
  await using served = await serve([ZONE], { transport: 'mmsg' })
  const query = dnsPacket.encode({ type: 'query', id: 5, questions: [{ type: 'A', name: 'www.example.test' }] })
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => askUdp(served.at, Buffer.concat([query, Buffer.alloc(8000)]))),
  )
  assert.deepEqual([...new Set(answers.map((answer) => dnsPacket.decode(answer).rcode))], ['FORMERR'])
  assert.equal((await ask(served.at, 'www.example.test')).rcode, 'NOERROR')
})

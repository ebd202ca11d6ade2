import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import tls from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { selfSignedCertificate } from '@fairway/platform'
import { type EdgeUnderTest, eventually, siteOf, startEdgeUnderTest } from '../testing/edge-under-test.ts'

// Connections to origins over TLS stay open and serve the next request of the same website, and of no other (RFC 9112
// 9.3).

type Connection = { socket: tls.TLSSocket; name: string | false; resumed: boolean; requests: string[] }
type TlsOrigin = AsyncDisposable & { port: number; connections: Connection[]; requests: () => string[] }
type Act = (socket: tls.TLSSocket, head: string, number: number) => void

const { certificatePem, keyPem } = selfSignedCertificate(['origin.example.test'], new Date())
const says = (text: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: ${text.length}\r\n${more}\r\n${text}`

let edge: EdgeUnderTest
let version = 0
let workers = 1

before(async () => {
  edge = await startEdgeUnderTest(undefined, { clientHeader: 5, clientBody: 5, origin: 3 })
  workers = fs
    .readFileSync(`/proc/${edge.agent.nginx.pid()}/task/${edge.agent.nginx.pid()}/children`, 'utf8')
    .trim()
    .split(' ').length
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
})

/** An origin that counts its connections; `number` counts the requests of one connection. */
async function tlsOrigin(act: Act, options: tls.TlsOptions = {}): Promise<TlsOrigin> {
  const connections: Connection[] = []
  const server = tls.createServer({ cert: certificatePem, key: keyPem, ...options }, (socket) => {
    const connection: Connection = {
      socket,
      name: (socket as tls.TLSSocket & { servername: string | false }).servername,
      resumed: socket.isSessionReused(),
      requests: [],
    }
    connections.push(connection)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
        if (text.length < end + 4 + length) return
        connection.requests.push(text.slice(0, end))
        text = text.slice(end + 4 + length)
        act(socket, connection.requests.at(-1) ?? '', connection.requests.length - 1)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as net.AddressInfo).port,
    connections,
    requests: () => connections.flatMap(({ requests }) => requests),
    async [Symbol.asyncDispose]() {
      for (const { socket } of connections) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Website = {
  host?: string
  hostHeader?: string
  organizationId?: string
  addresses?: string[]
  keepaliveSeconds?: number
  websocket?: boolean
}
async function publish(port: number, ...websites: Website[]): Promise<void> {
  version += 1
  await edge.publish(
    siteOf(
      'site',
      version,
      websites.map(
        (
          {
            host = 'www.example.test',
            hostHeader = 'origin.example.test',
            addresses = ['127.0.0.1'],
            organizationId = 'org-1',
            keepaliveSeconds = 60,
            websocket = false,
          },
          index,
        ) => ({
          host,
          organizationId,
          domainId: `domain-${version}-${index}`,
          websocket,
          origin: { addresses, port, protocol: 'https', hostHeader, keepaliveSeconds },
        }),
      ),
    ),
  )
}
let asked = 0
const ask = (host = 'www.example.test', method = 'GET') =>
  edge.get(host, `/${asked++}`, { method, ...(method === 'POST' ? { body: 'x' } : {}) })

describe('an origin over TLS', () => {
  it('is asked over one connection again and again, by each worker', async () => {
    await using origin = await tlsOrigin((socket) => void socket.write(says('well')))
    await publish(origin.port, {})
    for (let i = 0; i < 100; i++) assert.equal((await ask()).text, 'well')
    assert.equal(origin.requests().length, 100)
    assert.ok(origin.connections.length <= workers, `${origin.connections.length} connections of ${workers} workers`)
    assert.deepEqual([...new Set(origin.connections.map(({ name }) => name))], ['origin.example.test'])
  })

  for (const [what, answer] of [
    [
      'in chunks',
      'HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwell\r\n0\r\n\r\n',
    ],
    ['without a body', 'HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\n\r\n'],
    ['behind early hints', `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${says('well')}`],
  ] as const) {
    it(`that answers ${what} is asked over the same connection`, async () => {
      await using origin = await tlsOrigin((socket) => void socket.write(answer))
      await publish(origin.port, {})
      for (let i = 0; i < 20; i++) await ask()
      assert.equal(origin.requests().length, 20)
      assert.ok(origin.connections.length <= workers)
    })
  }

  it('that closes each connection by its word is asked over a new one, with the session of the last', async () => {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      await using origin = await tlsOrigin((socket) => void socket.end(says('well', 'Connection: close\r\n')), {
        maxVersion,
        ticketKeys: crypto.randomBytes(48),
      })
      await publish(origin.port, {})
      for (let i = 0; i < 20; i++) assert.equal((await ask()).text, 'well')
      assert.equal(origin.connections.length, 20)
      const full = origin.connections.filter(({ resumed }) => !resumed).length
      assert.ok(full <= workers, `${full} whole handshakes by ${workers} workers over ${maxVersion}`)
    }
  })

  it('that has answered more than it was asked is not asked over that connection again', async () => {
    await using origin = await tlsOrigin(
      (socket) => void socket.write(`${says('well')}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`),
    )
    await publish(origin.port, {})
    for (let i = 0; i < 10; i++) assert.equal((await ask()).text, 'well')
    assert.equal(origin.connections.length, 10)
  })

  it('that knows nothing of the session any more is greeted anew', async () => {
    let server = await tlsOrigin((socket) => void socket.end(says('well', 'Connection: close\r\n')), {
      ticketKeys: crypto.randomBytes(48),
    })
    const { port } = server
    await publish(port, {})
    for (let i = 0; i < 4; i++) await ask()
    await server[Symbol.asyncDispose]()
    const again = tls.createServer(
      { cert: certificatePem, key: keyPem, ticketKeys: crypto.randomBytes(48) },
      (socket) =>
        void socket.on('error', () => {}).once('data', () => socket.end(says('back', 'Connection: close\r\n'))),
    )
    await new Promise<void>((resolve) => again.listen(port, '127.0.0.1', resolve))
    for (let i = 0; i < 8; i++) assert.deepEqual([(await ask()).status], [200])
    again.close()
  })
})

describe('connections to one address are never shared', () => {
  const apart = async (first: Website, second: Website): Promise<void> => {
    await using origin = await tlsOrigin(
      (socket, head) => void socket.write(says(/^host: (.*)$/im.exec(head)?.[1] ?? '')),
    )
    await publish(origin.port, { host: 'a.example.test', ...first }, { host: 'b.example.test', ...second })
    for (let i = 0; i < 20; i++)
      for (const [host, { hostHeader }] of [
        ['a.example.test', first],
        ['b.example.test', second],
      ] as const)
        assert.equal((await ask(host)).text, hostHeader ?? 'origin.example.test')
    assert.equal(origin.requests().length, 40)
    for (const { requests, name } of origin.connections) {
      assert.equal(
        new Set(requests.map((head) => /^x-forwarded-host: (.*)$/im.exec(head)?.[1])).size,
        1,
        'one website for each connection',
      )
      assert.ok(requests.every((head) => head.includes(`Host: ${name}`)))
    }
    assert.ok(origin.connections.length >= 2 && origin.connections.length <= 2 * workers)
  }
  it('by two names', () => apart({ hostHeader: 'one.example.test' }, { hostHeader: 'two.example.test' }))
  it('by two customers', () => apart({ organizationId: 'org-1' }, { organizationId: 'org-2' }))
  it('by two lifetimes', () => apart({ keepaliveSeconds: 10 }, { keepaliveSeconds: 20 }))
})

describe('an origin that ends idle connections', () => {
  it('after the time of the domain is not needed for it: the edge ends them itself', async () => {
    await using origin = await tlsOrigin((socket) => void socket.write(says('well')))
    await publish(origin.port, { keepaliveSeconds: 1 })
    await ask()
    const closed = performance.now()
    await new Promise((resolve) => origin.connections[0]?.socket.once('close', resolve))
    assert.ok(performance.now() - closed > 800)
    assert.equal((await ask()).status, 200)
    assert.equal(origin.connections.length, 2)
  })

  it('at any moment is never an error for a visitor', async () => {
    // Every connection dies a little after its answer, or with the next request in its hands.
    let dice = 7
    const random = () => (dice = (dice * 48_271) % 2_147_483_647) / 2_147_483_647
    await using origin = await tlsOrigin((socket, _head, number) => {
      if (number > 0 && random() < 0.5) return void socket.destroy()
      socket.write(says('well'))
      const fate = random()
      if (fate < 0.5) setTimeout(() => void (fate < 0.3 ? socket.end() : socket.destroy()), random() * 4)
    })
    await publish(origin.port, {})
    const answers: string[] = []
    for (let i = 0; i < 200; i += 4)
      answers.push(
        ...(await Promise.all([ask(), ask(), ask('www.example.test', 'POST'), ask()])).map(
          ({ status, text }) => `${status} ${text}`,
        ),
      )
    assert.deepEqual([...new Set(answers)], ['200 well'])
    const over = origin.connections.filter(({ requests }) => requests.length > 1)
    assert.ok(over.length > 0, 'some connections have served more than once')
  })

  it('under a POST is asked once: it goes over a connection of its own', async () => {
    await using origin = await tlsOrigin(
      (socket, head, number) =>
        void (number > 0 || head.startsWith('POST /gone') ? socket.destroy() : socket.write(says('well'))),
    )
    await publish(origin.port, {})
    for (let i = 0; i < 8; i++) assert.equal((await ask('www.example.test', i % 2 === 0 ? 'GET' : 'POST')).status, 200)
    assert.equal((await edge.get('www.example.test', '/gone', { method: 'POST', body: 'x' })).status, 502)
    assert.equal(origin.requests().filter((head) => head.startsWith('POST /gone')).length, 1)
  })
})

describe('an origin of several addresses over TLS', () => {
  it('that is down at the first is answered by the next, and the first is tried last for a while', async () => {
    await using origin = await tlsOrigin((socket) => void socket.write(says('spare')))
    await publish(origin.port, { addresses: ['127.0.0.9', '127.0.0.1'] })
    const before = await retries()
    for (let i = 0; i < 10; i++) assert.deepEqual([(await ask()).text], ['spare'])
    assert.equal((await retries()) - before, 1)
  })

  it('that stays silent at the first is answered by the next', async () => {
    await using origin = await tlsOrigin(
      (socket) => void (socket.localAddress === '127.0.0.1' ? socket.write(says('spare')) : undefined),
    )
    const mute = net.createServer((socket) => void socket.on('error', () => {}))
    await new Promise<void>((resolve) => mute.listen(origin.port, '127.0.0.10', resolve))
    await publish(origin.port, { addresses: ['127.0.0.10', '127.0.0.1'] })
    for (let i = 0; i < 4; i++) assert.equal((await ask()).text, 'spare')
    mute.close()
  })

  it('whose first has only closed a kept connection is asked at the first again', async () => {
    const first = await tlsOrigin(
      (socket, _head, number) => void (number > 0 ? socket.destroy() : socket.write(says('first'))),
    )
    await using _first = first
    await publish(first.port, { addresses: ['127.0.0.1', '127.0.0.11'] })
    const before = await retries()
    for (let i = 0; i < 10; i++) assert.equal((await ask()).text, 'first')
    assert.equal(await retries(), before)
  })
})

it('a request to change the protocol goes over a connection of its own', async () => {
  await using origin = await tlsOrigin(
    (socket, head) =>
      void socket.write(
        /^upgrade: /im.test(head)
          ? 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello'
          : says('well'),
      ),
  )
  await publish(origin.port, { websocket: true })
  await ask()
  const socket = net.connect(edge.config.edgeHttp.port, edge.config.edgeHttp.host)
  socket.write(
    'GET /chat HTTP/1.1\r\nHost: www.example.test\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  let said = ''
  socket.on('data', (data: Buffer) => (said += data.toString('latin1')))
  await eventually(() => assert.match(said, /^HTTP\/1.1 101 [^]*hello$/))
  socket.destroy()
  assert.equal(
    origin.connections.find(({ requests }) => requests.some((head) => head.includes('/chat')))?.requests.length,
    1,
  )
})

it('only WebSocket is switched to, by whoever begins as it does', async () => {
  const heads: string[] = []
  await using origin = await tlsOrigin((socket, head) => {
    heads.push(head)
    socket.write(says('well'))
  })
  await publish(origin.port, { websocket: true })
  const ask = async (first: string, ...lines: string[]) => {
    const socket = net.connect(edge.config.edgeHttp.port, edge.config.edgeHttp.host)
    socket.write(`${[`${first} HTTP/1.1`, 'Host: www.example.test', ...lines].join('\r\n')}\r\n\r\n`)
    let said = ''
    socket.on('data', (data: Buffer) => (said += data.toString('latin1')))
    await eventually(() => assert.match(said, /^HTTP\/1.1 200 [^]*well$/))
    socket.destroy()
  }
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  const settings = ['Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABkAAQAAP__']
  await ask('GET /h2c', 'Upgrade: h2c', ...settings)
  await ask('GET /unnamed', 'Upgrade: h2c', 'Connection: Upgrade', 'HTTP2-Settings: AAMAAABkAAQAAP__', key)
  await ask('GET /both', 'Upgrade: websocket, h2c', ...settings, key)
  await ask('GET /keyless', 'Upgrade: websocket', 'Connection: Upgrade')
  await ask('DELETE /method', 'Upgrade: websocket', 'Connection: Upgrade', key)
  assert.equal(heads.length, 5)
  for (const head of heads) assert.doesNotMatch(head, /^(upgrade|http2-settings):/im)
})

async function retries(): Promise<number> {
  return (await edge.agent.state())?.counters['origin_retries'] ?? 0
}

import assert from 'node:assert/strict'
import type http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import { after, before, beforeEach, describe, it } from 'node:test'
import { SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS } from '@fairway/domain'
import { keepScarceSign } from '../scarce-sign.ts'
import {
  EDGE,
  type EdgeUnderTest,
  eventually,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'
import { connectHttp2, FLAG, FRAME, field, frame, getFields } from '../testing/raw-http2.ts'

// One visitor, or one customer's origin, that wants all of a machine which others share.

const PER_ADDRESS = 5
const MB = 1_048_576
let edge: EdgeUnderTest
let silent: Origin
let good: Origin
let sealed: Origin
/** Requests that the silent origin has taken and not answered. */
let waiting: http.ServerResponse[] = []

/** What an origin is told to send by the path: bytes, with their length or in chunks, to be stored or not. */
const sized: http.RequestListener = (request, response) => {
  request.resume()
  const [, form, size = '0', word = 'max-age=600'] = (request.url ?? '/').split('/')
  const bytes = Number(size)
  response.setHeader('Cache-Control', word)
  if (form === 'length') response.setHeader('Content-Length', bytes)
  if (form === 'endless') {
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 2)
    response.on('close', () => clearInterval(timer))
  } else {
    response.flushHeaders()
    response.end(Buffer.alloc(bytes))
  }
}

before(async () => {
  edge = await startEdgeUnderTest(
    undefined,
    { clientHeader: 5, clientBody: 2, origin: 20 },
    {
      FAIRWAY_EDGE_REQUESTS_PER_ADDRESS: `${PER_ADDRESS}`,
      FAIRWAY_EDGE_CUSTOMER_SHARE: '1',
      // The largest object is a tenth of it, in whole MB.
      FAIRWAY_EDGE_CACHE_MB: '16',
    },
  )
  silent = await startOrigin((request, response) => {
    request.resume()
    if (request.url?.startsWith('/kept')) response.writeHead(200, { 'cache-control': 'max-age=600' }).end('kept')
    else waiting.push(response)
  })
  good = await startOrigin(sized)
  sealed = await startOrigin(sized, 'https')
  await edge.publish(siteOf('silent', 1, [{ host: 'silent.example.test', origin: silent.origin() }], 'org-2'))
  await edge.publish(
    siteOf('good', 1, [
      { host: 'good.example.test', origin: good.origin() },
      { host: 'sealed.example.test', origin: sealed.origin() },
    ]),
  )
})
after(async () => {
  for (const one of waiting) one.end()
  await Promise.all([edge, silent, good, sealed].map((one) => one?.[Symbol.asyncDispose]()))
})
beforeEach(() => (waiting = []))

let number = 0
const counted = async (what: string) => Number((await edge.agent.state())?.counters[what])
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
/** A page that its origin never sends, for one visitor. */
const hang = (address?: string) => edge.get('silent.example.test', `/${number++}`, address ? from(address) : {})
const quick = (address?: string) => edge.get('good.example.test', `/length/1/${number++}`, address ? from(address) : {})
async function taken(wanted: number): Promise<void> {
  await eventually(() => assert.equal(waiting.length, wanted))
}
async function letGo<T>(answers: Promise<T>[]): Promise<T[]> {
  for (const one of waiting) one.end('well')
  return Promise.all(answers)
}

describe('a visitor with as many requests under way as one address may have', () => {
  for (const [what, addresses, other] of [
    ['IPv4', ['203.0.113.9'], '203.0.113.10'],
    ['IPv6, by its /64', ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6'], '2001:db8:1:3::1'],
    ['IPv6 with zeros in its network', ['2001:db8::1', '2001:db8::2:0:0:1'], '2001:db8:0:1::1'],
  ] as const)
    it(`of ${what} is told to come again, and nobody else is`, async () => {
      const before = await counted('visitors_refused')
      const mine = Array.from({ length: PER_ADDRESS }, (_, i) => hang(addresses[i % addresses.length] ?? ''))
      await taken(PER_ADDRESS)
      const refused = await quick(addresses[0])
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
      assert.equal((await quick(other)).status, 200)
      assert.equal((await quick()).status, 200)
      assert.equal((await counted('visitors_refused')) - before, 1)
      assert.ok((await letGo(mine)).every(({ status }) => status === 200))
      assert.equal((await quick(addresses[0])).status, 200)
    })

  it('has none more while it sends content', async () => {
    const socket = () => net.connect(edge.config.edgeHttp.port, EDGE).on('error', () => {})
    const head = (length: number) =>
      `POST /length/1 HTTP/1.1\r\nHost: good.example.test\r\nX-Forwarded-For: 203.0.113.20\r\nContent-Length: ${length}\r\n\r\n`
    await eventually(async () => {
      const slow = Array.from({ length: PER_ADDRESS }, socket)
      for (const one of slow) one.write(`${head(100)}x`)
      const { status } = await quick('203.0.113.20')
      for (const one of slow) one.destroy()
      assert.equal(status, 429)
    })
    await eventually(async () => assert.equal((await quick('203.0.113.20')).status, 200))
  })

  it('has none more while content of its GETs over HTTP/2 does not end', async () => {
    const policy = SecurityPolicy.parse({
      access: [],
      bots: { ...BOT_DEFAULTS, securityLevel: 'off' },
      firewall: [
        {
          id: 'long',
          name: 'long',
          expression: { field: 'body-size', operator: 'greater', values: ['1000'] },
          action: { type: 'block' },
        },
      ],
      headers: [],
      origins: [],
    })
    const domains = [{ domainId: 'good-domain-0', host: 'good.example.test', policy }]
    const body = { siteId: 'good', organizationId: 'org-1', version: 2, domains }
    await edge.publish({ revision: 2, kind: 'edge-security', key: 'good', version: 2, body })
    for (const [target, address] of [
      ['/.well-known/acme-challenge/x', '203.0.113.21'],
      ['/length/1/x', '203.0.113.22'],
    ] as const) {
      await eventually(async () => {
        const { end, write } = await connectHttp2(edge.config.edgeHttps.port, 'good.example.test')
        const fields = Buffer.concat([getFields('good.example.test', target), field('x-forwarded-for', address)])
        for (let i = 0; i < PER_ADDRESS; i++) write(frame(FRAME.headers, FLAG.endHeaders, 2 * i + 1, fields))
        const { status } = await quick(address)
        end()
        assert.equal(status, 429, target)
      })
      await eventually(async () => assert.equal((await quick(address)).status, 200))
    }
    await edge.publish({ revision: 3, kind: 'edge-security', key: 'good', version: 3, body: null })
  })
})

it('a customer whose origin is silent gets its own pages for it, keeps what is stored, and takes nobody else’s room', async () => {
  for (let i = 0; i < 2; i++) await edge.get('silent.example.test', '/kept')
  const over: Promise<string>[] = []
  const mine = Array.from({ length: 120 }, () =>
    hang().then((answer) => {
      if (answer.status === 503) over.push(Promise.resolve(answer.text))
      return answer.status
    }),
  )
  await eventually(() => assert.ok(over.length > 0 && over.length + waiting.length === 120))
  assert.match((await over[0]) ?? '', /Too much is waiting/)
  assert.equal((await edge.get('silent.example.test', '/kept')).headers['x-cache'], 'HIT')
  assert.equal((await quick()).status, 200)
  assert.equal(await counted('misses_refused'), over.length)
  assert.equal((await letGo(mine)).filter((status) => status === 200).length, 120 - over.length)
  waiting = []
  const again = hang()
  await taken(1)
  assert.equal((await letGo([again]))[0]?.status, 200)
})

it('WebSockets leave room for pages, and those of one visitor for others', async () => {
  const sockets = new Set<net.Socket>()
  const chat = net.createServer((socket) =>
    socket
      .on('error', () => {})
      .on('data', (data: Buffer) =>
        socket.write(
          /^upgrade:/im.test(data.toString('latin1'))
            ? 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
            : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nCache-Control: no-store\r\n\r\nwell',
        ),
      ),
  )
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve))
  const { port } = chat.address() as net.AddressInfo
  const host = 'chat.example.test'
  await edge.publish(siteOf('chat', 1, [{ host, origin: good.origin({ port }), websocket: true }], 'org-3'))
  const open = (address: string) =>
    new Promise<number>((resolve) => {
      const socket = net.connect(edge.config.edgeHttp.port, EDGE).on('error', () => {})
      sockets.add(socket)
      socket.once('data', (data: Buffer) => resolve(Number(data.toString('latin1').slice(9, 12))))
      const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\n${lines.join('\r\n')}\r\n\r\n`)
    })
  const openAll = async (addresses: string[]) => {
    const said = await Promise.all(addresses.map(open))
    return { open: said.filter((status) => status === 101).length, refused: said.filter((one) => one === 503).length }
  }
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const workers = os.availableParallelism() > 1 ? 2 : 1
  // Of a customer's 40 at a worker they have 20, and those of one visitor a sixteenth of it.
  const mine = await openAll(Array.from({ length: PER_ADDRESS }, () => '198.51.100.1'))
  assert.ok(mine.open > 0 && mine.open <= 2 * workers && mine.open + mine.refused === PER_ADDRESS, JSON.stringify(mine))
  const all = await openAll(Array.from({ length: 160 }, (_, i) => `203.0.113.${i}`))
  assert.ok(all.refused > 0 && all.open + mine.open <= 20 * workers, JSON.stringify(all))
  assert.equal(await counted('tunnels_refused'), mine.refused + all.refused)
  for (let i = 0; i < 10; i++) assert.equal((await edge.get(host, `/${i}`)).status, 200)
  endAll()
  // What was taken is given back.
  await eventually(async () => {
    const again = await openAll(Array.from({ length: 10 * workers }, (_, i) => `203.0.113.${i}`))
    endAll()
    assert.equal(again.refused, 0)
  })
  chat.close()
})

describe('what a visitor sends', () => {
  /** Status line, or nothing when the edge lets go; in parts, one each so many ms. */
  const sendSlowly = (parts: number, bytes: number, ms: number) =>
    new Promise<string>((resolve) => {
      const socket = net.connect(edge.config.edgeHttp.port, EDGE)
      let said = ''
      let left = parts
      socket.on('error', () => {})
      socket.on('data', (data: Buffer) => {
        said += data.toString('latin1')
        socket.end()
      })
      socket.write(`POST /length/1 HTTP/1.1\r\nHost: good.example.test\r\nContent-Length: ${parts * bytes}\r\n\r\n`)
      const timer = setInterval(() => {
        if (left > 0 && socket.writable) socket.write('x'.repeat(bytes))
        left -= 1
      }, ms)
      socket.on('close', () => {
        clearInterval(timer)
        resolve(said.slice(0, 12))
      })
    })

  it('byte by byte ends, though none is late; a slow line that goes on does not', async () => {
    const before = good.asked.length
    const [drops, line] = await Promise.all([sendSlowly(1000, 1, 300), sendSlowly(18, 400, 300)])
    assert.deepEqual([drops, line, good.asked.length - before], ['', 'HTTP/1.1 200', 1])
    assert.equal(await counted('bodies_slow'), 1)
  })

  it('takes no room of a disk that is nearly full: what is large is refused, what is small goes on', async () => {
    const sign = keepScarceSign({ level: () => 'scarce', disk: () => null }, edge.agent.layout.scarce)
    sign[Symbol.dispose]()
    assert.equal(await sendSlowly(2, 20_000, 10), 'HTTP/1.1 503')
    assert.equal(await sendSlowly(2, 2_000, 10), 'HTTP/1.1 200')
    keepScarceSign({ level: () => 'enough', disk: () => null }, edge.agent.layout.scarce)[Symbol.dispose]()
    assert.equal(await sendSlowly(2, 20_000, 10), 'HTTP/1.1 200')
    assert.equal(await counted('bodies_refused'), 1)
  })
})

for (const host of ['good.example.test', 'sealed.example.test'])
  describe(`an object of ${host} that is too large for the cache`, () => {
    const seen = async (path: string) => {
      const { status, bytes, headers } = await edge.get(host, path)
      return [status, bytes.length, headers['x-cache'], String(headers['cache-status']).split('; ').at(-1)]
    }

    it('is passed on and not stored; one that fits is stored with its length and without', async () => {
      const large = 1.5 * MB
      for (let i = 0; i < 2; i++)
        assert.deepEqual(await seen(`/length/${large}`), [200, large, 'MISS', 'detail=too-large'])
      assert.ok((await counted('answers_too_large')) >= 2)
      for (const path of ['/length/500000', '/chunks/500000']) {
        await seen(path)
        await eventually(async () => assert.deepEqual((await seen(path)).slice(0, 3), [200, 500_000, 'HIT']))
      }
    })

    it('ends where it becomes so when its origin has not said its length, unless nobody stores it', async () => {
      const before = await counted('answers_ended')
      await assert.rejects(edge.get(host, '/endless/0'), /aborted|ECONNRESET/)
      assert.equal((await counted('answers_ended')) - before, 1)
      assert.deepEqual((await seen(`/chunks/${3 * MB}/no-store`)).slice(0, 3), [200, 3 * MB, 'MISS'])
    })
  })

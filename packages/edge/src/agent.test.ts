import assert from 'node:assert/strict'
import http from 'node:http'
import http2 from 'node:http2'
import tls from 'node:tls'
import { after, before, describe, it } from 'node:test'
import {
  EDGE,
  type EdgeUnderTest,
  NORTH,
  type Origin,
  SOUTH,
  eventually,
  simulatedCdn,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from './testing/edge-under-test.ts'

let edge: EdgeUnderTest
let website: Origin
let answer: http.RequestListener
let version = 1

const say =
  (headers: http.OutgoingHttpHeaders, text = 'hello', status = 200): http.RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(text)
/** A path that no test has used, so that the cache is cold for it. */
let paths = 0
const fresh = () => `/page-${paths++}`

before(async () => {
  edge = await startEdgeUnderTest()
  website = await startOrigin((request, response) => answer(request, response))
  await edge.publish(siteOf('site', version, [{ origin: website.origin() }]))
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  await website?.[Symbol.asyncDispose]()
})

const get = (target: string, options?: Parameters<EdgeUnderTest['get']>[2]) =>
  edge.get('www.example.test', target, options)
const caches = async (target: string, options?: Parameters<EdgeUnderTest['get']>[2]) => [
  (await get(target, options)).headers['x-cache'],
  (await get(target, options)).headers['x-cache'],
]

describe('the cache', () => {
  it('asks the origin once for an answer that may be kept, and says how old it is', async () => {
    answer = say({ 'cache-control': 'max-age=60', age: '7' }, 'kept')
    const target = fresh()
    const first = await get(target)
    const asked = website.asked.length
    const second = await get(target)
    assert.deepEqual([first.status, first.text, first.headers['x-cache']], [200, 'kept', 'MISS'])
    assert.deepEqual([second.status, second.text, second.headers['x-cache']], [200, 'kept', 'HIT'])
    assert.ok(Number(second.headers['age']) >= 7)
    assert.equal(website.asked.length, asked)
    assert.equal(second.headers['x-served-by'], 'edge/test-node')
    assert.equal(second.headers['x-fairway-born'], undefined)
  })

  it("uses the domain's lifetime when the origin says nothing", async () => {
    answer = say({})
    assert.deepEqual(await caches(fresh()), ['MISS', 'HIT'])
    await edge.publish(
      siteOf('site', ++version, [{ origin: website.origin(), cache: { enabled: true, defaultTtlSeconds: 0 } }]),
    )
    assert.deepEqual(await caches(fresh()), ['MISS', 'MISS'])
    await edge.publish(
      siteOf('site', ++version, [{ origin: website.origin(), cache: { enabled: false, defaultTtlSeconds: 60 } }]),
    )
    assert.deepEqual(await caches(fresh()), ['BYPASS', 'BYPASS'])
    await edge.publish(siteOf('site', ++version, [{ origin: website.origin() }]))
  })

  it('keeps by a rule for an ending what is such a file, and by any rule what all origins find there', async () => {
    const rule = (type: 'extension' | 'directory', path: string) => ({ type, path, ttlSeconds: 60, honorOrigin: false })
    const rules = [rule('directory', '/img/'), rule('extension', '.css'), rule('extension', '.html')]
    const cache = { enabled: true, defaultTtlSeconds: 60, rules }
    await edge.publish(siteOf('site', ++version, [{ origin: website.origin(), cache }]))
    const kept = async (target: string, type: string) => {
      answer = say({ 'content-type': type })
      const [first, again] = [await get(target), await get(target)]
      return [first, again].map(({ headers }) => headers['x-cache']).join(' ')
    }
    assert.equal(await kept(`${fresh()}.css`, 'text/css'), 'MISS HIT')
    assert.equal(await kept(`${fresh()}.css`, 'text/html'), 'MISS MISS')
    assert.equal(await kept(`${fresh()}.html`, 'text/html'), 'MISS HIT')
    assert.equal(await kept(`${fresh()};x.html`, 'text/html'), 'MISS MISS')
    assert.equal(await kept(`/img${fresh()}`, 'text/html'), 'MISS HIT')
    assert.equal(await kept(`/img/..;${fresh()}`, 'text/html'), 'MISS MISS')
    await edge.publish(siteOf('site', ++version, [{ origin: website.origin() }]))
  })

  it('asks again when the lifetime is over', async () => {
    answer = say({ 'cache-control': 'max-age=1' })
    const target = fresh()
    await get(target)
    await eventually(async () => assert.equal((await get(target)).headers['x-cache'], 'EXPIRED'))
  })

  it('never keeps what is private, sets a cookie, varies on everything or was asked for with Authorization', async () => {
    for (const headers of [
      { 'cache-control': 'no-store' },
      { 'cache-control': 'max-age=60, private' },
      { 'cache-control': 'no-cache' },
      { 'set-cookie': 'a=1', 'cache-control': 'max-age=60' },
      { vary: '*' },
      { expires: '0' },
    ]) {
      answer = say(headers)
      assert.deepEqual(await caches(fresh()), ['MISS', 'MISS'], JSON.stringify(headers))
    }
    answer = say({ 'cache-control': 'max-age=60' })
    const target = fresh()
    assert.deepEqual(await caches(target, { headers: { authorization: 'Basic eA==' } }), ['BYPASS', 'BYPASS'])
    assert.equal((await get(target)).headers['x-cache'], 'MISS')
  })

  it('keeps variants apart by the headers that the origin names', async () => {
    answer = (request, response) =>
      void response
        .writeHead(200, { vary: 'accept-language', 'cache-control': 'max-age=60' })
        .end(request.headers['accept-language'])
    const target = fresh()
    for (const language of ['en', 'zh-Hant']) {
      assert.equal((await get(target, { headers: { 'accept-language': language } })).text, language)
      const again = await get(target, { headers: { 'accept-language': language } })
      assert.deepEqual([again.text, again.headers['x-cache']], [language, 'HIT'])
    }
  })

  it("does not obey the origin's nginx headers", async () => {
    answer = say(
      { 'x-accel-expires': '600', 'cache-control': 'no-store', 'x-accel-redirect': '/.well-known/cdn/health' },
      'mine',
    )
    const target = fresh()
    assert.deepEqual(await caches(target), ['MISS', 'MISS'])
    assert.equal((await get(target)).text, 'mine')
  })

  it('does not show a new origin or a new owner of the host what was cached before', async () => {
    answer = say({ 'cache-control': 'max-age=60' }, 'old')
    const target = fresh()
    assert.deepEqual(await caches(target), ['MISS', 'HIT'])
    await using other = await startOrigin(say({ 'cache-control': 'max-age=60' }, 'new'))
    await edge.publish(siteOf('site', ++version, [{ origin: other.origin() }]))
    assert.equal((await get(target)).text, 'new')
    await edge.publish(siteOf('site', ++version, [{ origin: website.origin() }]))
  })
})

describe('the origin', () => {
  it('gets the host header of the policy, who asked and how, and none of our own marks', async () => {
    answer = say({ 'cache-control': 'no-store' })
    await get(fresh(), { headers: { 'x-fairway-host': 'evil.test', 'x-forwarded-for': '203.0.113.9' } })
    const seen = website.asked.at(-1)
    assert.equal(seen?.headers.host, 'origin.example.test')
    assert.equal(seen?.headers['x-forwarded-for'], `203.0.113.9, 127.0.0.1`)
    assert.equal(seen?.headers['x-forwarded-proto'], 'http')
    assert.equal(seen?.headers['x-forwarded-host'], 'www.example.test')
    assert.equal(seen?.headers['cdn-loop'], 'fairway')
    assert.equal(seen?.headers['x-fairway-host'], undefined)
  })

  it('is chosen by host, the exact name before a wildcard', async () => {
    answer = say({}, 'exact')
    await using wild = await startOrigin(say({}, 'wildcard'))
    await edge.publish(
      siteOf('hosts', 1, [
        { host: '*.hosts.test', origin: wild.origin() },
        { host: 'www.hosts.test', origin: website.origin() },
      ]),
    )
    assert.equal((await edge.get('www.hosts.test')).text, 'exact')
    assert.equal((await edge.get('WWW.Hosts.test:80')).text, 'exact')
    assert.equal((await edge.get('a.b.hosts.test')).text, 'wildcard')
    assert.equal((await edge.get('hosts.test')).status, 421)
  })

  it('fails over to the next address, without asking the dead one every time', async () => {
    answer = say({ 'cache-control': 'no-store' }, 'second')
    await edge.publish(
      siteOf('failover', 1, [
        { host: 'failover.test', origin: website.origin({ addresses: ['127.0.0.29', '127.0.0.1'] }) },
      ]),
    )
    for (let i = 0; i < 5; i++) assert.equal((await edge.get('failover.test', fresh())).text, 'second')
    const retries = (await edge.agent.state())?.counters['origin_retries'] ?? 0
    assert.ok(retries >= 1 && retries < 5, `${retries} retries`)
    const posted = await edge.get('failover.test', fresh(), { method: 'POST', body: 'x'.repeat(100_000) })
    assert.equal(posted.text, 'second')
  })

  it('may be a host name', async () => {
    answer = say({}, 'by name')
    await edge.publish(
      siteOf('named', 1, [
        { host: 'named.test', origin: website.origin({ addresses: ['no-such-host.invalid', 'localhost'] }) },
      ]),
    )
    assert.equal((await edge.get('named.test')).text, 'by name')
    await edge.publish(
      siteOf('named', 2, [{ host: 'named.test', origin: website.origin({ addresses: ['no-such-host.invalid'] }) }]),
    )
    const page = await edge.get('named.test', fresh())
    assert.deepEqual([page.status, /does not resolve/.test(page.text)], [502, true])
  })

  it('that is down gives a 502 page, or the old copy when there is one', async () => {
    const target = fresh()
    const dying = await startOrigin(say({ 'cache-control': 'max-age=1' }, 'old copy'))
    const origin = dying.origin()
    await edge.publish(siteOf('down', 1, [{ host: 'down.test', origin }]))
    assert.equal((await edge.get('down.test', target)).text, 'old copy')
    await dying[Symbol.asyncDispose]()
    await eventually(async () => assert.equal((await edge.get('down.test', target)).headers['x-cache'], 'STALE'))
    assert.equal((await edge.get('down.test', target)).text, 'old copy')
    const page = await edge.get('down.test', fresh())
    assert.deepEqual(
      [page.status, page.headers['content-type'], /origin does not answer/.test(page.text)],
      [502, 'text/html; charset=utf-8', true],
    )
  })

  it('passes its own errors on unchanged', async () => {
    answer = say({ 'content-type': 'text/plain' }, 'its own words', 502)
    const page = await get(fresh())
    assert.deepEqual([page.status, page.text], [502, 'its own words'])
  })

  it('that points back to the edge is refused instead of circling', async () => {
    await edge.publish(
      siteOf('loop', 1, [
        {
          host: 'loop.test',
          origin: { addresses: [EDGE], port: edge.config.edgeHttp.port, protocol: 'http', hostHeader: 'loop.test' },
        },
      ]),
    )
    assert.equal((await edge.get('loop.test')).status, 508)
  })

  it('can be spoken to over WebSocket', async () => {
    const server = http
      .createServer((_, response) => void response.writeHead(426).end())
      .on('upgrade', (_, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
        socket.pipe(socket)
      })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await edge.publish(siteOf('socket', 1, [{ host: 'socket.test', origin: website.origin({ port }) }]))
    const request = http.request({
      host: EDGE,
      port: edge.config.edgeHttp.port,
      headers: {
        host: 'socket.test',
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
      agent: false,
    })
    try {
      const echoed = await new Promise<string>((resolve, reject) => {
        request
          .on('error', reject)
          .on('response', (r) => reject(new Error(`status ${r.statusCode}`)))
          .on('upgrade', (_, socket) => {
            socket.on('data', (data: Buffer) => (resolve(data.toString()), socket.destroy()))
            socket.write('ping')
          })
        request.end()
      })
      assert.equal(echoed, 'ping')
    } finally {
      request.destroy()
      server.close()
      server.closeAllConnections()
    }
  })
})

describe('policies', () => {
  it('are obeyed by the next request after they were confirmed', async () => {
    answer = (request, response) =>
      void response.writeHead(200, { 'cache-control': 'no-store' }).end(request.headers.host)
    for (let i = 0; i < 20; i++) {
      await edge.publish(siteOf('site', ++version, [{ origin: website.origin({ hostHeader: `v${i}.example.test` }) }]))
      const seen = await Promise.all([get(fresh()), get(fresh()), get(fresh()), get(fresh())])
      assert.deepEqual(new Set(seen.map((page) => page.text)), new Set([`v${i}.example.test`]))
    }
  })

  it('that are withdrawn leave the host unknown', async () => {
    await edge.publish(
      siteOf('gone', 1, [
        { host: 'one.gone.test', origin: website.origin() },
        { host: 'two.gone.test', origin: website.origin() },
      ]),
    )
    await edge.publish(siteOf('gone', 2, [{ host: 'two.gone.test', origin: website.origin() }]))
    assert.deepEqual([(await edge.get('one.gone.test')).status, (await edge.get('two.gone.test')).status], [421, 200])
    await edge.publish({ revision: 3, kind: 'edge-site', key: 'gone', version: 3, body: null })
    assert.equal((await edge.get('two.gone.test')).status, 421)
  })

  it('of a host that moved to another site stay when the former site lets go of it', async () => {
    answer = say({}, 'moved')
    await edge.publish(siteOf('from', 1, [{ host: 'moving.test', origin: website.origin({ port: 1 }) }]))
    await edge.publish(siteOf('to', 1, [{ host: 'moving.test', origin: website.origin() }]))
    await edge.publish(siteOf('from', 2, []))
    assert.equal((await edge.get('moving.test', fresh())).text, 'moved')
  })

  it('of 5,000 domains are pushed in one publication', async () => {
    const domains = Array.from({ length: 5000 }, (_, i) => ({
      host: `d${i}.many.test`,
      domainId: `many-${i}`,
      origin: website.origin(),
    }))
    await edge.publish(siteOf('many', 1, domains))
    answer = say({}, 'one of many')
    assert.equal((await edge.get('d4999.many.test')).text, 'one of many')
    await edge.publish({ revision: 2, kind: 'edge-site', key: 'many', version: 2, body: null })
  })
})

describe('simulated CDNs', () => {
  const fault = (name: string, address: string, value: Parameters<typeof simulatedCdn>[3]) =>
    edge.publish(simulatedCdn(name, address, ++version, value))
  before(async () => {
    await edge.publish(siteOf('site', ++version, [{ origin: website.origin() }]))
    await fault('North Wind', NORTH, { mode: 'up' })
    await fault('South', SOUTH, { mode: 'up' })
  })

  it('are separate caches under their own names', async () => {
    answer = say({ 'cache-control': 'max-age=60' })
    const target = fresh()
    const by = async (at: string) => {
      const page = await get(target, { at })
      return [page.headers['x-served-by'], page.headers['x-cache']]
    }
    assert.deepEqual(await by(NORTH), ['north-wind/test-node', 'MISS'])
    assert.deepEqual(await by(NORTH), ['north-wind/test-node', 'HIT'])
    assert.deepEqual(await by(SOUTH), ['south/test-node', 'MISS'])
    assert.deepEqual(await by(EDGE), ['edge/test-node', 'MISS'])
  })

  it('when down, close every connection without a byte, cached or not, and nobody else is hurt', async () => {
    answer = say({ 'cache-control': 'max-age=60' })
    const target = fresh()
    await get(target, { at: NORTH })
    await fault('North Wind', NORTH, { mode: 'down' })
    for (const path of [target, '/.well-known/cdn/test.bin', '/.well-known/cdn/health'])
      await assert.rejects(get(path, { at: NORTH }), { code: 'ECONNRESET' })
    await assert.rejects(get(target, { at: NORTH, tls: true }))
    assert.equal((await get(target, { at: SOUTH })).status, 200)
    await fault('North Wind', NORTH, { mode: 'up' })
    assert.equal((await get(target, { at: NORTH })).headers['x-cache'], 'HIT')
  })

  it('when slow, take that much longer, and only they', async () => {
    answer = say({ 'cache-control': 'max-age=60' })
    const target = fresh()
    await get(target, { at: NORTH })
    await fault('North Wind', NORTH, { mode: 'slow', addMs: 300 })
    const [slow, quick] = await Promise.all([get(target, { at: NORTH }), get(target, { at: SOUTH })])
    assert.ok(slow.ms >= 299, `${slow.ms} ms`)
    assert.ok(quick.ms < 250, `${quick.ms} ms`)
    assert.ok((await edge.get('any.test', '/.well-known/cdn/test.bin', { at: NORTH })).ms >= 299)
    await fault('North Wind', NORTH, { mode: 'up' })
  })

  it('with errors, fail their share before the cache', async () => {
    answer = say({ 'cache-control': 'max-age=60' })
    const target = fresh()
    await get(target, { at: SOUTH })
    await fault('South', SOUTH, { mode: 'errors', percent: 40 })
    let failed = 0
    for (let i = 0; i < 300; i++) if ((await get(target, { at: SOUTH })).status === 503) failed++
    assert.ok(failed > 75 && failed < 165, `${failed} of 300`)
    await fault('South', SOUTH, { mode: 'errors', percent: 100 })
    assert.equal((await get(target, { at: SOUTH })).status, 503)
    await fault('South', SOUTH, { mode: 'up' })
    assert.equal((await get(target, { at: SOUTH })).status, 200)
  })

  it('may be added at an address that was not listened on before', async () => {
    await fault('Late', '127.0.0.24', { mode: 'up' })
    answer = say({})
    assert.equal((await get(fresh(), { at: '127.0.0.24' })).headers['x-served-by'], 'late/test-node')
    assert.equal((await get(fresh(), { at: SOUTH })).headers['x-served-by'], 'south/test-node')
    await assert.rejects(fault('Far', '192.0.2.1', { mode: 'up' }), /loopback/)
    await edge.publish({ revision: 1, kind: 'simulated-cdn', key: 'cdn-Late', version: 9, body: null })
    assert.equal((await get(fresh(), { at: '127.0.0.24' })).headers['x-served-by'], 'edge/test-node')
  })
})

describe("the edge's own objects", () => {
  it('are served for any host, readable and timeable by any page, and never cached', async () => {
    const object = await edge.get('0123456789ab.north.cdn.fairway.test', '/.well-known/cdn/test.bin')
    assert.equal(object.status, 200)
    assert.equal(object.bytes.length, 40_960)
    assert.equal(object.headers['timing-allow-origin'], '*')
    assert.equal(object.headers['access-control-allow-origin'], '*')
    assert.equal(object.headers['cache-control'], 'no-store')
    const again = await edge.get('other.test', '/.well-known/cdn/test.bin?x=1', { tls: true })
    assert.ok(again.bytes.equals(object.bytes))
    const large = await edge.get('any.test', '/.well-known/cdn/large.bin')
    assert.deepEqual([large.bytes.length, large.headers['cache-control']], [13 * 40_960, 'no-store'])
    const kept = await edge.get('any.test', '/.well-known/cdn/object.bin')
    assert.ok(kept.bytes.equals(object.bytes))
    assert.deepEqual(
      [kept.headers['cache-control'], kept.headers['timing-allow-origin']],
      ['public, max-age=3600', '*'],
    )
    const health = await edge.get('any.test', '/.well-known/cdn/health')
    assert.deepEqual([health.status, health.text], [200, 'ok\n'])
  })

  it('speak HTTP/2 over TLS', async () => {
    const session = http2.connect(`https://${EDGE}:${edge.config.edgeHttps.port}`, {
      rejectUnauthorized: false,
      servername: 'any.test',
    })
    const stream = session.request({ ':path': '/.well-known/cdn/test.bin', ':authority': 'any.test' })
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length
    session.close()
    assert.equal(bytes, 40_960)
  })

  it('speak no HTTP/2 for a name whose owner has turned it off, and for others still do', async () => {
    await edge.publish(siteOf('plain', 1, [{ host: 'plain.test', origin: website.origin(), http2: false }]))
    const chosen = (servername: string, ALPNProtocols: string[]) =>
      new Promise<string | false | null>((resolve, reject) => {
        const socket = tls
          .connect(
            { host: EDGE, port: edge.config.edgeHttps.port, servername, ALPNProtocols, rejectUnauthorized: false },
            () => (resolve(socket.alpnProtocol), socket.destroy()),
          )
          .on('error', reject)
      })
    assert.deepEqual(
      [
        await chosen('plain.test', ['h2', 'http/1.1']),
        await chosen('plain.test', ['http/1.1', 'h2']),
        await chosen('www.example.test', ['h2', 'http/1.1']),
      ],
      ['http/1.1', 'http/1.1', 'h2'],
    )
    await assert.rejects(chosen('plain.test', ['h2']), /no application protocol/i)
    answer = say({}, 'by 1.1')
    assert.equal((await edge.get('plain.test', fresh(), { tls: true })).text, 'by 1.1')
    await edge.publish(siteOf('plain', 2, [{ host: 'plain.test', origin: website.origin() }]))
    assert.equal(await chosen('plain.test', ['h2', 'http/1.1']), 'h2')
  })

  it('an unknown host gets a page that says so', async () => {
    const page = await edge.get('nobody.test')
    assert.deepEqual(
      [page.status, page.headers['content-type'], /No such name here/.test(page.text), page.headers['x-cache']],
      [421, 'text/html; charset=utf-8', true, undefined],
    )
  })
})

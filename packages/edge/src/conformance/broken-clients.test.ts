import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http2 from 'node:http2'
import net from 'node:net'
import { after, before, describe, it } from 'node:test'
import {
  EDGE,
  type EdgeUnderTest,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'
import { sendRaw } from '../testing/raw-peers.ts'

// What visitors may send that is no proper request (RFC 9112), over the real nginx: it gets its own status and a page,
// and no byte of it reaches the origin.

let edge: EdgeUnderTest
let website: Origin
let workers: string
const workersNow = () =>
  fs.readFileSync(`/proc/${edge.agent.nginx.pid()}/task/${edge.agent.nginx.pid()}/children`, 'utf8')

before(async () => {
  edge = await startEdgeUnderTest(undefined, { clientHeader: 2, clientBody: 2, origin: 20 })
  website = await startOrigin((request, response) => {
    request.resume()
    response.writeHead(200, { 'cache-control': 'no-store' }).end('from the origin')
  })
  await edge.publish(
    siteOf('site', 1, [{ origin: website.origin() }, { host: '*.wild.test', origin: website.origin() }]),
  )
  workers = workersNow()
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  await website?.[Symbol.asyncDispose]()
})

const HOST = 'Host: www.example.test\r\n'
const post = (fields: string, body = '') => `POST /x HTTP/1.1\r\n${HOST}${fields}\r\n\r\n${body}`
const get = (fields: string) => `GET /x HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`
const send = (text: string) => sendRaw(edge.config.edgeHttp.port, text)

const CASES: Record<string, [string, number, string][]> = {
  'a request line': [
    ['that is none', 400, 'hello there\r\n\r\n'],
    ['of bytes', 400, '\x16\x03\x01\x00\xa5\x01\x00\x00\r\n\r\n'],
    ['with a method in small letters', 400, `get / HTTP/1.1\r\n${HOST}\r\n`],
    ['of HTTP/9.9', 505, `GET / HTTP/9.9\r\n${HOST}\r\n`],
    ['of HTTP/2 without its preface', 505, `GET / HTTP/2.0\r\n${HOST}\r\n`],
    ['with NUL', 400, `GET /a\0b HTTP/1.1\r\n${HOST}\r\n`],
    ['with a control character', 400, `GET /a\x01b HTTP/1.1\r\n${HOST}\r\n`],
    ['with a blank in the path', 400, `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
    ['with an escape that is none', 400, `GET /%zz HTTP/1.1\r\n${HOST}\r\n`],
    ['that climbs above the root', 400, `GET /../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`],
    ['with TRACE', 405, `TRACE / HTTP/1.1\r\n${HOST}\r\n`],
    ['with CONNECT', 400, `CONNECT www.example.test:80 HTTP/1.1\r\n${HOST}\r\n`],
    ['that is too long', 414, `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ],
  'a Host': [
    ['that is missing', 400, get('')],
    ['that is empty', 400, get('Host:\r\n')],
    ['that is there twice', 400, get(`${HOST}Host: b.test\r\n`)],
    ['with a slash', 400, get('Host: a/b\r\n')],
    ['with a blank', 400, get('Host: a b\r\n')],
    ['with a port that is none', 400, get('Host: www.example.test:80x\r\n')],
    ['that a wildcard would take, with markup', 400, get('Host: <b>.wild.test\r\n')],
    ['with a user', 421, get('Host: me@www.example.test\r\n')],
    [
      'that is not the one of the whole address',
      421,
      `GET http://nobody.test/ HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    ],
  ],
  'a length': [
    ['beside chunks', 400, post('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
    ['beside chunks, the other way round', 400, post('Transfer-Encoding: chunked\r\nContent-Length: 5', '0\r\n\r\n')],
    ['and another', 400, post('Content-Length: 5\r\nContent-Length: 6', 'hello')],
    ['twice the same', 400, post('Content-Length: 5\r\nContent-Length: 5', 'hello')],
    ['in a list', 400, post('Content-Length: 5, 5', 'hello')],
    ['with a sign', 400, post('Content-Length: +5', 'hello')],
    ['below zero', 400, post('Content-Length: -5', 'hello')],
    ['in hexadecimal', 400, post('Content-Length: 0x5', 'hello')],
    ['beyond all numbers', 400, post('Content-Length: 99999999999999999999', 'hello')],
    ['that is too large', 413, post('Content-Length: 200000000', 'hello')],
  ],
  'a coding': [
    ['that is unknown', 501, post('Transfer-Encoding: xchunked', '0\r\n\r\n')],
    ['behind another', 501, post('Transfer-Encoding: chunked, identity', '0\r\n\r\n')],
    ['twice', 400, post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n')],
    ['in HTTP/1.0', 400, `POST / HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['on a folded line', 400, post('Transfer-Encoding:\r\n chunked', '0\r\n\r\n')],
    ['after a vertical tab', 501, post('Transfer-Encoding: \x0bchunked', '0\r\n\r\n')],
    ['before a blank and the colon', 400, post('Transfer-Encoding : chunked', '0\r\n\r\n')],
  ],
  'a header': [
    ['that is folded', 400, get(`${HOST}X-A: a\r\n b\r\n`)],
    ['with a bare return', 400, get(`${HOST}X-A: a\rb\r\n`)],
    ['with NUL', 400, get(`${HOST}X-A: a\0b\r\n`)],
    ['that is too large', 431, get(`${HOST}X-A: ${'a'.repeat(40_000)}\r\n`)],
  ],
  'two hundred headers': [['of a kilobyte each', 431, get(`${HOST}${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(200)}`)]],
  'a chunk': [
    ['without a size', 400, post('Transfer-Encoding: chunked', 'ZZ\r\nhello\r\n')],
    ['beyond all numbers', 400, post('Transfer-Encoding: chunked', 'FFFFFFFFFFFFFFFFFF\r\nhello\r\n')],
    ['longer than its size', 400, post('Transfer-Encoding: chunked', '3\r\nhello\r\n0\r\n\r\n')],
  ],
}

for (const [part, cases] of Object.entries(CASES)) {
  describe(part, () => {
    for (const [what, status, text] of cases) {
      it(`${what} is answered with ${status}, and goes no further`, async () => {
        const before = website.asked.length
        const said = await send(text)
        assert.equal(said.slice(0, 12), `HTTP/1.1 ${status}`, said.slice(0, 200))
        assert.match(said, /content-type: text\/html; charset=utf-8/i)
        assert.match(said, /cache-control: no-store/i)
        assert.match(said, /<h1>[^<]+<\/h1>/)
        // One answer, whatever else was hidden behind it.
        assert.equal(said.split('HTTP/1.1 ').length, 2)
        assert.equal(website.asked.length, before)
      })
    }
  })
}

describe('a visitor with cookies of 12 kB', () => {
  const cookie = `Cookie: session=${'a'.repeat(12_000)}\r\n`
  it('is served over HTTP/1.1, and the origin sees them', async () => {
    assert.match(await send(get(`${HOST}${cookie}`)), /^HTTP\/1\.1 200 /)
    assert.equal(website.asked.at(-1)?.headers.cookie?.length, 12_008)
  })
  it('is served over HTTP/2', async () => {
    const session = http2.connect(`https://${EDGE}:${edge.config.edgeHttps.port}`, { rejectUnauthorized: false })
    try {
      const stream = session.request({
        ':path': '/x',
        ':authority': 'www.example.test',
        cookie: `session=${'a'.repeat(12_000)}`,
      })
      const [said] = await once(stream, 'response')
      assert.equal(said[':status'], 200)
      assert.equal(website.asked.at(-1)?.headers.cookie?.length, 12_008)
    } finally {
      session.destroy()
    }
  })
})

describe('a visitor that', () => {
  it('never ends its headers is let go', async () => {
    const before = website.asked.length
    assert.equal(await send(`GET / HTTP/1.1\r\n${HOST}X-A: a`), '')
    assert.equal(website.asked.length, before)
  })

  it('sends its headers drop by drop is let go, and others are served meanwhile', async () => {
    const slow = Array.from({ length: 200 }, () => net.connect(edge.config.edgeHttp.port, EDGE).on('error', () => {}))
    const drops = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('X')
    }, 100)
    const closed = Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    for (const socket of slow) socket.write(`GET / HTTP/1.1\r\n${HOST}`)
    for (let i = 0; i < 20; i++) assert.equal((await edge.get('www.example.test')).status, 200)
    await closed
    clearInterval(drops)
  })

  it('never ends its body is let go, and the origin hears nothing of it', async () => {
    const before = website.asked.length
    assert.equal(await send(post('Content-Length: 100', 'part')), '')
    assert.equal(website.asked.length, before)
  })

  it('hides a second request behind the first gets answers to what it sent, in order', async () => {
    const said = await send(
      `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
    )
    assert.equal(said.split('from the origin').length, 3)
    assert.deepEqual(
      website.asked.slice(-2).map(({ method, url }) => [method, url]),
      [
        ['POST', '/a'],
        ['GET', '/b'],
      ],
    )
  })

  it('names the hop headers of others, or ours, changes nothing', async () => {
    await edge.get('www.example.test', '/x', {
      headers: {
        connection: 'close, x-forwarded-for, x-fairway-host',
        'x-fairway-visitor': '9.9.9.9',
        transfer_encoding: 'chunked',
      },
    })
    const seen = website.asked.at(-1)
    assert.equal(seen?.headers['x-forwarded-for'], '127.0.0.1')
    assert.equal(seen?.headers['x-fairway-visitor'], undefined)
    assert.equal(seen?.headers['transfer_encoding'], undefined)
  })

  it('speaks plain HTTP to the TLS port is told so', async () => {
    const said = await sendRaw(edge.config.edgeHttps.port, get(HOST))
    assert.match(said, /^HTTP\/1\.1 400 .*This port speaks TLS/s)
  })
})

it('no worker of nginx has died of any of it, and the next visitor is served', async () => {
  assert.equal((await edge.get('www.example.test')).text, 'from the origin')
  assert.equal(workersNow(), workers)
  assert.equal(edge.agent.nginx.restarts(), 0)
})

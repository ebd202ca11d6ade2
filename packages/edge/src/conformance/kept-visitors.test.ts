import assert from 'node:assert/strict'
import http2 from 'node:http2'
import net from 'node:net'
import { after, before, describe, it } from 'node:test'
import { EDGE, type EdgeUnderTest, eventually, siteOf, startEdgeUnderTest } from '../testing/edge-under-test.ts'
import { type RawOrigin, rawOrigin } from '../testing/raw-peers.ts'

// A visitor's connection that the edge does not call closed takes the next request (RFC 9112 9.3). Whatever ends an
// answer in an unusual way is tried here, at first sight and when a copy is stored.

let edge: EdgeUnderTest
let origin: RawOrigin
let broken = false

before(async () => {
  edge = await startEdgeUnderTest()
  origin = await rawOrigin((socket, head) => {
    const target = head.split(' ')[1] ?? ''
    if (broken) return void socket.end(target.includes('garbage') ? 'no http at all\r\n\r\n' : '')
    const word = target.includes('forbidden') ? 'max-age=0, must-revalidate' : 'max-age=60'
    socket.end(`HTTP/1.1 200 OK\r\nETag: "a"\r\nCache-Control: ${word}\r\nContent-Length: 5\r\n\r\nhello`)
  })
  const at = { addresses: ['127.0.0.1'], port: origin.port, protocol: 'http' as const, hostHeader: 'www.example.test' }
  const cache = { enabled: true, defaultTtlSeconds: 60, everything: true }
  await edge.publish(
    siteOf('site', 1, [
      { host: 'www.example.test', origin: at, cache },
      { host: 'tiered.example.test', origin: at, cache: { ...cache, tiered: true } },
    ]),
  )
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  await origin?.[Symbol.asyncDispose]()
})

type Case = { what: string; path: string; stored: boolean; broken?: true; lines?: string[]; status: number }
const CASES: Case[] = [
  { what: 'a hit', path: '/plain', stored: true, status: 200 },
  { what: 'an old copy that is allowed', path: '/garbage', stored: true, broken: true, status: 200 },
  { what: 'an old copy that is forbidden', path: '/forbidden', stored: true, broken: true, status: 504 },
  { what: 'an origin that closes', path: '/closes', stored: false, broken: true, status: 502 },
  { what: 'an origin that speaks no HTTP', path: '/garbage-cold', stored: false, broken: true, status: 502 },
  { what: 'a condition met', path: '/same', stored: true, lines: ['If-None-Match: "a"'], status: 304 },
  { what: 'a condition not met', path: '/other', stored: true, lines: ['If-Match: "b"'], status: 412 },
  { what: 'a range outside', path: '/range', stored: true, lines: ['Range: bytes=99-'], status: 416 },
]

async function isStored(host: string, path: string): Promise<boolean> {
  const seen = String((await edge.get(host, path)).headers['x-cache'])
  return seen === 'HIT' || seen === 'REVALIDATED' || (path === '/forbidden' && seen === 'EXPIRED')
}

for (const host of ['www.example.test', 'tiered.example.test'])
  describe(`the connection of a visitor of ${host} takes the next request after`, () => {
    for (const { what, path, stored, lines = [], status, ...rest } of CASES)
      it(what, async () => {
        // It is stored a moment after its last byte.
        if (stored) await eventually(async () => assert.equal(await isStored(host, path), true))
        broken = rest.broken ?? false
        const heads = await askTwice(host, path, lines)
        broken = false
        assert.equal(Number(heads[0]?.split(' ')[1]), status)
        if (!/^connection: close/im.test(heads[0] ?? ''))
          assert.equal(heads[1]?.split('\r\n')[0], 'HTTP/1.1 200 OK', `then came: ${heads[1] ?? 'nothing'}`)
      })
  })

it('over HTTP/2 such answers are whole, and the connection stays', async () => {
  const host = 'www.example.test'
  const session = http2.connect(`https://${EDGE}:${edge.config.edgeHttps.port}`, {
    rejectUnauthorized: false,
    servername: host,
  })
  const ask = async (path: string, more: http2.OutgoingHttpHeaders = {}) => {
    const stream = session.request({ ':path': path, ':authority': host, ...more })
    let [status, bytes] = [0, 0]
    stream.on('response', (headers) => (status = Number(headers[':status'])))
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length
    return { status, hasContent: bytes > 0 }
  }
  assert.deepEqual(await ask('/forbidden-h2'), { status: 200, hasContent: true })
  assert.deepEqual(await ask('/forbidden-h2', { 'if-match': '"b"' }), { status: 412, hasContent: false })
  broken = true
  assert.deepEqual(await ask('/forbidden-h2'), { status: 504, hasContent: true })
  broken = false
  assert.deepEqual(await ask('/forbidden-h2'), { status: 200, hasContent: true })
  session.close()
})

/** The heads of the answers to this request and, on the same connection, to one for the edge's own object. */
function askTwice(host: string, target: string, lines: string[]): Promise<string[]> {
  const heads: string[] = []
  return new Promise((resolve, reject) => {
    const socket = net.connect(edge.config.edgeHttp.port, EDGE)
    const ask = (path: string, more: string[]) =>
      socket.write([`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more, '', ''].join('\r\n'))
    let text = ''
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('error', reject)
    socket.on('close', () => resolve(heads))
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = text.slice(0, end)
      const length = / 304 /.test(head) ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
      if (text.length < end + 4 + length) return
      text = ''
      heads.push(head)
      // After a connection called closed nothing is asked: what arrives there then is reset.
      if (heads.length === 2 || /^connection: close/im.test(head)) return void socket.end()
      ask('/.well-known/cdn/health', [])
    })
    ask(target, lines)
  })
}

import assert from 'node:assert/strict'
import fs from 'node:fs'
import type net from 'node:net'
import tls from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { selfSignedCertificate } from '@fairway/platform'
import { type EdgeUnderTest, eventually, siteOf, startEdgeUnderTest } from '../testing/edge-under-test.ts'
import { fullQueue, rawOrigin, sendRaw } from '../testing/raw-peers.ts'

// Every way in which an origin can be broken, over the real nginx: the visitor gets the website's page with the right
// status, and never a part as the whole.

const { certificatePem, keyPem } = selfSignedCertificate(['origin.example.test'], new Date())
const certificate = { cert: certificatePem, key: keyPem }
let edge: EdgeUnderTest
let workers: string
let version = 0
const workersNow = () =>
  fs.readFileSync(`/proc/${edge.agent.nginx.pid()}/task/${edge.agent.nginx.pid()}/children`, 'utf8')

before(async () => {
  edge = await startEdgeUnderTest(undefined, { clientHeader: 5, clientBody: 5, origin: 3 })
  await edge.publish({
    revision: 1,
    kind: 'edge-pages',
    key: 'site',
    version: 1,
    body: {
      organizationId: 'org-1',
      version: 1,
      pages: [{ key: 'own', texts: { any: '<!doctype html><title>::STATUS::</title><p>own page ::REQUEST_ID::' } }],
    },
  })
  workers = workersNow()
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
})

/** Each case has a domain of its own: what is remembered of one origin is no other's. */
async function behind(port: number, protocol: 'http' | 'https' = 'http'): Promise<void> {
  await edge.publish(
    siteOf('site', ++version, [
      {
        domainId: `domain-${version}`,
        origin: { addresses: ['127.0.0.1'], port, protocol, hostHeader: 'origin.example.test' },
        pages: { errors: 'own', maintenance: null, brand: null },
      },
    ]),
  )
}
const ask = (method = 'GET') =>
  sendRaw(
    edge.config.edgeHttp.port,
    `${method} /case-${version} HTTP/1.1\r\nHost: www.example.test\r\nConnection: close\r\n${method === 'POST' ? 'Content-Length: 0\r\n' : ''}\r\n`,
  )
const statusOf = (said: string) => Number(said.slice(9, 12))
const bodyOf = (said: string) => said.slice(said.indexOf('\r\n\r\n') + 4)
function isOwnPage(said: string, status: number): void {
  assert.equal(statusOf(said), status, said.slice(0, 200))
  assert.match(said, /cache-control: no-store/i)
  assert.match(bodyOf(said), new RegExp(`^<!doctype html><title>${status}</title><p>own page [0-9a-f]{32}$`))
}

type Act = (socket: net.Socket) => void
/** TLS has no end of its own for this: the connection below it is reset. */
function reset(socket: net.Socket): void {
  const below = (socket as net.Socket & { _parent?: net.Socket })._parent
  ;(below ?? socket).resetAndDestroy()
}
const says =
  (text: string): Act =>
  (socket) =>
    void socket.end(text)
const resets =
  (text: string): Act =>
  (socket) =>
    void socket.write(text, () => setImmediate(() => reset(socket)))

const PAGES: [string, number, Act][] = [
  ['closes without a word', 502, says('')],
  ['resets the connection at once', 502, reset],
  ['resets the connection inside the headers', 502, resets('HTTP/1.1 200 O')],
  ['closes inside the headers', 502, says('HTTP/1.1 200 OK\r\nContent-Le')],
  ['does not answer', 504, () => {}],
  ['never ends its headers', 502, endless],
  ['answers with what is no HTTP', 502, says('I am no HTTP at all\r\n\r\nreally')],
  ['has no number for a status', 502, says('HTTP/1.1 abc OK\r\n\r\nreally')],
  ['has the status 000', 502, says('HTTP/1.1 000 OK\r\nContent-Length: 1\r\n\r\nx')],
  [
    'switches to a protocol that nobody asked for',
    502,
    says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxx'),
  ],
  ['sends a length that is no number', 502, says('HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\npart')],
  ['sends a length in hexadecimal', 502, says('HTTP/1.1 200 OK\r\nContent-Length: 0x4\r\n\r\npart')],
  [
    'sends two lengths that differ',
    502,
    says('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\npartx'),
  ],
  [
    'sends a coding that nobody asked for',
    502,
    says('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
  ],
  ['sends NUL in a header', 502, says('HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok')],
  ['folds a header', 502, says('HTTP/1.1 200 OK\r\nX-A: a\r\n  b\r\nContent-Length: 2\r\n\r\nok')],
  ['has a blank in a header name', 502, says('HTTP/1.1 200 OK\r\nX A: a\r\nContent-Length: 2\r\n\r\nok')],
  [
    'sends interim answers and nothing else',
    502,
    says('HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'.repeat(100)),
  ],
  ['sends an interim answer and then no HTTP', 502, says('HTTP/1.1 103 Early Hints\r\n\r\nnonsense\r\n\r\n')],
]

function endless(socket: net.Socket): void {
  const more = setInterval(
    () => void (socket.writable ? socket.write(`X-Filler: ${'x'.repeat(1000)}\r\n`) : clearInterval(more)),
    1,
  )
  socket.on('close', () => clearInterval(more))
  socket.write('HTTP/1.1 200 OK\r\n')
}

// Over TLS the edge speaks with origins in its own words, and must be as careful as nginx.
for (const protocol of ['http', 'https'] as const)
  describe(`an origin over ${protocol} that`, () => {
    const raw = (act: Parameters<typeof rawOrigin>[0]) => rawOrigin(act, protocol === 'https' ? certificate : undefined)

    for (const [what, status, act] of PAGES) {
      it(`${what} is answered for with the website's page`, async () => {
        await using origin = await raw(act)
        await behind(origin.port, protocol)
        isOwnPage(await ask(), status)
      })
    }

    it("is down is answered for with the website's page", async () => {
      const gone = await raw(says(''))
      await gone[Symbol.asyncDispose]()
      await behind(gone.port, protocol)
      isOwnPage(await ask(), 502)
    })

    it("does not take the connection in time is answered for with the website's page", async () => {
      await using full = await fullQueue()
      await behind(full.port, protocol)
      isOwnPage(await ask(), 504)
    })

    for (const [what, act] of [
      [
        'closes before its length is reached',
        says('HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\npart'),
      ],
      [
        'resets the connection inside the body',
        resets('HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\npart'),
      ],
      [
        'closes before the last chunk',
        says('HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
      ],
      [
        'sends a chunk that is none',
        (socket: net.Socket) =>
          void socket.write(
            'HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
            () => setTimeout(() => socket.end('ZZ\r\n'), 50),
          ),
      ],
      [
        'does so behind an interim answer',
        says(
          'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 100\r\n\r\npart',
        ),
      ],
    ] as [string, Act][]) {
      it(`${what}: the visitor sees that something is missing, and nothing is kept`, async () => {
        await using origin = await raw(act)
        await behind(origin.port, protocol)
        for (let i = 0; i < 2; i++) {
          const said = await ask()
          const announced = /content-length: (\d+)/i.exec(said)?.[1]
          assert.ok(
            announced === undefined
              ? !said.endsWith('0\r\n\r\n')
              : bodyOf(said).length < Number(announced) || statusOf(said) === 502,
            said.slice(-100),
          )
          assert.doesNotMatch(said, /x-cache: hit/i)
        }
        assert.ok(origin.asked.length >= 2)
      })
    }

    it('sends 12 kB of headers is passed on with all of them', async () => {
      await using origin = await raw(
        says(`HTTP/1.1 200 OK\r\n${`Link: </${'x'.repeat(990)}>\r\n`.repeat(12)}Content-Length: 2\r\n\r\nok`),
      )
      await behind(origin.port, protocol)
      const said = await ask()
      assert.deepEqual([statusOf(said), bodyOf(said), said.match(/^link: /gim)?.length], [200, 'ok', 12])
    })

    it('sends more than its length is cut off there, and the rest reaches nobody', async () => {
      await using origin = await raw(
        (socket) =>
          void socket.write(
            'HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 4\r\n\r\npartHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison',
          ),
      )
      await behind(origin.port, protocol)
      for (let i = 0; i < 4; i++) assert.equal(bodyOf(await ask()), 'part')
    })

    it('sends a length beside chunks is read by its chunks', async () => {
      await using origin = await raw(
        says('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
      )
      await behind(origin.port, protocol)
      assert.equal(bodyOf(await ask()), '5\r\nhello\r\n0\r\n\r\n')
    })

    it('fails while an old copy is there is not noticed', async () => {
      await using origin = await raw(
        (socket, _, number) =>
          void (number === 0
            ? socket.end('HTTP/1.1 200 OK\r\nCache-Control: max-age=1\r\nContent-Length: 3\r\n\r\nold')
            : socket.end('nonsense\r\n\r\n')),
      )
      await behind(origin.port, protocol)
      assert.equal(bodyOf(await ask()), 'old')
      await eventually(async () => assert.match(await ask(), /x-cache: stale/i))
      assert.equal(bodyOf(await ask()), 'old')
    })
  })

describe('an origin that sends 103 before its answer', () => {
  const HINT = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'

  it('is understood: the visitor gets the final answer', async () => {
    await using origin = await rawOrigin(
      says(
        `${HINT}${HINT}HTTP/1.1 201 Created\r\nX-Own: yes\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nConnection: x-hop\r\nX-Hop: no\r\nContent-Length: 5\r\n\r\nfinal`,
      ),
    )
    await behind(origin.port)
    for (const method of ['GET', 'POST', 'GET']) {
      const said = await ask(method)
      assert.deepEqual([statusOf(said), bodyOf(said)], [201, 'final'], said)
      assert.match(said, /x-own: yes/i)
      assert.match(said, /set-cookie: a=1\r\nset-cookie: b=2/i)
      assert.doesNotMatch(said, /x-hop|content-type/i)
    }
    // The first request is asked again, once; after that it is known.
    assert.equal(origin.asked.length, 4)
    assert.match(origin.asked[1] ?? '', /^GET \/case-\d+ HTTP\/1\.1\r\nHost: origin\.example\.test\r\n/)
    assert.doesNotMatch(origin.asked[1] ?? '', /x-fairway|connection:/i)
  })

  it('in chunks, in pieces, until the connection closes, and for HEAD', async () => {
    let text = ''
    await using origin = await rawOrigin((socket) => {
      socket.write(HINT.slice(0, 20))
      setTimeout(() => socket.end(HINT.slice(20) + text), 20)
    })
    await behind(origin.port)
    const head = 'HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n'
    for (const [answer, method, body] of [
      [
        `${head}Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\n\r\n`,
        'GET',
        '6\r\nhello!\r\n0\r\n\r\n',
      ],
      [`${head}\r\nto the end`, 'GET', 'a\r\nto the end\r\n0\r\n\r\n'],
      [`${head}Content-Length: 10\r\n\r\nten bytes.`, 'HEAD', ''],
    ] as const) {
      text = answer
      const said = await ask(method)
      assert.equal(statusOf(said), 200)
      assert.equal(bodyOf(said).replaceAll(/[0-9a-f]+\r\n|\r\n/g, ''), body.replaceAll(/[0-9a-f]+\r\n|\r\n/g, ''))
    }
  })

  it('is kept by what the final answer says', async () => {
    await using origin = await rawOrigin(
      says(`${HINT}HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 4\r\n\r\nkept`),
    )
    await behind(origin.port)
    assert.equal(bodyOf(await ask()), 'kept')
    await eventually(async () => assert.match(await ask(), /x-cache: hit[^]*kept$/i))
    assert.equal(origin.asked.length, 2)
  })

  it('over TLS as well', async () => {
    const origin = tls.createServer(
      certificate,
      (socket) =>
        void socket
          .on('error', () => {})
          .once('data', () =>
            socket.end(`${HINT}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n${socket.encrypted ? 'sealed' : 'open'}`),
          ),
    )
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    await behind((origin.address() as net.AddressInfo).port, 'https')
    assert.equal(bodyOf(await ask()), 'sealed')
    origin.close()
  })

  it('to a POST first is understood at once: what was done is never answered as if it were not', async () => {
    await using origin = await rawOrigin(says(`${HINT}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`))
    await behind(origin.port)
    assert.equal(bodyOf(await ask('POST')), 'ok')
    assert.equal(origin.asked.length, 1)
  })

  it('gets the body of what is sent to it, whole', async () => {
    const received: number[] = []
    await using origin = await rawOrigin((socket, head, _, rest) => {
      if (head.startsWith('GET')) return void socket.end(`${HINT}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)
      let bytes = rest.length
      socket.removeAllListeners('data').on('data', (data: Buffer) => {
        bytes += data.length
        if (bytes < 300_000) return
        received.push(bytes)
        socket.end(`${HINT}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwell`)
      })
    })
    await behind(origin.port)
    assert.equal(bodyOf(await ask()), 'ok')
    const answer = await edge.get('www.example.test', '/upload', { method: 'POST', body: 'x'.repeat(300_000) })
    assert.deepEqual([answer.status, answer.text, received], [200, 'well', [300_000]])
  })
})

it('no worker of nginx has died of any of it', () => {
  assert.equal(workersNow(), workers)
  assert.equal(edge.agent.nginx.restarts(), 0)
})

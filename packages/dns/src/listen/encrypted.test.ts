import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http2 from 'node:http2'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import tls from 'node:tls'
import dnsPacket from 'dns-packet'
import * as fc from 'fast-check'
import { type HostPort, selfSignedCertificate } from '@fairway/platform'
import { serve, type Served, silentLog } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { type EncryptedListeners, listenEncrypted } from './encrypted.ts'
import type { Transport } from '../answer/answerer.ts'
import { Peer } from '../wire/peer.ts'
import { freshSeconds, listenHttps } from './https.ts'
import { openServerCertificate, TICKET_KEY_BYTES } from './server-certificate.ts'
import { TCP_LIMITS } from './tcp-limits.ts'

const ZONE = zoneOf(
  'example.test',
  'www 300 A 192.0.2.1\nwww 60 TXT "short"\nlong 300 TXT "x"\nwide 300 TXT "' +
    'w'.repeat(200) +
    '" "' +
    'w'.repeat(250) +
    '"',
)
const NO_FILES = { dnsCertificateFile: '', dnsCertificateKeyFile: '' }
const certificateOf = (files: typeof NO_FILES) => {
  const { certificatePem: cert, keyPem: key } = OWN
  return openServerCertificate({
    files,
    own: { cert, key },
    ticketKeys: crypto.randomBytes(TICKET_KEY_BYTES),
    log: silentLog,
  })
}
const OWN = selfSignedCertificate(['ns1.fairway.test'], new Date())
const ANY: HostPort = { host: '127.0.0.1', port: 0 }

let served: Served
let listeners: EncryptedListeners
let origin: string
before(async () => {
  served = await serve([ZONE])
  listeners = await listenEncrypted({
    tls: ANY,
    https: ANY,
    certificate: certificateOf(NO_FILES),
    handler: served.handler,
  })
  origin = `https://127.0.0.1:${listeners.https?.port}`
})
after(async () => {
  await listeners[Symbol.asyncDispose]()
  await served[Symbol.asyncDispose]()
})

const query = (id: number, name = 'www.example.test', type = 'A') =>
  dnsPacket.encode({ type: 'query', id, questions: [{ type, name }] })
const framed = (message: Buffer) => Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])
const dnsOf = (message: Buffer) => `/dns-query?dns=${message.toString('base64url')}`
type Got = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

/** One request over HTTP/2. */
async function ask(headers: http2.OutgoingHttpHeaders, body?: Uint8Array): Promise<Got> {
  const session = http2.connect(origin, { rejectUnauthorized: false })
  try {
    const stream = session.request(headers, { endStream: body === undefined })
    if (body) stream.end(body)
    const [got] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
    return { status: Number(got[':status']), headers: got, body: Buffer.concat(await stream.toArray()) }
  } finally {
    session.destroy()
  }
}
const post = (body: Uint8Array, type = 'application/dns-message') =>
  ask({ ':method': 'POST', ':path': '/dns-query', 'content-type': type }, body)

test('over TLS a hundred queries on one connection are answered in their order, and the protocol is called dot', async () => {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: listeners.tls?.port ?? 0,
    rejectUnauthorized: false,
    ALPNProtocols: ['dot'],
  })
  await once(socket, 'secureConnect')
  assert.equal(socket.alpnProtocol, 'dot')
  socket.write(Buffer.concat(Array.from({ length: 100 }, (_, id) => framed(query(id)))))
  let rest: Buffer = Buffer.alloc(0)
  const ids: number[] = []
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    for (
      rest = Buffer.concat([rest, chunk]);
      rest.length >= 2 && rest.length - 2 >= rest.readUInt16BE(0);
      rest = rest.subarray(2 + rest.readUInt16BE(0))
    )
      ids.push(dnsPacket.decode(rest.subarray(2, 2 + rest.readUInt16BE(0))).id ?? -1)
    if (ids.length === 100) break
  }
  assert.deepEqual(
    ids,
    Array.from({ length: 100 }, (_, id) => id),
  )
})

test('a connection that has ended gives its place back', async () => {
  for (const port of [listeners.tls?.port, listeners.https?.port]) {
    for (let at = 0; at <= TCP_LIMITS.connectionsPerPeer; at++) {
      const socket = tls.connect({ host: '127.0.0.1', port: port ?? 0, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      socket.destroy()
      await once(socket, 'close')
    }
  }
  assert.deepEqual([listeners.tls?.counters.refused, listeners.https?.counters.refused], [0, 0])
})

test('who asks for it gets answers whose length says little, over TLS and HTTPS alone (RFC 8467)', async () => {
  const padding = { code: 12, data: Buffer.alloc(20) }
  const asking = (type: string, options: object[], name = 'www.example.test') =>
    dnsPacket.encode({
      type: 'query',
      id: 1,
      questions: [{ type, name }],
      additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options }],
    })
  const out = new Uint8Array(65_535)
  const bytes = (query: Buffer, transport: Transport) => {
    out.fill(0xff)
    const length = served.handler.handle(query, query.length, new Peer().setText('192.0.2.9'), transport, out)
    const answer = Buffer.from(out.subarray(0, length))
    const given = dnsPacket
      .decode(answer)
      .additionals.flatMap(({ options }) => options ?? [])
      .find(({ code }) => code === 12) as { data?: Buffer } | undefined
    assert.ok(given?.data === undefined || given.data.every((byte) => byte === 0), 'nothing but zeros')
    return [length, given !== undefined] as const
  }
  const subnet = { code: 'CLIENT_SUBNET', family: 1, ip: '192.0.2.0', sourcePrefixLength: 24, scopePrefixLength: 0 }
  for (const transport of ['tls', 'https'] as const) {
    for (const query of [
      asking('A', [padding]),
      asking('A', [padding, subnet]),
      asking('TXT', [subnet, padding]),
      asking('A', [padding], 'nothing.example.test'),
      asking('A', [padding], 'elsewhere.test'),
    ])
      assert.deepEqual(bytes(query, transport), [468, true])
    assert.equal(bytes(asking('TXT', [padding], 'wide.example.test'), transport)[0], 936)
    assert.equal(bytes(asking('A', []), transport)[1], false)
  }
  for (const transport of ['udp', 'tcp'] as const) assert.equal(bytes(asking('A', [padding]), transport)[1], false)
  const post = (
    await ask(
      { ':method': 'POST', ':path': '/dns-query', 'content-type': 'application/dns-message' },
      asking('A', [padding]),
    )
  ).body
  assert.equal(post.length, 468)
})

test('over HTTPS no connection keeps its place by pings or by a body without end, while one that asks stays', async () => {
  const impatient = await listenHttps({
    at: ANY,
    handler: served.handler,
    limits: { ...TCP_LIMITS, idleMs: 400 },
    certificate: certificateOf(NO_FILES),
    reusePort: false,
  })
  const at = `https://127.0.0.1:${impatient.port}`
  const [pinging, dripping, asking] = [
    http2.connect(at, { rejectUnauthorized: false }),
    http2.connect(at, { rejectUnauthorized: false }),
    http2.connect(at, { rejectUnauthorized: false }),
  ]
  const old = tls.connect({ host: '127.0.0.1', port: impatient.port, rejectUnauthorized: false })
  old.write(
    'POST /dns-query HTTP/1.1\r\nHost: a\r\nContent-Type: application/dns-message\r\nContent-Length: 60000\r\n\r\n',
  )
  for (const one of [pinging, dripping, old]) one.on('error', () => {})
  const body = dripping.request(
    { ':method': 'POST', ':path': '/dns-query', 'content-type': 'application/dns-message' },
    { endStream: false },
  )
  body.on('error', () => {})
  for (
    const end = performance.now() + 20_000;
    performance.now() < end && !(pinging.destroyed && dripping.destroyed && old.destroyed);
    await delay(50)
  ) {
    if (!pinging.destroyed) pinging.ping(() => {})
    if (!body.destroyed) body.write('x')
    if (!old.destroyed) old.write('x')
    const answered = asking.request({ ':path': dnsOf(query(0)) })
    await once(answered, 'response')
    answered.resume()
  }
  assert.deepEqual([pinging.destroyed, dripping.destroyed, old.destroyed, asking.destroyed], [true, true, true, false])
  asking.destroy()
  await impatient[Symbol.asyncDispose]()
})

test('noise in place of a handshake ends that connection alone', async () => {
  for (const port of [listeners.tls?.port, listeners.https?.port]) {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: port ?? 0,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    await once(socket, 'error')
  }
  assert.equal((await ask({ ':path': dnsOf(query(0)) })).status, 200)
})

test('over HTTPS a query comes by GET or POST, and its answer is fresh as long as its shortest lifetime, for its visitor alone', async () => {
  for (const got of [await ask({ ':path': dnsOf(query(0)) }), await post(query(0))]) {
    const answer = dnsPacket.decode(got.body)
    assert.deepEqual(
      [
        got.status,
        got.headers['content-type'],
        got.headers['cache-control'],
        answer.answers?.map((one) => 'data' in one && one.data),
      ],
      [200, 'application/dns-message', 'private, max-age=300', ['192.0.2.1']],
    )
  }
  const missing = await post(query(0, 'nobody.example.test'))
  const soa = dnsPacket.decode(missing.body).authorities?.[0]
  assert.equal(missing.headers['cache-control'], `private, max-age=${soa && 'ttl' in soa ? soa.ttl : ''}`)
  assert.equal((await post(query(0, 'elsewhere.test'))).headers['cache-control'], 'no-store')
})

test('HTTP/1.1 is understood, too', async () => {
  const got = await new Promise<Buffer>((resolve, reject) => {
    https
      .get(
        `${origin}${dnsOf(query(0))}`,
        { rejectUnauthorized: false },
        (response) => void response.toArray().then((parts) => resolve(Buffer.concat(parts as Buffer[])), reject),
      )
      .once('error', reject)
  })
  assert.equal(dnsPacket.decode(got).answers?.length, 1)
})

test('what is no query is refused with the status that says why', async () => {
  const cases: [Promise<Got>, number][] = [
    [ask({ ':path': '/' }), 404],
    [ask({ ':path': '/dns-query' }), 400],
    [ask({ ':path': '/dns-query?dns=%%%' }), 400],
    [ask({ ':path': '/dns-query?dns=AAAA' }), 400],
    [ask({ ':method': 'DELETE', ':path': '/dns-query' }), 405],
    [post(query(0), 'application/json'), 415],
    [post(Buffer.alloc(65_536)), 413],
    [post(Buffer.alloc(3)), 400],
    // A response is never answered.
    [post(Buffer.concat([Buffer.from([0, 0, 0x80]), query(0).subarray(3)])), 400],
  ]
  for (const [got, status] of cases) assert.equal((await got).status, status)
})

test('zones are not transferred over HTTPS', async () => {
  const answer = dnsPacket.decode((await post(query(0, 'example.test', 'AXFR'))).body)
  assert.deepEqual([answer.rcode, answer.answers?.length], ['REFUSED', 0])
})

test('any bytes as a message are answered or refused, and nothing goes wrong inside', async () => {
  const session = http2.connect(origin, { rejectUnauthorized: false })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/dns-query',
        'content-type': 'application/dns-message',
      })
      stream.end(bytes)
      const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
      await stream.toArray()
      assert.ok([200, 400].includes(Number(headers[':status'])))
    }),
    { numRuns: 300 },
  )
  session.destroy()
  assert.equal(served.handler.failures, 0)
})

test('the freshness of an answer leaves out the flags of EDNS', () => {
  const answer = dnsPacket.encode({
    type: 'response',
    id: 0,
    questions: [{ type: 'A', name: 'a.test' }],
    answers: [
      { type: 'A', name: 'a.test', ttl: 70, data: '192.0.2.1' },
      { type: 'A', name: 'a.test', ttl: 50, data: '192.0.2.2' },
    ],
    additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] }] as never,
  })
  assert.equal(freshSeconds(answer), 50)
})

test('a renewed certificate is shown without a restart; half a one is not, and files that do not belong together are refused at the start', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dns-certificate-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const files = {
    dnsCertificateFile: path.join(folder, 'cert.pem'),
    dnsCertificateKeyFile: path.join(folder, 'key.pem'),
  }
  let minute = 0
  const write = (name: string, parts: ('cert' | 'key')[] = ['cert', 'key']) => {
    const { certificatePem, keyPem } = selfSignedCertificate([name], new Date())
    if (parts.includes('cert')) fs.writeFileSync(files.dnsCertificateFile, certificatePem)
    if (parts.includes('key')) fs.writeFileSync(files.dnsCertificateKeyFile, keyPem)
    minute++
    for (const file of parts.map((part) => (part === 'cert' ? files.dnsCertificateFile : files.dnsCertificateKeyFile)))
      fs.utimesSync(file, minute, minute)
  }
  const nameOf = ({ cert }: { cert: string }) => new crypto.X509Certificate(cert).subject
  write('one.test')
  t.mock.timers.enable({ apis: ['setInterval'] })
  using certificate = certificateOf(files)
  const told: string[] = []
  certificate.onChange((pem) => told.push(nameOf(pem)))
  write('two.test', ['cert'])
  t.mock.timers.tick(60_000)
  assert.equal(nameOf(certificate.shown()), 'CN=one.test')
  write('three.test')
  t.mock.timers.tick(60_000)
  assert.deepEqual([nameOf(certificate.shown()), told], ['CN=three.test', ['CN=three.test']])
  write('four.test', ['key'])
  assert.throws(() => certificateOf(files), /are no certificate with its key/)
  assert.throws(() => certificateOf({ ...NO_FILES, dnsCertificateFile: files.dnsCertificateFile }), /belong together/)
  assert.throws(
    () => certificateOf({ dnsCertificateFile: '/nowhere', dnsCertificateKeyFile: '/nowhere' }),
    /cannot be read \(ENOENT\)/,
  )
})

test('an address that is taken is told with the setting that changes it', async () => {
  const taken = { host: '127.0.0.1', port: listeners.tls?.port ?? 0 }
  await assert.rejects(
    listenEncrypted({ tls: taken, https: null, certificate: certificateOf(NO_FILES), handler: served.handler }),
    /FAIRWAY_DNS_TLS_LISTEN to another host:port/,
  )
  await assert.rejects(
    listenEncrypted({ tls: null, https: taken, certificate: certificateOf(NO_FILES), handler: served.handler }),
    /FAIRWAY_DNS_HTTPS_LISTEN to another host:port/,
  )
})

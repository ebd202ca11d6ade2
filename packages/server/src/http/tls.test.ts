import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { ErrorEnvelope, auth, overview, sites, streamAssets } from '@fairway/contract'
import { call, controlRequest, runDir, trustApiAuthorities } from '@fairway/platform'
import { type ApiUnderTest, type Client, clientOf, startApiUnderTest } from '../testing/api-under-test.ts'
import { type Made, makeCertificate } from '../testing/made-certificates.ts'
import { startNodeUnderTest } from '../testing/node-under-test.ts'
import { until } from '../testing/until.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'console-tls-'))
const [cert, key, roots] = ['cert.pem', 'key.pem', 'roots.pem'].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
]
const authority = makeCertificate({ subject: '/CN=House authority', names: [], ca: true })
const issued = (subject: string) =>
  makeCertificate({ subject: `/CN=${subject}`, names: ['localhost', 'console.example'], key: 'ec', issuer: authority })
const put = ({ certificate, privateKey }: Made) => {
  fs.writeFileSync(cert, certificate)
  fs.writeFileSync(key, privateKey)
}

let api: ApiUnderTest
let url: string
let client: Client
before(async () => {
  put(issued('first'))
  fs.writeFileSync(roots, authority.certificate)
  api = await startApiUnderTest({
    FAIRWAY_TLS_LISTEN: '127.0.0.1:0',
    FAIRWAY_TLS_CERT: cert,
    FAIRWAY_TLS_KEY: key,
    FAIRWAY_PUBLIC_URL: 'https://console.example:8443',
    FAIRWAY_LISTEN: '0.0.0.0:0',
  })
  url = `https://localhost:${api.tlsPort}`
  client = await api.newClient()
})
after(async () => {
  await api[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true, force: true })
})

type Answer = { status: number; head: string; body: string }
async function curl(...words: string[]): Promise<Answer> {
  const { stdout } = await promisify(execFile)('curl', ['-s', '-i', '--max-time', '20', ...words])
  const [head = '', body = ''] = stdout.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body }
}
const overTls = (route: string, ...words: string[]) =>
  curl('--cacert', roots, '--resolve', `console.example:${api.tlsPort}:127.0.0.1`, ...words, url + route)
const shownName = () =>
  new Promise<string>((resolve, reject) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: api.tlsPort ?? 0,
      servername: 'localhost',
      ca: authority.certificate,
    })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
  })
const degraded = async () =>
  ((await (await fetch(new URL('/readyz', api.url))).json()) as { degraded: string[] }).degraded
const ownWords = async () =>
  JSON.stringify(await controlRequest(`unix:${path.join(runDir(api.config), 'api.sock')}`, 'GET', '/readyz'))

test('signed in over TLS, the session is kept to TLS, and browsers are told to come so for a year', async () => {
  const body = JSON.stringify({ email: client.email, password: 'Correct-Horse-9' })
  const { status, head } = await overTls(auth.routes.login.path, '-H', 'content-type: application/json', '-d', body)
  assert.equal(status, 200)
  assert.match(head, /strict-transport-security: max-age=31536000\r?$/m)
  const cookies = head.match(/^set-cookie: .*$/gm) ?? []
  assert.ok(cookies.length >= 2 && cookies.every((cookie) => /; Secure/.test(cookie)), cookies.join())
})

test('TLS 1.2 and 1.3 are spoken, 1.1 is not', async () => {
  const handshake = async (version: string) => {
    const words = ['s_client', '-connect', `127.0.0.1:${api.tlsPort}`, version, '-cipher', 'DEFAULT@SECLEVEL=0']
    const asked = promisify(execFile)('openssl', words, { timeout: 20_000 })
    asked.child.stdin?.end()
    return asked.then(
      ({ stdout }) => /Cipher is (?!\(NONE\))/.test(stdout),
      () => false,
    )
  }
  assert.deepEqual(await Promise.all(['-tls1_3', '-tls1_2', '-tls1_1'].map(handshake)), [true, true, false])
})

/** An address of this machine that a connection can come from without being of this machine's own. */
const elsewhere = Object.values(os.networkInterfaces())
  .flat()
  .find((one) => one && !one.internal && one.family === 'IPv4')?.address

test(
  'whoever comes from elsewhere by plain HTTP is led to TLS, and what might hold a secret is refused',
  { skip: elsewhere === undefined && 'no address but loopback' },
  async () => {
    const plain = (route: string, ...words: string[]) =>
      curl(
        '--interface',
        elsewhere ?? '',
        '--noproxy',
        '*',
        ...words,
        `http://127.0.0.2:${new URL(api.url).port}${route}`,
      )
    const led = await plain('//other.example/a?b=c', '-H', 'Host: brand.example:8080')
    assert.equal(led.status, 308)
    assert.match(led.head, /^location: https:\/\/brand\.example:8443\/\/other\.example\/a\?b=c\r?$/m)
    assert.match((await plain('/x', '-H', 'Host: @/\\')).head, /^location: https:\/\/console\.example:8443\/x\r?$/m)
    for (const claim of ['X-Forwarded-Proto: https', 'X-Forwarded-For: 127.0.0.1', 'Forwarded: proto=https'])
      assert.equal((await plain('/', '-H', claim)).status, 308, claim)
    const refused = await plain(auth.routes.login.path, '-H', 'content-type: application/json', '-d', '{}')
    assert.equal(refused.status, 403)
    assert.equal(ErrorEnvelope.parse(JSON.parse(refused.body)).meta.code, 920904)
    // Roles and commands of this machine.
    const own = await curl('--noproxy', '*', `http://127.0.0.1:${new URL(api.url).port}/healthz`)
    assert.equal(own.status, 200)
    assert.doesNotMatch(own.head, /strict-transport/)
  },
)

test('handshakes that are never made cannot take every place', async () => {
  const sockets: net.Socket[] = []
  const ended: net.Socket[] = []
  try {
    for (let at = 0; at < 530; at++) {
      const socket = net.connect(api.tlsPort ?? 0, '127.0.0.1')
      socket.on('error', () => {})
      socket.once('close', () => ended.push(socket))
      await once(socket, 'connect')
      sockets.push(socket)
    }
    await until(async () => ended.length >= 18)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await until(async () => (await shownName().catch(() => '')) === 'first')
})

test('a node follows the feed over TLS when it trusts the authority; an upload arrives as it was', async () => {
  const config = { ...api.config, apiUrl: url }
  const register = () =>
    call(config, 'POST', '/nodes/v1/register/', { name: 'far', role: 'dns', version: '1', controlUrl: null })
  await assert.rejects(register, /fetch failed/)
  trustApiAuthorities({ apiCaFile: roots })
  await using node = startNodeUnderTest({ ...api, config: { ...config, apiCaFile: roots } }, 'dns', 'far')
  const { data } = await client.call(sites.routes.create, { domainName: 'harbour.example' })
  await until(async () => node.document('dns-zone', data.id) !== undefined)
  await api.database.system((tx) =>
    tx.query(`INSERT INTO stream_runner (node, can_encode, seen_at) VALUES ('test', true, now() + interval '1 hour')`),
  )
  const bytes = Uint8Array.from(crypto.randomBytes(3_000_000))
  const { uploadUrl } = await clientOf(url, client.token).call(streamAssets.routes.create, {
    name: 'film.mp4',
    size: bytes.length,
  })
  const sent = await fetch(new URL(uploadUrl, url), {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      authorization: `Bearer ${client.token}`,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    },
    body: bytes,
  })
  assert.deepEqual([sent.status, sent.headers.get('upload-offset')], [204, String(bytes.length)])
})

test('another certificate is shown without losing a connection; half of one changes nothing and is told', async () => {
  trustApiAuthorities({ apiCaFile: roots })
  const end = new AbortController()
  const stream = await fetch(new URL(overview.routes.events.path, url), {
    headers: { authorization: `Bearer ${client.token}` },
    signal: end.signal,
  })
  let ended = false
  const read = (async () => {
    for await (const _ of stream.body ?? []);
  })().then(
    () => (ended = true),
    () => (ended = true),
  )
  const second = issued('second')
  fs.writeFileSync(cert, second.certificate)
  await until(async () => (await degraded()).includes('tls'))
  assert.match(await ownWords(), /no certificate with its key .*The certificate before it is still shown/)
  assert.match(await ownWords(), /"ready":true/)
  assert.equal(await shownName(), 'first')
  fs.writeFileSync(key, second.privateKey)
  await until(async () => (await shownName()) === 'second')
  assert.ok(!(await degraded()).includes('tls'))
  put(makeCertificate({ subject: '/CN=over', names: ['localhost'], key: 'ec', issuer: authority, days: -1 }))
  await until(async () => (await degraded()).includes('tls'))
  assert.match(await ownWords(), /has expired/)
  assert.equal(await shownName(), 'second')
  fs.rmSync(key)
  await until(async () => /cannot be read \(ENOENT\)/.test(await ownWords()))
  assert.equal(await shownName(), 'second')
  assert.equal(ended, false)
  end.abort()
  await read
})

test('without a certificate that can be used the API is there for this machine, and for all once there is one', async () => {
  const [lateCert, lateKey] = [path.join(folder, 'late.pem'), path.join(folder, 'late.key')]
  await using late = await startApiUnderTest({
    FAIRWAY_TLS_LISTEN: '127.0.0.1:0',
    FAIRWAY_TLS_CERT: lateCert,
    FAIRWAY_TLS_KEY: lateKey,
  })
  const ready = (await (await fetch(new URL('/readyz', late.url))).json()) as { ready: boolean; degraded: string[] }
  assert.deepEqual([ready.ready, ready.degraded.includes('tls')], [true, true])
  const ask = () =>
    curl('--cacert', roots, `https://localhost:${late.tlsPort}/healthz`).then(
      ({ status }) => status,
      () => 0,
    )
  assert.equal(await ask(), 0)
  const { certificate, privateKey } = issued('late')
  fs.writeFileSync(lateCert, certificate)
  fs.writeFileSync(lateKey, privateKey)
  await until(async () => (await ask()) === 200)
})

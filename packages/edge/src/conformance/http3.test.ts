import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import dgram from 'node:dgram'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EdgeCertificates } from '@fairway/contract'
import { freePort, identityOf, sealForNodes, selfSignedCertificate } from '@fairway/platform'
import { ownFrontFolder, startFront } from '../front/front.ts'
import { findCaddy } from '../front/program.ts'
import { endGenerations, generations } from '../nginx/generations.ts'
import { edgeLayout } from '../nginx/layout.ts'
import {
  EDGE,
  type EdgeUnderTest,
  NORTH,
  type Origin,
  edgeConfig,
  eventually,
  siteOf,
  startEdgeUnderTest,
  recordingLog,
  simulatedCdn,
  startOrigin,
  temporaryHome,
} from '../testing/edge-under-test.ts'
import { type Http3Visitor, http3Untried, http3Visitor } from '../testing/http3-visitor.ts'

let edge: EdgeUnderTest
let website: Origin
let port: number
let visitor: Http3Visitor
const certificates: Record<string, { certificatePem: string; keyPem: string }> = {}
const HOSTS = ['fast.test', 'hinted.test', 'plain.test']
const skip = http3Untried

before(async () => {
  if (skip) return
  website = await startOrigin((request, response) => {
    const path = request.url ?? '/'
    if (path.startsWith('/app.css')) {
      response.setHeader('Content-Type', 'text/css')
      return response.end('p { color: red }')
    }
    response.setHeader('Alt-Svc', 'h3=":443"')
    if (path.startsWith('/broken')) return response.writeHead(500).end('broken')
    if (request.method === 'POST') {
      let bytes = 0
      request.on('data', (chunk: Buffer) => (bytes += chunk.length))
      return request.on('end', () => response.end(`${bytes}`))
    }
    response.setHeader('Content-Type', 'text/html')
    response.setHeader('Cache-Control', path.startsWith('/kept') ? 'max-age=600' : 'max-age=0')
    if (path.startsWith('/own')) response.setHeader('Set-Cookie', 'who=somebody')
    if (path.startsWith('/varies')) response.setHeader('Vary', 'Cookie')
    response.setHeader('ETag', '"1"')
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end()
    response.setHeader('Link', '</app.css>; rel=preload; as=style, <https://others.test/>; rel="canonical"')
    response.end(
      `<p>${request.headers['x-real-ip']} ${request.headers['x-forwarded-for']} ${request.headers['x-forwarded-proto']}</p>`,
    )
  })
  port = await freePort(EDGE)
  edge = await startEdgeUnderTest(undefined, undefined, { FAIRWAY_EDGE_HTTP3: `${EDGE}:${port}` })
  await publish(1, true)
  for (const [index, host] of HOSTS.entries()) {
    const made = selfSignedCertificate([host], new Date())
    certificates[host] = made
    await edge.publish({
      revision: 1,
      kind: 'edge-certificates',
      key: `certified-${index}`,
      version: 1,
      body: certified(`certified-${index}`, host, made),
    })
  }
  await eventually(() => assert.equal(edge.agent.front.state().state, 'running'))
  visitor = await browser()
})

after(async () => {
  await visitor?.[Symbol.asyncDispose]()
  await edge?.[Symbol.asyncDispose]()
  await website?.[Symbol.asyncDispose]()
})

async function publish(version: number, isOn: boolean): Promise<void> {
  const origin = website.origin()
  await edge.publish(
    siteOf('site', version, [
      { host: 'fast.test', origin, http3: isOn },
      { host: 'hinted.test', origin, http3: isOn, earlyHints: true },
      { host: 'plain.test', origin },
    ]),
  )
}

function certified(siteId: string, host: string, made: { certificatePem: string; keyPem: string }): EdgeCertificates {
  return {
    siteId,
    domain: host,
    organizationId: 'org-1',
    version: 1,
    certificates: [
      {
        certificateId: siteId,
        chainPem: made.certificatePem,
        sealedPrivateKey: sealForNodes(edge.config, 'certificate key', made.keyPem),
        notAfter: Date.now() + 86_400_000,
        staple: null,
      },
    ],
    names: { [host]: siteId },
  }
}

/** It asks these names over HTTP/3 at once: what it was offered over TCP it would try with certificates of known makers only. */
const browser = () =>
  http3Visitor(EDGE, {
    certificates: HOSTS.map((host) => certificates[host]?.certificatePem ?? ''),
    forced: HOSTS.map(at),
  })
const at = (host: string) => `${host}:${port}`

test('a browser comes over HTTP/3, and the origin hears who it is', { skip }, async () => {
  const { seen, text } = await visitor.visit(`https://${at('fast.test')}/page`)
  assert.deepEqual([seen[0]?.status, seen[0]?.protocol], [200, 'h3'])
  assert.match(text, /127\.0\.0\.\d+ 127\.0\.0\.\d+ https</)
})

test('HTTP/3 is offered over TLS to domains that have it, with our port and not the origin’s', { skip }, async () => {
  const offered = `h3=":${port}"; ma=86400`
  const table: [string, string, { method?: string; headers?: Record<string, string> }?][] = [
    ['fetched', '/kept?offered'],
    ['from the cache', '/kept?offered'],
    ['fetched', '/page?offered'],
    ['confirmed by its origin', '/page?offered'],
    ['a part of it', '/kept?offered', { headers: { Range: 'bytes=0-1' } }],
    ['not changed', '/kept?offered', { headers: { 'If-None-Match': '"1"' } }],
    ['its headers', '/kept?offered', { method: 'HEAD' }],
    ['past the cache', '/kept?offered', { headers: { Authorization: 'Basic eA==' } }],
    ['an error of the origin', '/broken'],
    ['posted', '/page', { method: 'POST' }],
  ]
  for (const [what, target, options] of table) {
    const said = async (host: string, tls: boolean) =>
      (await edge.get(host, target, { ...options, tls })).headers['alt-svc']
    assert.equal(await said('fast.test', true), offered, what)
    assert.equal(await said('fast.test', false), undefined, `${what}, without TLS`)
    assert.equal(await said('plain.test', true), undefined, `${what}, not switched on`)
  }
  await edge.publish(simulatedCdn('north', NORTH, 1, { mode: 'up' }))
  const elsewhere = await edge.get('fast.test', '/page', { tls: true, at: NORTH })
  assert.equal(elsewhere.headers['alt-svc'], undefined, 'of a simulated CDN, where the front is not')
})

test(
  'a stored page that has to be asked for again is foretold by its links, and nothing else is',
  { skip },
  async () => {
    const tls = { tls: true, port: edge.config.edgeHttps.port }
    const port443 = (host: string, target: string) => edge.get(host, target, tls)
    for (const target of ['/page', '/own', '/varies', '/kept', '/page?who=me']) await port443('hinted.test', target)
    await port443('fast.test', '/page')
    const hintsOf = async (host: string, target: string) => (await visitor.visit(`https://${at(host)}${target}`)).hints
    assert.deepEqual(await hintsOf('hinted.test', '/page'), ['</app.css>; rel=preload; as=style'])
    assert.deepEqual(await hintsOf('hinted.test', '/own'), [], 'set for one visitor')
    assert.deepEqual(await hintsOf('hinted.test', '/varies'), [], 'varies by cookie')
    assert.deepEqual(await hintsOf('hinted.test', '/kept'), [], 'comes from the cache at once')
    assert.deepEqual(await hintsOf('hinted.test', '/page?who=you'), [], 'another address')
    assert.deepEqual(await hintsOf('fast.test', '/page'), [], 'not switched on')
  },
)

test('a purge forgets the hints', { skip }, async () => {
  await edge.get('hinted.test', '/purged', { tls: true })
  assert.equal((await atSocket('hints', 'hinted.test', '/purged')).status, 200)
  await edge.publish({
    revision: 2,
    kind: 'edge-purges',
    key: 'site-domain-1',
    version: 2,
    body: {
      domainId: 'site-domain-1',
      organizationId: 'org-1',
      siteId: 'site',
      host: 'hinted.test',
      version: 2,
      marks: [{ kind: 'url', value: '/purged', at: Date.now(), soft: false }],
    },
  })
  assert.equal((await atSocket('hints', 'hinted.test', '/purged')).status, 204)
})

test(
  'a name that is not served over HTTP/3 has no certificate there, and is refused on another’s connection',
  { skip },
  async () => {
    await assert.rejects(visitor.visit(`https://${at('plain.test')}/page`), /QUIC/)
    const refused = await atSocket('visitors', 'plain.test', '/page')
    assert.deepEqual([refused.status, refused.headers['alt-svc']], [421, 'clear'])
    assert.equal((await atSocket('visitors', 'unknown.test', '/page')).status, 421)
    assert.equal((await atSocket('certificates', 'x', '/?server_name=plain.test')).status, 204)
    assert.match((await atSocket('certificates', 'x', '/?server_name=FAST.test')).text, /PRIVATE KEY/)
  },
)

test('nobody else gets at the sockets, or at a certificate without knowing the word', { skip }, async () => {
  const folder = edge.agent.layout.frontFolder
  assert.equal(fs.statSync(folder).mode & 0o777, 0o700)
  const { number } = frontOf(edge)
  const answer = await new Promise<number>((resolve, reject) =>
    http
      .get(`http://127.0.0.1:${number}/?server_name=fast.test`, (got) => (got.resume(), resolve(got.statusCode ?? 0)))
      .on('error', reject),
  )
  assert.equal(answer, 404)
  // What visitors write about where they come from is nobody's word.
  const told = await edge.get('fast.test', '/page', {
    tls: true,
    at: EDGE,
    headers: { 'X-Forwarded-For': '192.0.2.9, unix:' },
  })
  assert.ok(told.status === 200)
})

test('large headers and bodies hurt nobody', { skip }, async () => {
  const script = `(async () => {
    const big = await fetch('/page', { headers: { 'X-Big': 'a'.repeat(60000) } }).then((got) => got.status, () => 0)
    const body = await fetch('/posted', { method: 'POST', body: 'b'.repeat(1000000) }).then((got) => got.text())
    const many = await Promise.all(Array.from({ length: 100 }, (_, i) => fetch('/page?' + i).then((got) => got.status)))
    return { big, body, many: many.filter((status) => status === 200).length }
  })()`
  const { said } = await visitor.visit(`https://${at('fast.test')}/page`, { script })
  const { big, body, many } = said as { big: number; body: string; many: number }
  assert.ok(big === 0 || big >= 400, `large headers got ${big}`)
  assert.deepEqual([body, many], ['1000000', 100])
})

test('it listens for visitors and for itself, and nowhere else', { skip }, () => {
  const { pid, number } = frontOf(edge)
  assert.deepEqual(listening(pid), {
    udp: [`${EDGE}:${port}`],
    tcp: [`${EDGE}:${port}`, `127.0.0.1:${number}`].sort(),
  })
})

test(
  'while the front is away HTTP/3 is taken back and nginx serves on; then it is offered again',
  { skip },
  async () => {
    const offer = async () => (await edge.get('fast.test', '/page', { tls: true })).headers['alt-svc']
    {
      // Somebody else has its address before it is back.
      await using _other = await taken(port)
      await eventually(async () => assert.equal(await offer(), 'clear'))
      await eventually(() => assert.match(edge.agent.front.state().problem, /address already in use/))
      assert.notEqual(edge.agent.front.state().state, 'running')
      assert.equal((await edge.get('fast.test', '/page', { tls: true })).status, 200)
      assert.equal((await edge.get('fast.test', '/page')).status, 200)
    }
    await eventually(async () => assert.equal(await offer(), `h3=":${port}"; ma=86400`))
    assert.ok(edge.agent.front.state().restarts >= 1)
    await using another = await browser()
    assert.equal((await another.visit(`https://${at('fast.test')}/page`)).seen[0]?.protocol, 'h3')
  },
)

test('where it is not installed nothing is offered, and one that was left is ended', { skip }, async () => {
  const home = temporaryHome()
  try {
    const config = await edgeConfig(home, { FAIRWAY_EDGE_HTTP3: `${EDGE}:${await freePort(EDGE)}` })
    const layout = edgeLayout(config)
    const log = recordingLog()
    ownFrontFolder(layout.frontFolder, null)
    const left = spawn('sleep', ['600'], {
      detached: true,
      stdio: ['ignore', fs.openSync(path.join(layout.frontFolder, 'front.log'), 'w'), 'ignore'],
    })
    generations(layout.frontFolder).add({ ...identityOf(left.pid ?? 0), number: 1, configuration: '' })
    const ended = new Promise((resolve) => left.once('exit', (_, signal) => resolve(signal)))
    await using front = await startFront({
      config,
      layout,
      user: null,
      log,
      find: () => findCaddy([path.join(home, 'nothing')]),
      changed: () => assert.fail('nothing is told to nginx'),
    })
    front.start()
    assert.equal(await ended, 'SIGTERM')
    assert.deepEqual([front.isOffered, front.state().state, front.port()], [false, 'missing', ''])
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
})

type Got = { status: number; headers: http.IncomingHttpHeaders; text: string }

/** Asks nginx as the front does. */
function atSocket(which: 'visitors' | 'certificates' | 'hints', host: string, target: string): Promise<Got> {
  const socketPath = edge.agent.layout[`${which}Socket`]
  const options = { socketPath, path: target, headers: { host, 'x-forwarded-for': '192.0.2.1' }, agent: false as const }
  return new Promise((resolve, reject) => {
    const take = (response: http.IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    }
    const request =
      which === 'certificates' ? http.get(options, take) : https.get({ ...options, rejectUnauthorized: false }, take)
    request.on('error', reject)
  })
}

const frontOf = ({ agent }: EdgeUnderTest): { pid: number; number: number } =>
  generations(agent.layout.frontFolder).all().at(-1) ?? assert.fail('no front')

/** Ends fronts until their address is ours. */
async function taken(at: number): Promise<AsyncDisposable> {
  const { frontFolder } = edge.agent.layout
  for (;;) {
    await endGenerations(generations(frontFolder).all(), frontFolder, [['SIGKILL', 1000]])
    const socket = dgram.createSocket('udp4')
    const isOurs = await new Promise<boolean>((resolve) =>
      socket.once('error', () => resolve(false)).bind(at, EDGE, () => resolve(true)),
    )
    if (isOurs) return { [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())) }
    await sleep(5)
  }
}

/** Addresses that a process waits at, as the kernel has them. */
function listening(pid: number): { udp: string[]; tcp: string[] } {
  const own = new Set(
    fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    }),
  )
  const of = (kind: 'udp' | 'tcp', state: string) =>
    [kind, `${kind}6`]
      .flatMap((table) => fs.readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1))
      .map((line) => line.trim().split(/\s+/))
      .filter((words) => words[3] === state && own.has(`socket:[${words[9]}]`))
      .map(([, local = '']) => {
        const [address = '', number = ''] = local.split(':')
        const bytes = (address.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).reverse()
        return `${bytes.join('.')}:${Number.parseInt(number, 16)}`
      })
      .sort()
  return { udp: of('udp', '07'), tcp: of('tcp', '0A') }
}

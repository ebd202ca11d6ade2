import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DnsClient } from '@fairway/app'
import { type AnyRoute, ErrorEnvelope, FEATURES } from '@fairway/contract'
import { curl } from './curl.ts'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { randomFrom } from './random.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, dnsRecords, sites } = FEATURES
const HOST = 'www.robust.example'

let world: World
let site = ''
let pids: Record<string, number | null> = {}

before(async () => {
  world = await startWorld()
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  site = (await world.api(sites.routes.create, { domainName: 'robust.example' })).data.id
  const domain = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })
  ).data.domainId
  assert.ok(domain)
  await world.api(cdnManagement.routes.install, { site, domain, cdnId: 'swiftlane' })
  await until('the name is steered', async () => (await dig(world.dns, HOST, 'A')).length === 2, 10_000 * pace())
  pids = roles()
})
after(() => world[Symbol.asyncDispose]())

test('rubbish to the name server over UDP: it goes on, and answers what was asked well', async () => {
  const random = randomFrom(1)
  const socket = dgram.createSocket('udp4')
  const query = Buffer.from('1234010000010000000000000377777706726f62757374076578616d706c650000010001', 'hex')
  for (let at = 0; at < 5000; at++) {
    const packet = at % 2 ? bytes(random, Math.floor(random() * 1400)) : mutated(query, random)
    socket.send(packet, world.dns.port, world.dns.host)
    if (at % 100 === 0) await delay(1)
  }
  await stillWell()
  socket.close()
})

test('rubbish over TCP to every port: half frames, false lengths, noise, connections that say nothing', async () => {
  const random = randomFrom(2)
  const noise = [
    Buffer.alloc(0),
    Buffer.from([0xff, 0xff]),
    Buffer.from([0x00, 0x01, 0x00]),
    bytes(random, 70_000),
    bytes(random, 13),
    Buffer.from('GET / HTTP/9.9\r\n\r\n'),
    Buffer.from('GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n'),
    Buffer.from(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`),
    Buffer.from(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n${'X-Many: 1\r\n'.repeat(5000)}\r\n`),
    Buffer.from(
      `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /inner HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    ),
    Buffer.from(`POST /b HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 99999999999999999999\r\n\r\nx`),
    Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`),
    Buffer.from(`GET / HTTP/1.1\r\nHost: ${'h'.repeat(300)}.example\r\n\r\n`),
    Buffer.from(`GET http://169.254.169.254/ HTTP/1.1\r\nHost: ../..\r\n\r\n`),
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff'),
    // A TLS hello that promises more than it has.
    Buffer.from('16030100ff010000fb0303', 'hex'),
  ]
  for (const at of ports()) {
    await Promise.all(noise.map((data) => say(at, data)))
    await Promise.all(Array.from({ length: 200 }, () => say(at, Buffer.alloc(0))))
  }
  await stillWell()
})

test('whatever is sent to any route of the API is answered in the form of an error, never as a breakdown', async () => {
  const token = fs.readFileSync(`${world.config.home}/secrets/cli-token`, 'utf8').trim()
  const nobody = '00000000-0000-0000-0000-000000000000'
  const places = ['%00', '..%2f..%2f', '0', 'null', "'%20OR%201=1--", '%ff%fe', 'a'.repeat(3000), nobody]
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"__proto__":{"admin":true}}',
    `{"name":"${'x'.repeat(100_000)}"}`,
    `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    '{"name":"\\u0000","value":"\\ud800","type":"A","ids":[null],"clients":["::/999"],"domainName":"\\u0000","fault":{"mode":"down "}}',
  ]
  const queries = [
    '',
    '?page=-1&page_size=99999&ordering=;drop',
    '?page=1e9&search=%00',
    '?cursor=NaN&window=-5&seconds=1e400',
    '?ordering=constructor&search=%25&until=1e30',
  ]
  const routes = Object.values(FEATURES)
    .flatMap((feature) => Object.values(feature.routes) as AnyRoute[])
    .filter((route) => !route.stream)
  let asked = 0
  for (const { method, path } of routes) {
    // The site is a real one: behind it, rubbish gets further than it would alone.
    const within = path.replace('{site}', site)
    const at = (place: string) => within.replaceAll(/\{\w+\}/g, place)
    const calls =
      method === 'GET'
        ? [...places.map((place) => [at(place), null]), ...queries.map((query) => [at(nobody) + query, null])]
        : [...places.map((place) => [at(place), '{}']), ...bodies.map((body) => [at(nobody), body])]
    for (const [url, body] of calls as [string, string | null][]) {
      // An address has so many calls a minute; what is refused for that would try nothing.
      const from = `127.0.0.${2 + Math.floor(asked++ / 1000)}`
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const { status, text } = await call(world.url + url, { method, headers, body, from })
      const told = `${method} ${url.slice(0, 200)} ${body?.slice(0, 100)}: ${status} ${text.slice(0, 300)}`
      assert.ok(status < 500 && status !== 429, told)
      if (status >= 400) assert.ok(isEnvelope(text), told)
    }
  }
  await stillWell()
})

test('rubbish as beacons and as node messages is refused', async () => {
  const { host, port } = world.config.collectorListen
  const random = randomFrom(4)
  const bodies = [
    '',
    '{}',
    '{"v":1}',
    `{"v":1,"k":"${'k'.repeat(20_000)}","s":[]}`,
    '['.repeat(15_000),
    bytes(random, 10_000),
    bytes(random, 2_000_000),
  ]
  for (const path of [
    '/b',
    '/b/',
    '/b/settings?k=%00',
    '/probes/',
    '/dns-answers/',
    '/edge-requests/',
    '/pulse/',
    '/../../etc/passwd',
    '/%00',
  ]) {
    for (const method of ['POST', 'PUT', 'OPTIONS', 'DELETE', 'GET']) {
      for (const body of method === 'GET' ? [null] : bodies) {
        const response = await fetch(`http://${host}:${port}${path}`, {
          method,
          body,
          headers: { authorization: 'Bearer wrong', 'x-forwarded-for': '::::,999.1.1.1' },
        }).catch(() => null)
        // A body that is too large may end in a closed connection.
        assert.ok(response === null || response.status < 500, `${method} ${path}: ${response?.status}`)
        await response?.arrayBuffer()
      }
    }
  }
  await stillWell()
})

function isEnvelope(text: string): boolean {
  try {
    return ErrorEnvelope.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

/** Asks from a loopback address of one's choice. */
function call(
  url: string,
  how: { method: string; headers: http.OutgoingHttpHeaders; body: string | null; from: string },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { method, headers, body, from } = how
    const request = http.request(url, { method, headers, localAddress: from }, async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString()
        resolve({ status: response.statusCode ?? 0, text })
      } catch (error) {
        reject(error)
      }
    })
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

/** Every role is the process that it was, is ready and does its work. */
async function stillWell(): Promise<void> {
  await until('everything ready', async () => (await world.notReady()).length === 0, 10_000 * pace()).catch(async () =>
    assert.deepEqual(await world.notReady(), []),
  )
  assert.deepEqual(roles(), pids)
  using dns = new DnsClient(world.dns)
  assert.equal((await dns.ask({ name: HOST, type: 'A' }))?.answers.length, 2)
  assert.equal((await dig(world.dns, HOST, 'A', '+tcp')).length, 2)
  const { edgeHttp, edgeHttps, collectorListen, listen } = world.config
  for (const [at, path, scheme] of [
    [edgeHttp, '/.well-known/cdn/health', 'http'],
    [edgeHttps, '/.well-known/cdn/health', 'https'],
    [collectorListen, '/b.js', 'http'],
    [listen, '/config/', 'http'],
  ] as const) {
    assert.equal((await curl(`${scheme}://${at.host}:${at.port}${path}`, HOST, '--insecure')).status, 200, path)
  }
}

const roles = (): Record<string, number | null> =>
  Object.fromEntries(Object.entries(world.roles()).map(([name, { pid }]) => [name, pid]))
const ports = () => [
  world.dns,
  world.config.edgeHttp,
  world.config.edgeHttps,
  { host: '127.0.0.11', port: world.config.edgeHttp.port },
  world.config.collectorListen,
  world.config.listen,
]

/** Opens a connection, says this much, and hangs up when nothing more comes. */
function say({ host, port }: { host: string; port: number }, data: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(port, host, () => void (data.length && socket.write(data)))
    socket.setTimeout(200, () => socket.destroy())
    socket.on('data', () => {})
    socket.on('error', () => {})
    socket.once('close', () => resolve())
  })
}

const bytes = (random: () => number, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))

/** The packet with a few bytes changed, cut or doubled. */
function mutated(packet: Buffer, random: () => number): Buffer {
  const copy = Buffer.from(packet)
  for (let changes = 0; changes < 3; changes++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256)
  return random() < 0.3
    ? copy.subarray(0, Math.floor(random() * copy.length))
    : random() < 0.1
      ? Buffer.concat([copy, copy])
      : copy
}

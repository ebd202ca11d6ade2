import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { ProbeReport, type ProbeResult, type ProbeTarget } from '@fairway/contract'
import { loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { OutgoingGate } from '../outgoing/gate.ts'
import { collectorAuthorization } from '../collectors.ts'
import { startProber } from './prober.ts'

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'probe-'))
after(() => fs.rmSync(home, { recursive: true, force: true }))
const log = makeLog('test', { logLevel: 'error' })
const gate = new OutgoingGate({ config: loadConfig({}), log })
const configFor = (more: Record<string, string> = {}) =>
  loadConfig({
    FAIRWAY_HOME: fs.mkdtempSync(path.join(home, 'h-')),
    FAIRWAY_PROBE_INTERVAL_MS: '100',
    FAIRWAY_NODE_NAME: 'n1',
    ...more,
  })

async function serve(handler: http.RequestListener) {
  const server = http.createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = (server.address() as AddressInfo).port
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const target = (port: number, more: Partial<ProbeTarget> = {}): ProbeTarget => ({
  cdnId: 'c1',
  host: 'www.example.test',
  address: '127.0.0.1',
  port,
  tls: false,
  path: '/t.bin',
  house: true,
  ...more,
})

/** Collects results until `enough` says so. */
function collector(enough: (results: ProbeResult[]) => boolean) {
  const results: ProbeResult[] = []
  let finish: (results: ProbeResult[]) => void = () => {}
  const done = new Promise<ProbeResult[]>((resolve) => (finish = resolve))
  return {
    done,
    onResult: (_node: string, more: ProbeResult[]) => {
      results.push(...more)
      if (enough(results)) finish(results)
    },
  }
}

test('a target that answers is ok, with its Host and the time to the first byte', async () => {
  const hosts = new Set<string | undefined>()
  await using server = await serve((request, response) => {
    hosts.add(request.headers.host)
    setTimeout(() => response.end('x'), 30)
  })
  const { done, onResult } = collector((results) => results.length >= 2)
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  prober.targets({ organizationId: 'o1', version: 1, targets: [target(server.port)] })
  for (const result of await done) {
    assert.equal(result.ok, true)
    assert.ok(result.rttMs !== null && result.rttMs >= 25 && result.rttMs < 1000)
  }
  assert.deepEqual([...hosts], ['www.example.test'])
})

test('errors, refused connections, cut answers and silence are failures with a reason', async () => {
  await using bad = await serve((_request, response) => {
    response.statusCode = 503
    response.end()
  })
  await using cut = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '10' })
    response.write('x', () => response.destroy())
  })
  await using silent = await serve(() => {})
  const closed = await serve(() => {})
  await closed[Symbol.asyncDispose]()
  const { done, onResult } = collector((results) => new Set(results.map((result) => result.cdnId)).size === 4)
  await using prober = startProber({ config: configFor(), role: 'edge', gate, log, onResult })
  prober.targets({
    organizationId: 'o1',
    version: 1,
    targets: [
      target(bad.port, { cdnId: 'bad' }),
      target(cut.port, { cdnId: 'cut' }),
      target(silent.port, { cdnId: 'silent' }),
      target(closed.port, { cdnId: 'closed' }),
    ],
  })
  const results = await done
  const errorOf = (cdnId: string) => results.find((result) => result.cdnId === cdnId)?.error
  assert.ok(results.every((result) => !result.ok && result.rttMs === null))
  assert.deepEqual(
    [errorOf('bad'), errorOf('closed'), errorOf('silent')],
    ['status 503', 'ECONNREFUSED', 'no answer in time'],
  )
  assert.equal(errorOf('cut'), 'ECONNRESET')
})

test('a slow target has one probe in flight, never two', async () => {
  let inFlight = 0
  let most = 0
  await using server = await serve((_request, response) => {
    most = Math.max(most, ++inFlight)
    setTimeout(() => {
      inFlight--
      response.end()
    }, 350)
  })
  const { done, onResult } = collector((results) => results.length >= 3)
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  prober.targets({ organizationId: 'o1', version: 1, targets: [target(server.port)] })
  await done
  assert.equal(most, 1)
})

test('removed targets are probed no more, and a restarted node remembers the others', async () => {
  let hits = 0
  await using server = await serve((_request, response) => {
    hits++
    response.end()
  })
  const config = configFor()
  const first = collector((results) => results.length >= 1)
  {
    await using prober = startProber({ config, role: 'dns', gate, log, onResult: first.onResult })
    prober.targets({
      organizationId: 'o1',
      version: 1,
      targets: [target(server.port), target(server.port, { cdnId: 'c2' })],
    })
    prober.targets({ organizationId: 'o1', version: 2, targets: [target(server.port, { cdnId: 'c2' })] })
    await first.done
  }
  const second = collector((results) => results.length >= 2)
  await using _prober = startProber({ config, role: 'dns', gate, log, onResult: second.onResult })
  assert.deepEqual(new Set((await second.done).map((result) => result.cdnId)), new Set(['c2']))
  assert.ok(hits >= 3)
})

test('results reach the collector with its token and the name of the node', async () => {
  await using up = await serve((_request, response) => response.end())
  const reports: { authorization: string | undefined; body: unknown }[] = []
  let arrived: () => void = () => {}
  const some = new Promise<void>((resolve) => (arrived = resolve))
  await using inbox = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      reports.push({ authorization: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) })
      response.writeHead(204).end()
      arrived()
    })
  })
  const config = configFor({ FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${inbox.port}` })
  await using prober = startProber({ config, role: 'edge', gate, log })
  prober.targets({ organizationId: 'o1', version: 1, targets: [target(up.port)] })
  await some
  const report = ProbeReport.parse(reports[0]?.body)
  assert.equal(reports[0]?.authorization, collectorAuthorization(config))
  assert.equal(report.node, 'n1/edge')
  assert.equal(report.results[0]?.ok, true)
})

test('what a user has named and what leads inside is not connected to, and the node that refused says so', async () => {
  let hits = 0
  await using server = await serve((_request, response) => {
    hits++
    response.end()
  })
  const { done, onResult } = collector((results) => results.length >= 2)
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  prober.targets({ organizationId: 'o1', version: 1, targets: [target(server.port, { house: false })] })
  assert.deepEqual(
    [...new Set((await done).map(({ error }) => error))],
    ['the name stands for an address of a private network'],
  )
  assert.equal(hits, 0)
})

test('a page that is forbidden, missing or busy is no dead CDN, and no more of it is read than its head', async () => {
  let sent = 0
  await using server = await serve((request, response) => {
    response.statusCode = Number(request.url?.slice(2))
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)) && sent++, 1)
    response.on('close', () => clearInterval(timer))
  })
  const statuses = [200, 301, 401, 403, 404, 429, 421, 503]
  const { done, onResult } = collector((results) => new Set(results.map(({ cdnId }) => cdnId)).size === statuses.length)
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  const targets = statuses.map((status) =>
    target(server.port, { cdnId: `${status}`, host: `s${status}.example.test`, path: `/-${status}`, page: true }),
  )
  prober.targets({ organizationId: 'o1', version: 1, targets })
  const bad = new Set((await done).filter(({ ok }) => !ok).map(({ cdnId }) => cdnId))
  assert.deepEqual([...bad].sort(), ['421', '503'])
  assert.ok(sent < 1000)
})

/** A CDN's page under each of these names. */
const page = (port: number, cdnId: string, hosts: string[], more: Partial<ProbeTarget> = {}): ProbeTarget =>
  target(port, {
    cdnId,
    host: hosts[0] ?? '',
    page: true,
    others: hosts.slice(1).map((host) => ({ host, address: '127.0.0.1' })),
    ...more,
  })

/** What is newest of each CDN; `until` waits for a word that comes after it was called. */
function watcher() {
  const newest = new Map<string, boolean>()
  return {
    onResult: (_node: string, results: ProbeResult[]) => {
      for (const { cdnId, ok } of results) newest.set(cdnId, ok)
    },
    until: async (cdnId: string, ok: boolean) => {
      newest.delete(cdnId)
      while (newest.get(cdnId) !== ok) await new Promise((resolve) => setTimeout(resolve, 10))
    },
  }
}

test('a CDN is dead when none of its names answers, and an origin that fails behind all of them kills none', async () => {
  const broken = new Set(['staging.example.test'])
  const up = { good: true }
  const handler =
    (isAlive: () => boolean): http.RequestListener =>
    (request, response) => {
      if (!isAlive()) return void request.socket.destroy()
      response.statusCode = broken.has(request.headers.host ?? '') ? 502 : 200
      response.end()
    }
  await using one = await serve(handler(() => up.good))
  await using two = await serve(handler(() => true))
  const { onResult, until } = watcher()
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  const names = ['staging.example.test', 'www.example.test']
  prober.targets({
    organizationId: 'o1',
    version: 1,
    targets: [page(one.port, 'one', names), page(two.port, 'two', names)],
  })
  await until('one', true)
  broken.add('www.example.test')
  await until('one', true)
  await until('two', true)
  up.good = false
  await until('one', false)
  // What the other says of the origin is no excuse for whom nobody serves the name beside.
  prober.targets({ organizationId: 'o1', version: 2, targets: [page(two.port, 'two', names)] })
  await until('two', false)
})

test('a CDN that answers 503 for all its names is dead, though the origin of one of them fails everywhere', async () => {
  const names = ['www.example.test', 'staging.example.test', 'shop.example.test']
  const dead = { is: false }
  await using one = await serve((request, response) => {
    response.statusCode = dead.is || request.headers.host === names[1] ? 503 : 200
    response.end()
  })
  await using two = await serve((request, response) => {
    response.statusCode = request.headers.host === names[1] ? 502 : 200
    response.end()
  })
  const { onResult, until } = watcher()
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  prober.targets({
    organizationId: 'o1',
    version: 1,
    targets: [page(one.port, 'one', names), page(two.port, 'two', names)],
  })
  await until('one', true)
  dead.is = true
  await until('one', false)
  await until('two', true)
})

test('a CDN that knows none of its names is dead when one beside has them, and not when nobody has', async () => {
  const names = ['www.example.test', 'shop.example.test']
  const status = { one: 404, two: 200 }
  await using one = await serve((_request, response) => {
    response.statusCode = status.one
    response.end()
  })
  await using two = await serve((_request, response) => {
    response.statusCode = status.two
    response.end()
  })
  const { onResult, until } = watcher()
  await using prober = startProber({ config: configFor(), role: 'dns', gate, log, onResult })
  prober.targets({
    organizationId: 'o1',
    version: 1,
    targets: [page(one.port, 'one', names), page(two.port, 'two', names)],
  })
  await until('one', false)
  status.two = 410
  await until('one', true)
  await until('two', true)
})

test('each name of a CDN is asked once in an interval however many others look, and over our rate nothing is told', async () => {
  const names = ['www.example.test', 'a.example.test', 'b.example.test']
  let hits = 0
  await using server = await serve((_request, response) => {
    hits++
    response.statusCode = 503
    response.end()
  })
  const targets = Array.from({ length: 6 }, (_, index) => page(server.port, `c${index}`, names))
  const told: ProbeResult[] = []
  const onResult = (_node: string, results: ProbeResult[]) => void told.push(...results)
  {
    const config = configFor({ FAIRWAY_PROBE_INTERVAL_MS: '1000' })
    await using prober = startProber({ config, role: 'dns', gate, log, onResult })
    prober.targets({ organizationId: 'o1', version: 1, targets })
    while (new Set(told.map(({ cdnId }) => cdnId)).size < 6) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.ok(hits <= 2 * 6 * names.length, String(hits))
  }
  const config = loadConfig({ FAIRWAY_OUTGOING_RATE: '1', FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8' })
  const slow = new OutgoingGate({ config, log })
  told.length = 0
  await using prober = startProber({ config: configFor(), role: 'dns', gate: slow, log, onResult })
  prober.targets({ organizationId: 'o1', version: 1, targets: targets.map((one) => ({ ...one, house: false })) })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  assert.deepEqual(
    told.filter(({ error }) => error?.startsWith('too many')),
    [],
  )
  assert.ok(told.length < 40, String(told.length))
})

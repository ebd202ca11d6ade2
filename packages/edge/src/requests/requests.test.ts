import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { EdgeRequests } from '@fairway/contract'
import { collectorAuthorization, freePort, type DiskLevel } from '@fairway/platform'
import {
  NORTH,
  edgeConfig,
  eventually,
  recordingLog,
  simulatedCdn,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from '../testing/edge-under-test.ts'
import { readLogLine } from './log-line.ts'
import { shipRequests } from './ship.ts'
import { spool } from './spool.ts'

const LINE = {
  at: '1800000000.123',
  id: 'abc',
  cdnId: '',
  owner: 'o s d',
  host: 'h.test',
  method: 'GET',
  path: '/a',
  status: '200',
  bytes: '512',
  seconds: '0.042',
  cacheStatus: 'HIT',
  client: '203.0.113.0',
  rttUs: '21500',
}
const line = (more: Partial<typeof LINE> = {}) => JSON.stringify({ ...LINE, ...more })

/** Takes what the edge ships, as any HTTP server could. */
async function startReceiver(port: number, status: (text: string) => number = () => 200) {
  const taken: { authorization: string | undefined; body: EdgeRequests }[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const code = request.url === '/edge-requests/' && request.method === 'POST' ? status(text) : 404
    if (code === 200)
      taken.push({ authorization: request.headers.authorization, body: EdgeRequests.parse(JSON.parse(text)) })
    response.writeHead(code).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    taken,
    requests: () => taken.flatMap(({ body }) => body.requests),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function loggedFolder(lines: string[]) {
  const home = temporaryHome()
  const collectorPort = await freePort()
  const config = await edgeConfig(home, { FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${collectorPort}` })
  const requestLog = path.join(home, 'requests.log')
  fs.writeFileSync(requestLog, lines.map((text) => `${text}\n`).join(''))
  return {
    home,
    config,
    requestLog,
    collectorPort,
    [Symbol.dispose]: () => fs.rmSync(home, { recursive: true, force: true }),
  }
}

describe('requests', () => {
  it('reach the collector as they were answered, with the address cut and without the query', async () => {
    const collectorPort = await freePort()
    await using receiver = await startReceiver(collectorPort)
    await using edge = await startEdgeUnderTest()
    await using origin = await startOrigin(
      (_, response) => void response.writeHead(200, { 'cache-control': 'max-age=60' }).end('hello'),
    )
    const config = await edgeConfig(edge.config.home, { FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${collectorPort}` })
    await using _shipper = shipRequests({
      config,
      requestLog: edge.agent.layout.requestLog,
      reopen: () => edge.agent.nginx.reopen(),
      log: recordingLog(),
    })
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    await edge.publish(simulatedCdn('North', NORTH, 1, { mode: 'up' }))
    await edge.get('www.example.test', '/a"b%0d?secret=1')
    await edge.get('www.example.test', '/a"b%0d?secret=1')
    await edge.get('www.example.test', '/north', {
      at: NORTH,
      method: 'POST',
      body: 'x',
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
    await edge.get('nobody.test', '/unknown')
    await edge.get('www.example.test', '/.well-known/cdn/test.bin')
    await eventually(() => assert.equal(receiver.requests().length, 3))
    // Two workers write, each after its own buffer.
    const of = (status: string) => receiver.requests().find((request) => request.cacheStatus === status)
    const [hit, north] = [of('HIT'), of('BYPASS')]
    assert.ok(of('MISS') && hit && north)
    const { at, id, bytes, ms, rttMs, ...rest } = hit
    assert.deepEqual(rest, {
      cdnId: null,
      organizationId: 'org-1',
      siteId: 'site',
      domainId: 'site-domain-0',
      host: 'www.example.test',
      method: 'GET',
      path: '/a"b%0d',
      status: 200,
      cacheStatus: 'HIT',
      why: '',
      threat: null,
      recorded: null,
      shape: null,
      cmcd: null,
      weight: 1,
      client: '127.0.0.0',
    })
    assert.ok(Math.abs(at - Date.now()) < 60_000 && bytes > 5 && ms >= 0)
    assert.match(id, /^[0-9a-f]{32}$/)
    assert.deepEqual([of('MISS')?.why, north.why], ['not-held', 'method'])
    // The kernel's round trip is of who is connected: a proxy's would be taken for the visitor's.
    assert.ok(rttMs !== null && rttMs > 0 && north.rttMs === null)
    // This machine is a trusted proxy here: the address it speaks for counts, cut as any other.
    assert.deepEqual([north.cdnId, north.method, north.client], ['cdn-North', 'POST', '203.0.113.0'])
    assert.equal(receiver.taken[0]?.body.node, 'test-node/edge')
    assert.equal(receiver.taken[0]?.authorization, collectorAuthorization(config))
    // nginx has gone on to a new file each time it was told to.
    await edge.get('www.example.test', '/later')
    await eventually(() => assert.equal(receiver.requests().length, 4))
  })

  it('for videos carry what the player said of itself, which neither cache nor origin has seen', async () => {
    const collectorPort = await freePort()
    await using receiver = await startReceiver(collectorPort)
    await using edge = await startEdgeUnderTest()
    await using origin = await startOrigin(
      (_, response) => void response.writeHead(200, { 'cache-control': 'max-age=60' }).end('segment'),
    )
    const config = await edgeConfig(edge.config.home, { FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${collectorPort}` })
    await using _shipper = shipRequests({
      config,
      requestLog: edge.agent.layout.requestLog,
      reopen: () => edge.agent.nginx.reopen(),
      log: recordingLog(),
    })
    const video = { host: 'key.stream.test', signing: { on: false, keys: [] } }
    const cache = { enabled: true, defaultTtlSeconds: 0, honorOrigin: true, everything: true, ignoreQuery: true }
    await edge.publish(siteOf('stream:org-1', 1, [{ ...video, origin: origin.origin(), cache }]))
    await edge.publish(siteOf('site', 1, [{ origin: origin.origin() }]))
    const said = (text: string) => `CMCD=${encodeURIComponent(text)}`
    const ask = (query: string, headers = {}) => edge.get(video.host, `/film/s1.m4s${query}`, { headers })
    const answers = [
      await ask(`?a=1&${said('br=900,bl=12000,bs,sid="view-1"')}&b=2`),
      await ask(`?${said('br=400,sid="view-2"')}`),
      await ask('', { 'cmcd-object': 'br=700', 'cmcd-session': 'sid="view-3"' }),
      await ask('?CMCD=%E0%A4%A'),
      await ask(`?${said('x'.repeat(3_000))}`),
    ]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['x-cache']]),
      [[200, 'MISS'], ...Array.from({ length: 4 }, () => [200, 'HIT'])],
    )
    await edge.get('www.example.test', `/page?${said('sid="not-a-video"')}`)
    await eventually(() => assert.equal(receiver.requests().length, 6))
    const [first] = origin.asked
    assert.equal(first?.url, '/film/s1.m4s?a=1&b=2')
    assert.doesNotMatch(JSON.stringify([first?.url, first?.headers]), /cmcd/i)
    const told = receiver.requests().map(({ cmcd }) => JSON.stringify(cmcd))
    assert.deepEqual(
      told.sort(),
      [
        'null',
        'null',
        'null',
        '{"sid":"view-1","br":900,"bl":12000,"bs":true}',
        '{"sid":"view-2","br":400}',
        '{"sid":"view-3","br":700}',
      ].sort(),
    )
  })

  it('wait on disk while the collector is away, over a restart, and arrive once', async () => {
    using logged = await loggedFolder(Array.from({ length: 2500 }, (_, i) => line({ path: `/${i}` })))
    const ship = () => shipRequests({ ...logged, reopen: () => {}, log: recordingLog() })
    {
      await using away = ship()
      await away.round()
      await away.round()
      assert.equal(away.counts().sent, 0)
      assert.ok(away.counts().spoolBytes > 100_000)
    }
    let answers = 0
    {
      // Takes one batch, then breaks.
      await using receiver = await startReceiver(logged.collectorPort, () => (answers++ === 0 ? 200 : 503))
      await using shipper = ship()
      await shipper.round()
      assert.equal(receiver.requests().length, 1000)
    }
    await using receiver = await startReceiver(logged.collectorPort)
    await using shipper = ship()
    await shipper.round()
    assert.deepEqual(
      receiver.requests().map((request) => request.path),
      Array.from({ length: 1500 }, (_, i) => `/${i + 1000}`),
    )
    assert.deepEqual(shipper.counts(), { sent: 1500, lost: 0, unreadable: 0, refused: 0, spoolBytes: 0 })
  })

  it('wait no longer when the clock is set back meanwhile', async (t) => {
    using logged = await loggedFolder([line()])
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    await using shipper = shipRequests({ ...logged, reopen: () => {}, log: recordingLog() })
    await shipper.round()
    await shipper.round()
    assert.equal(shipper.counts().sent, 0)
    t.mock.timers.setTime(Date.now() - 3_600_000)
    await using receiver = await startReceiver(logged.collectorPort)
    for (
      const end = performance.now() + 15_000;
      receiver.requests().length === 0 && performance.now() < end;
      await delay(200)
    )
      await shipper.round()
    assert.equal(receiver.requests().length, 1)
  })

  it('beyond the bound are lost from the oldest on, and counted', async () => {
    using logged = await loggedFolder(Array.from({ length: 10 }, () => line({ path: '/old' })))
    const ship = () => shipRequests({ ...logged, reopen: () => {}, log: recordingLog(), spoolMaxBytes: 2000 })
    {
      await using shipper = ship()
      await shipper.round()
      fs.writeFileSync(logged.requestLog, `${line({ path: '/new' })}\n`)
      await shipper.round()
      assert.equal(shipper.counts().lost, 10)
    }
    await using receiver = await startReceiver(logged.collectorPort)
    await using shipper = ship()
    await shipper.round()
    assert.deepEqual(
      receiver.requests().map((request) => request.path),
      ['/new'],
    )
  })

  it('on a disk that is nearly full only a little waits', async () => {
    using logged = await loggedFolder(Array.from({ length: 12_000 }, () => line()))
    const state = { level: 'enough' as DiskLevel }
    const disk = { level: () => state.level, disk: () => null }
    await using shipper = shipRequests({ ...logged, reopen: () => {}, log: recordingLog(), disk })
    await shipper.round()
    assert.ok(shipper.counts().spoolBytes > 2 << 20)
    state.level = 'scarce'
    await shipper.round()
    assert.deepEqual([shipper.counts().spoolBytes, shipper.counts().lost], [0, 12_000])
  })

  it('that the collector will never take, or that are damaged, do not block the others', async () => {
    using logged = await loggedFolder([
      line(),
      '{"at":"180',
      line({ status: '000' }),
      'null',
      line({ cacheStatus: 'NONSENSE' }),
    ])
    await using receiver = await startReceiver(logged.collectorPort)
    {
      await using shipper = shipRequests({ ...logged, reopen: () => {}, log: recordingLog() })
      await shipper.round()
      await shipper.round()
      assert.deepEqual({ ...shipper.counts() }, { sent: 2, lost: 0, unreadable: 3, refused: 0, spoolBytes: 0 })
    }
    assert.deepEqual(
      receiver.requests().map((request) => request.status),
      [200, 0],
    )
  })

  it('that say much go in batches of a size that the collector takes', async () => {
    const recorded = {
      address: '203.0.113.9',
      scheme: 'https',
      target: `/${'x'.repeat(2000)}`,
      protocol: 'HTTP/2.0',
      tlsVersion: '1.3',
      bodySize: 0,
      headers: Array.from({ length: 40 }, (_, i) => ({ name: `x-${i}`, value: '\u0001'.repeat(400) })),
      cleared: 0,
      action: 'pass',
      part: '',
      ruleId: '',
      weight: 1,
    }
    const threat = JSON.stringify({ seen: recorded })
    const lines = Array.from({ length: 60 }, (_, i) => JSON.stringify({ ...LINE, path: `/${i}`, threat }))
    using logged = await loggedFolder(lines)
    // As the collector does.
    await using receiver = await startReceiver(logged.collectorPort, (text) =>
      Buffer.byteLength(text) > 4 << 20 ? 413 : 200,
    )
    await using shipper = shipRequests({ ...logged, reopen: () => {}, log: recordingLog() })
    await shipper.round()
    await shipper.round()
    assert.deepEqual(
      receiver.requests().map((request) => request.path),
      lines.map((_, i) => `/${i}`),
    )
    assert.ok(receiver.requests().every((request) => request.recorded !== null))
    assert.equal(shipper.counts().refused, 0)
  })

  it('are lost alone, and counted, where one of them is too large for whoever takes them', async () => {
    using logged = await loggedFolder(
      Array.from({ length: 40 }, (_, i) => line({ path: i === 17 ? '/large' : `/${i}` })),
    )
    await using receiver = await startReceiver(logged.collectorPort, (text) => (text.includes('/large') ? 413 : 200))
    await using shipper = shipRequests({ ...logged, reopen: () => {}, log: recordingLog() })
    await shipper.round()
    await shipper.round()
    assert.equal(receiver.requests().length, 39)
    assert.deepEqual(shipper.counts(), { sent: 39, lost: 0, unreadable: 0, refused: 1, spoolBytes: 0 })
  })

  it('are read from a line with everything cut to its size', () => {
    const read = readLogLine(line({ path: `/${'x'.repeat(5000)}`, method: 'M'.repeat(50), cacheStatus: '' }))
    assert.deepEqual(
      [read?.path.length, read?.method.length, read?.cacheStatus, read?.at, read?.ms, read?.cdnId],
      [512, 32, 'BYPASS', 1_800_000_000_123, 42, null],
    )
    assert.equal(readLogLine(line({ path: `/${'東'.repeat(500)}` }))?.path, `/${'東'.repeat(170)}`)
  })

  it('of a file that nginx may still write to are left alone until the next cut', () => {
    const home = temporaryHome()
    const log = path.join(home, 'requests.log')
    fs.writeFileSync(log, 'a\n')
    const files = spool(log, 1000, 10)
    files.cut(() => fs.writeFileSync(log, ''))
    assert.equal(files.next(), null)
    files.cut(() => assert.fail('nothing to cut'))
    assert.deepEqual(files.next()?.lines, ['a'])
    fs.rmSync(home, { recursive: true, force: true })
  })
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { PulseSeen } from '@fairway/contract'
import {
  controlRequest,
  controlText,
  freePort,
  makeLog,
  reportAddress,
  runDir,
  viewAddress,
  collectorAuthorization,
} from '@fairway/platform'
import { openStore } from '../store/store.ts'
import type { BeaconRow, NetworkReportRow, PlayerEventRow, StreamSegmentRow } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { loadBeaconScript } from './beacon-script.ts'
import { PulseKeys } from './pulse-keys.ts'
import { startCollector } from './start-collector.ts'

const port = await freePort()
// No API at this address: the collector does its work without.
const embedded = await startTestStore({
  FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${port}`,
  FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
  FAIRWAY_API_URL: `http://127.0.0.1:${await freePort()}`,
})
const { config } = embedded
const collector = await startCollector({ config, log: makeLog('collector', { logLevel: 'fatal' }) })
const store = openStore(config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

const url = `http://127.0.0.1:${port}`
const node = { authorization: collectorAuthorization(config) }
const send = (
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
  method: string = 'POST',
): Promise<Response> =>
  fetch(`${url}${path}`, { method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
const from = (address: string) => ({ 'x-forwarded-for': address, 'content-type': 'text/plain;charset=UTF-8' })
const settings = {
  startDelaySeconds: 2,
  repeatDelaySeconds: 10,
  batchNumber: 1,
  targets: [
    { c: 'a', u: 'http://a.example/' },
    { c: 'b', u: 'http://b.example/' },
  ],
}
const counted = async (series: string) =>
  Number(
    new RegExp(`^${series.replace(/[{}"]/g, '\\$&')} (\\d+)`, 'm').exec(
      await controlText(control, 'GET', '/metrics'),
    )?.[1] ?? 0,
  )
const control = `unix:${path.join(runDir(config), 'collector.sock')}`
/** Columns of what a beacon did not measure. */
const UNTOLD = { connect_ms: 0, tls_ms: 0, round_ms: 0, mbps: 0, task_ms: 0, requests: 0, page_bytes: 0 }
async function rows(cdn: string, expected: number): Promise<BeaconRow[]> {
  for (const end = Date.now() + 10_000; ;) {
    const found = await store.query<BeaconRow>('SELECT * FROM beacons WHERE cdn = {c:String}', { c: cdn })
    if (found.length >= expected || Date.now() > end) return found
  }
}

/** The first line of what the collector tells the API. */
async function seenOf(organization: string): Promise<PulseSeen> {
  assert.equal((await fetch(`${url}/pulse/?organization=${organization}`)).status, 401)
  const response = await fetch(`${url}/pulse/?organization=${organization}`, { headers: node })
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    return PulseSeen.parse(JSON.parse(piece.split('\n', 1)[0] ?? ''))
  throw new Error('nothing came')
}

test('a beacon becomes rows with its place and without its address', async () => {
  assert.equal(
    (await send('/pulse/', { keys: [{ key: 'k1', until: null }], organizationId: 'o1', settings }, node, 'PUT')).status,
    204,
  )
  const answer = await send(
    '/b/',
    {
      v: 1,
      k: 'k1',
      s: [
        { c: 'a', r: 33.5, ok: 1 },
        { c: 'a', ok: 0 },
      ],
    },
    from('202.96.209.133'),
  )
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [204, '*'])
  const found = await rows('a', 2)
  assert.deepEqual(
    found.map(({ at: _at, subnet: _subnet, post: _post, ...row }) => row),
    [
      {
        organization: 'o1',
        cdn: 'a',
        continent: 'AS',
        country: 'CN',
        region: '31',
        city: 'Shanghai',
        network: 'CT',
        ok: 1,
        rtt_ms: 33.5,
        ...UNTOLD,
      },
      {
        organization: 'o1',
        cdn: 'a',
        continent: 'AS',
        country: 'CN',
        region: '31',
        city: 'Shanghai',
        network: 'CT',
        ok: 0,
        rtt_ms: 0,
        ...UNTOLD,
      },
    ],
  )
  assert.ok(!JSON.stringify(found).includes('202.96'))
})

test('a batch that comes again counts once, by its name or by all that it says', async () => {
  const repeated = () => counted('fairway_collector_beacons_total{result="repeated",role="collector"}')
  const one = { ...settings, targets: [{ c: 'twice', u: 'http://twice.example/' }] }
  await send('/pulse/', { keys: [{ key: 'k7', until: null }], organizationId: 'o7', settings: one }, node, 'PUT')
  const before = await repeated()
  const named = (r: number) => ({ v: 1, k: 'k7', i: 'page-view-7', s: [{ c: 'twice', r, ok: 1 }] })
  const unnamed = (r: number) => ({ v: 1, k: 'k7', s: [{ c: 'twice', r, ok: 1 }] })
  const sent = [
    [named(20), '198.51.100.1'],
    [named(20), '198.51.100.1'],
    // Under another address or with other figures it is the same batch still.
    [named(21), '203.0.113.9'],
    [unnamed(30), '198.51.100.2'],
    [unnamed(30), '198.51.100.3'],
    [unnamed(30), '203.0.113.9'],
    [unnamed(31), '198.51.100.2'],
  ] as const
  for (const [body, address] of sent) assert.equal((await send('/b/', body, from(address))).status, 204)
  assert.equal((await repeated()) - before, 3)
  const found = await rows('twice', 4)
  assert.deepEqual(found.map((row) => row.rtt_ms).sort(), [20, 30, 30, 31])
  const first = found.find((row) => row.rtt_ms === 20)
  const same = found.find((row) => row.rtt_ms === 31)
  assert.ok(first && same && first.subnet > 0 && first.subnet === same.subnet)
  assert.equal(new Set(found.map((row) => row.subnet)).size, 2)
  await send('/pulse/', { keys: [{ key: 'k7', until: null }], organizationId: 'o7', settings: null }, node, 'PUT')
})

test('bad bodies are refused and counted by reason', async () => {
  const cases: [unknown, number, string][] = [
    ['{', 400, 'not-json'],
    ['', 400, 'not-json'],
    ['[]', 400, 'wrong-form'],
    [{ v: 2, k: 'k1', s: [{ c: 'a', r: 5, ok: 1 }] }, 400, 'wrong-form'],
    [{ v: 1, k: 'k1', s: [] }, 400, 'wrong-form'],
    [{ v: 1, k: 'k1', s: Array.from({ length: 65 }, () => ({ c: 'a', r: 5, ok: 1 })) }, 400, 'wrong-form'],
    [{ v: 1, k: 'nobody', s: [{ c: 'a', r: 5, ok: 1 }] }, 400, 'unknown-key'],
    ['x'.repeat(16_385), 413, 'too-large'],
  ]
  for (const [body, status, reason] of cases) {
    const before = await counted(`fairway_collector_beacons_total{result="${reason}",role="collector"}`)
    assert.equal((await send('/b/', body, from('198.51.100.1'))).status, status, reason)
    assert.equal(
      await counted(`fairway_collector_beacons_total{result="${reason}",role="collector"}`),
      before + 1,
      reason,
    )
  }
})

test('implausible round trips and names the organisation does not have are dropped and counted', async () => {
  const before = await counted('fairway_collector_samples_total{result="implausible-rtt",role="collector"}')
  assert.equal(
    (
      await send(
        '/b/',
        {
          v: 1,
          k: 'k1',
          s: [
            { c: 'b', r: 0.5, ok: 1 },
            { c: 'b', r: 60_001, ok: 1 },
            { c: 'b', ok: 1 },
            { c: 'made up', r: 5, ok: 1 },
            { c: 'b', r: 60_000, ok: 1 },
            { c: 'b', r: 1, ok: 1 },
            { c: 'b', r: 2, ok: 1 },
          ],
        },
        from('198.51.100.1'),
      )
    ).status,
    204,
  )
  assert.deepEqual((await rows('b', 2)).map((row) => row.rtt_ms).sort(), [1, 60_000])
  assert.equal(await counted('fairway_collector_samples_total{result="implausible-rtt",role="collector"}'), before + 3)
  assert.equal(await counted('fairway_collector_samples_total{result="too-many-of-cdn",role="collector"}'), 1)
  assert.equal((await store.query<{ n: number }>(`SELECT count() AS n FROM beacons WHERE cdn = 'made up'`))[0]?.n, 0)
})

test('one network cannot flood: the rest of its burst is refused, another network is not touched', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 300 }, () =>
      send('/b/', { v: 1, k: 'k1', s: [{ c: 'x', ok: 0 }] }, from('192.0.2.77')).then((answer) => answer.status),
    ),
  )
  const refused = statuses.filter((status) => status === 429).length
  assert.ok(refused >= 100 && refused < 300, String(refused))
  assert.equal((await send('/b/', { v: 1, k: 'k1', s: [{ c: 'x', ok: 0 }] }, from('198.51.100.200'))).status, 204)
})

test('settings are told to pages, the script is served compressed and small', async () => {
  const answer = await fetch(`${url}/b/settings?k=k1`)
  assert.deepEqual([await answer.json(), answer.headers.get('access-control-allow-origin')], [settings, '*'])
  assert.equal((await fetch(`${url}/b/settings?k=nobody`)).status, 404)
  const script = await fetch(`${url}/b.js`)
  assert.ok(Number(script.headers.get('content-length')) <= 4096)
  assert.match(await script.text(), /keepalive/)
  assert.equal(
    (await fetch(`${url}/b.js`, { headers: { 'if-none-match': script.headers.get('etag') ?? '' } })).status,
    304,
  )
})

test('nodes show the token; what they post is checked and kept', async () => {
  const probes = {
    node: 'n1/dns',
    results: [{ organizationId: 'o1', cdnId: 'a', at: Date.now() + 60_000, ok: true, rttMs: 4, error: null }],
  }
  for (const [path, body, method] of [
    ['/probes/', probes, 'POST'],
    ['/dns-answers/', {}, 'POST'],
    ['/edge-requests/', {}, 'POST'],
    ['/pulse/', {}, 'PUT'],
  ] as const) {
    assert.equal((await send(path, body, {}, method)).status, 401, path)
    assert.equal((await send(path, body, { authorization: 'Bearer wrong' }, method)).status, 401, path)
    assert.equal((await send(path, { wrong: 1 }, node, method)).status, 400, path)
    assert.equal((await send(path, '{', node, method)).status, 400, path)
  }
  assert.equal((await send('/probes/', probes, node)).status, 204)
  assert.equal(
    (
      await send(
        '/dns-answers/',
        {
          node: 'n1/dns',
          counts: [
            {
              at: Date.now(),
              organizationId: 'o1',
              siteId: 's1',
              domainId: 'd1',
              cdnId: 'a',
              country: 'JP',
              answers: 7,
            },
          ],
        },
        node,
      )
    ).status,
    204,
  )
  assert.equal(
    (
      await send(
        '/edge-requests/',
        {
          node: 'n1/edge',
          requests: [
            {
              at: Date.now(),
              id: 'abc',
              cdnId: null,
              organizationId: 'o1',
              siteId: 's1',
              domainId: 'd1',
              host: 'www.example.test',
              method: 'GET',
              path: '/',
              status: 200,
              bytes: 5,
              ms: 1.5,
              cacheStatus: 'HIT',
              client: '80.147.0.0',
            },
          ],
        },
        node,
      )
    ).status,
    204,
  )
  for (const [table, condition] of [
    ['probes', 'at <= now64(3)'],
    ['dns_answers', 'answers = 7'],
    ['edge_requests', `cache_status = 'HIT' AND cdn = '' AND id = 'abc' AND country = 'DE'`],
  ] as const) {
    for (
      const end = Date.now() + 10_000;
      (await store.query<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE ${condition}`))[0]?.n !== 1;
    )
      assert.ok(Date.now() < end, table)
  }
})

test('a batch that comes again because its answer was lost counts once; one that was refused may come again', async () => {
  const batch = (name: string) => ({ ...node, 'x-fairway-batch': name })
  const counts = (cdnId: string) => ({
    node: 'n1/dns',
    counts: [{ at: Date.now(), organizationId: 'o1', siteId: 's1', domainId: 'd1', cdnId, country: 'JP', answers: 5 }],
  })
  assert.equal((await send('/dns-answers/', {}, batch('b1'))).status, 400)
  const again = counts('repeated')
  // Two of them at once, as when the first is still on its way to the disk.
  assert.deepEqual(
    (await Promise.all([send('/dns-answers/', again, batch('b1')), send('/dns-answers/', again, batch('b1'))])).map(
      ({ status }) => status,
    ),
    [204, 204],
  )
  assert.equal((await send('/dns-answers/', again, batch('b1'))).status, 204)
  assert.equal((await send('/dns-answers/', again, batch('b2'))).status, 204)
  const stored = async () =>
    (await store.query<{ n: number }>("SELECT count() AS n FROM dns_answers WHERE cdn = 'repeated'"))[0]?.n ?? 0
  for (const end = performance.now() + 10_000; (await stored()) < 2 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(await stored(), 2)
})

test('a bound key is heard from pages of its hosts only; the others are refused, counted and named', async () => {
  const bound = { ...settings, targets: [{ c: 'bound', u: 'http://bound.example/' }] }
  const hosts = ['shop.example', '*.shop.example']
  await send(
    '/pulse/',
    { keys: [{ key: 'k8', until: null }], organizationId: 'o8', hosts, settings: bound },
    node,
    'PUT',
  )
  const before = await counted('fairway_collector_beacons_total{result="wrong-host",role="collector"}')
  const statuses: number[] = []
  for (const [index, origin] of [
    'https://shop.example',
    'https://www.shop.example:8443',
    'https://shop.example.evil.example',
    'https://evilshop.example',
    'null',
    undefined,
  ].entries()) {
    const body = { v: 1, k: 'k8', i: `bound-host-${index}`, s: [{ c: 'bound', r: 20, ok: 1 }] }
    statuses.push((await send('/b/', body, { ...from('198.51.100.9'), ...(origin ? { origin } : {}) })).status)
  }
  assert.deepEqual(statuses, [204, 204, 403, 403, 403, 403])
  assert.equal(await counted('fairway_collector_beacons_total{result="wrong-host",role="collector"}'), before + 4)
  const seen = await seenOf('o8')
  assert.equal(seen.refused['wrong-host'], 4)
  assert.deepEqual(seen.hosts.map(({ host, beacons, refused }) => [host, beacons, refused]).toSorted(), [
    ['', 0, 2],
    ['evilshop.example', 0, 1],
    ['shop.example', 1, 0],
    ['shop.example.evil.example', 0, 1],
    ['www.shop.example', 1, 0],
  ])
})

test('an old key is heard until it ends, and one that was withdrawn not at all', async () => {
  const own = { ...settings, targets: [{ c: 'keyed', u: 'http://keyed.example/' }] }
  const register = (keys: object[]) => send('/pulse/', { keys, organizationId: 'o9', settings: own }, node, 'PUT')
  const post = async (k: string, i: string) =>
    (await send('/b/', { v: 1, k, i, s: [{ c: 'keyed', r: 20, ok: 1 }] }, from('198.51.100.10'))).status
  await register([
    { key: 'new', until: null },
    { key: 'old', until: Date.now() + 60_000 },
    { key: 'ended', until: Date.now() - 1 },
  ])
  assert.deepEqual(
    [await post('new', 'keyed-1-a'), await post('old', 'keyed-1-b'), await post('ended', 'keyed-1-c')],
    [204, 204, 403],
  )
  assert.equal((await fetch(`${url}/b/settings?k=ended`)).status, 404)
  await register([{ key: 'new', until: null }])
  assert.deepEqual([await post('new', 'keyed-2-a'), await post('old', 'keyed-2-b')], [204, 400])
})

test('measurements of one post stay together and apart from each other; its costs are counted once', async () => {
  const own = { ...settings, targets: ['s1', 's2'].map((c) => ({ c, u: `http://${c}.example/` })) }
  await send('/pulse/', { keys: [{ key: 'k10', until: null }], organizationId: 'o10', settings: own }, node, 'PUT')
  for (const i of ['page-a-batch', 'page-b-batch'])
    await send(
      '/b/',
      {
        v: 1,
        k: 'k10',
        i,
        p: [4, 3_100, 1.5],
        s: [
          { c: 's1', r: 30, ok: 1, t: 10, l: 12, w: 11, m: 48.5 },
          { c: 's2', r: 20, ok: 1 },
        ],
      },
      from('198.51.100.11'),
    )
  const [first, second] = [await rows('s1', 2), await rows('s2', 2)]
  assert.deepEqual(
    first.map((row) => [
      row.rtt_ms,
      row.connect_ms,
      row.tls_ms,
      row.round_ms,
      row.mbps,
      row.requests,
      row.page_bytes,
      row.task_ms,
    ]),
    [
      [30, 10, 12, 11, 48.5, 4, 3100, 1.5],
      [30, 10, 12, 11, 48.5, 4, 3100, 1.5],
    ],
  )
  assert.deepEqual(
    second.map((row) => [row.connect_ms, row.round_ms, row.requests]),
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  )
  assert.equal(new Set(first.map((row) => row.post)).size, 2)
  assert.deepEqual(first.map((row) => row.post).toSorted(), second.map((row) => row.post).toSorted())
})

test("a test object of one's own that is at fault counts against nobody; one of the house cannot be at fault", async () => {
  const own = {
    ...settings,
    targets: [
      ...['a', 'b', 'c'].map((name) => ({ c: 'mine', u: `http://${name}.mine.example/`, o: 1 })),
      { c: 'house', u: 'http://house.example/' },
    ],
  }
  await send('/pulse/', { keys: [{ key: 'k11', until: null }], organizationId: 'o11', settings: own }, node, 'PUT')
  const samples = [
    { c: 'mine', ok: 0, f: 'http' },
    { c: 'mine', ok: 0, f: 'cors' },
    ...Array.from({ length: 3 }, () => ({ c: 'mine', ok: 0 })),
    { c: 'house', ok: 0, f: 'http' },
  ]
  assert.equal((await send('/b/', { v: 1, k: 'k11', s: samples }, from('198.51.100.12'))).status, 204)
  assert.deepEqual([(await rows('house', 1)).length, (await rows('mine', 3)).length], [1, 3])
  assert.deepEqual(
    (await seenOf('o11')).faults.map(({ cdnId, cors, http }) => [cdnId, cors, http]),
    [['mine', 1, 1]],
  )
})

test('a script is served under its hash for ever, also by a collector that has a newer one', async () => {
  const folder = fs.mkdtempSync(path.join(config.home, 'scripts-'))
  fs.writeFileSync(path.join(folder, 'b-0123456789abcdef.js'), 'older')
  fs.writeFileSync(path.join(folder, 'pulse.json'), 'secret')
  const script = loadBeaconScript(folder)
  const server = http.createServer((request, response) => {
    if (!script.serve(request.url ?? '', request, response)) response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const older = await fetch(`${at}/b-0123456789abcdef.js`)
    assert.deepEqual(
      [await older.text(), older.headers.get('cache-control')],
      ['older', 'public, max-age=31536000, immutable'],
    )
    const newest = Buffer.from(await (await fetch(`${at}/${script.facts.file}`)).arrayBuffer())
    assert.equal(`sha384-${crypto.createHash('sha384').update(newest).digest('base64')}`, script.facts.integrity)
    assert.equal((await fetch(`${at}/pulse.json`)).status, 404)
    const folderOfPackage = fs.mkdtempSync(path.join(config.home, 'package-'))
    fs.writeFileSync(
      path.join(folderOfPackage, 'p.tgz'),
      Buffer.from(await (await fetch(`${at}/${script.facts.package}`)).arrayBuffer()),
    )
    execFileSync('tar', ['xzf', 'p.tgz'], { cwd: folderOfPackage })
    const { startBeacon } = await import(path.join(folderOfPackage, 'package/index.js'))
    // No browser here: it is there, and does nothing.
    assert.equal(startBeacon({ key: 'k', collector: at }), undefined)
  } finally {
    server.close()
  }
})

test('other paths and methods are not there, and the role says how it is', async () => {
  assert.equal((await fetch(`${url}/`)).status, 404)
  assert.equal((await fetch(`${url}/b/`, { method: 'OPTIONS' })).status, 204)
  assert.deepEqual(
    await controlRequest(control, 'GET', '/readyz').then((value) => Reflect.get(Object(value), 'ready')),
    true,
  )
})

test('a collector keeps its keys for its next start', async () => {
  const read = () => new PulseKeys(path.join(config.home, 'nodes/collector'), makeLog('test', { logLevel: 'fatal' }))
  // Written once a second.
  for (const end = Date.now() + 5_000; Date.now() < end && !(read().get('k8') && !read().get('k7'));)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const kept = read()
  assert.equal(kept.get('k1')?.organizationId, 'o1')
  assert.deepEqual(kept.get('k8')?.hosts, ['shop.example', '*.shop.example'])
  // Withdrawn.
  assert.equal(kept.get('k7'), undefined)
})

const reported = (change: object = {}, body: object = {}) => ({
  age: 1200,
  type: 'network-error',
  url: 'https://www.reported.example/a/private/path?token=secret',
  user_agent: 'Browser/1.0',
  body: { type: 'tcp.timed_out', phase: 'connection', sampling_fraction: 1, elapsed_time: 900, ...body },
  ...change,
})
const REPORTS = { 'content-type': 'application/reports+json' }
const toReport = (cdnId: string, host = 'www.reported.example') =>
  new URL(reportAddress(config, { organizationId: 'o-nel', domainId: 'd-nel', cdnId }, host)).pathname
async function reportRows(cdn: string, expected: number): Promise<NetworkReportRow[]> {
  for (const end = Date.now() + 10_000; ;) {
    const found = await store.query<NetworkReportRow>('SELECT * FROM network_reports WHERE cdn = {c:String}', {
      c: cdn,
    })
    if (found.length >= expected || Date.now() > end) return found
  }
}

test('failures that browsers report become rows of the CDN and network, and nothing of the page or the address stays', async () => {
  const preflight = await send(toReport('n1'), '', { origin: 'https://www.reported.example' }, 'OPTIONS')
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-headers')], [204, 'content-type'])
  const posted = [
    reported(),
    reported({}, { type: 'ok', status_code: 200, sampling_fraction: 0.0001 }),
    reported({}, { type: 'http.error', status_code: 503 }),
    // Nothing of the CDN: a page that is not there, a visitor who left, another address than the one that asked.
    reported({}, { type: 'http.error', status_code: 404 }),
    reported({}, { type: 'abandoned' }),
    reported({}, { type: 'dns.address_changed' }),
    reported({ age: 120_001 }),
    reported({ type: 'csp-violation', body: { blockedURL: 'inline' } }),
  ]
  assert.equal((await send(toReport('n1'), posted, { ...from('202.96.209.133'), ...REPORTS })).status, 204)
  const found = await reportRows('n1', 3)
  assert.deepEqual(
    found.map(({ type, ok, weight }) => [type, ok, weight]).sort(),
    [
      ['http.error', 0, 1],
      ['ok', 1, 10],
      ['tcp.timed_out', 0, 1],
    ],
    'what a browser says of its own sampling is not believed',
  )
  const { organization, domain, country, city, network } = found[0] ?? {}
  assert.deepEqual([organization, domain, country, city, network], ['o-nel', 'd-nel', 'CN', 'Shanghai', 'CT'])
  assert.doesNotMatch(JSON.stringify(found), /202\.96|private|secret|Browser/)
  assert.ok(found.every(({ subnet }) => subnet > 0))
})

test('a wildcard’s address takes reports on every host that it stands for', async () => {
  const wild = toReport('n2', '*.reported.example')
  assert.equal((await send(wild, [reported()], REPORTS)).status, 204)
  assert.equal((await send(wild, [reported({ url: 'https://reported.example/' })], REPORTS)).status, 403)
  assert.equal((await reportRows('n2', 1)).length, 1)
})

test('reports that are forged, foreign, malformed, too large or sent again are refused, and counted', async () => {
  const good = toReport('n3')
  const [, , organization, domain, , mark] = good.split('/')
  const cases: [name: string, status: number, path: string, body: unknown, headers?: Record<string, string>][] = [
    ['a CDN that the address was not made for', 403, `/nel/${organization}/${domain}/n4/${mark}`, [reported()]],
    ['somebody else’s organisation', 403, `/nel/o-other/${domain}/n3/${mark}`, [reported()]],
    ['a foreign host', 403, good, [reported({ url: 'https://victim.example/' })]],
    ['a foreign host among own ones', 403, good, [reported(), reported({ url: 'https://victim.example/' })]],
    ['no address at all', 403, good, [reported({ url: 'about:blank' })]],
    ['no mark', 404, '/nel/o/d/n3/', [reported()]],
    ['another media type', 415, good, [reported()], { 'content-type': 'application/json' }],
    ['no JSON', 400, good, '[{'],
    ['no list', 400, good, reported()],
    ['an empty list', 400, good, []],
    ['too many', 400, good, Array.from({ length: 101 }, () => reported())],
    ['a negative age', 400, good, [reported({ age: -1 })]],
    ['a body that is none', 400, good, [reported({ body: 'tcp.timed_out' })]],
    ['a body that is too large', 413, good, [reported({ url: `https://www.reported.example/${'a'.repeat(70_000)}` })]],
  ]
  for (const [name, status, path, body, headers = REPORTS] of cases)
    assert.equal((await send(path, body, headers)).status, status, name)
  const again = [reported({ age: 77 })]
  for (let turn = 0; turn < 3; turn++) assert.equal((await send(good, again, REPORTS)).status, 204)
  assert.equal(await counted('fairway_collector_reports_total{result="repeated",role="collector"}'), 2)
  assert.ok((await counted('fairway_collector_reports_total{result="foreign-host",role="collector"}')) >= 4)
  assert.equal((await reportRows('n3', 1)).length, 1)
  assert.equal((await reportRows('n4', 0)).length, 0)
})

const FILM = '0190c1a2-0000-7000-8000-00000000000f'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Mobile/15E148'
const toView = (organizationId = 'o-view') =>
  new URL(viewAddress(config, { organizationId, kind: 'asset', sourceId: FILM })).pathname
const watching = (view: string, number: number, more: object = {}) => ({
  v: 1,
  i: view.repeat(24),
  n: number,
  p: 'native',
  e: [{ k: 'first', a: 0, m: 900, ...more }],
})
async function viewRows(organization: string, expected: number): Promise<PlayerEventRow[]> {
  for (const end = Date.now() + 10_000; ;) {
    const found = await store.query<PlayerEventRow>(
      'SELECT * FROM player_events WHERE organization = {o:String} ORDER BY view, post',
      { o: organization },
    )
    if (found.length >= expected || Date.now() > end) return found
  }
}

test('what players tell becomes rows with place and device, and neither address nor agent is kept', async () => {
  const as = (address: string, agent = PHONE) => ({ ...from(address), 'user-agent': agent })
  const answer = await send(toView(), watching('a', 0), as('202.96.209.133'))
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [204, '*'])
  await send(toView(), watching('b', 0), as('202.96.209.133'))
  await send(toView(), watching('c', 0), as('202.96.209.134'))
  await send(toView(), watching('c', 0), as('202.96.209.134'))
  const found = await viewRows('o-view', 3)
  assert.deepEqual(
    found.map(({ view, country, network, device, kind }) => [view[0], country, network, device, kind]),
    ['a', 'b', 'c'].map((view) => [view, 'CN', 'CT', 'phone', 'asset']),
  )
  assert.equal(found[0]?.viewer, found[1]?.viewer)
  assert.notEqual(found[0]?.viewer, found[2]?.viewer)
  assert.doesNotMatch(JSON.stringify(found), /202\.96|iPhone/)
})

test('posts to an address that was not made here, too large, or of too many views are refused, and counted', async () => {
  const good = toView('o-flood')
  assert.equal((await send(good.replace('o-flood', 'o-view'), watching('d', 0))).status, 404)
  assert.equal((await send(good.replace('/asset/', '/live/'), watching('d', 0))).status, 404)
  assert.equal((await send('/v/x', watching('d', 0))).status, 404)
  assert.equal((await send(good, watching('d', 0, { x: 'a'.repeat(20_000) }))).status, 413)
  assert.equal((await send(good, 'no json')).status, 400)
  // One network begins views one after the other: from some number on they count no more.
  const begin = (index: number) => ({ ...watching('0', 0), i: index.toString(16).padStart(24, '0') })
  const statuses = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      send(good, begin(index), from('203.0.113.9')).then(({ status }) => status),
    ),
  )
  const taken = statuses.filter((status) => status === 204).length
  assert.ok(taken >= 150 && taken < 170, `${taken} of 300`)
  assert.ok((await counted('fairway_collector_view_posts_total{result="too-many-views",role="collector"}')) >= 130)
  assert.ok((await viewRows('o-flood', taken)).length < 170)
})

test('segments are rows of the organisation that the host’s document names, with the view that the player says', async () => {
  const request = {
    at: Date.now(),
    id: 'r1',
    cdnId: null,
    organizationId: 'o-segment',
    siteId: 'stream:o-segment',
    domainId: 'stream:o-segment',
    host: 'x.stream.localhost',
    method: 'GET',
    path: `/${FILM}/v720-1/s1.m4s`,
    status: 200,
    bytes: 1000,
    ms: 3,
    cacheStatus: 'HIT',
    client: '202.96.209.0',
  }
  const requests = [
    { ...request, cmcd: { sid: 'a'.repeat(24), br: 900, bl: 12_000, bs: true } },
    request,
    { ...request, path: '/elsewhere/x', cmcd: { br: 1 } },
  ]
  assert.equal((await send('/edge-requests/', { node: 'n/edge', requests }, node)).status, 204)
  let found: StreamSegmentRow[] = []
  for (const end = Date.now() + 10_000; found.length === 0 && Date.now() < end;)
    found = await store.query<StreamSegmentRow>(`SELECT * FROM stream_segments WHERE organization = 'o-segment'`)
  assert.deepEqual(
    found.map(({ source, view, bitrate, buffer_ms, starved, throughput, country }) => [
      source,
      view,
      bitrate,
      buffer_ms,
      starved,
      throughput,
      country,
    ]),
    [[FILM, 'a'.repeat(24), 900, 12_000, 1, -1, 'CN']],
  )
})

test('the script of views is served as it was named, for ever', async () => {
  const { file, integrity } = loadBeaconScript().views
  const answer = await fetch(`${url}/${file}`)
  const body = Buffer.from(await answer.arrayBuffer())
  assert.equal(`sha384-${crypto.createHash('sha384').update(body).digest('base64')}`, integrity)
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await fetch(`${url}/v.js`)).status, 200)
})

import assert from 'node:assert/strict'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { controlRequest, controlText, makeLog, nodeToken, runDir, shareGeo } from '@fairway/platform'
import { openStore } from '../store/store.ts'
import type { BeaconRow } from '../store/tables.ts'
import { startTestStore } from '../test-store.ts'
import { startCollector } from './start-collector.ts'

const port = await freePort()
// No API at this address: the collector does its work without.
const embedded = await startTestStore({
  FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${port}`,
  FAIRWAY_TRUSTED_PROXIES: '127.0.0.1',
  FAIRWAY_API_URL: `http://127.0.0.1:${await freePort()}`,
})
const { config } = embedded
shareGeo(config.home)
const collector = await startCollector({ config, log: makeLog('collector', { logLevel: 'fatal' }) })
const store = openStore(config)
after(async () => {
  await store[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
  await embedded[Symbol.asyncDispose]()
})

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}
const url = `http://127.0.0.1:${port}`
const node = { authorization: `Bearer ${nodeToken(config)}` }
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
async function rows(cdn: string, expected: number): Promise<BeaconRow[]> {
  for (const end = Date.now() + 10_000; ;) {
    const found = await store.query<BeaconRow>('SELECT * FROM beacons WHERE cdn = {c:String}', { c: cdn })
    if (found.length >= expected || Date.now() > end) return found
  }
}

test('a beacon becomes rows with its place and without its address', async () => {
  assert.equal((await send('/pulse/', { key: 'k1', organizationId: 'o1', settings }, node, 'PUT')).status, 204)
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
    found.map(({ at: _at, ...row }) => row),
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
      },
    ],
  )
  assert.ok(!JSON.stringify(found).includes('202.96'))
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
          ],
        },
        from('198.51.100.1'),
      )
    ).status,
    204,
  )
  assert.deepEqual((await rows('b', 2)).map((row) => row.rtt_ms).sort(), [1, 60_000])
  assert.equal(await counted('fairway_collector_samples_total{result="implausible-rtt",role="collector"}'), before + 3)
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
  assert.match(await script.text(), /sendBeacon/)
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

test('other paths and methods are not there, and the role says how it is', async () => {
  assert.equal((await fetch(`${url}/`)).status, 404)
  assert.equal((await fetch(`${url}/b/`, { method: 'OPTIONS' })).status, 204)
  assert.deepEqual(
    await controlRequest(control, 'GET', '/readyz').then((value) => Reflect.get(Object(value), 'ready')),
    true,
  )
})

test('a collector keeps its keys for its next start', () => {
  assert.deepEqual(
    JSON.parse(fs.readFileSync(path.join(config.home, 'nodes/collector/pulse.json'), 'utf8')).map(
      (one: { key: string }) => one.key,
    ),
    ['k1'],
  )
})

import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { DnsRequests } from '@fairway/contract'
import { loadConfig } from '@fairway/platform'
import { Xorshift } from '../steering/random.ts'
import { geoFixture } from '../testing/geo-fixture.ts'
import { ask, serve, silentLog, type Served } from '../testing/server-fixture.ts'
import { zoneOf } from '../testing/zone-fixture.ts'
import { RequestLog } from './request-log.ts'

const bodies: unknown[] = []
const collector = http.createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    bodies.push(JSON.parse(text))
    response.writeHead(204).end()
  })
})
let log: RequestLog
let served: Served

before(async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  collector.listen(0, '127.0.0.1', resolve)
  await promise
  const bound = collector.address()
  assert.ok(bound && typeof bound === 'object')
  const config = loadConfig({
    FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${bound.port}`,
    FAIRWAY_NODE_NAME: 'here',
    FAIRWAY_NODE_TOKEN: 'secret',
  })
  log = new RequestLog({ config, geo: geoFixture(), log: silentLog, clock: () => 1_000_000, random: new Xorshift(7) })
  served = await serve(
    [
      zoneOf('example.test', 'www 300 A 192.0.2.10\n*.wild 300 A 192.0.2.30'),
      zoneOf('service.test', 'www 300 A 192.0.2.1', { organizationId: null }),
    ],
    { observe: (...seen) => log.count(...seen) },
  )
})
after(async () => {
  await served[Symbol.asyncDispose]()
  collector.close()
})

test('queries are counted by owner name, type and outcome; a few are told whole, with a prefix in place of the address', async () => {
  for (let i = 0; i < 30; i++) await ask(served.at, 'WWW.example.test', { subnet: '192.0.2.77/32' })
  await ask(served.at, 'www.example.test', { type: 'AAAA', transport: 'tcp' })
  await ask(served.at, 'any.wild.example.test')
  for (let i = 0; i < 3; i++) await ask(served.at, `nothing-${i}.example.test`)
  // The installation's own zones belong to nobody, and what is not ours is nobody's either.
  await ask(served.at, 'www.service.test')
  await ask(served.at, 'www.elsewhere.test')
  await log[Symbol.asyncDispose]()
  const reports = bodies.map((body) => DnsRequests.parse(body))
  const rows = reports.flatMap((report) => report.rows)
  assert.deepEqual([...new Set(reports.map(({ node }) => node))], ['here/dns'])
  assert.ok(rows.every((row) => row.siteId === 'site-example.test' && row.organizationId === 'org-1'))
  const counts = new Map<string, number>()
  for (const row of rows)
    if (row.kind === 'request')
      counts.set(
        `${row.name} ${row.type} ${row.rcode}`,
        (counts.get(`${row.name} ${row.type} ${row.rcode}`) ?? 0) + row.requests,
      )
  const bare = (text: string) => text.replace('. ', ' ')
  assert.deepEqual([...counts].map(([key, count]) => [bare(key), count]).sort(), [
    [' A NXDOMAIN', 3],
    ['*.wild.example.test A NOERROR', 1],
    ['www.example.test A NOERROR', 30],
    ['www.example.test AAAA NOERROR', 1],
  ])
  assert.equal(
    rows.reduce((sum, row) => sum + (row.kind === 'network' ? row.requests : 0), 0),
    35,
  )
  const samples = rows.filter((row) => row.kind === 'sample')
  assert.ok(samples.length >= 5 && samples.length < 35, `${samples.length} samples`)
  assert.ok(
    samples.every(({ client }) => /^\d+\.\d+\.\d+\.0\/24$/.test(client)),
    JSON.stringify(samples.map(({ client }) => client)),
  )
  assert.ok(samples.some(({ name, scoped }) => name.startsWith('www.example.test') && scoped))
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { analyticsMultiCdn, domains } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'

const { breakdown, paths, report, requests } = analyticsMultiCdn.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)

test('traffic of all sites, of one site and of one domain; narrowed, told apart, by path and request by request', async () => {
  const own = await newSteeredDomain(api)
  const { client, site, domain } = own
  assert.equal((await client.refusal(report, { seconds: 900 })).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const row = (more: object = {}) => ({
    at: at(60_000),
    organization: client.organizationId,
    site,
    domain,
    cdn: 'swiftlane',
    node: 'n/edge',
    host: own.host,
    method: 'GET',
    path: '/',
    status: 200,
    bytes: 1000,
    ms: 1.26,
    cache_status: 'HIT',
    why: '',
    client: '80.147.0.0',
    country: 'DE',
    id: 'one',
    ...more,
  })
  await events.insert('edge_requests', [
    row(),
    row({ cache_status: 'MISS', status: 503, id: 'two', path: '/slow' }),
    row({ domain: 'another' }),
    row({ site: 'elsewhere' }),
    row({ organization: 'somebody-else' }),
  ])
  const total = async (input: object) => (await client.call(report, { seconds: 900, ...input })).totals.requests
  assert.deepEqual(
    [
      await total({}),
      await total({ site }),
      await total({ site, domain }),
      await total({ site, status: '5' }),
      await total({ cdn: 'polaris' }),
    ],
    [4, 3, 2, 1, 0],
  )
  const figures = await client.call(report, { seconds: 900, site })
  assert.deepEqual(figures.totals, {
    requests: 3,
    bytes: 3000,
    hits: 2,
    hitBytes: 2000,
    cacheTold: 3,
    cacheToldBytes: 3000,
    clientErrors: 0,
    serverErrors: 1,
    statusTold: 3,
    leftOut: 0,
    leftOutBytes: 0,
  })
  assert.equal(figures.before.totals.requests, 0)
  assert.deepEqual(
    (await client.call(breakdown, { seconds: 900, site, by: 'domain' })).shares.map(({ value, requests: n, hits }) => [
      value,
      n,
      hits,
    ]),
    [
      [domain, 2, 1],
      ['another', 1, 1],
    ],
  )
  assert.deepEqual((await client.call(paths, { seconds: 900, site })).data, [
    { path: '/', requests: 2, bytes: 2000, hits: 2 },
    { path: '/slow', requests: 1, bytes: 1000, hits: 0 },
  ])
  const now = Math.ceil(Date.now() / 1000)
  const found = await client.call(requests, { site, domain, from: now - 900, until: now, limit: 1 })
  assert.deepEqual([found.data.length, found.total], [1, 2])
  const { at: moment, ...seen } = (await client.call(requests, { from: now - 900, until: now, request: 'two' }))
    .data[0] ?? { at: 0 }
  assert.deepEqual(seen, {
    id: 'two',
    siteId: site,
    domainId: domain,
    cdnId: 'swiftlane',
    node: 'n/edge',
    host: own.host,
    method: 'GET',
    path: '/slow',
    status: 503,
    bytes: 1000,
    ms: 1.3,
    cacheStatus: 'MISS',
    why: '',
    client: '80.147.0.0',
    country: 'DE',
  })
  assert.ok(Math.abs(moment - Date.now()) < 120_000)
})

test('changes of the range are marked, and a site of somebody else is not there', async () => {
  const own = await newSteeredDomain(api)
  const other = await newSteeredDomain(api)
  await using _store = await startStore({ config: api.config, log: api.log })
  await own.client.call(domains.routes.update, { site: own.site, domain: own.domain, settings: { ignoreQuery: true } })
  const marks = async (input: object) =>
    (await own.client.call(report, { seconds: 900, ...input })).marks.map(({ kind, label }) => `${kind}: ${label}`)
  assert.ok((await marks({ site: own.site })).includes(`change: Change ${own.host}`))
  assert.deepEqual(await marks({}), await marks({ site: own.site }))
  for (const input of [{ site: other.site }, { site: own.site, domain: other.domain }]) {
    assert.equal((await own.client.refusal(report, { seconds: 900, ...input })).code, 404)
    assert.equal((await own.client.refusal(requests, { from: 0, until: 1, ...input })).code, 404)
  }
})

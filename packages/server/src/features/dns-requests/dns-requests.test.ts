import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { dnsRequests } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'

const { report, tail } = dnsRequests.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)

test('queries are told apart by name, type, outcome, node, network, country and CDN; filters narrow the first four', async () => {
  const own = await newSteeredDomain(api)
  const { client, site } = own
  assert.equal((await client.refusal(report, { site, seconds: 900 })).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const owner = { at: at(60_000), organization: client.organizationId, site }
  const row = (name: string, type: string, rcode: string, requests: number) => ({
    ...owner,
    name,
    type,
    rcode,
    node: 'n/dns',
    requests,
  })
  await events.insert('dns_requests', [
    row('www.a.test', 'A', 'NOERROR', 60),
    row('www.a.test', 'AAAA', 'NOERROR', 20),
    row('a.test', 'MX', 'NOERROR', 10),
    row('', 'A', 'NXDOMAIN', 10),
    { ...row('www.a.test', 'A', 'NOERROR', 999), organization: 'somebody-else' },
  ])
  await events.insert('dns_networks', [
    { ...owner, network: 'AS2497', node: 'n/dns', requests: 70 },
    { ...owner, network: '', node: 'n/dns', requests: 30 },
  ])
  await events.insert('dns_answers', [
    { ...owner, domain: own.domain, cdn: 'swiftlane', country: 'JP', node: 'n/dns', answers: 80 },
    { ...owner, domain: '', cdn: '', country: 'DE', node: 'n/dns', answers: 20 },
  ])
  const shares = async (
    by: 'name' | 'type' | 'rcode' | 'country' | 'network' | 'node' | 'cdn',
    filter: { name?: string; rcode?: string } = {},
  ) => {
    const answer = await client.call(report, { site, seconds: 900, by, ...filter })
    assert.equal(
      answer.series.flatMap(({ points }) => points).reduce((sum, { samples }) => sum + samples, 0),
      answer.total,
    )
    return answer.shares.map(({ value, requests }) => [value, requests])
  }
  assert.deepEqual(await shares('name'), [
    ['www.a.test', 80],
    ['', 10],
    ['a.test', 10],
  ])
  assert.deepEqual(await shares('type'), [
    ['A', 70],
    ['AAAA', 20],
    ['MX', 10],
  ])
  assert.deepEqual(await shares('rcode'), [
    ['NOERROR', 90],
    ['NXDOMAIN', 10],
  ])
  assert.deepEqual(await shares('node'), [['n/dns', 100]])
  assert.deepEqual(await shares('network'), [
    ['AS2497', 70],
    ['', 30],
  ])
  assert.deepEqual(await shares('country'), [
    ['JP', 80],
    ['DE', 20],
  ])
  assert.deepEqual(await shares('cdn'), [['swiftlane', 80]])
  assert.deepEqual(await shares('type', { name: 'www.a.test' }), [
    ['A', 60],
    ['AAAA', 20],
  ])
  assert.deepEqual(await shares('name', { rcode: 'NXDOMAIN' }), [['', 10]])
})

test('more values than lines are drawn as one line of all others', async () => {
  const { client, site } = await newSteeredDomain(api)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  await events.insert(
    'dns_requests',
    Array.from({ length: 9 }, (_, i) => ({
      at: at(60_000),
      organization: client.organizationId,
      site,
      name: `n${i}.a.test`,
      type: 'A',
      rcode: 'NOERROR',
      node: 'n/dns',
      requests: 10 - i,
    })),
  )
  const answer = await client.call(report, { site, seconds: 900, by: 'name' })
  assert.deepEqual(
    answer.series.map(({ value, other }) => (other ? 'other' : value)),
    ['n0.a.test', 'n1.a.test', 'n2.a.test', 'n3.a.test', 'n4.a.test', 'n5.a.test', 'other'],
  )
  assert.deepEqual(
    [answer.distinct, answer.total, answer.series.at(-1)?.points.reduce((sum, { samples }) => sum + samples, 0)],
    [9, 54, 9],
  )
})

test('the tail shows single queries, newest first, searched by name and outcome', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const sample = (agoMs: number, name: string, rcode: string) => ({
    at: at(agoMs),
    organization: client.organizationId,
    site,
    domain,
    node: 'n/dns',
    name,
    type: 'A',
    rcode,
    cdn: rcode === 'NOERROR' ? 'swiftlane' : '',
    strategy: '',
    country: 'JP',
    network: 'AS2497',
    client: '133.11.0.0/24',
    scoped: 1,
    transport: 'udp',
  })
  await events.insert('dns_samples', [
    sample(5000, 'www.a.test', 'NOERROR'),
    sample(3000, 'nope.a.test', 'NXDOMAIN'),
    sample(1000, 'www.a.test', 'NOERROR'),
  ])
  const all = (await client.call(tail, { site })).data
  assert.deepEqual(
    all.map((row) => [row.name, row.cdnId, row.scoped]),
    [
      ['www.a.test', 'swiftlane', true],
      ['nope.a.test', null, true],
      ['www.a.test', 'swiftlane', true],
    ],
  )
  assert.equal(new Set(all.map((row) => row.id)).size, 3)
  assert.deepEqual(
    (await client.call(tail, { site, rcode: 'NXDOMAIN' })).data.map((row) => row.name),
    ['nope.a.test'],
  )
  assert.deepEqual((await client.call(tail, { site, search: 'WWW' })).data.length, 2)
  assert.equal((await client.call(tail, { site, limit: 1 })).data.length, 1)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, serve, type Ask, type Served } from '../testing/server-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from '../testing/zone-fixture.ts'

const SYSTEM = zoneOf(
  'fairway.test',
  `
  *.one.cdn 60 A 127.0.0.11
  *.two.cdn 60 A 127.0.0.12
  *.two.cdn 60 AAAA ::12
  *.three.cdn 10 A 127.0.0.13`,
  { zoneId: 'system:fairway.test', organizationId: null },
)

const CDNS = [
  cdnOf('one', 'aa.one.cdn.fairway.test'),
  cdnOf('two', 'aa.two.cdn.fairway.test'),
  cdnOf('three', 'aa.three.cdn.fairway.test'),
]
const byPlace = policyOf('by-place', CDNS, [
  strategyOf('japan', {
    priority: 1,
    targets: [{ cdnId: 'one', weight: 1 }],
    filter: { places: ['country:JP'], networks: [], cidrs: [] },
  }),
  strategyOf('a-network', {
    priority: 2,
    targets: [{ cdnId: 'three', weight: 1 }],
    filter: {
      places: [],
      networks: [],
      cidrs: ['198.51.100.0/24', '198.51.101.128/25', '198.51.102.7/32', '2001:db8:2:3::/64'],
    },
  }),
  strategyOf('rest', { priority: 9, targets: [{ cdnId: 'two', weight: 1 }] }),
])
const everyone = policyOf('everyone', CDNS, [strategyOf('all', { targets: [{ cdnId: 'one', weight: 1 }] })], {
  settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 120 },
})
const shared = policyOf('shared', CDNS, [
  strategyOf('shares', {
    method: 'weighted-distribution',
    targets: [
      { cdnId: 'one', weight: 70 },
      { cdnId: 'two', weight: 20 },
      { cdnId: 'three', weight: 10 },
    ],
  }),
])
const nobody = policyOf(
  'nobody',
  CDNS.map((cdn) => ({ ...cdn, enabled: false })),
  [],
)
const abroad = policyOf(
  'abroad',
  [cdnOf('custom', 'edge.vendor.example')],
  [strategyOf('all', { targets: [{ cdnId: 'custom', weight: 1 }] })],
)

const ZONE = zoneOf(
  'example.test',
  `
  @ 300 MX 10 mail.example.test.
  mixed 300 TXT "beside"
  origin 300 A 192.0.2.99
  off 300 A 192.0.2.98
  alias 300 CNAME www.example.test.`,
  {
    steered: [
      { name: 'example.test', domainId: 'd0', policyId: 'by-place' },
      { name: 'www.example.test', domainId: 'd1', policyId: 'by-place' },
      { name: 'all.example.test', domainId: 'd2', policyId: 'everyone' },
      { name: 'mixed.example.test', domainId: 'd3', policyId: 'everyone' },
      { name: 'shared.example.test', domainId: 'd4', policyId: 'shared' },
      { name: 'off.example.test', domainId: 'd5', policyId: 'nobody' },
      { name: 'none.example.test', domainId: 'd6', policyId: 'nobody' },
      { name: 'abroad.example.test', domainId: 'd7', policyId: 'abroad' },
    ],
    policies: [byPlace, everyone, shared, nobody, abroad],
  },
)
const APEX_ABROAD = zoneOf('abroad.test', '', {
  steered: [{ name: 'abroad.test', domainId: 'd8', policyId: 'abroad' }],
  policies: [abroad],
})

let served: Served
before(async () => {
  served = await serve([SYSTEM, ZONE, APEX_ABROAD])
})
after(() => served[Symbol.asyncDispose]())

async function steered(name: string, options: Ask = {}) {
  const answer = await ask(served.at, name, options)
  const subnet = answer.additionals.find((record) => record.type === 'OPT')?.options?.at(0)
  return {
    rcode: answer.rcode,
    answers: answer.answers.map((record) => `${record.type} ${String(record.data)} ${record.ttl}`),
    authority: answer.authorities.map((record) => `${record.name} ${record.type} ${record.ttl}`),
    scope: subnet?.scopePrefixLength,
  }
}

test("a steered name answers the chosen CDN's name and its address", async () => {
  assert.deepEqual((await steered('www.example.test', { subnet: '203.0.113.0/24' })).answers, [
    'CNAME aa.one.cdn.fairway.test 30',
    'A 127.0.0.11 60',
  ])
  assert.deepEqual((await steered('www.example.test', { subnet: '192.0.2.0/24' })).answers, [
    'CNAME aa.two.cdn.fairway.test 30',
    'A 127.0.0.12 60',
  ])
})

test('a name that points to a steered name is steered', async () => {
  assert.deepEqual((await steered('alias.example.test', { subnet: '203.0.113.0/24' })).answers, [
    'CNAME www.example.test 300',
    'CNAME aa.one.cdn.fairway.test 30',
    'A 127.0.0.11 60',
  ])
})

test('an address type that the chosen CDN lacks: its name, and the SOA of its zone', async () => {
  assert.deepEqual(await steered('www.example.test', { type: 'AAAA', subnet: '203.0.113.0/24' }), {
    rcode: 'NOERROR',
    answers: ['CNAME aa.one.cdn.fairway.test 30'],
    authority: ['fairway.test SOA 60'],
    scope: 24,
  })
  assert.deepEqual((await steered('www.example.test', { type: 'AAAA', subnet: '192.0.2.0/24' })).answers, [
    'CNAME aa.two.cdn.fairway.test 30',
    'AAAA ::12 60',
  ])
})

test('a steered name asked for its alias or for everything answers the alias alone', async () => {
  assert.deepEqual((await steered('www.example.test', { type: 'CNAME', subnet: '203.0.113.0/24' })).answers, [
    'CNAME aa.one.cdn.fairway.test 30',
  ])
  assert.deepEqual((await steered('www.example.test', { type: 'ANY', subnet: '203.0.113.0/24' })).answers, [
    'CNAME aa.one.cdn.fairway.test 30',
  ])
})

test('the apex answers the addresses as its own, and keeps its other data', async () => {
  assert.deepEqual((await steered('example.test', { subnet: '203.0.113.0/24' })).answers, ['A 127.0.0.11 30'])
  assert.deepEqual((await steered('example.test', { type: 'AAAA', subnet: '192.0.2.0/24' })).answers, ['AAAA ::12 30'])
  assert.deepEqual(await steered('example.test', { type: 'AAAA', subnet: '203.0.113.0/24' }), {
    rcode: 'NOERROR',
    answers: [],
    authority: ['example.test SOA 30'],
    scope: 24,
  })
  assert.equal((await steered('example.test', { type: 'MX' })).answers.length, 1)
  assert.deepEqual((await steered('example.test', { type: 'CNAME' })).authority, ['example.test SOA 60'])
})

test('an address lives no longer than its own record, whatever the policy says', async () => {
  assert.deepEqual((await steered('mixed.example.test')).answers, ['A 127.0.0.11 60'])
})

test('a steered name with other data keeps them and answers addresses', async () => {
  assert.equal((await steered('mixed.example.test', { type: 'TXT' })).answers.length, 1)
})

test('the scope says what the answer hung on', async () => {
  const scope = async (name: string, subnet: string) => (await steered(name, { subnet })).scope
  assert.equal(await scope('all.example.test', '203.0.113.0/24'), 0, 'nothing of the visitor')
  assert.equal(await scope('www.example.test', '203.0.113.0/24'), 24, 'the leaf')
  assert.equal(await scope('www.example.test', '192.0.2.128/25'), 24, 'no finer than /24 for a place')
  assert.equal(await scope('www.example.test', '198.51.100.0/24'), 24, 'a CIDR')
  assert.equal(
    await scope('www.example.test', '198.51.101.128/25'),
    25,
    'a CIDR finer than /24, told to who told as much',
  )
  assert.equal(await scope('www.example.test', '198.51.102.7/32'), 32)
  assert.equal(await scope('www.example.test', '198.51.64.0/18'), 24, 'CIDRs within what is known')
  assert.equal(await scope('www.example.test', '0.0.0.0/0'), 0, 'who tells nothing')
  assert.equal(await scope('origin.example.test', '203.0.113.0/24'), 0, 'not steered')
  assert.equal(await scope('www.example.test', '2001:db8:1::/48'), 48)
  assert.equal(await scope('www.example.test', '2001:db8:2::/56'), 56)
})

test('a CIDR matches who is known to be in it, and nobody else', async () => {
  const cdn = async (options: Ask) => (await steered('www.example.test', options)).answers[0]
  assert.equal(await cdn({ subnet: '198.51.100.0/24' }), 'CNAME aa.three.cdn.fairway.test 30')
  assert.equal(await cdn({ subnet: '198.51.101.0/24' }), 'CNAME aa.two.cdn.fairway.test 30', 'half of it is not')
  assert.equal(await cdn({ subnet: '198.51.101.128/25' }), 'CNAME aa.three.cdn.fairway.test 30')
  assert.equal(await cdn({ subnet: '198.51.102.7/32' }), 'CNAME aa.three.cdn.fairway.test 30')
  assert.equal(await cdn({ subnet: '198.51.102.6/32' }), 'CNAME aa.two.cdn.fairway.test 30')
  assert.equal(await cdn({ subnet: '2001:db8:2:3::/64' }), 'CNAME aa.three.cdn.fairway.test 30')
  assert.equal(await cdn({ subnet: '2001:db8:2:4::/64' }), 'CNAME aa.two.cdn.fairway.test 30')
  assert.equal(await cdn({ subnet: '0.0.0.0/0' }), 'CNAME aa.two.cdn.fairway.test 30')
})

test('shares are what the weights say, within two points', async () => {
  const query = new Map<string, number>()
  for (let i = 0; i < 6000; i++) {
    const first = (await steered('shared.example.test', { type: 'CNAME', subnet: `203.0.113.0/24` })).answers[0] ?? ''
    query.set(first, (query.get(first) ?? 0) + 1)
  }
  const percent = (name: string) => (query.get(`CNAME aa.${name}.cdn.fairway.test 30`) ?? 0) / 60
  for (const [name, expected] of [
    ['one', 70],
    ['two', 20],
    ['three', 10],
  ] as const)
    assert.ok(Math.abs(percent(name) - expected) < 2, `${name} got ${percent(name)}`)
})

test("without an enabled CDN the name's own data stand", async () => {
  assert.deepEqual((await steered('off.example.test')).answers, ['A 192.0.2.98 300'])
  assert.deepEqual(await steered('none.example.test'), {
    rcode: 'NOERROR',
    answers: [],
    authority: ['example.test SOA 60'],
    scope: undefined,
  })
})

test('a CDN outside our zones is answered by name, and at the apex by its resolved addresses', async () => {
  assert.deepEqual((await steered('abroad.example.test')).answers, ['CNAME edge.vendor.example 30'])
  assert.equal((await steered('abroad.test')).rcode, 'SERVFAIL', 'nothing is known yet')
  served.steering.flat.merge([
    { name: 'edge.vendor.example', expiresAt: Date.now() + 19_500, a: ['198.51.100.77'], aaaa: [] },
  ])
  assert.deepEqual((await steered('abroad.test')).answers, ['A 198.51.100.77 20'])
  assert.deepEqual((await steered('abroad.test', { type: 'AAAA' })).authority, ['abroad.test SOA 30'])
})

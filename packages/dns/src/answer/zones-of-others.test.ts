import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { DnsZone } from '@fairway/contract'
import { ask, serve, type Served } from '../testing/server-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from '../testing/zone-fixture.ts'

const REAL = '198.51.100.1'
const alias = (name: string, target: string) => ({ name, target, ttlSeconds: 60 })
const steering = (origin: string, cname: string) => ({
  steered: [
    { name: origin, domainId: `domain-${origin}`, policyId: 'all' },
    { name: `www.${origin}`, domainId: `domain-www-${origin}`, policyId: 'all' },
  ],
  policies: [policyOf('all', [cdnOf('one', cname)], [strategyOf('all', { targets: [{ cdnId: 'one', weight: 1 }] })])],
})

/** Of the organisation `org-1`: one way of each kind into a name of somebody else. */
const OURS = zoneOf('shop.test', 'cname 300 CNAME lb.hoster.test.\n* 300 CNAME lb.hoster.test.', {
  aliases: [alias('alias.shop.test', 'lb.hoster.test'), alias('through.shop.test', 'way.between.test')],
  ...steering('shop.test', 'lb.hoster.test'),
})
/** Proven, and leading on to the same name. */
const BETWEEN = zoneOf('between.test', 'way 300 CNAME lb.hoster.test.', { organizationId: 'org-3', proven: true })
const claim = (more: Partial<DnsZone>): DnsZone =>
  zoneOf('hoster.test', 'lb 300 A 192.0.2.66\nlb 300 AAAA 2001:db8::66', { organizationId: 'org-2', ...more })

let served: Served
before(async () => {
  served = await serve([OURS, BETWEEN])
})
beforeEach(() => {
  served.zones.remove('site-hoster.test')
  served.steering.flat.merge([
    { name: 'lb.hoster.test', expiresAt: Date.now() + 60_000, a: [REAL], aaaa: [] },
    { name: 'way.between.test', expiresAt: Date.now() + 60_000, a: [REAL], aaaa: [] },
  ])
})
after(() => served[Symbol.asyncDispose]())

/** Response code, what is answered of the type, and whose authority is told. */
const told = async (name: string, type = 'A') => {
  const { rcode, answers, authorities } = await ask(served.at, name, { type })
  return [
    rcode,
    ...answers.filter((record) => record.type === type).map(({ data }) => String(data)),
    ...authorities.map((record) => `${record.type} ${record.name}`),
  ]
}
const FLAT = ['shop.test', 'alias.shop.test', 'through.shop.test']
const LED_ON = ['cname.shop.test', 'any.shop.test', 'www.shop.test']

for (const [what, zone] of [
  ['answers other addresses', claim({})],
  ['has nothing of the name', { ...claim({}), rrsets: claim({}).rrsets.filter(({ name }) => !name.startsWith('lb.')) }],
  ['delegates the name', zoneOf('hoster.test', 'lb 300 NS ns.evil.test.', { organizationId: 'org-2' })],
  [
    'covers it with a wildcard',
    zoneOf('hoster.test', '* 300 A 192.0.2.66', { organizationId: 'org-2', proven: false }),
  ],
] as const)
  test(`what an unproven claim of somebody else ${what} changes no answer of another zone`, async () => {
    const before = await Promise.all([...FLAT, ...LED_ON].map((name) => told(name)))
    assert.deepEqual(
      before.slice(0, FLAT.length),
      FLAT.map(() => ['NOERROR', REAL]),
    )
    await served.put(zone)
    assert.deepEqual(await Promise.all([...FLAT, ...LED_ON].map((name) => told(name))), before)
    assert.deepEqual(await told('shop.test', 'AAAA'), ['NOERROR', 'SOA shop.test'])
  })

for (const [whose, more] of [
  ['a proven zone', { proven: true }],
  ['an unproven zone of the same organisation', { organizationId: 'org-1' }],
  ['a zone of the installation', { organizationId: null, zoneId: 'system:hoster.test' }],
] as const)
  test(`answers go on into ${whose}`, async () => {
    await served.put(claim(more))
    const names = [...FLAT, ...LED_ON].filter((name) => !('organizationId' in more) || name !== 'through.shop.test')
    for (const name of names) assert.deepEqual(await told(name), ['NOERROR', '192.0.2.66'], name)
    served.zones.remove('system:hoster.test')
  })

test('a claim that is proven is answered for others with the publication that says so, and it answers itself before', async () => {
  await served.put(claim({}))
  assert.deepEqual(await told('lb.hoster.test'), ['NOERROR', '192.0.2.66'])
  assert.deepEqual(await told('shop.test'), ['NOERROR', REAL])
  await served.put(claim({ proven: true }))
  assert.deepEqual(await told('shop.test'), ['NOERROR', '192.0.2.66'])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import {
  analyticsOriginShield,
  credentialStuffing,
  domains,
  failedLogin,
  firewallRules,
  webSecurity,
} from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'

const { report, breakdown, crawlers, logins, threats, threat } = analyticsOriginShield.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)

test('threats are counted, told apart, found by incident, and seen by their own organisation only', async () => {
  const own = await newSteeredDomain(api)
  const { client, site, domain } = own
  const { data: rule } = await client.call(firewallRules.routes.create, {
    site,
    domain,
    name: 'No scanners',
    action: { type: 'block' },
  })
  const hitsOf = async () => (await client.call(firewallRules.routes.list, { site, domain })).data[0]
  assert.deepEqual([(await hitsOf())?.hits, (await hitsOf())?.lastHitAt], [null, null], 'unknown is not zero')
  assert.equal((await client.refusal(report, { site, seconds: 900 })).code, 503)
  const uninspected = async () => (await client.call(webSecurity.routes.get, { site, domain })).uninspected
  assert.equal(await uninspected(), null, 'unknown is not zero')
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const event = (id: string, more: object = {}) => ({
    at: at(60_000),
    organization: client.organizationId,
    site,
    domain,
    cdn: '',
    node: 'n/edge',
    id,
    part: 'firewall-rules',
    action: 'block',
    rule: rule.id,
    reason: 'rule',
    address: '203.0.113.9',
    country: 'DE',
    network: 'AS64496',
    host: 'www.example.test',
    method: 'GET',
    path: '/wp-login.php',
    query: 'a=1',
    agent: 'sqlmap/1.7',
    field: 'path',
    field_name: '',
    matched: '/wp-',
    status: 403,
    bytes: 500,
    weight: 1,
    ...more,
  })
  await events.insert('security_events', [
    event('aaa1'),
    event('bbb2', { address: '198.51.100.7', country: 'JP', action: 'simulate', reason: 'simulated', status: 200 }),
    event('ccc3', { part: 'bot-management', action: 'challenge', rule: 'level', reason: 'suspicion', field: '' }),
    event('ddd4', { part: 'bot-management', action: 'challenge', rule: 'level', reason: 'solved', status: 302 }),
    event('eee5', { weight: 200, bytes: 100_000, at: at(30_000) }),
    event('fff6', { action: 'pass', reason: 'let-pass', rule: 'other' }),
    event('fff7', { part: 'bot-management', action: 'pass', reason: 'verified-crawler', rule: 'bingbot', weight: 7 }),
    event('fff8', { part: 'bot-management', action: 'pass', reason: 'false-crawler', rule: 'bingbot', weight: 2 }),
    event('fff9', { part: 'bot-management', action: 'pass', reason: 'unverified-crawler', rule: 'googlebot' }),
    event('aab7', { part: 'crs-rules', action: 'pass', rule: 'inspection', reason: 'inspection-failed', weight: 3 }),
    event('aab8', {
      part: 'crs-rules',
      action: 'pass',
      rule: 'inspection',
      reason: 'inspection-failed',
      at: at(600_000),
    }),
    event('aaa1', { organization: 'somebody-else', address: '192.0.2.66', weight: 5000 }),
  ])
  assert.equal(await uninspected(), 3, 'of the last minutes only')
  const { totals } = await client.call(report, { site, seconds: 900 })
  assert.deepEqual([totals.stopped, totals.challenged, totals.solved, totals.simulated], [202, 1, 1, 1])
  assert.deepEqual((await client.call(crawlers, { site, domain, seconds: 900 })).data, [
    { agent: 'bingbot', name: 'Bingbot', verified: 7, unverified: 0, false: 2 },
    { agent: 'googlebot', name: 'Googlebot', verified: 0, unverified: 1, false: 0 },
  ])
  const shares = async (by: 'rule' | 'country' | 'part' | 'domain') =>
    (await client.call(breakdown, { site, seconds: 900, by })).shares.map(({ value, name, requests }) => [
      name ?? value,
      requests,
    ])
  assert.deepEqual(await shares('rule'), [
    ['No scanners', 202],
    ['level', 1],
  ])
  assert.deepEqual(await shares('country'), [
    ['DE', 202],
    ['JP', 1],
  ])
  const log = await client.call(threats, { site, seconds: 900 })
  assert.equal(log.total, 203)
  assert.deepEqual(log.data.map(({ incident }) => incident).toSorted(), ['aaa1', 'bbb2', 'ccc3', 'eee5'])
  assert.equal(log.data[0]?.incident, 'eee5', 'newest first')
  const found = async (more: object) =>
    (await client.call(threats, { site, seconds: 900, ...more })).data.map(({ incident }) => incident)
  assert.deepEqual(await found({ search: 'bbb' }), ['bbb2'])
  assert.deepEqual(await found({ search: '198.51' }), ['bbb2'])
  assert.deepEqual(await found({ action: 'challenge' }), ['ccc3'])
  assert.deepEqual(await found({ part: 'access-control,bot-management' }), ['ccc3'])
  assert.deepEqual(await found({ domain, country: 'JP' }), ['bbb2'])
  assert.deepEqual(await found({ search: `x' OR 1=1 --` }), [])
  const incident = await client.call(threat, { incident: 'aaa1' })
  assert.deepEqual(
    [incident.threat.address, incident.threat.ruleName, incident.threat.matched],
    ['203.0.113.9', 'No scanners', { field: 'path', name: '', text: '/wp-' }],
  )
  assert.deepEqual(incident.others.map((one) => one.incident).toSorted(), ['aaa1', 'ccc3', 'eee5'])
  assert.equal(incident.visitor.stopped, 202)
  const hit = await hitsOf()
  assert.equal(hit?.hits, 202)
  assert.ok(Date.parse(hit?.lastHitAt ?? '') > Date.now() - 120_000)
  const other = await newSteeredDomain(api)
  assert.equal((await other.client.refusal(threat, { incident: 'aaa1' })).code, 404)
  assert.deepEqual((await other.client.call(threats, { seconds: 900 })).data, [])
})

test('logins are told by path; what no rule counts, or nobody looks up, is unknown and not zero', async () => {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  const { client, site, domain } = own
  const place = { site, domain }
  await client.call(domains.routes.update, { ...place, settings: { originShield: 'use' } })
  const rule = async (more: object) =>
    (
      await client.call(failedLogin.routes.create, {
        ...place,
        name: 'Login',
        path: '/login',
        maxAttempts: 20,
        maxFailed: 5,
        failure: { by: 'status' as const, status: 401 },
        ...more,
      })
    ).data.id
  const form = await rule({})
  const byApi = await rule({ path: '/api/login', name: 'Off', enabled: false })
  const stuffing = await client.call(credentialStuffing.routes.create, {
    ...place,
    name: 'Leaks',
    path: '/old/*',
    accountField: 'user',
    passwordField: 'password',
  })
  assert.equal((await client.refusal(logins, place)).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const [empty, quiet] = (await client.call(logins, place)).data
  assert.deepEqual(
    [empty?.path, empty?.logins?.attempts, empty?.leaked, quiet?.path, quiet?.logins],
    ['/login', 0, null, '/old/*', null],
    'a rule that is off counts nothing',
  )
  const event = (reason: string, id: string, weight: number) => ({
    at: at(30_000),
    organization: client.organizationId,
    site,
    domain,
    cdn: '',
    node: 'n/edge',
    id: `${reason} ${id}`.slice(0, 60),
    part: 'account-takeover-prevention',
    action: reason.startsWith('too-many') ? 'block' : 'pass',
    rule: id,
    reason,
    weight,
  })
  await events.insert('security_events', [
    event('login-succeeded', form, 6),
    event('login-failed', form, 30),
    event('leaked-login-failed', form, 10),
    event('login-unjudged', form, 1),
    event('too-many-failures-address', form, 200),
    event('leaked', stuffing.data.id, 4),
    event('login-failed', byApi, 2),
    event('login-failed', crypto.randomUUID(), 3),
    { ...event('login-failed', form, 5000), organization: 'somebody-else' },
  ])
  const { data, intervalSeconds } = await client.call(logins, { ...place, seconds: 900 })
  assert.deepEqual(
    data.map(({ path, logins: counts, leaked }) => [path, counts && Object.values(counts), leaked]),
    [
      ['/login', [247, 6, 40, 1, 200], 10],
      [null, [3, 0, 3, 0, 0], null],
      ['/api/login', [2, 0, 2, 0, 0], null],
      ['/old/*', null, 4],
    ],
  )
  assert.equal(data[0]?.points.length, 900 / intervalSeconds)
  assert.equal(data[0]?.points[0]?.logins, null, 'the rule was not there then')
  const other = await newSteeredDomain(api)
  assert.equal((await other.client.refusal(logins, place)).code, 404)
})

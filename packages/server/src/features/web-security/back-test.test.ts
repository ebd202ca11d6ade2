import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { botManagement, firewallRules, webSecurity } from '@fairway/contract'
import { REDACTED } from '@fairway/domain/web-security'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'

const { backTest } = webSecurity.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)
const path = (value: string) => ({ field: 'path' as const, operator: 'starts-with' as const, values: [value] })

test('a change is tried on recorded requests before it is saved: whom it stops, whom it lets pass, and what is unsure', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  const place = { site, domain }
  const { data: rule } = await client.call(firewallRules.routes.create, {
    ...place,
    name: 'Old',
    expression: path('/old'),
    action: { type: 'block' },
  })
  await client.call(botManagement.routes.update, { ...place, securityLevel: 'off' })
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const row = (id: string, target: string, more: object = {}, headers: { name: string; value: string }[] = []) => ({
    at: at(60_000 - Number(id) * 1000),
    organization: client.organizationId,
    site,
    domain,
    node: 'n/edge',
    id,
    method: 'GET',
    path: target.split('?')[0],
    country: 'DE',
    request: JSON.stringify({
      address: '203.0.113.9',
      scheme: 'https',
      target,
      protocol: 'HTTP/2.0',
      tlsVersion: '1.3',
      bodySize: 0,
      headers,
      cleared: 0,
      action: 'pass',
      part: '',
      ruleId: '',
      weight: 1,
      ...more,
    }),
    weight: 1,
  })
  await events.insert('recorded_requests', [
    row('1', '/old/a', { weight: 3 }),
    row('2', '/new?a=union'),
    row('3', '/new', { weight: 10 }, [{ name: 'cookie', value: `session_id=${REDACTED}` }]),
    row('4', '/free'),
    row('5', '/few', { weight: 5 }),
    { ...row('6', '/new'), organization: 'somebody-else' },
  ])
  const tried = (firewall: object[]) =>
    client.call(backTest, { ...place, change: { firewall } } as Parameters<typeof client.call<typeof backTest>>[1])
  const nothing = await client.call(backTest, { ...place, change: {} })
  assert.deepEqual(
    [nothing.recorded, nothing.requests, nothing.stopped, nothing.newlyStopped.requests, nothing.newlyPassed.requests],
    [5, 20, { before: 3, after: 3 }, 0, 0],
  )
  const block = { name: 'New', expression: path('/new'), action: { type: 'block' } }
  const added = await tried([{ id: null, rule: block }])
  assert.deepEqual([added.newlyStopped.requests, added.newlyStopped.signedIn], [11, 10])
  assert.deepEqual(added.newlyStopped.paths, [{ value: '/new', requests: 11 }])
  assert.deepEqual(added.newlyStopped.countries, [{ value: 'DE', requests: 11 }])
  assert.deepEqual(
    added.newlyStopped.examples.map(({ id, after: then, signedIn }) => [id, then, signedIn]),
    [
      ['2', 'block', false],
      ['3', 'block', true],
    ],
  )
  const removed = await tried([{ id: rule.id, rule: null }])
  assert.deepEqual([removed.newlyPassed.requests, removed.newlyStopped.requests], [3, 0])
  const cookie = { field: 'cookie', name: 'session_id', operator: 'equals', values: ['x'] }
  assert.equal((await tried([{ id: null, rule: { ...block, expression: cookie } }])).uncertain, 10)
  const limit = { requests: 4, seconds: 60, blockSeconds: 60, keys: [{ by: 'path' }] }
  const limited = await tried([
    { id: null, rule: { name: 'Few', expression: path('/few'), action: { type: 'rate-limit', limit } } },
  ])
  assert.equal(limited.newlyStopped.requests, 5, 'each recorded request counts as often as it stands for')
  const levels = await client.call(backTest, { ...place, change: { bots: { securityLevel: 'under-attack' } } })
  assert.equal(levels.newlyStopped.requests, 17)
  const listed = {
    add: [{ list: 'whitelist' as const, kind: 'address' as const, value: '203.0.113.0/24' }],
    remove: [],
  }
  assert.equal((await client.call(backTest, { ...place, change: { access: listed } })).newlyPassed.requests, 3)
  const text = { list: 'blacklist' as const, lines: '203.0.113.9 # scraper\nnot an address' }
  assert.equal((await client.call(backTest, { ...place, change: { access: { text } } })).newlyStopped.requests, 17)
  const broken = { ...block, expression: { field: 'path', operator: 'matches', values: ['('] } }
  const refusal = await client.refusal(backTest, {
    ...place,
    change: { firewall: [{ id: null, rule: broken }] },
  } as Parameters<typeof client.refusal<typeof backTest>>[1])
  assert.equal(refusal.status, 400)
  assert.deepEqual((await client.call(firewallRules.routes.list, place)).data.length, 1, 'nothing was saved')
})

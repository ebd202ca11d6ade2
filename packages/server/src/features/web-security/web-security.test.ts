import assert from 'node:assert/strict'
import { openStore, startStore } from '@fairway/analytics'
import { after, before, test } from 'node:test'
import {
  accessControl,
  botManagement,
  dnsRecords,
  domains,
  firewallRules,
  httpHeaderRewrite,
  LIMITS,
  originRules,
  sites,
  versions,
  webSecurity,
} from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

let api: ApiUnderTest
let edge: NodeUnderTest
before(async () => {
  api = await startApiUnderTest()
  edge = startNodeUnderTest(api, 'edge')
})
after(async () => {
  await edge[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const placeOf = ({ site, domain }: SteeredDomain) => ({ site, domain })
const rules = firewallRules.routes
const is = (path: string) => ({ field: 'path' as const, operator: 'equals' as const, values: [path] })
const rule = (name: string, more: object = {}) => ({
  name,
  expression: is(`/${name}`),
  action: { type: 'block' as const },
  ...more,
})
async function shielded(): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  await own.client.call(domains.routes.update, { ...placeOf(own), settings: { originShield: 'use' } })
  await own.client.call(botManagement.routes.update, { ...placeOf(own), securityLevel: 'medium' })
  return own
}
const policyAt = (own: SteeredDomain) => edge.document('edge-security', own.site)?.domains[0]?.policy
const CURL = [{ name: 'User-Agent', value: 'curl/8.14.1' }]
const tried = async (own: SteeredDomain, more: object = {}) =>
  (await own.client.call(webSecurity.routes.try, { ...placeOf(own), address: '203.0.113.9', headers: CURL, ...more }))
    .verdict

test('what is saved reaches the edge, and leaves it when the shield is bypassed or the change is undone', async () => {
  const own = await shielded()
  const made = await own.client.call(rules.create, { ...placeOf(own), ...rule('a') })
  await until(async () => policyAt(own)?.firewall.length === 1)
  assert.deepEqual(policyAt(own)?.firewall[0]?.action, { type: 'block' })
  assert.equal((await tried(own, { target: '/a' })).status, 403)
  await own.client.call(versions.routes.revert, { site: own.site, number: String(made.meta.version) })
  await until(async () => policyAt(own)?.firewall.length === 0)
  assert.equal((await tried(own, { target: '/a' })).status, 0)
  await own.client.call(domains.routes.update, { ...placeOf(own), settings: { originShield: 'bypass' } })
  await until(async () => edge.document('edge-security', own.site)?.domains.length === 0)
})

test('a domain that has only been switched on stops no ordinary visitor', async () => {
  const own = await shielded()
  for (const agent of ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'curl/8.14.1', 'Feedly/1.0']) {
    const headers = [
      { name: 'User-Agent', value: agent },
      { name: 'Accept', value: '*/*' },
      { name: 'Accept-Language', value: 'en' },
    ]
    assert.equal((await tried(own, { headers })).action, 'pass', agent)
  }
})

test('access control: the whitelist goes first, entries end, lists are bounded and never hold one twice', async () => {
  const own = await shielded()
  const { list, create, import: bring, update, remove } = accessControl.routes
  const entry = (value: string) => ({ ...placeOf(own), list: 'blacklist' as const, kind: 'address' as const, value })
  const made = (await own.client.call(create, entry('203.0.113.77/24'))).data
  assert.deepEqual([made.value, made.expired], ['203.0.113.0/24', false])
  const refusal = await own.client.refusal(create, entry('203.0.113.0/24'))
  assert.equal(refusal.code, 26903)
  assert.equal((await tried(own)).reason, 'blacklisted')
  await own.client.call(create, { ...entry('203.0.113.9'), list: 'whitelist' })
  assert.equal((await tried(own)).reason, 'whitelisted')
  const { data } = await own.client.call(bring, {
    ...placeOf(own),
    list: 'blacklist',
    text: '198.51.100.1 # one\n\n198.51.100.1\nnot an address\n2001:DB8:0::/32\r\n203.0.113.0/24',
  })
  assert.deepEqual(
    [data.added, data.duplicates, data.refused],
    [2, 1, [{ line: 4, text: 'not an address', message: 'validation.cidr' }]],
  )
  const all = (await own.client.call(list, { ...placeOf(own), list: 'blacklist', ordering: 'value' })).data
  assert.deepEqual(
    all.map(({ value, note }) => [value, note]),
    [
      ['198.51.100.1', 'one'],
      ['2001:db8::/32', ''],
      ['203.0.113.0/24', ''],
    ],
  )
  await own.client.call(update, { ...placeOf(own), id: made.id, expiresAt: '2020-01-01T00:00:00.000Z' })
  // Nothing of access control; and no node of this world has a rule set.
  assert.equal((await tried(own, { address: '203.0.113.10' })).reason, 'inspection-failed')
  await own.client.call(remove, { ...placeOf(own), id: made.id })
  assert.equal((await own.client.refusal(remove, { ...placeOf(own), id: made.id })).code, 404)
})

test('more lines than any domain may have entries are refused before they are looked at, also by who only asks', async () => {
  const own = await shielded()
  const { effect, import: bring, remarks } = accessControl.routes
  const place = placeOf(own)
  const most = LIMITS.accessEntriesPerDomain
  const different = Array.from({ length: most + 1 }, (_, one) => `8.8.${one >> 8}.${one & 255}`).join('\n')
  for (const lines of ['1::\n'.repeat(2 * most + 1), different]) {
    const text = { list: 'blacklist' as const, lines }
    assert.equal((await own.client.refusal(remarks, { ...place, text })).code, 26902)
    assert.equal((await own.client.refusal(effect, { ...place, text })).code, 26902)
    assert.equal((await own.client.refusal(bring, { ...place, list: 'blacklist', text: lines })).code, 26902)
    const tests = { ...place, change: { access: { text } } }
    assert.equal((await own.client.refusal(webSecurity.routes.backTest, tests)).code, 26902)
  }
  const twice = '#\n'.repeat(2 * most + 1) + '8.8.8.8\n'.repeat(2 * most)
  const { data } = await own.client.call(bring, { ...place, list: 'blacklist', text: twice })
  assert.equal(data.added, 1)
})

test('what is worth knowing of entries is said before they are saved, and nobody’s address is refused', async () => {
  const own = await shielded()
  const { create, import: bring, remarks } = accessControl.routes
  const place = placeOf(own)
  const entry = (value: string) => ({ ...place, list: 'whitelist' as const, kind: 'address' as const, value })
  const refusal = await own.client.refusal(create, entry('224.0.0.1'))
  assert.deepEqual([refusal.code, refusal.fields], [400, [{ path: 'value', message: 'validation.bogon' }]])
  const brought = await own.client.call(bring, { ...place, list: 'blacklist', text: '8.8.8.8\n240.0.0.1' })
  assert.deepEqual(brought.data.refused, [{ line: 2, text: '240.0.0.1', message: 'validation.bogon' }])
  const text = { list: 'whitelist' as const, lines: '8.8.0.0/16 # ours\n10.0.0.0/8' }
  const told = await own.client.call(remarks, { ...place, text })
  assert.deepEqual(
    told.data.map(({ kind, value, count }) => [kind, value, count]),
    [
      ['private', '10.0.0.0/8', 1],
      ['overrules', '8.8.0.0/16', 1],
    ],
  )
  assert.deepEqual((await own.client.call(remarks, place)).data, [])
  await own.client.call(create, entry('0.0.0.0/0'))
  const [standing] = (await own.client.call(remarks, place)).data
  assert.equal(standing?.kind, 'lets-everybody-in')
})

test('who has as much at the edges as one organisation may have adds nothing more, and may take away', async () => {
  const own = await shielded()
  const made = await own.client.call(rules.create, { ...placeOf(own), ...rule('a') })
  await until(async () => policyAt(own)?.firewall.length === 1)
  const published = (of: string) =>
    api.database.system((tx) =>
      tx.query<{ bytes: number }>(`${of} WHERE kind = 'edge-security' AND key = $1 RETURNING bytes`, [own.site]),
    )
  const [known] = await published('UPDATE publication SET bytes = bytes')
  assert.ok((known?.bytes ?? 0) > 300, `${known?.bytes}`)
  await published('UPDATE publication SET bytes = 128 * 1048576 / 4')
  assert.equal((await own.client.refusal(rules.create, { ...placeOf(own), ...rule('b') })).code, 26905)
  const other = await shielded()
  await other.client.call(rules.create, { ...placeOf(other), ...rule('b') })
  await own.client.call(rules.remove, { ...placeOf(own), id: made.data.id })
  await until(async () => policyAt(own)?.firewall.length === 0)
  await own.client.call(rules.create, { ...placeOf(own), ...rule('b') })
})

test('firewall rules keep their order, are cloned behind themselves, and one that cannot be reached is told', async () => {
  const own = await shielded()
  const place = placeOf(own)
  const a = (await own.client.call(rules.create, { ...place, ...rule('a') })).data
  const b = (await own.client.call(rules.create, { ...place, ...rule('b', { expression: null }) })).data
  const c = (await own.client.call(rules.create, { ...place, ...rule('c') })).data
  assert.equal(c.shadowedBy, b.id)
  const { data: copy } = await own.client.call(rules.clone, { ...place, id: a.id })
  const names = async () => (await own.client.call(rules.list, place)).data.map(({ name }) => name)
  assert.deepEqual([await names(), copy.enabled], [['a', 'a (copy)', 'b', 'c'], false])
  assert.equal((await own.client.refusal(rules.reorder, { ...place, ids: [a.id, b.id, c.id] })).code, 409)
  const moved = await own.client.call(rules.reorder, { ...place, ids: [c.id, a.id, copy.id, b.id] })
  assert.deepEqual(await names(), ['c', 'a', 'a (copy)', 'b'])
  assert.equal((await own.client.call(rules.get, { ...place, id: c.id })).shadowedBy, null)
  await own.client.call(versions.routes.revert, { site: own.site, number: String(moved.meta.version) })
  assert.deepEqual(await names(), ['a', 'a (copy)', 'b', 'c'])
  assert.equal((await tried(own, { target: '/a' })).ruleId, a.id)
})

test('a rule is copied to other domains of its site, to all of them or to none', async () => {
  const own = await shielded()
  const made = await own.client.call(rules.create, { ...placeOf(own), ...rule('a') })
  const stranger = await newSteeredDomain(api, { planId: 'enterprise' })
  const at = { ...placeOf(own), id: made.data.id }
  assert.equal((await own.client.refusal(rules.copy, { ...at, domains: [stranger.domain] })).code, 404)
  assert.equal((await own.client.refusal(rules.copy, { ...at, domains: [own.domain] })).code, 404)
  const { data: record } = await own.client.call(dnsRecords.routes.create, {
    site: own.site,
    type: 'A',
    name: 'img',
    value: '8.8.8.8',
    multiCdn: true,
  })
  const other = record.domainId ?? ''
  const copied = await own.client.call(rules.copy, { ...at, domains: [other] })
  assert.equal(copied.data.copied, 1)
  const there = await own.client.call(rules.list, { site: own.site, domain: other })
  assert.deepEqual(
    there.data.map(({ name, expression }) => [name, expression]),
    [['a', made.data.expression]],
  )
  await own.client.call(versions.routes.revert, { site: own.site, number: String(copied.meta.version) })
  assert.equal((await own.client.call(rules.list, { site: own.site, domain: other })).data.length, 0)
})

test('a rule is copied to the domains of other sites, each with a version of its own, and to none when one is full', async () => {
  const own = await shielded()
  const { client } = own
  const at = { ...placeOf(own), id: (await client.call(rules.create, { ...placeOf(own), ...rule('a') })).data.id }
  const elsewhere = async (name: string) => {
    const site = (await client.call(sites.routes.create, { domainName: name })).data.id
    const record = { site, type: 'A' as const, name: 'www', value: '8.8.8.8', multiCdn: true }
    return { site, domain: (await client.call(dnsRecords.routes.create, record)).data.domainId ?? '' }
  }
  const [one, other] = [await elsewhere('copy-one.example'), await elsewhere('copy-other.example')]
  const names = async (place: { site: string; domain: string }) =>
    (await client.call(rules.list, place)).data.map(({ name }) => name)
  const stranger = await newSteeredDomain(api, { planId: 'enterprise' })
  const strange = await client.refusal(rules.copy, { ...at, domains: [one.domain, stranger.domain] })
  assert.deepEqual([strange.code, await names(one)], [404, []])
  const { data, meta } = await client.call(rules.copy, { ...at, domains: [one.domain, other.domain] })
  assert.deepEqual([data.copied, meta.version, await names(one), await names(other)], [2, null, ['a'], ['a']])
  const made = data.elsewhere.find(({ site }) => site === one.site)
  await client.call(versions.routes.revert, { site: one.site, number: String(made?.version) })
  assert.deepEqual([await names(one), await names(other)], [[], ['a']])
  const quota = await client.call(webSecurity.routes.quotas, other)
  assert.deepEqual(quota['firewall-rules'], { used: 1, most: LIMITS.firewallRulesPerDomain })
  assert.deepEqual(quota['access-control'], { used: 0, most: LIMITS.accessEntriesPerDomain })
  for (let n = 1; n < quota['firewall-rules'].most; n++) await client.call(rules.create, { ...other, ...rule(`r${n}`) })
  const full = await client.refusal(rules.copy, { ...at, domains: [one.domain, other.domain] })
  assert.deepEqual([full.code, full.fields[0]?.path], [26904, 'domains.1'])
  assert.deepEqual(await names(one), [])
})

test('of two calls that wait for each other one is told to come again, and leaves nothing', async () => {
  const own = await shielded()
  const { client } = own
  const { id } = (await client.call(rules.create, { ...placeOf(own), ...rule('a') })).data
  const there = (await client.call(sites.routes.create, { domainName: 'copy-there.example' })).data.id
  const record = { site: there, type: 'A' as const, name: 'www', value: '8.8.8.8', multiCdn: true }
  const { domainId } = (await client.call(dnsRecords.routes.create, record)).data
  const hold = 'SELECT FROM site WHERE id = $1 FOR UPDATE'
  const refused = await api.database.system(async (tx) => {
    await tx.query(hold, [there])
    const copying = client.refusal(rules.copy, { ...placeOf(own), id, domains: [domainId ?? ''] })
    await until(
      async () => (await tx.query(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`)).length > 0,
    )
    // Whoever has waited longest looks first, and gives way.
    await tx.query(hold, [own.site])
    return copying
  })
  assert.equal(refused.code, 409)
  assert.deepEqual((await client.call(rules.list, { site: there, domain: domainId ?? '' })).data, [])
})

test('an expression that means nothing is refused with its place', async () => {
  const own = await shielded()
  const refused = async (expression: object) => {
    const { code, fields } = await own.client.refusal(rules.create, { ...placeOf(own), ...rule('a', { expression }) })
    return [code, fields[0]?.path, fields[0]?.message]
  }
  const all = (...parts: object[]) => ({ all: parts })
  assert.deepEqual(await refused(all(is('/'), { field: 'path', operator: 'matches', values: ['a(b'] })), [
    400,
    'expression.all.1.values.0',
    'validation.patternParenthesis:2',
  ])
  assert.deepEqual(await refused({ field: 'address', operator: 'in-cidr', values: ['1.2.3.4/33'] }), [
    400,
    'expression.values.0',
    'validation.cidr',
  ])
  assert.equal((await refused(all(all(all(all(all(is('/'))))))))[0], 400)
  assert.equal((await refused({ field: 'path', operator: 'equals', values: ['\ud800'] }))[0], 400)
})

test('rewrites and origin rules: what they may not touch is refused', async () => {
  const own = await shielded()
  const place = placeOf(own)
  const header = (operations: { operation: 'set' | 'remove'; header: string; value?: string }[]) => ({
    ...place,
    name: 'h',
    direction: 'response' as const,
    operations,
  })
  for (const operations of [
    [{ operation: 'set', header: 'content-length', value: '1' }],
    [{ operation: 'set', header: 'X-Upper', value: '1' }],
    [{ operation: 'set', header: 'x-a', value: 'a\r\nx-b: c' }],
    [
      { operation: 'set', header: 'x-a', value: '1' },
      { operation: 'remove', header: 'x-a' },
    ],
  ] as const)
    assert.equal((await own.client.refusal(httpHeaderRewrite.routes.create, header([...operations]))).code, 400)
  await own.client.call(
    httpHeaderRewrite.routes.create,
    header([{ operation: 'set', header: 'x-host', value: '::HOST::' }]),
  )
  assert.deepEqual((await tried(own)).headers, [
    { direction: 'response', operation: 'set', header: 'x-host', value: own.host },
  ])
  const origin = (address: string) => ({ ...place, name: 'o', origin: { address } })
  assert.equal((await own.client.refusal(originRules.routes.create, origin('127.0.0.1'))).code, 400)
  assert.equal((await own.client.refusal(originRules.routes.create, origin(own.host))).code, 400)
  await own.client.call(originRules.routes.create, origin('198.41.0.4'))
  assert.notEqual((await tried(own)).originRuleId, '')
})

test('bot management is changed in part, and goes back by a revert', async () => {
  const own = await shielded()
  const place = placeOf(own)
  assert.equal((await own.client.call(botManagement.routes.get, place)).securityLevel, 'medium')
  const changed = await own.client.call(botManagement.routes.update, { ...place, securityLevel: 'under-attack' })
  assert.deepEqual([changed.data.securityLevel, changed.data.clearanceSeconds], ['under-attack', 1800])
  assert.equal((await tried(own)).action, 'challenge')
  assert.equal((await tried(own, { cleared: true })).action, 'pass')
  await own.client.call(versions.routes.revert, { site: own.site, number: String(changed.meta.version) })
  assert.equal((await own.client.call(botManagement.routes.get, place)).securityLevel, 'medium')
})

test('without the plan nothing can be set up', async () => {
  const own = await newSteeredDomain(api, { planId: 'developer' })
  assert.ok([403, 27005].includes((await own.client.refusal(rules.create, { ...placeOf(own), ...rule('a') })).code))
})

test('a request is tried with a change that is not saved, beside the rules as they are', async () => {
  const own = await shielded()
  const made = await own.client.call(rules.create, { ...placeOf(own), ...rule('a') })
  const tryWith = (draft: object, target = '/a') =>
    own.client.call(webSecurity.routes.try, {
      ...placeOf(own),
      address: '203.0.113.9',
      headers: CURL,
      target,
      draft: draft as never,
    })
  const statuses = async (draft: object, target?: string) => {
    const { verdict, withDraft } = await tryWith(draft, target)
    return [verdict.status, withDraft?.verdict.status]
  }
  const changed = { part: 'firewall-rules', id: made.data.id, rule: { ...rule('a'), enabled: false } }
  assert.deepEqual(await statuses(changed), [403, 0])
  const added = { part: 'firewall-rules', id: null, rule: rule('b') }
  assert.deepEqual(await statuses(added, '/b'), [0, 403])
  const listed = { list: 'blacklist', kind: 'address', value: '203.0.113.0/24' }
  assert.deepEqual(await statuses({ part: 'access-control', add: [listed] }, '/c'), [0, 403])
  assert.deepEqual(
    await statuses({ part: 'bot-management', settings: { securityLevel: 'under-attack' } }, '/c'),
    [0, 403],
  )
  const elsewhere = {
    part: 'origin-rules',
    id: null,
    rule: { name: 'api', origin: { address: '203.0.113.80', port: 8443 } },
  }
  const { origin, withDraft } = await tryWith(elsewhere, '/c')
  assert.deepEqual([origin.ruleName, withDraft?.origin.address, withDraft?.origin.port], ['', '203.0.113.80', 8443])
  assert.equal(withDraft?.origin.hostHeader, origin.hostHeader)
  const wrong = { field: 'path', operator: 'matches', values: ['('] }
  const refusal = await own.client.refusal(webSecurity.routes.try, {
    ...placeOf(own),
    address: '203.0.113.9',
    draft: { part: 'firewall-rules', id: null, rule: { ...rule('b'), expression: wrong as never } },
  })
  assert.equal(refusal.code, 400)
  // Nothing of it was saved.
  assert.equal((await tried(own, { target: '/a' })).status, 403)
  assert.equal((await tried(own, { target: '/b' })).status, 0)
})

test('before an entry is saved it is told whom it would lock out, the one who asks too', async () => {
  const own = await shielded()
  const { effect, create, createMany } = accessControl.routes
  const ask = { ...placeOf(own), add: [{ list: 'blacklist' as const, kind: 'address' as const, value: '0.0.0.0/0' }] }
  assert.equal((await own.client.refusal(effect, ask)).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const request = (client: string, country: string, more: object = {}) => ({
    at: new Date(Date.now() - 60_000).toISOString().replace('T', ' ').slice(0, 23),
    organization: own.client.organizationId,
    site: own.site,
    domain: own.domain,
    cdn: '',
    node: 'n/edge',
    host: own.host,
    method: 'GET',
    path: '/',
    status: 200,
    bytes: 1,
    ms: 1,
    cache_status: 'HIT',
    why: '',
    client,
    country,
    id: 'x',
    ...more,
  })
  await events.insert('edge_requests', [
    request('203.0.113.0', 'JP'),
    request('203.0.113.0', 'JP'),
    request('203.0.113.0', 'JP'),
    request('198.51.100.0', 'DE'),
    request('198.51.100.0', 'DE', { domain: 'another' }),
    request('198.51.100.0', 'DE', { organization: 'somebody-else' }),
  ])
  const of = async (value: string) => {
    const told = await own.client.call(effect, {
      ...placeOf(own),
      add: [{ list: 'blacklist' as const, kind: 'address' as const, value }],
    })
    return [told.requests, told.after, told.countries.map(({ country }) => country), told.you.after]
  }
  assert.deepEqual(await of('203.0.113.0/24'), [4, { least: 3, most: 3 }, ['JP'], false])
  assert.deepEqual(await of('203.0.113.9'), [4, { least: 0, most: 3 }, ['JP'], false])
  assert.deepEqual(await of('127.0.0.0/8'), [4, { least: 0, most: 0 }, [], true])
  await own.client.call(create, { ...placeOf(own), list: 'blacklist', kind: 'address', value: '203.0.113.0/24' })
  const lines = { list: 'whitelist' as const, lines: '203.0.112.0/22 # ours\nnot an address' }
  const eased = await own.client.call(effect, { ...placeOf(own), text: lines })
  assert.deepEqual(
    [eased.before, eased.after],
    [
      { least: 3, most: 3 },
      { least: 0, most: 0 },
    ],
  )
  const many = await own.client.call(createMany, {
    ...placeOf(own),
    entries: ['country:JP', 'country:DE', 'country:JP'].map((value) => ({
      list: 'blacklist' as const,
      kind: 'place' as const,
      value,
    })),
  })
  assert.deepEqual(many.data, { added: 2, duplicates: 1 })
})

test('a pattern with too many states is refused, and a rule that had one before can be switched off', async () => {
  const own = await newSteeredDomain(api)
  const place = placeOf(own)
  const matching = (pattern: string) => ({
    field: 'user-agent' as const,
    operator: 'matches' as const,
    values: [pattern],
  })
  const evil = matching('[ab]*a[ab]{90}c')
  const { code, fields } = await own.client.refusal(rules.create, { ...place, ...rule('evil', { expression: evil }) })
  assert.deepEqual([code, fields[0]?.message], [400, 'validation.patternStates'])
  const { data: saved } = await own.client.call(rules.create, {
    ...place,
    ...rule('old', { expression: matching('[ab]*') }),
  })
  await api.database.system((tx) =>
    tx.query(
      `UPDATE security_rule SET expression = jsonb_set(expression, '{values,0}', to_jsonb($2::text)) WHERE id = $1`,
      [saved.id, evil.values[0]],
    ),
  )
  const old = rule('old', { expression: evil, enabled: false })
  assert.equal((await own.client.call(rules.update, { ...place, id: saved.id, ...old })).data.enabled, false)
  const changed = { ...place, id: saved.id, ...old, expression: matching('a[ab]{90}c') }
  assert.equal((await own.client.refusal(rules.update, changed)).code, 400)
})

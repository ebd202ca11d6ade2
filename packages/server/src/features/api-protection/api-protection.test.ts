import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { apiProtection, credentialStuffing, domains, failedLogin, versions, webSecurity } from '@fairway/contract'
import { unsealForNodes } from '@fairway/platform'
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

/** What bot management has nothing against. */
const APP = [
  { name: 'user-agent', value: 'shop/1.0' },
  { name: 'accept', value: '*/*' },
]
const KEY = 'sixteen-or-more-characters'
const { routes } = apiProtection
async function shielded(): Promise<{ own: SteeredDomain; place: { site: string; domain: string } }> {
  const own = await newSteeredDomain(api, { planId: 'enterprise' })
  const place = { site: own.site, domain: own.domain }
  await own.client.call(domains.routes.update, { ...place, settings: { originShield: 'use' } })
  return { own, place }
}
const rule = { name: 'API', path: '/api/*', key: KEY }

test('a rule reaches the edge with its key sealed, decides what is tried, and goes by a revert', async () => {
  const { own, place } = await shielded()
  const made = await own.client.call(routes.create, { ...place, ...rule })
  assert.ok(!JSON.stringify(made).includes(KEY))
  const published = () => edge.document('edge-security', own.site)?.domains[0]?.policy.api[0]
  await until(async () => published() !== undefined)
  assert.ok(!JSON.stringify(edge.document('edge-security', own.site)).includes(KEY))
  assert.equal(unsealForNodes(api.config, 'api protection key', published()?.key ?? ''), KEY)
  const tried = async (target: string) =>
    (await own.client.call(webSecurity.routes.try, { ...place, address: '203.0.113.9', target, headers: APP })).verdict
  const issued = Math.floor(Date.now() / 1000)
  const mac = crypto.createHmac('sha256', KEY).update(`/api/a\n${issued}`).digest('hex')
  assert.deepEqual([(await tried('/api/a')).reason, (await tried('/api/a')).part], ['token-missing', 'api-protection'])
  assert.equal((await tried(`/api/a?token=${issued}-${mac}`)).action, 'pass')
  assert.equal((await tried('/other')).action, 'pass')
  await own.client.call(versions.routes.revert, { site: own.site, number: String(made.meta.version) })
  assert.equal((await tried('/api/a')).action, 'pass')
})

test('a rule and the rule set are tried before they are saved', async () => {
  const { own, place } = await shielded()
  const request = { ...place, address: '203.0.113.9', target: '/api/a', headers: APP }
  const { key: _, ...keyless } = rule
  const withDraft = async (draft: object, more: object = {}) =>
    (
      await own.client.call(webSecurity.routes.try, { ...request, ...more, draft } as Parameters<
        typeof own.client.call<typeof webSecurity.routes.try>
      >[1])
    ).withDraft?.verdict
  const part = 'api-protection'
  assert.equal((await withDraft({ part, id: null, rule }))?.reason, 'token-missing')
  const refusal = await own.client.refusal(webSecurity.routes.try, {
    ...request,
    draft: { part, id: null, rule: keyless },
  } as Parameters<typeof own.client.refusal<typeof webSecurity.routes.try>>[1])
  assert.deepEqual([refusal.code, refusal.fields[0]?.path], [400, 'draft.rule.key'])
  const { id } = (await own.client.call(routes.create, { ...place, ...rule })).data
  const issued = Math.floor(Date.now() / 1000)
  const mac = crypto.createHmac('sha256', KEY).update(`/api/a\n${issued}`).digest('hex')
  const kept = { part, id, rule: { ...keyless, parameter: 'key' } }
  const target = `/api/a?key=${issued}-${mac}`
  assert.notEqual((await withDraft(kept, { target }))?.part, part, 'with the key that the rule has')
  assert.equal((await withDraft(kept, { target: `/api/a?token=${issued}-${mac}` }))?.reason, 'token-missing')
  const free = { part: 'crs-rules', settings: { enabled: false } }
  // No node of this world has a rule set.
  const other = await own.client.call(webSecurity.routes.try, { ...request, target: '/' })
  assert.deepEqual([other.verdict.reason, (await withDraft(free, { target: '/' }))?.reason], ['inspection-failed', ''])
})

test('a key stays when none is sent, and is changed by another; only who may edit sees it', async () => {
  const { own, place } = await shielded()
  const { id } = (await own.client.call(routes.create, { ...place, ...rule })).data
  const keyOf = async () => (await own.client.call(routes.key, { ...place, id })).key
  const { key: _, ...keyless } = rule
  await own.client.call(routes.update, { ...place, id, ...keyless, tokenSeconds: 60 })
  assert.equal(await keyOf(), KEY)
  assert.equal((await own.client.call(routes.get, { ...place, id })).tokenSeconds, 60)
  // The same again is no change.
  const again = await own.client.call(routes.update, { ...place, id, ...rule, tokenSeconds: 60 })
  assert.equal(again.meta.version, null)
  await own.client.call(routes.update, { ...place, id, ...rule, key: 'another-key-of-mine' })
  assert.equal(await keyOf(), 'another-key-of-mine')
})

test('what the limits of API protection forbid is refused at its field', async () => {
  const { own, place } = await shielded()
  for (const [more, field] of [
    [{ key: 'x'.repeat(15) }, 'key'],
    [{ key: 'x'.repeat(65) }, 'key'],
    [{ key: undefined }, 'key'],
    [{ tokenSeconds: 59 }, 'tokenSeconds'],
    [{ tokenSeconds: 86_401 }, 'tokenSeconds'],
    [{ parameter: '' }, 'parameter'],
    [{ parameter: 'ninechars' }, 'parameter'],
    [{ rateLimitQueries: 0 }, 'rateLimitQueries'],
    [{ rateLimitQueries: 100_000 }, 'rateLimitQueries'],
    [{ rateLimitBlockSeconds: 59 }, 'rateLimitBlockSeconds'],
    [{ path: '/logo.PNG' }, 'path'],
    [{ path: '/img/*.jpg' }, 'path'],
    [{ path: 'api' }, 'path'],
    [{ path: '/a/../b' }, 'path'],
  ] as const) {
    const { code, fields } = await own.client.refusal(routes.create, { ...place, ...rule, ...more })
    assert.deepEqual([code, fields[0]?.path], [400, field], JSON.stringify(more))
  }
})

test('rules of logins are kept as they were written; attempts are more than failures', async () => {
  const { own, place } = await shielded()
  const login = {
    ...place,
    name: 'Login',
    path: '/login',
    maxAttempts: 10,
    maxFailed: 5,
    failure: { by: 'body' as const, keywords: ['wrong', '密碼錯誤'] },
  }
  const { data } = await own.client.call(failedLogin.routes.create, login)
  assert.deepEqual([data.methods, data.seconds, data.failure], [['POST'], 600, login.failure])
  for (const more of [{ maxFailed: 10 }, { failure: { by: 'body' as const, keywords: [] } }, { path: '/login.css' }])
    assert.equal((await own.client.refusal(failedLogin.routes.create, { ...login, ...more })).code, 400)
  const check = { ...place, name: 'Leaked', path: '/login', accountField: 'user', passwordField: 'user.password' }
  await own.client.call(credentialStuffing.routes.create, check)
  const policy = () => edge.document('edge-security', own.site)?.domains[0]?.policy
  await until(async () => policy()?.credentialStuffing[0]?.passwordField === 'user.password')
  assert.equal(policy()?.failedLogins[0]?.maxFailed, 5)
})

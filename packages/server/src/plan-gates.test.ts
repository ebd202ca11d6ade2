import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addSite, cacheRules, dnsRecords, domains, sites, zoneFiles, type RecordInput } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from './testing/api-under-test.ts'
import { newSteeredDomain } from './testing/steered-domain.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

type Given = Partial<RecordInput> & Pick<RecordInput, 'type' | 'name' | 'value'>
const wildcard: Given = { type: 'A', name: '*.shop', value: '192.0.2.1' }
const flattened: Given = { type: 'ALIAS', name: '@', value: 'www.example.net' }
const steeredRoot: Given = { type: 'A', name: '@', value: '8.8.8.8', multiCdn: true }
const short: Given = { type: 'A', name: 'www', value: '192.0.2.1', ttlSeconds: 30 }
/** What the least plan lacks, by the code that says so. */
const LACKING: readonly [Given, number][] = [
  [wildcard, 27_005],
  [flattened, 810_006],
  [steeredRoot, 810_006],
  [short, 810_005],
]

const planOf = (client: Client, planId: string) =>
  api.database.system((tx) =>
    tx.query('UPDATE organization SET plan_id = $2 WHERE id = $1', [client.organizationId, planId]),
  )
let made = 0
async function newSite(planId: string) {
  const client = await api.newClient({ planId })
  const name = `gated${++made}.example`
  return { client, name, site: (await client.call(sites.routes.create, { domainName: name })).data.id }
}
async function newDraft(planId: string) {
  const client = await api.newClient({ planId })
  const { data } = await client.call(addSite.routes.create, { domainName: `gated${++made}.example` })
  return { client, site: data.id }
}

test('a name that cannot be a site is refused by every way to make one', async () => {
  const client = await api.newClient()
  for (const route of [sites.routes.create, addSite.routes.create]) {
    assert.equal((await client.refusal(route, { domainName: 'google.com' })).code, 900_027)
    for (const [domainName, message] of [
      ['www.gated.example', 'validation.rootDomain'],
      ['shop.localhost', 'validation.siteLocal'],
      ['0.192.in-addr.arpa', 'validation.reverseZone'],
    ] as const)
      assert.deepEqual((await client.refusal(route, { domainName })).fields, [{ path: 'domainName', message }])
  }
  assert.equal((await client.call(sites.routes.list, {})).meta.total, 0)
})

test('records that a plan lacks are added by hand on no way, and on a plan that has them on each', async () => {
  const small = await newSite('developer')
  const large = await newSite('enterprise')
  for (const [record, code] of LACKING) {
    assert.equal((await small.client.refusal(dnsRecords.routes.create, { site: small.site, ...record })).code, code)
    const { data } = await large.client.call(dnsRecords.routes.create, { site: large.site, ...record })
    await large.client.call(dnsRecords.routes.remove, { site: large.site, id: data.id })
  }
  // By another name it comes too.
  const { data } = await small.client.call(dnsRecords.routes.create, { site: small.site, ...wildcard, name: 'shop' })
  const renamed = { site: small.site, id: data.id, name: '*.shop' }
  assert.equal((await small.client.refusal(dnsRecords.routes.update, renamed)).code, 27_005)
  const root = { site: small.site, name: '@', origin: '8.8.8.8' }
  assert.equal((await small.client.refusal(addSite.routes.addDomain, root)).code, 810_006)
})

test('what was there when the plan became smaller stays, is changed and deleted; nothing comes beside it', async () => {
  const { client, site, name } = await newSite('enterprise')
  const ids: string[] = []
  for (const record of [wildcard, flattened])
    ids.push((await client.call(dnsRecords.routes.create, { site, ...record })).data.id)
  await planOf(client, 'developer')
  const [star = '', root = ''] = ids
  await client.call(dnsRecords.routes.update, { site, id: star, value: '192.0.2.9' })
  await client.call(dnsRecords.routes.update, { site, id: root, value: 'other.example.net' })
  assert.equal((await client.refusal(dnsRecords.routes.create, { site, ...wildcard })).code, 27_005)
  const file = `$ORIGIN ${name}.\n*.shop 300 IN A 192.0.2.8\n*.shop 300 IN A 192.0.2.10\n*.news 300 IN A 192.0.2.11\n`
  const { rows } = await client.call(zoneFiles.routes.preview, { site, format: 'bind', text: file, mode: 'merge' })
  assert.deepEqual(
    rows.map((row) => [row.name, row.value, row.action, row.reason]),
    [
      ['*.shop', '192.0.2.8', 'changed', null],
      ['*.shop', '192.0.2.10', 'skipped', 'code:27005'],
      ['*.news', '192.0.2.11', 'skipped', 'code:27005'],
    ],
  )
  await client.call(zoneFiles.routes.apply, { site, format: 'bind', text: file, mode: 'merge', version: null })
  assert.equal((await client.call(dnsRecords.routes.list, { site, type: 'A' })).meta.total, 1)
  for (const id of ids) await client.call(dnsRecords.routes.remove, { site, id })
})

test('a draft takes what its plan has: the rest is refused by hand, marked and left out when found, and not published', async () => {
  const { client, site } = await newDraft('developer')
  const { addFound, editFound, choose, found, publish, readFile, removeFound } = addSite.routes
  for (const { multiCdn, ...record } of [wildcard, flattened, short]) {
    const code = LACKING.find(([given]) => given.name === record.name && given.type === record.type)?.[1]
    assert.equal((await client.refusal(addFound, { site, ...record })).code, code, record.type)
    assert.equal(multiCdn, undefined)
  }
  const www = await client.call(addFound, { site, type: 'A', name: 'www', value: '192.0.2.1' })
  const edit = { site, id: www.id }
  assert.equal((await client.refusal(editFound, { ...edit, ttlSeconds: 30 })).code, 810_005)
  assert.equal((await client.refusal(editFound, { ...edit, name: '*' })).code, 27_005)
  await client.call(readFile, { site, text: '* 300 IN A 192.0.2.2\nold 30 IN A 192.0.2.3\n' })
  const marked = (await client.call(found, { site })).data.map((row) => [
    row.name,
    row.ttlSeconds,
    row.chosen,
    row.problem,
  ])
  assert.deepEqual(marked.sort(), [
    ['*', 300, false, 'code:27005'],
    ['old', 300, true, null],
    ['www', null, true, null],
  ])
  const star = (await client.call(found, { site })).data.find((row) => row.name === '*')?.id ?? ''
  await client.call(choose, { site, ids: [star], chosen: true })
  assert.equal((await client.refusal(publish, { site })).code, 27_005)
  await client.call(removeFound, { site, id: star })
  await client.call(publish, { site })
  assert.equal((await client.call(dnsRecords.routes.list, { site })).meta.total, 2)
})

test('27005: a lifetime beyond the usual is no more the plan’s by the domain than by its rules, and one that is there stays', async () => {
  const own = await newSteeredDomain(api, { planId: 'developer' })
  const place = { site: own.site, domain: own.domain }
  const { update } = domains.routes
  for (const cacheTtlSeconds of [60, 7199, 28 * 86_400 + 1])
    assert.equal((await own.client.refusal(update, { ...place, cacheTtlSeconds })).code, 27_005, `${cacheTtlSeconds}`)
  await own.client.call(update, { ...place, cacheTtlSeconds: 86_400 })
  await planOf(own.client, 'enterprise')
  await own.client.call(update, { ...place, cacheTtlSeconds: 60 })
  await planOf(own.client, 'developer')
  await own.client.call(update, { ...place, cacheTtlSeconds: 60, cacheEverything: true })
  const byRule = await own.client.call(cacheRules.routes.update, { ...place, id: own.domain, honorOrigin: false })
  assert.deepEqual([byRule.data.ttlSeconds, byRule.data.honorOrigin], [60, false])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  accessControl,
  cacheRules,
  cdnManagement,
  customPages,
  dnsRecords,
  domains,
  firewallRules,
  originRules,
  sites,
  versions,
  zoneFiles,
} from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'

const { compare, list, revert } = versions.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const valueOf = (row: Record<string, unknown> | null) => (row === null ? null : row['value'])

test('the history of one record: who did what to it, of each version that part only, and how much the version did', async () => {
  const client = await api.newClient()
  const { data } = await client.call(sites.routes.create, { domainName: 'history.example' })
  const site = data.id
  const add = async (name: string) =>
    (await client.call(dnsRecords.routes.create, { site, type: 'A', name, value: '192.0.2.1' })).data.id
  const [www, api1] = [await add('www'), await add('api')]
  await client.call(dnsRecords.routes.update, { site, id: www, value: '192.0.2.2' })
  await client.call(dnsRecords.routes.updateMany, { site, ids: [www, api1], set: { ttlSeconds: 600 }, force: true })
  await client.call(dnsRecords.routes.remove, { site, id: www })
  const history = await client.call(list, { site, touches: www })
  assert.deepEqual(
    history.data.map(({ number, changes, changeCount }) => [
      number,
      changeCount,
      ...changes.flatMap(({ id, before: was, after: is }) => [id === www, valueOf(was), valueOf(is)]),
    ]),
    [
      [6, 1, true, '192.0.2.2', null],
      [5, 2, true, '192.0.2.2', '192.0.2.2'],
      [4, 1, true, '192.0.2.1', '192.0.2.2'],
      [2, 1, true, null, '192.0.2.1'],
    ],
  )
  assert.equal(history.meta.total, 4)
  assert.ok(history.data.every(({ author }) => author.includes('@') || author.length > 0))
  const other = await api.newClient()
  const { data: foreign } = await other.call(sites.routes.create, { domainName: 'foreign.example' })
  assert.equal((await other.call(list, { site: foreign.id, touches: www })).meta.total, 0)
  assert.equal((await client.refusal(list, { site, touches: 'x' })).status, 400)
})

test('any two versions are compared: what came and went between them is told once, from either end', async () => {
  const client = await api.newClient()
  const { data } = await client.call(sites.routes.create, { domainName: 'compare.example' })
  const site = data.id
  const add = async (name: string, value: string) =>
    (await client.call(dnsRecords.routes.create, { site, type: 'A', name, value })).data.id
  const kept = await add('kept', '192.0.2.1')
  const passing = await add('passing', '192.0.2.1')
  await client.call(dnsRecords.routes.update, { site, id: kept, value: '192.0.2.2' })
  await client.call(dnsRecords.routes.remove, { site, id: passing })
  await client.call(dnsRecords.routes.update, { site, id: kept, value: '192.0.2.3' })
  const between = async (from: number, to: number) => {
    const { changes, ...ends } = await client.call(compare, { site, from, to })
    assert.deepEqual(ends, { from, to })
    return changes
      .filter(({ entity }) => entity === 'dns-record')
      .map((change) => [change.id === kept ? 'kept' : 'passing', valueOf(change.before), valueOf(change.after)])
  }
  assert.deepEqual(await between(2, 6), [['kept', '192.0.2.1', '192.0.2.3']])
  assert.deepEqual(await between(6, 2), [['kept', '192.0.2.3', '192.0.2.1']])
  assert.deepEqual(await between(3, 6), [
    ['kept', '192.0.2.1', '192.0.2.3'],
    ['passing', '192.0.2.1', null],
  ])
  assert.deepEqual(await between(0, 6), [['kept', null, '192.0.2.3']])
  assert.deepEqual(await between(4, 4), [])
  assert.equal((await client.refusal(compare, { site, from: 1, to: 7 })).status, 404)
  assert.equal((await client.refusal(compare, { site, from: -1, to: 2 })).status, 400)
  assert.equal((await (await api.newClient()).refusal(compare, { site, from: 1, to: 2 })).status, 404)
})

test('of a version with thousands of changes the history has the first hundred and their number, and one version all', async () => {
  const client = await api.newClient()
  const { data } = await client.call(sites.routes.create, { domainName: 'many-changes.example' })
  const site = data.id
  const text = Array.from({ length: 150 }, (_, at) => `h${at} 300 IN A 192.0.2.1\n`).join('')
  await client.call(zoneFiles.routes.apply, { site, format: 'bind', text, part: { number: 2, of: 3 } })
  const [listed] = (await client.call(list, { site })).data
  assert.deepEqual(
    [listed?.title, listed?.changes.length, listed?.changeCount],
    ['Import a zone file, part 2 of 3: 150 added', 100, 150],
  )
  const one = await client.call(versions.routes.get, { site, number: String(listed?.number) })
  assert.deepEqual([one.changes.length, one.changeCount], [150, 150])
  const last = one.changes.at(-1)?.id ?? ''
  const [touched] = (await client.call(list, { site, touches: last })).data
  assert.deepEqual([touched?.changes.map(({ id }) => id), touched?.changeCount], [[last], 150])
  for (const part of [
    { number: 4, of: 3 },
    { number: 0, of: 3 },
    { number: 1, of: 1e9 },
  ])
    assert.equal((await client.refusal(zoneFiles.routes.apply, { site, format: 'bind', text, part })).status, 400)
})

type Changed = { data: { id: string }; meta: { version: number | null } }

test('an undo brings back no more than the plan has room for; over it, what adds nothing is undone all the same', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  const place = { site, domain }
  const rule = { enabled: true, expression: null, action: { type: 'block' } } as const
  const cdn = (cdnId: string) => client.call(cdnManagement.routes.install, { ...place, cdnId })
  const entry = (value: string) =>
    client.call(accessControl.routes.create, { ...place, list: 'blacklist', kind: 'address', value })
  const kinds: Record<
    string,
    { code: number; add(n: number): Promise<Changed>; remove(id: string): Promise<Changed> }
  > = {
    record: {
      code: 900102,
      add: (n) => client.call(dnsRecords.routes.create, { site, type: 'A', name: `h${n}`, value: '192.0.2.1' }),
      remove: (id) => client.call(dnsRecords.routes.remove, { site, id }),
    },
    entry: {
      code: 26902,
      add: (n) => entry(`192.0.2.${n}`),
      remove: (id) => client.call(accessControl.routes.remove, { ...place, id }),
    },
    cacheRule: {
      code: 27004,
      add: (n) => client.call(cacheRules.routes.createNoCache, { ...place, type: 'extension', path: `.x${n}` }),
      remove: (id) => client.call(cacheRules.routes.removeNoCache, { ...place, id }),
    },
    firewallRule: {
      code: 26904,
      add: (n) => client.call(firewallRules.routes.create, { ...place, ...rule, name: `r${n}` }),
      remove: (id) => client.call(firewallRules.routes.remove, { ...place, id }),
    },
    page: {
      code: 26913,
      add: (n) =>
        client.call(customPages.routes.create, { site, kind: 'errors', name: `p${n}`, html: '<p>::REQUEST_ID::' }),
      remove: (id) => client.call(customPages.routes.remove, { site, id }),
    },
    cdn: {
      code: 27022,
      add: (n) => cdn(['polaris', 'edge'][n] ?? ''),
      remove: (id) => client.call(cdnManagement.routes.uninstall, { ...place, id }),
    },
  }
  await cdn('swiftlane')
  const noted = await entry('198.51.100.1')
  const note = await client.call(accessControl.routes.update, { ...place, id: noted.data.id, note: 'x' })
  const gone = new Map<string, number | null>()
  for (const [kind, { add, remove }] of Object.entries(kinds)) {
    gone.set(kind, (await remove((await add(0)).data.id)).meta.version)
    await add(1)
  }
  await api.database.system((tx) =>
    tx.query(
      `WITH narrow AS (INSERT INTO plan (id, name, ability, site_limit, record_limit, cdn_limit, minimum_ttl_seconds, maxima)
         SELECT 'narrow', 'Narrow', ability, site_limit, 2, 2, minimum_ttl_seconds,
           '{"accessEntriesPerDomain": 1, "cacheRulesPerDomain": 1, "firewallRulesPerDomain": 1, "customPagesPerSite": 1}' FROM plan WHERE id = 'enterprise' RETURNING id)
       UPDATE organization SET plan_id = narrow.id FROM narrow WHERE organization.id = $1`,
      [client.organizationId],
    ),
  )
  const undo = (version: number | null | undefined) => ({ site, number: String(version) })
  for (const [kind, { code }] of Object.entries(kinds))
    assert.equal((await client.refusal(revert, undo(gone.get(kind)))).code, code, kind)
  await client.call(revert, undo(note.meta.version))
})

test('an undo makes no CDN fetch from itself', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  const { data: other } = await client.call(sites.routes.create, { domainName: 'origins.example' })
  const [shop, origin] = [
    { site, type: 'CNAME', name: 'shop', value: 'www.origins.example' },
    { site: other.id, type: 'A', name: 'www', value: '8.8.4.4' },
  ] as const
  const add = (record: typeof shop | typeof origin) =>
    client.call(dnsRecords.routes.create, { ...record, multiCdn: true })
  const { data } = await add(shop)
  const removed = await client.call(dnsRecords.routes.remove, { site, id: data.id })
  await add(origin)
  assert.equal((await client.refusal(revert, { site, number: String(removed.meta.version) })).code, 900106)
  // By the domain's own settings, or by a rule: names that were free, and a rule of when private networks were reached.
  const place = { site, domain }
  const free = 'www.origins2.example'
  const origin2 = { address: '8.8.8.8', port: 443, protocol: 'https', hostHeader: 'a.example' } as const
  const set = (more: object) => client.call(domains.routes.update, { ...place, origin: { ...origin2, ...more } })
  await set({ fallbackAddress: free })
  const reverted = [(await set({ fallbackAddress: null })).meta.version]
  const rule = async (address: string) => {
    const made = await client.call(originRules.routes.create, { ...place, name: 'x', origin: { address } })
    return client.call(originRules.routes.remove, { ...place, id: made.data.id })
  }
  reverted.push((await rule(free)).meta.version)
  const harmless = (await rule('8.8.4.4')).meta.version
  const { data: second } = await client.call(sites.routes.create, { domainName: 'origins2.example' })
  await client.call(dnsRecords.routes.create, { ...origin, site: second.id, multiCdn: true })
  for (const version of reverted)
    assert.equal((await client.refusal(revert, { site, number: String(version) })).code, 900106, `${version}`)
  await api.database.system((tx) =>
    tx.query(
      `UPDATE version SET changes = jsonb_set(changes, '{0,before,does,address}', '"10.0.0.1"') WHERE site_id = $1 AND number = $2`,
      [site, harmless],
    ),
  )
  assert.equal((await client.refusal(revert, { site, number: String(harmless) })).status, 409)
  const again = (await rule('8.8.4.4')).meta.version
  await client.call(revert, { site, number: String(again) })
})

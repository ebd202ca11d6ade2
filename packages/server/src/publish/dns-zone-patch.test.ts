import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DnsZone,
  type DnsZonePatch,
  type Publication,
  dnsRecords,
  sites,
  versions,
  zoneFiles,
} from '@fairway/contract'
import { followFeed, makeLog } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../testing/api-under-test.ts'
import { until } from '../testing/until.ts'
import { buildDnsZone } from './dns-zone.ts'

const RECORDS = 1_100
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const zoneText = Array.from({ length: RECORDS }, (_, at) => `h${at} 300 IN A 192.0.2.1\n`).join('')

/** A site with a large zone, and two nodes: one that takes patches, and one that has everything whole. */
async function largeSite(name: string) {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: name })).data.id
  const seen = { patches: [] as Publication[], wholes: [] as Publication[] }
  const follow = (into: Publication[], patches: boolean) =>
    followFeed({
      config: { ...api.config, nodeName: `${name}-${patches}` },
      role: 'dns',
      kinds: ['dns-zone'],
      patches,
      log: makeLog('dns', { logLevel: 'silent' }),
      apply: (publication) => void (publication.key === site && into.push(publication)),
    })
  const feeds = new AsyncDisposableStack()
  feeds.use(follow(seen.patches, true))
  feeds.use(follow(seen.wholes, false))
  await client.call(zoneFiles.routes.apply, { site, format: 'bind', text: zoneText })
  const records = (await client.call(dnsRecords.routes.list, { site, page_size: -1 })).data
  const at = async (version: number) => {
    await until(async () => [seen.patches, seen.wholes].every((all) => all.at(-1)?.version === version))
    const built = await api.database.system((tx) => buildDnsZone(tx, site, api.config))
    const whole = seen.wholes.at(-1)?.body
    assert.deepEqual(whole, JSON.parse(JSON.stringify(built?.body)))
    return { whole: whole as DnsZone, patch: patchIn(seen.patches.at(-1)) }
  }
  return { client, site, records, at, seen, [Symbol.asyncDispose]: () => feeds.disposeAsync() }
}

const patchIn = (publication: Publication | undefined): DnsZonePatch | undefined =>
  publication && 'patch' in publication ? publication.patch : undefined

test('of a large zone nodes are sent what changed, and who asks for it whole has it as it would be published', async () => {
  await using large = await largeSite('large.example')
  const { client, site, records, at } = large
  const first = records.find(({ name }) => name === 'h1') ?? assert.fail()
  const { version: added } = (
    await client.call(dnsRecords.routes.create, {
      site,
      type: 'MX',
      name: '@',
      value: 'h7.large.example',
      preference: 5,
    })
  ).meta
  const { patch } = await at(added ?? 0)
  assert.deepEqual(patch?.names, ['large.example'])
  assert.equal(patch?.rrsets.length, 1)
  await client.call(dnsRecords.routes.update, { site, id: first.id, name: 'renamed' })
  const { version: removed } = (
    await client.call(dnsRecords.routes.remove, {
      site,
      id: records.find(({ name }) => name === 'h2')?.id ?? '',
    })
  ).meta
  const last = await at(removed ?? 0)
  // Every change since the whole: a node that missed some of them has them too.
  assert.deepEqual(last.patch?.names.toSorted(), [
    'h1.large.example',
    'h2.large.example',
    'large.example',
    'renamed.large.example',
  ])
  const { version: undone } = (await client.call(versions.routes.revert, { site, number: String(removed) })).meta
  assert.ok((await at(undone ?? 0)).whole.rrsets.some(({ name }) => name === 'h2.large.example'))
  // So many sets that a sixteenth of them is more than the least, and no whole number.
  await api.database.system((tx) =>
    tx.query(`UPDATE publication SET sets = 50001 WHERE kind = 'dns-zone' AND key = $1`, [site]),
  )
  const { version: among } = (
    await client.call(dnsRecords.routes.create, { site, type: 'A', name: 'among-many', value: '192.0.2.4' })
  ).meta
  assert.ok((await at(among ?? 0)).patch?.names.includes('among-many.large.example'))
})

test('what is more than records is published whole, and changes after it start from there', async () => {
  await using large = await largeSite('steered.example')
  const { client, site, records, at } = large
  const id = records.find(({ name }) => name === 'h5')?.id ?? ''
  const { version: alias } = (
    await client.call(dnsRecords.routes.create, { site, type: 'ALIAS', name: 'go', value: 'cdn.example.net' })
  ).meta
  const whole = await at(alias ?? 0)
  assert.deepEqual([whole.patch, whole.whole.aliases?.length], [undefined, 1])
  const { version: changed } = (await client.call(dnsRecords.routes.update, { site, id, value: '192.0.2.9' })).meta
  const { patch } = await at(changed ?? 0)
  assert.deepEqual([patch?.since, patch?.names], [alias, ['h5.steered.example']])
  // That its name is proven makes no version; the change after it brings it along, whole.
  await api.database.system((tx) =>
    tx.query(`UPDATE site SET claim = 'proven', proven_by = 'txt' WHERE id = $1`, [site]),
  )
  const { version: after } = (await client.call(dnsRecords.routes.update, { site, id, value: '192.0.2.8' })).meta
  const proven = await at(after ?? 0)
  assert.deepEqual([proven.patch, proven.whole.proven], [undefined, true])
})

test('a long patch is put into the whole, which nobody is sent: the next one starts from there', async () => {
  await using large = await largeSite('folded.example')
  const { client, site, at } = large
  const text = Array.from({ length: 1_000 }, (_, number) => `more${number} 300 IN A 192.0.2.2\n`).join('')
  const { version: long } = (await client.call(zoneFiles.routes.apply, { site, format: 'bind', text })).meta
  assert.equal((await at(long ?? 0)).patch?.names.length, 1_000)
  await until(async () => {
    const [row] = await api.database.system((tx) =>
      tx.query<{ base: number }>(`SELECT base_version AS base FROM publication WHERE kind = 'dns-zone' AND key = $1`, [
        site,
      ]),
    )
    return row?.base === long
  })
  const wholes = large.seen.patches.filter(({ body }) => body !== null).length
  const { version } = (
    await client.call(dnsRecords.routes.create, { site, type: 'A', name: 'one', value: '192.0.2.3' })
  ).meta
  const { patch, whole } = await at(version ?? 0)
  assert.deepEqual([patch?.since, patch?.names], [long, ['one.folded.example']])
  assert.ok(whole.rrsets.some(({ name }) => name === 'more999.folded.example'))
  assert.equal(large.seen.patches.filter(({ body }) => body !== null).length, wholes)
  assert.deepEqual(
    await api.database.system((tx) => tx.query(`SELECT FROM outbox WHERE kind = 'dns-zone' AND key = $1`, [site])),
    [],
  )
})

test('a record is refused for what it contradicts in a large zone: its own name, a delegation above, a wildcard', async () => {
  await using large = await largeSite('refused.example')
  const { client, site } = large
  const create = dnsRecords.routes.create
  const a = { site, type: 'A', value: '192.0.2.1' } as const
  assert.equal((await client.refusal(create, { ...a, name: 'h1' })).code, 900101)
  assert.equal((await client.refusal(create, { ...a, name: 'h1', value: '192.0.2.2', ttlSeconds: 60 })).code, 900108)
  await client.call(create, { site, type: 'NS', name: 'sub', value: 'ns1.example.net' })
  assert.equal((await client.refusal(create, { site, type: 'TXT', name: 'below.sub', value: 'x' })).code, 900109)
  await client.call(create, { site, type: 'CNAME', name: 'alone', value: 'example.net' })
  assert.equal((await client.refusal(create, { ...a, name: 'alone' })).code, 900104)
})

const published = async (site: string) =>
  (
    await api.database.system((tx) =>
      tx.query<{ version: number }>(`SELECT version FROM publication WHERE kind = 'dns-zone' AND key = $1`, [site]),
    )
  )[0]?.version

test('a zone of very many records is built by a thread of its own, and no other zone waits for it', async () => {
  const client = await api.newClient()
  const make = async (domainName: string) => (await client.call(sites.routes.create, { domainName })).data.id
  const [large, other] = [await make('very-large.example'), await make('beside-it.example')]
  const add = async (site: string, name: string) =>
    (await client.call(dnsRecords.routes.create, { site, type: 'A', name, value: '192.0.2.1' })).meta.version
  await until(async () => (await published(large)) === 1 && (await published(other)) === 1)
  // As many as a zone has that takes long; what it is made of stays small here.
  await api.database.system((tx) => tx.query('UPDATE site SET record_count = 60000 WHERE id = $1', [large]))
  await api.database.system(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`dns-zone ${large}`])
    await add(large, 'while-it-is-built')
    const version = await add(other, 'meanwhile')
    await until(async () => (await published(other)) === version)
    assert.equal(await published(large), 1)
  })
  const version = await add(large, 'after-that')
  await until(async () => (await published(large)) === version)
  const left = () => api.database.system((tx) => tx.query('SELECT FROM outbox WHERE key = $1', [large]))
  await until(async () => (await left()).length === 0)
})

test('parts of an import wait for the last one; a change by hand, and an import that has stopped, do not', async () => {
  const client = await api.newClient()
  const make = async (domainName: string) => (await client.call(sites.routes.create, { domainName })).data.id
  const [site, other] = [await make('in-parts.example'), await make('beside-parts.example')]
  await until(async () => (await published(site)) === 1 && (await published(other)) === 1)
  const add = async (to: string, name: string) =>
    (await client.call(dnsRecords.routes.create, { site: to, type: 'A', name, value: '192.0.2.1' })).meta.version
  const part = async (number: number, of: number) => {
    const text = `part-${number}-of-${of} 300 IN A 192.0.2.1\n`
    const { meta } = await client.call(zoneFiles.routes.apply, { site, format: 'bind', text, part: { number, of } })
    return meta.version
  }
  const is = (version: number | null) => until(async () => (await published(site)) === version)
  await part(1, 3)
  const beside = await add(other, 'meanwhile')
  await until(async () => (await published(other)) === beside)
  assert.equal(await published(site), 1)
  await is(await add(site, 'by-hand'))
  await part(2, 3)
  await is(await part(3, 3))
  const stopped = await part(1, 2)
  await api.database.system(async (tx) => {
    await tx.query(`UPDATE outbox SET created_at = created_at - interval '15 seconds' WHERE key = $1`, [site])
    await tx.query(`SELECT pg_notify('outbox', '')`)
  })
  await is(stopped)
})

test('the number of records follows whatever makes and removes them', async () => {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: 'counted.example' })).data.id
  const counted = async () => (await client.call(dnsRecords.routes.zone, { site })).recordQuota.used
  const text = Array.from({ length: 30 }, (_, at) => `h${at} 300 IN A 192.0.2.1\n`).join('')
  const apply = await client.call(zoneFiles.routes.apply, { site, format: 'bind', text })
  assert.equal(await counted(), 30)
  const { data } = await client.call(dnsRecords.routes.list, { site, page_size: -1 })
  await client.call(dnsRecords.routes.remove, { site, id: data[0]?.id ?? '' })
  await client.call(dnsRecords.routes.removeMany, {
    site,
    ids: data.slice(1, 21).map(({ id }) => id),
    force: true,
  })
  assert.equal(await counted(), 9)
  await client.refusal(zoneFiles.routes.apply, { site, format: 'bind', text: 'x 300 IN A 192.0.2.300' })
  assert.equal(await counted(), 9)
  const [removed, , imported] = (await client.call(versions.routes.list, { site })).data
  assert.deepEqual([removed?.changeCount, removed?.changes.length, imported?.changeCount], [20, 20, 30])
  await client.call(versions.routes.revert, { site, number: String((apply.meta.version ?? 0) + 2) })
  assert.equal(await counted(), 29)
  const { total } = (await client.call(dnsRecords.routes.list, { site, page_size: 5 })).meta
  assert.equal(total, 29)
})

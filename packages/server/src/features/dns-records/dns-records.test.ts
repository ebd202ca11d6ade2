import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  auditLog,
  dnsRecords,
  domains,
  purges,
  sites,
  versions,
  zoneFiles,
  type DnsZone,
  type RecordInput,
  type RouteInput,
} from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

const { create, get, list, remove, removeMany, update, updateMany, zone } = dnsRecords.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

let made = 0
/** A new organisation with one site. */
async function newSite(planId = 'enterprise'): Promise<{
  client: Client
  site: string
  add: (record: Omit<RouteInput<typeof create>, 'site'>) => Promise<string>
  refused: (record: Omit<RouteInput<typeof create>, 'site'>) => Promise<number>
}> {
  const client = await api.newClient({ planId })
  const { data } = await client.call(sites.routes.create, { domainName: `site${++made}.example` })
  return {
    client,
    site: data.id,
    add: async (record) => (await client.call(create, { site: data.id, ...record })).data.id,
    refused: async (record) => (await client.refusal(create, { site: data.id, ...record })).code,
  }
}
const publishedZone = (site: string, version: number) =>
  until(async () => {
    const rows = await api.database.system((tx) =>
      tx.query<{ body: DnsZone }>(
        `SELECT body FROM publication WHERE kind = 'dns-zone' AND key = $1 AND version >= $2`,
        [site, version],
      ),
    )
    return rows[0]?.body
  })

test('a record is stored, published with its version, and found in the list', async () => {
  const { client, site } = await newSite()
  const { data, meta } = await client.call(create, {
    site,
    type: 'MX',
    name: '@',
    value: 'Mail.Example.ORG.',
    preference: 10,
    ttlSeconds: 600,
  })
  assert.deepEqual(
    [data.value, data.preference, data.ttlSeconds, data.multiCdn, meta.version],
    ['mail.example.org', 10, 600, false, 2],
  )
  const body = await publishedZone(site, 2)
  assert.deepEqual(body.rrsets.at(-1), {
    name: `site${made}.example`,
    type: 'MX',
    ttlSeconds: 600,
    rdata: ['10 mail.example.org.'],
  })
  assert.deepEqual((await client.call(list, { site, type: 'MX' })).data, [data])
  assert.deepEqual((await client.call(list, { site, type: 'TXT' })).meta.total, 0)
  assert.deepEqual(await client.call(get, { site, id: data.id }), data)
  assert.deepEqual((await client.call(zone, { site })).recordQuota.used, 1)
})

test('a value that does not fit its type is refused with its field, and nothing is stored', async () => {
  const { client, site } = await newSite()
  const wrong: [RecordInput['type'], string][] = [
    ['A', 'example.com'],
    ['AAAA', '192.0.2.1'],
    ['CNAME', '-x-.'],
    ['NS', '10.0.0.1'],
    ['MX', ''],
  ]
  for (const [type, value] of wrong) {
    const refusal = await client.refusal(create, { site, type, name: 'www', value, preference: 5 })
    assert.deepEqual([refusal.status, refusal.fields[0]?.path], [400, 'value'], type)
  }
  assert.equal(
    (await client.refusal(create, { site, type: 'A', name: 'www', value: '203.0.113.1', ttlSeconds: 29 })).status,
    400,
  )
  assert.equal((await client.call(list, { site })).meta.total, 0)
  assert.equal((await client.call(versions.routes.list, { site })).meta.total, 1)
})

test('a name typed whole is relative to its site, and one that cannot be a name here is told why', async () => {
  const { client, site, add } = await newSite()
  const name = `site${made}.example`
  const ids = new Map<string, string>()
  for (const typed of [`www.${name}.`, `mail.${name}`, `${name}`, `*.${name.toUpperCase()}.`])
    ids.set(typed, await add({ type: 'A', name: typed, value: '203.0.113.1' }))
  const names = async () => (await client.call(list, { site })).data.map((record) => record.name).sort()
  assert.deepEqual(await names(), ['*', '@', 'mail', 'www'])
  await client.call(update, { site, id: ids.get(`mail.${name}`) ?? '', name: `post.${name}.` })
  // Written twice with a dot it is meant, and stays so when something else changes.
  const twice = await add({ type: 'A', name: `${name}.${name}.`, value: '203.0.113.1' })
  await client.call(update, { site, id: twice, name, value: '203.0.113.2' })
  assert.deepEqual(await names(), ['*', '@', 'post', name, 'www'].sort())
  const reasons = [
    ['www.example.net.', 'validation.nameOutside'],
    ['a.*.b', 'validation.asteriskInside'],
    ['a*', 'validation.asteriskInside'],
    ['a b', 'validation.recordName'],
  ] as const
  for (const [typed, message] of reasons)
    assert.deepEqual(
      (await client.refusal(create, { site, type: 'A', name: typed, value: '203.0.113.1' })).fields,
      [{ path: 'name', message }],
      typed,
    )
})

test('900115: who takes no mail has no other mail server, however they come together', async () => {
  const { client, site, add, refused } = await newSite()
  await add({ type: 'MX', name: '@', value: '.', preference: 0 })
  assert.equal(await refused({ type: 'MX', name: '@', value: 'mail.example.net', preference: 10 }), 900115)
  const other = await add({ type: 'MX', name: 'x', value: 'mail.example.net', preference: 10 })
  assert.equal(await refused({ type: 'MX', name: 'x', value: '.', preference: 0 }), 900115)
  await client.call(update, { site, id: other, value: '.', preference: 0 })
  const reason = async (type: RecordInput['type'], preference: number | null) =>
    (await client.refusal(create, { site, type, name: 'y', value: '.', preference })).fields[0]?.message
  assert.deepEqual(
    [await reason('MX', 10), await reason('CNAME', null), await reason('NS', null)],
    ['validation.nullMx', 'validation.rootTarget', 'validation.rootTarget'],
  )
})

test('comments and tags: kept beside the record, searched, changed together, undone, and in no answer', async () => {
  const { client, site } = await newSite()
  const made1 = await client.call(create, {
    site,
    type: 'A',
    name: 'www',
    value: '203.0.113.1',
    comment: ' The shop’s old host ',
    tags: ['shop', 'old', 'shop'],
  })
  assert.deepEqual([made1.data.comment, made1.data.tags], ['The shop’s old host', ['shop', 'old']])
  const plain = (await client.call(create, { site, type: 'A', name: 'api', value: '203.0.113.1' })).data
  assert.deepEqual([plain.comment, plain.tags], ['', []])
  const found = async (query: { search?: string; tag?: string }) =>
    (await client.call(list, { site, ...query })).data.map(({ name }) => name)
  assert.deepEqual(
    [
      await found({ search: 'OLD HOST' }),
      await found({ search: 'shop' }),
      await found({ tag: 'old' }),
      await found({ tag: 'ol' }),
    ],
    [['www'], ['www'], ['www'], []],
  )
  const ids = [made1.data.id, plain.id]
  const many = await client.call(updateMany, {
    site,
    ids,
    set: { addTags: ['live'], removeTags: ['old'] },
    force: true,
  })
  const tags = async () =>
    Object.fromEntries((await client.call(list, { site })).data.map((record) => [record.name, record.tags]))
  assert.deepEqual(await tags(), { www: ['shop', 'live'], api: ['live'] })
  assert.equal((await client.call(updateMany, { site, ids, set: { addTags: ['live'] }, force: true })).data.updated, 0)
  await client.call(versions.routes.revert, { site, number: String(many.meta.version) })
  assert.deepEqual(await tags(), { www: ['shop', 'old'], api: [] })
  // A change of something else leaves them.
  await client.call(update, { site, id: made1.data.id, value: '203.0.113.9' })
  const kept = await client.call(get, { site, id: made1.data.id })
  assert.deepEqual([kept.comment, kept.tags], ['The shop’s old host', ['shop', 'old']])
  const body = await publishedZone(site, 2)
  assert.doesNotMatch(JSON.stringify(body), /shop/)
  for (const wrong of [
    { comment: 'two\nlines' },
    { comment: 'x'.repeat(501) },
    { tags: ['<b>'] },
    { tags: Array.from({ length: 11 }, (_, i) => `t${i}`) },
  ])
    assert.equal((await client.refusal(update, { site, id: plain.id, ...wrong })).status, 400, JSON.stringify(wrong))
  const most = Array.from({ length: 9 }, (_, i) => `t${i}`)
  const beyond = await client.refusal(updateMany, { site, ids, set: { addTags: most }, force: true })
  assert.deepEqual(beyond.fields, [{ path: 'set.addTags', message: 'validation.atMostEntries:10' }])
})

test('rules across records: duplicates, aliases beside others, at the apex, in a loop, TTLs that differ, names under a delegation', async () => {
  const { add, refused } = await newSite()
  await add({ type: 'A', name: 'www', value: '203.0.113.1' })
  assert.equal(await refused({ type: 'A', name: 'WWW', value: '203.0.113.1' }), 900101)
  assert.equal(await refused({ type: 'CNAME', name: 'www', value: 'other.example.net' }), 900104)
  assert.equal(await refused({ type: 'CNAME', name: '@', value: 'other.example.net' }), 900105)
  assert.equal(await refused({ type: 'A', name: 'www', value: '203.0.113.2', ttlSeconds: 60 }), 900108)
  await add({ type: 'CNAME', name: 'a', value: `b.site${made}.example` })
  assert.equal(await refused({ type: 'CNAME', name: 'b', value: `a.site${made}.example` }), 900106)
  await add({ type: 'NS', name: 'child', value: 'ns.example.net' })
  assert.equal(await refused({ type: 'TXT', name: 'x.child', value: 'hidden' }), 900109)
})

test('a patch changes what it names and leaves the rest', async () => {
  const { client, site } = await newSite()
  const { data } = await client.call(create, { site, type: 'A', name: 'www', value: '203.0.113.1', ttlSeconds: 900 })
  const changed = await client.call(update, { site, id: data.id, value: '203.0.113.2' })
  assert.deepEqual([changed.data.value, changed.data.ttlSeconds, changed.data.name], ['203.0.113.2', 900, 'www'])
  const same = await client.call(update, { site, id: data.id, value: '203.0.113.2' })
  assert.equal(same.meta.version, null)
})

test("quota and least TTL are the plan's", async () => {
  const { client, site, add, refused } = await newSite('business')
  assert.equal(await refused({ type: 'A', name: 'www', value: '203.0.113.1', ttlSeconds: 30 }), 810005)
  for (let index = 0; index < 50; index++)
    await add({ type: 'A', name: `h${index}`, value: '203.0.113.1', ttlSeconds: 60 })
  assert.equal(await refused({ type: 'A', name: 'www', value: '203.0.113.1' }), 900102)
  assert.deepEqual((await client.call(zone, { site })).recordQuota, { used: 50, total: 50 })
})

test('removing a large part of a zone at once has to be confirmed', async () => {
  const { client, site, add } = await newSite()
  const ids: string[] = []
  for (let index = 0; index < 10; index++) ids.push(await add({ type: 'A', name: `h${index}`, value: '203.0.113.1' }))
  assert.equal((await client.refusal(removeMany, { site, ids: ids.slice(0, 4) })).code, 900107)
  assert.equal((await client.call(removeMany, { site, ids: ids.slice(0, 3) })).data.removed, 3)
  assert.equal((await client.refusal(removeMany, { site, ids: [...ids.slice(3), ids[0] ?? ''] })).status, 404)
  assert.equal((await client.call(removeMany, { site, ids: ids.slice(3), force: true })).data.removed, 7)
  assert.equal((await client.call(list, { site })).meta.total, 0)
})

test("multi-CDN on makes the name a domain whose origin is the record's value; editing the value moves the origin", async () => {
  const { client, site } = await newSite()
  const host = `www.site${made}.example`
  const { data } = await client.call(create, { site, type: 'A', name: 'www', value: '8.8.8.8', multiCdn: true })
  const domain = await client.call(domains.routes.get, { site, domain: data.domainId ?? '' })
  assert.deepEqual(
    [domain.origin.type, domain.origin.address, domain.origin.port, domain.origin.protocol, domain.origin.hostHeader],
    ['ipv4', '8.8.8.8', 80, 'http', host],
  )
  assert.deepEqual([domain.name, domain.cdnStatus, domain.disabled], [host, 'available', false])
  await client.call(update, { site, id: data.id, value: '8.8.4.4' })
  assert.equal((await client.call(domains.routes.get, { site, domain: domain.id })).origin.address, '8.8.4.4')
  const alias = await client.call(create, {
    site,
    type: 'CNAME',
    name: 'shop',
    value: 'Origin.Example.net.',
    multiCdn: true,
  })
  assert.equal(
    (await client.call(domains.routes.get, { site, domain: alias.data.domainId ?? '' })).origin.address,
    'origin.example.net',
  )
})

test('multi-CDN is refused where it cannot work', async () => {
  const { add, refused, site, client } = await newSite()
  assert.equal(await refused({ type: 'TXT', name: 'www', value: 'x', multiCdn: true }), 900018)
  assert.equal(await refused({ type: 'AAAA', name: 'www', value: '2606:4700::1', multiCdn: true }), 900018)
  assert.equal(await refused({ type: 'A', name: '*', value: '8.8.8.8', multiCdn: true }), 900020)
  assert.equal(await refused({ type: 'A', name: 'www', value: '127.0.0.1', multiCdn: true }), 900023)
  assert.equal(await refused({ type: 'A', name: '_x', value: '8.8.8.8', multiCdn: true }), 900028)
  assert.equal(
    await refused({ type: 'CNAME', name: 'www', value: 'abc.swiftlane.cdn.fairway.test', multiCdn: true }),
    900106,
  )
  await add({ type: 'A', name: 'www', value: '8.8.8.8', multiCdn: true })
  assert.equal(await refused({ type: 'A', name: 'www', value: '8.8.4.4', multiCdn: true }), 900018)
  assert.equal(await refused({ type: 'CNAME', name: 'shop', value: `www.site${made}.example`, multiCdn: true }), 900106)
  assert.equal((await client.call(domains.routes.list, { site })).meta.total, 1)
  const developer = await newSite('developer')
  assert.equal(await developer.refused({ type: 'A', name: '@', value: '8.8.8.8', multiCdn: true }), 810006)
})

test('removing a steered record removes its domain; the name can be steered again', async () => {
  const { client, site, add } = await newSite()
  const id = await add({ type: 'A', name: 'www', value: '8.8.8.8', multiCdn: true })
  await client.call(remove, { site, id })
  assert.equal((await client.call(domains.routes.list, { site })).meta.total, 0)
  await add({ type: 'CNAME', name: 'www', value: 'origin.example.net', multiCdn: true })
  assert.deepEqual(
    (await client.call(domains.routes.list, { site })).data.map((domain) => domain.origin.address),
    ['origin.example.net'],
  )
})

test('every change can be undone, once, and not after somebody has changed the same thing', async () => {
  const { client, site, add } = await newSite()
  const revert = (version: number | null) => client.call(versions.routes.revert, { site, number: String(version) })
  const values = async () =>
    (await client.call(list, { site, ordering: 'name' })).data.map(
      (record) => `${record.name} ${record.value} ${record.multiCdn}`,
    )
  const id = await add({ type: 'A', name: 'www', value: '8.8.8.8', ttlSeconds: 60 })
  const edit = await client.call(update, { site, id, value: '8.8.4.4' })
  await revert(edit.meta.version)
  assert.deepEqual(await values(), ['www 8.8.8.8 false'])
  assert.equal((await client.refusal(versions.routes.revert, { site, number: String(edit.meta.version) })).status, 409)

  const steered = await client.call(update, { site, id, multiCdn: true })
  const removed = await client.call(remove, { site, id })
  assert.deepEqual(await values(), [])
  await revert(removed.meta.version)
  assert.deepEqual(await values(), ['www 8.8.8.8 true'])
  assert.deepEqual((await client.call(get, { site, id })).ttlSeconds, 60)
  assert.equal((await client.call(domains.routes.list, { site })).meta.total, 1)
  await revert(steered.meta.version)
  assert.deepEqual(
    [await values(), (await client.call(domains.routes.list, { site })).meta.total],
    [['www 8.8.8.8 false'], 0],
  )
})

test('what has left entirely comes back too, and nothing that edges have stored of it before', async () => {
  const { client, site, add } = await newSite()
  const id = await add({ type: 'A', name: 'www', value: '8.8.8.8', multiCdn: true })
  const domainsOf = () =>
    api.database.system((tx) =>
      tx.query<{ id: string; purge_version: number }>('SELECT id, purge_version FROM domain WHERE site_id = $1', [
        site,
      ]),
    )
  const [before] = await domainsOf()
  const { meta } = await client.call(remove, { site, id })
  await until(async () => (await domainsOf()).length === 0)
  await client.call(versions.routes.revert, { site, number: String(meta.version) })
  const [back] = await domainsOf()
  assert.equal(back?.id, before?.id)
  assert.ok((back?.purge_version ?? 0) > (before?.purge_version ?? 0))
  const listed = await client.call(purges.routes.list, { site })
  assert.deepEqual(
    listed.data.map(({ kind, requestedBy }) => [kind, requestedBy]),
    [['all', 'system']],
  )
  assert.deepEqual(
    (await client.call(list, { site })).data.flatMap(({ name, multiCdn }) => (name === 'www' ? [multiCdn] : [])),
    [true],
  )
})

test('an undo that would break the zone is refused', async () => {
  const { client, site, add } = await newSite()
  const id = await add({ type: 'A', name: 'www', value: '8.8.8.8' })
  const { meta } = await client.call(remove, { site, id })
  await add({ type: 'CNAME', name: 'www', value: 'other.example.net' })
  assert.equal((await client.refusal(versions.routes.revert, { site, number: String(meta.version) })).status, 409)
  assert.equal((await client.call(list, { site })).meta.total, 1)
})

test('versions and audit entries read well', async () => {
  const { client, site, add } = await newSite()
  const id = await add({ type: 'A', name: 'www', value: '8.8.8.8' })
  await client.call(update, { site, id, multiCdn: true })
  await client.call(remove, { site, id })
  const titles = (await client.call(versions.routes.list, { site })).data.map((version) => version.title)
  assert.deepEqual(titles, ['Remove A www', 'Multi-CDN on for www', 'Add A www', `Add site site${made}.example`])
  const [entry] = (await client.call(auditLog.routes.list, {})).data
  assert.deepEqual(
    [entry?.action, entry?.user, entry?.source, entry?.domain, entry?.version],
    ['dnsRecord.remove', client.email, 'api', `www.site${made}.example`, 4],
  )
})

test('two who add records at the same time both succeed, in versions one after the other', async () => {
  const { client, site } = await newSite()
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((index) =>
      client.call(create, { site, type: 'A', name: `h${index}`, value: '203.0.113.1' }),
    ),
  )
  assert.deepEqual(answers.map((answer) => answer.meta.version).sort(), [2, 3, 4, 5, 6, 7])
  assert.equal((await publishedZone(site, 7)).rrsets.length, 8)
  const same = await Promise.all(
    [1, 2, 3].map(() =>
      client.call(create, { site, type: 'A', name: 'same', value: '203.0.113.1' }).then(
        () => 0,
        (error: { code: number }) => error.code,
      ),
    ),
  )
  assert.deepEqual(same.sort(), [0, 900101, 900101])
})

test('every type of record is kept in its one form and published as it goes onto the wire', async () => {
  const { client, site, add } = await newSite()
  const name = `site${made}.example`
  const given: [Omit<RouteInput<typeof create>, 'site'>, string, string | null][] = [
    [{ type: 'HTTPS', name: '@', value: '1 . alpn=h3,h2 port=443' }, '1 . alpn="h3,h2" port=443', null],
    [{ type: 'SVCB', name: '_dns', value: '1 Dns.Example.NET. alpn=dot' }, '1 dns.example.net. alpn="dot"', null],
    [{ type: 'TLSA', name: '_443._tcp.www', value: `3 1 1 ${'ab'.repeat(32)}` }, `3 1 1 ${'AB'.repeat(32)}`, null],
    [{ type: 'SSHFP', name: 'host', value: `4 2 ${'cd'.repeat(32)}` }, `4 2 ${'CD'.repeat(32)}`, null],
    [
      { type: 'NAPTR', name: '@', value: '10 20 "S" "SIP+D2U" "" _sip._udp.example.net' },
      '10 20 "S" "SIP+D2U" "" _sip._udp.example.net.',
      null,
    ],
    [{ type: 'NS', name: 'shop', value: 'ns1.example.net' }, 'ns1.example.net', 'ns1.example.net.'],
    [
      { type: 'DS', name: 'shop', value: `12345 ECDSAP256SHA256 2 ${'ef'.repeat(32)}` },
      `12345 13 2 ${'EF'.repeat(32)}`,
      null,
    ],
    [{ type: 'TYPE65400', name: 'own', value: '\\# 3 0a0b0c' }, '\\# 3 0A0B0C', null],
  ]
  const ids: string[] = []
  for (const [record] of given) ids.push(await add(record))
  const rows = (await client.call(list, { site, page_size: -1 })).data
  for (const [index, [{ type }, value]] of given.entries())
    assert.equal(rows.find(({ id }) => id === ids[index])?.value, value, type)
  const { rrsets } = await publishedZone(site, 1 + given.length)
  for (const [{ type, name: owner }, value, rdata] of given)
    assert.deepEqual(
      rrsets.find((set) => set.type === type && set.name === (owner === '@' ? name : `${owner}.${name}`))?.rdata,
      [rdata ?? value],
      type,
    )
})

test('an alias is flattened, also at the apex, and stands beside no other address', async () => {
  const { site, add, refused } = await newSite()
  await add({ type: 'ALIAS', name: '@', value: 'Cdn.Example.NET.', ttlSeconds: 60 })
  await add({ type: 'TXT', name: '@', value: 'beside' })
  assert.deepEqual((await publishedZone(site, 3)).aliases, [
    { name: `site${made}.example`, target: 'cdn.example.net', ttlSeconds: 60 },
  ])
  for (const type of ['A', 'AAAA', 'ALIAS'] as const)
    assert.equal(
      await refused({
        type,
        name: '@',
        value: type === 'A' ? '8.8.8.8' : type === 'AAAA' ? '2001:4860::8' : 'b.example.net',
      }),
      900111,
    )
  assert.equal(await refused({ type: 'DS', name: 'nowhere', value: `1 13 2 ${'AB'.repeat(32)}` }), 900110)
})

const wrongValues: [Omit<RouteInput<typeof create>, 'site'>, string][] = [
  [{ type: 'ALIAS', name: '@', value: '8.8.8.8' }, 'value validation.cname'],
  [{ type: 'HTTPS', name: '@', value: '0 x.example.net alpn=h2' }, 'value validation.svcb'],
  [{ type: 'TLSA', name: '_443._tcp', value: '3 1 1 abcd' }, 'value validation.tlsa'],
  [{ type: 'TLSA', name: 'www', value: `3 1 1 ${'ab'.repeat(32)}` }, 'name validation.tlsaName'],
  [{ type: 'SSHFP', name: 'host', value: '4 2 abcd' }, 'value validation.sshfp'],
  [{ type: 'NAPTR', name: '@', value: '10 20 "S" "SIP+D2U" "!a!b!" x.example.net' }, 'value validation.naptr'],
  [{ type: 'DS', name: 'shop', value: '1 13 2 abcd' }, 'value validation.ds'],
  [{ type: 'DS', name: '@', value: `1 13 2 ${'AB'.repeat(32)}` }, 'name validation.dsAtApex'],
  [{ type: 'TYPE65400', name: 'own', value: '\\# 4 0a0b0c' }, 'value validation.generic'],
  [{ type: 'TYPE1', name: 'own', value: '\\# 4 0a0b0c0d' }, 'value validation.generic'],
  [{ type: 'TYPE46', name: 'own', value: '\\# 1 00' }, 'value validation.generic'],
]
test('values and names that do not fit one of these types are refused at their field', async () => {
  const { client, site } = await newSite()
  for (const [record, expected] of wrongValues)
    assert.deepEqual(
      (await client.refusal(create, { site, ...record })).fields.map(({ path, message }) => `${path} ${message}`),
      [expected],
      JSON.stringify(record),
    )
})

test('records of a set that has weights are shared out; those without count once', async () => {
  const { client, site, add } = await newSite()
  await add({ type: 'A', name: 'www', value: '8.8.8.8', weight: 3 })
  const second = await add({ type: 'A', name: 'www', value: '8.8.4.4' })
  await add({ type: 'TXT', name: 'www', value: 'x', weight: 5 })
  const { rrsets } = await publishedZone(site, 4)
  assert.deepEqual(
    rrsets.filter(({ name }) => name.startsWith('www')).map(({ type, weights }) => [type, weights]),
    [
      ['A', [3, 1]],
      ['TXT', undefined],
    ],
  )
  assert.equal((await client.call(update, { site, id: second, weight: 9 })).data.weight, 9)
  assert.equal((await client.refusal(update, { site, id: second, weight: 1001 })).status, 400)
})

test('many records change at once as one version, all or none, and a large part of a zone only when it is meant', async () => {
  const { client, site, add } = await newSite()
  const ids: string[] = []
  for (let index = 0; index < 10; index++) ids.push(await add({ type: 'A', name: `h${index}`, value: '8.8.8.8' }))
  const before = (await client.call(sites.routes.get, { site })).version
  const three = ids.slice(0, 3)
  const { data, meta } = await client.call(updateMany, { site, ids: three, set: { ttlSeconds: 600 } })
  assert.deepEqual([data.updated, meta.version], [3, before + 1])
  assert.deepEqual(
    (await client.call(list, { site, page_size: -1 })).data
      .filter(({ ttlSeconds }) => ttlSeconds === 600)
      .map(({ id }) => id)
      .sort(),
    three.sort(),
  )
  assert.deepEqual(
    (await client.call(updateMany, { site, ids: three, set: { ttlSeconds: 600 } })).meta.version,
    null,
    'nothing to change',
  )
  assert.equal(
    (await client.refusal(updateMany, { site, ids: ids.slice(0, 4), set: { ttlSeconds: 700 } })).code,
    900107,
  )
  assert.equal((await client.call(updateMany, { site, ids, set: { ttlSeconds: 700 }, force: true })).data.updated, 10)
  assert.deepEqual(
    (await client.refusal(updateMany, { site, ids: three, set: { value: 'no address' } })).fields.map(
      ({ path }) => path,
    ),
    ['value'],
  )
  assert.equal(
    (await client.refusal(updateMany, { site, ids: [crypto.randomUUID()], set: { ttlSeconds: 60 } })).status,
    404,
  )
})

test('thousands of records are changed, deleted and brought back, each time as one version', async () => {
  const { client, site } = await newSite()
  await client.call(zoneFiles.routes.apply, {
    site,
    format: 'bind',
    text: Array.from({ length: 3_000 }, (_, index) => `h${index} 300 IN A 198.51.100.${index % 250}\n`).join(''),
  })
  const all = async () => (await client.call(list, { site, page_size: -1, ordering: 'name' })).data
  const before = await all()
  const ids = before.map(({ id }) => id)
  const changed = await client.call(updateMany, { site, ids, set: { ttlSeconds: 600 }, force: true })
  assert.deepEqual([changed.data.updated, (await all()).every(({ ttlSeconds }) => ttlSeconds === 600)], [3_000, true])
  await client.call(versions.routes.revert, { site, number: String(changed.meta.version) })
  const removed = await client.call(removeMany, { site, ids, force: true })
  assert.deepEqual([removed.data.removed, (await all()).length], [3_000, 0])
  await client.call(versions.routes.revert, { site, number: String(removed.meta.version) })
  const facts = (rows: typeof before) =>
    rows.map(({ id, name, type, value, ttlSeconds }) => [id, name, type, value, ttlSeconds])
  assert.deepEqual(facts(await all()), facts(before))
})

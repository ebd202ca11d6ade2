import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dnssec, sites, versions, type Dnssec, type DnsZone } from '@fairway/contract'
import { freePort, unsealForNodes } from '@fairway/platform'
import { ZONE_KEYS } from '../../publish/zone-signing.ts'
import { startApiUnderTest, type ApiUnderTest, type Client } from '../../testing/api-under-test.ts'
import { nsdMissing, startNsd, type NsdUnderTest } from '../../testing/nsd-under-test.ts'
import { until } from '../../testing/until.ts'
import { noteClock } from '../operator/holds-store.ts'
import { newZoneKey } from './zone-keys.ts'

const { check, disable, enable, get, roll } = dnssec.routes
const skip = nsdMissing
const PARENT = '127.0.0.86'
let api: ApiUnderTest
let parent: NsdUnderTest | null = null

const parentZone = (ds: string) =>
  `$TTL 60\n@ IN SOA ns.nic admin.nic SERIAL 3600 600 604800 60\n@ IN NS ns.nic\nns.nic IN A ${PARENT}\nsigned IN NS ns1.fairway.test.\n${ds}`

before(async () => {
  const port = await freePort(PARENT)
  if (!skip) parent = await startNsd({ host: PARENT, port, zones: { example: parentZone('').replace('SERIAL', '1') } })
  api = await startApiUnderTest({
    FAIRWAY_RESOLVER: `${PARENT}:${port}`,
    FAIRWAY_NAMESERVER_PORT: String(port),
    FAIRWAY_PRIVATE_NETWORKS: '127.0.0.0/8',
    FAIRWAY_NAMESERVER_NAMES: '2',
  })
})
after(async () => {
  await api[Symbol.asyncDispose]()
  await parent?.[Symbol.asyncDispose]()
})

let client: Client
let site: string
const seen = (what: (now: Dnssec) => boolean) =>
  until(async () => {
    await client.call(check, { site })
    const now = await client.call(get, { site })
    return what(now) ? now : undefined
  })
const published = () =>
  api.database.system(
    async (tx) =>
      (
        await tx.query<{ body: DnsZone }>(`SELECT body FROM publication WHERE kind = 'dns-zone' AND key = $1`, [site])
      )[0]?.body,
  )
const dsLine = (key: Dnssec['keys'][number] | undefined) =>
  `signed IN DS ${key?.tag} ${key?.algorithm} ${key?.digestType} ${key?.digest}`

test(
  'a zone is signed from the moment that it is asked for, and secured when the parent has its DS',
  { skip },
  async () => {
    client = await api.newClient()
    site = (await client.call(sites.routes.create, { domainName: 'signed.example' })).data.id
    assert.equal((await client.call(get, { site })).state, 'off')
    const { data } = await client.call(enable, { site })
    assert.deepEqual(
      [data.state, data.keys.map(({ state, flags, algorithm, digest }) => [state, flags, algorithm, digest.length])],
      ['waiting', [['active', 257, 13, 64]]],
    )
    const zone = await until(async () => (await published())?.signing)
    const [key] = zone.keys
    assert.deepEqual([key?.tag, key?.signs, key?.announced, zone.withdraw], [data.keys[0]?.tag, true, true, false])
    assert.match(
      Buffer.from(unsealForNodes(api.config, ZONE_KEYS, key?.sealedPrivateKey ?? ''), 'base64').toString('hex'),
      /^30/,
      'a node can open it',
    )
    await seen((now) => now.parent.checkedAt !== null && now.state === 'waiting')
    await parent?.replace('example', parentZone(dsLine(data.keys[0])))
    const secured = await seen((now) => now.state === 'secured')
    assert.deepEqual([secured.keys[0]?.atParent, secured.parent.unknown], [true, 0])
  },
)

test('no private key leaves the API, and none is kept in the clear', { skip }, async () => {
  const answer = JSON.stringify(await client.call(get, { site }))
  assert.doesNotMatch(answer, /private/i)
  const [row] = await api.database.system((tx) =>
    tx.query<{ private_key_sealed: string }>('SELECT private_key_sealed FROM zone_key WHERE site_id = $1', [site]),
  )
  assert.match(row?.private_key_sealed ?? '', /^v1\./)
})

test('a key is changed step by step: published, announced, in use, and the old one gone', { skip }, async () => {
  const [old] = (await client.call(get, { site })).keys
  const { data } = await client.call(roll, { site })
  assert.deepEqual(
    data.keys.map(({ state }) => state),
    ['active', 'published'],
  )
  assert.ok(data.dueAt, 'waits until every resolver has it')
  assert.equal((await client.refusal(roll, { site })).code, 900112, 'one change at a time')
  await backdate('published')
  const ready = await seen((now) => now.keys.some(({ state }) => state === 'ready'))
  await parent?.replace('example', parentZone(dsLine(ready.keys[1])))
  const taken = await seen((now) => now.keys[1]?.state === 'active')
  assert.deepEqual(
    taken.keys.map(({ tag, state }) => [tag, state]),
    [
      [old?.tag, 'retired'],
      [ready.keys[1]?.tag, 'active'],
    ],
  )
  const keys = await until(async () =>
    (await published())?.signing?.keys[1]?.signs ? (await published())?.signing?.keys : undefined,
  )
  assert.equal(keys.length, 2, 'the old key stays in the zone')
  await backdate('retired')
  assert.deepEqual(
    (await seen((now) => now.keys.length === 1)).keys.map(({ tag }) => tag),
    [ready.keys[1]?.tag],
  )
})

test(
  'secondaries are given new signatures soon where versions go out as patches, and weekly else',
  { skip },
  async () => {
    const sql = (text: string, values: unknown[]) => api.database.system((tx) => tx.query(text, values))
    await sql(
      `INSERT INTO dns_secondary (organization_id, name, key_name, secret_sealed) SELECT organization_id, 'other', 'other', '' FROM site WHERE id = $1`,
      [site],
    )
    await sql(`UPDATE version SET created_at = now() - interval '4 days' WHERE site_id = $1`, [site])
    const isRenewed = async () =>
      (await client.call(versions.routes.list, { site })).data.some(({ title }) => title.includes('new signatures'))
    const checkedAt = async () => (await client.call(get, { site })).parent.checkedAt
    const before = await checkedAt()
    await seen(({ parent: { checkedAt: at } }) => at !== null && at !== before)
    assert.equal(await isRenewed(), false)
    await sql('UPDATE site SET record_count = 2000 WHERE id = $1', [site])
    await client.call(check, { site })
    await until(isRenewed)
    await sql('UPDATE site SET record_count = 1 WHERE id = $1', [site])
    await sql('DELETE FROM dns_secondary WHERE key_name = $1', ['other'])
  },
)

test('signing ends when the DS is gone and forgotten, and can be kept until then', { skip }, async () => {
  assert.equal((await client.call(disable, { site })).data.state, 'withdrawing')
  assert.equal((await client.refusal(disable, { site })).code, 900112)
  await until(async () => (await published())?.signing?.withdraw)
  assert.equal((await client.call(enable, { site })).data.state, 'waiting', 'kept after all')
  await seen((now) => now.state === 'secured')
  await client.call(disable, { site })
  await seen((now) => now.parent.checkedAt !== null && now.state === 'withdrawing')
  await parent?.replace('example', parentZone(''))
  const waiting = await seen((now) => now.dueAt !== null)
  assert.ok(new Date(waiting.dueAt ?? 0).getTime() > Date.now(), 'as long as the DS may be remembered')
  await api.database.system((tx) =>
    tx.query(`UPDATE site_dnssec SET ds_absent_since = now() - interval '2 days' WHERE site_id = $1`, [site]),
  )
  await seen((now) => now.state === 'off')
  await until(async () => ((await published())?.signing === undefined ? true : undefined))
  assert.ok(
    (await client.call(versions.routes.list, { site })).data.some(({ title }) => title.startsWith('DNSSEC is off')),
  )
})

test('a new key has a tag that no other key of the zone has', () => {
  // Half of all tags are taken: eight draws that miss them by chance are one in 256.
  const taken = Array.from({ length: 32_768 }, (_, half) => half * 2)
  for (let time = 0; time < 8; time++) assert.equal(newZoneKey(api.config, taken).tag % 2, 1)
})

test(
  'a look that a clock put far ahead is made at once, and nothing is removed by a clock that nobody believes',
  { skip },
  async () => {
    const sql = (text: string) => api.database.system((tx) => tx.query(text, [site]))
    await client.call(enable, { site })
    await api.database.system((tx) => noteClock(tx, 86_400))
    await client.call(disable, { site })
    await seen((now) => now.parent.checkedAt !== null)
    await sql(`UPDATE site_dnssec SET checked_at = NULL, due_at = now() + interval '30 days' WHERE site_id = $1`)
    await until(async () => (await client.call(get, { site })).parent.checkedAt !== null)
    assert.equal((await client.call(get, { site })).state, 'withdrawing')
    await api.database.system((tx) => tx.query('DELETE FROM operator_hold'))
    await seen((now) => now.state === 'off')
  },
)

test('what is not possible now is refused', { skip }, async () => {
  assert.equal((await client.refusal(roll, { site })).code, 900112)
  assert.equal((await client.refusal(disable, { site })).code, 900112)
  await client.call(enable, { site })
  assert.equal((await client.refusal(enable, { site })).code, 900112)
  assert.equal((await client.refusal(roll, { site })).code, 900112, 'not secured yet')
})

/** Lets a key's waiting time be over. */
async function backdate(state: string): Promise<void> {
  await api.database.system((tx) =>
    tx.query(`UPDATE zone_key SET state_since = now() - interval '30 days' WHERE site_id = $1 AND state = $2`, [
      site,
      state,
    ]),
  )
}

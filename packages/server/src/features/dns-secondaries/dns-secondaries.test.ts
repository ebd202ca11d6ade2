import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { LIMITS, dnsRecords, dnsSecondaries, sites, type DnsTransfers, type DnsZone } from '@fairway/contract'
import { DnsClient, ownPeer, unsealForNodes, type Tx } from '@fairway/platform'
import { TRANSFER_KEYS } from '../../publish/dns-transfers.ts'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { TransferKeeper, takenZones } from './keep-transferable.ts'

const { create, list, remove } = dnsSecondaries.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const published = async <T>(kind: string, key: string) =>
  (
    await api.database.system((tx) =>
      tx.query<{ body: T | null }>('SELECT body FROM publication WHERE kind = $1 AND key = $2', [kind, key]),
    )
  )[0]?.body
const members = async (organization: string) =>
  (await published<DnsZone>('dns-zone', `catalog:${organization}`))?.rrsets
    .filter(({ type }) => type === 'PTR')
    .flatMap(({ rdata }) => rdata)

test('a secondary gets a key of its own, told once, that nodes can open and nobody reads', async () => {
  const client = await api.newClient()
  const { data, secret } = await client.call(create, { name: 'Backup', notify: '9.9.9.9:53' })
  assert.equal(Buffer.from(secret, 'base64').length, 32)
  const listed = await client.call(list, {})
  assert.deepEqual([listed.data, listed.catalog], [[data], `catalog-${client.organizationId.slice(0, 8)}.fairway.test`])
  assert.ok(!JSON.stringify(listed).includes(secret))
  const { peers } = await until(() => published<DnsTransfers>('dns-transfers', client.organizationId))
  assert.deepEqual(
    peers.map(({ keyName, notify, sealedSecret }) => [
      keyName,
      notify,
      unsealForNodes(api.config, TRANSFER_KEYS, sealedSecret),
    ]),
    [[data.keyName, '9.9.9.9:53', secret]],
  )
  const [row] = await api.database.system((tx) =>
    tx.query<{ secret_sealed: string }>('SELECT secret_sealed FROM dns_secondary WHERE id = $1', [data.id]),
  )
  assert.ok(row && !row.secret_sealed.includes(secret))
})

test('the catalog follows the sites, and goes with the last secondary', async () => {
  const client = await api.newClient()
  const first = (await client.call(sites.routes.create, { domainName: 'first.example' })).data.id
  const { data } = await client.call(create, { name: 'Backup' })
  await until(async () => (await members(client.organizationId))?.length === 1 || undefined)
  await client.call(sites.routes.create, { domainName: 'second.example' })
  await until(async () => (await members(client.organizationId))?.length === 2 || undefined)
  await client.call(sites.routes.remove, { site: first, confirmName: 'first.example' })
  await until(async () => (await members(client.organizationId))?.join() === 'second.example.' || undefined)
  await client.call(remove, { id: data.id })
  await until(async () => (await published('dns-zone', `catalog:${client.organizationId}`)) === null || undefined)
  await until(async () => (await published('dns-transfers', client.organizationId)) === null || undefined)
})

test('names are unique, addresses are addresses, and what is not there is 404', async () => {
  const client = await api.newClient()
  await client.call(create, { name: 'Backup' })
  assert.equal((await client.refusal(create, { name: 'backup' })).code, 7491)
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO dns_secondary (organization_id, name, key_name, secret_sealed) SELECT $1, 'n' || n, 'k' || n, '' FROM generate_series(2, $2) n`,
      [client.organizationId, LIMITS.secondaries],
    ),
  )
  assert.equal((await client.refusal(create, { name: 'one too many' })).code, 900117)
  await api.database.system((tx) => tx.query(`DELETE FROM dns_secondary WHERE secret_sealed = ''`))
  for (const notify of ['ns.example.com:53', '192.0.2.1', '192.0.2.1:0', '192.0.2.1:70000'])
    assert.deepEqual(
      (await client.refusal(create, { name: 'x', notify })).fields.map(({ message }) => message),
      ['validation.hostPort'],
    )
  assert.equal((await client.refusal(remove, { id: 'x' })).status, 404)
})

test('names that nobody answers take their organisation no more than its turn, and a zone is read once for each revision', async () => {
  const client = await api.newClient()
  await using _node = startNodeUnderTest(api, 'dns', 'transfers')
  await client.call(create, { name: 'Backup' })
  const site = (await client.call(sites.routes.create, { domainName: 'aliases.example' })).data.id
  const names = Array.from({ length: 12 }, (_, at) => `a${at}`)
  for (const name of names)
    await client.call(dnsRecords.routes.create, { site, type: 'ALIAS', name, value: 'www.elsewhere.example' })
  const [zone] = await until(async () => {
    const zones = (await api.database.system(takenZones)).filter(({ site_id }) => site_id === site)
    const body = await published<DnsZone>('dns-zone', site)
    const isAnswered = await api.database.system((tx) =>
      tx.query(
        `SELECT FROM node_version v JOIN publication p USING (kind, key) WHERE v.key = $1 AND v.version >= p.version AND v.ok`,
        [site],
      ),
    )
    return body?.aliases?.length === names.length && isAnswered.length > 0 && zones
  })
  assert.ok(zone)
  const silent = dgram.createSocket('udp4')
  const asked = new Set<string>()
  silent.on('message', (query) => asked.add(query.toString('latin1', 13, 13 + (query[12] ?? 0))))
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  let bodies = 0
  const database: Pick<typeof api.database, 'system'> = {
    system: (work) =>
      api.database.system((tx) => {
        const query: Tx['query'] = (sql, values) => {
          if (/body/.test(sql.replaceAll('p.body IS NOT NULL', ''))) bodies++
          return tx.query(sql, values)
        }
        return work({ query })
      }),
  }
  {
    const at = ownPeer({ host: '127.0.0.1', port: silent.address().port })
    await using client = new DnsClient(at, { timeoutMs: 100, tries: 1 })
    const keeper = new TransferKeeper(database, 250)
    await keeper.turn(client, [zone])
    assert.ok(asked.size > 0 && asked.size < names.length, `${asked.size} names in a turn`)
    // It goes on where it was.
    for (let turn = 0; turn < 30 && asked.size < names.length; turn++) await keeper.turn(client, [zone])
    assert.deepEqual([...asked].sort(), [...names].sort())
    assert.equal(bodies, 1)
  }
  silent.close()
})

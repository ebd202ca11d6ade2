import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dnsSecondaries, sites, type DnsTransfers, type DnsZone } from '@fairway/contract'
import { unsealForNodes } from '@fairway/platform'
import { TRANSFER_KEYS } from '../../publish/dns-transfers.ts'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { until } from '../../testing/until.ts'

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
  for (const notify of ['ns.example.com:53', '192.0.2.1', '192.0.2.1:0', '192.0.2.1:70000'])
    assert.deepEqual(
      (await client.refusal(create, { name: 'x', notify })).fields.map(({ message }) => message),
      ['validation.hostPort'],
    )
  assert.equal((await client.refusal(remove, { id: 'x' })).status, 404)
})

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { dnsRecords, nodes, operatorArea, sites } from '@fairway/contract'
import { writeRestored } from '@fairway/platform'
import { prepareInstallation } from '../installation.ts'
import { type ApiUnderTest, clientOf, nodeTokenOf, startApiUnderTest } from '../testing/api-under-test.ts'
import { startNodeUnderTest } from '../testing/node-under-test.ts'
import { until } from '../testing/until.ts'
import { counterOf } from './epoch.ts'
import { systemZoneKey } from './system-zone.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApiUnderTest()
})
after(() => api[Symbol.asyncDispose]())

const counter = () => api.database.system(counterOf)

async function newSite(domainName: string) {
  const client = await api.newClient()
  const { id: site } = (await client.call(sites.routes.create, { domainName })).data
  const add = (name: string) => client.call(dnsRecords.routes.create, { site, type: 'TXT', name, value: 'x' })
  return { client, site, add }
}

test('a database that has lost what it had said last is heard again, by nodes that stayed up', async () => {
  const { site, add } = await newSite('lost-tail.example')
  const other = await newSite('lost-whole.example')
  await using node = startNodeUnderTest(api, 'dns')
  await until(async () => node.document('dns-zone', site) && node.document('dns-zone', other.site))
  await add('first')
  const names = () => node.document('dns-zone', site)?.rrsets.map(({ name }) => name) ?? []
  await until(async () => names().includes('first.lost-tail.example'))
  const known = await counter()
  const version = node.document('dns-zone', site)?.version ?? 0
  // As a replica that was behind is promoted in its place: the counter goes back, and what came last is not there.
  await api.database.system(async (tx) => {
    await tx.query('UPDATE publication_counter SET revision = revision - 10')
    await tx.query(`DELETE FROM publication WHERE kind = 'dns-zone' AND key = $1`, [other.site])
  })
  await until(async () => (await counter()).epoch !== known.epoch, 20_000)
  assert.ok((await counter()).revision > known.revision + 500_000)
  await add('second')
  await until(async () => names().includes('second.lost-tail.example'), 20_000)
  assert.ok((node.document('dns-zone', site)?.version ?? 0) > version + 500_000)
  await until(async () => node.document('dns-zone', other.site) === null)
})

test('a node that has had more than the database knows of ends the epoch by coming', async () => {
  const known = await counter()
  const asked = { name: 'knows-more', role: 'dns', version: '1', controlUrl: null, epoch: known.epoch } as const
  const cursor = known.revision + 5_000_000
  assert.ok((await clientOf(api.url, nodeTokenOf(api)).call(nodes.routes.register, { ...asked, cursor })).epoch)
  await until(async () => (await counter()).epoch !== known.epoch, 20_000)
  assert.ok((await counter()).revision > cursor)
})

test('the first start after a restore ends every session, holds what would be done twice, and goes on beyond all before', async () => {
  const { client, site } = await newSite('restored.example')
  const operator = await api.newClient({ isOperator: true })
  await using node = startNodeUnderTest(api, 'dns', 'up-all-the-time')
  const served = await until(async () => node.document('dns-zone', site))
  const system = systemZoneKey(api.config)
  const ofHouse = await until(async () => node.document('dns-zone', system))
  const known = await counter()
  const letter = (more: string) =>
    api.database.system((tx) =>
      tx.query<{ id: string }>(
        `INSERT INTO mail_message (to_address, template, locale, fields, partner_id, state, attempts, due_at, created_at) SELECT 'a@b.example', 'password-reset', 'en', '{}', id, 'waiting', 8, now() + interval '1 day', ${more} FROM partner LIMIT 1 RETURNING id`,
      ),
    )
  const [old] = await letter(`now() - interval '1 hour'`)
  writeRestored(api.config.home, '2026-03-01T00:10:00.000Z')
  await api.database.system((tx) => prepareInstallation(tx, api.config))
  await api.database.system((tx) => prepareInstallation(tx, api.config))
  const next = await counter()
  assert.notEqual(next.epoch, known.epoch)
  assert.ok(next.revision < known.revision + 1_500_000, 'once')
  assert.equal((await client.refusal(sites.routes.list, {})).status, 401)
  await until(async () => (node.document('dns-zone', site)?.version ?? 0) > served.version + 500_000, 20_000)
  // Zones that are no site's, too: secondaries take no serial that goes back.
  await until(async () => (node.document('dns-zone', system)?.version ?? 0) > ofHouse.version + 500_000, 20_000)
  const again = await api.newClient({ isOperator: true })
  const told = async () =>
    (
      await api.database.system((tx) =>
        tx.query<{ is_over: boolean }>(
          `SELECT ended_at IS NOT NULL AS is_over FROM notification WHERE organization_id = $1 AND event = 'charges-held'`,
          [operator.organizationId],
        ),
      )
    ).map(({ is_over }) => is_over)
  assert.deepEqual(await told(), [false])
  const { data } = await again.call(operatorArea.routes.holds, {})
  assert.deepEqual(
    data.map(({ kind, moment, waiting }) => [kind, moment, waiting.letters]),
    [['restored', '2026-03-01T00:10:00.000Z', 1]],
  )
  const hold = data[0]?.id ?? ''
  await again.call(operatorArea.routes.confirmHold, { hold, letters: 'drop' })
  assert.equal((await again.refusal(operatorArea.routes.confirmHold, { hold, letters: 'drop' })).status, 404)
  assert.deepEqual((await again.call(operatorArea.routes.holds, {})).data, [])
  assert.deepEqual(await told(), [true])
  const [dropped] = await api.database.system((tx) =>
    tx.query<{ state: string }>('SELECT state FROM mail_message WHERE id = $1', [old?.id]),
  )
  assert.equal(dropped?.state, 'failed')
  fs.rmSync(path.join(api.config.home, 'restored.json'))
  assert.equal((await operator.refusal(operatorArea.routes.holds, {})).status, 401)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dnsRecords, operatorArea, sites } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../testing/api-under-test.ts'
import { until } from '../testing/until.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const sql = <Row>(text: string, values: unknown[] = []) => api.database.system((tx) => tx.query<Row>(text, values))
const answers = async (site: string, name: string): Promise<boolean> =>
  (
    await sql(`SELECT FROM publication WHERE kind = 'dns-zone' AND key = $1 AND body::text LIKE '%' || $2 || '%'`, [
      site,
      name,
    ])
  ).length > 0
async function withRecord(domainName: string, name: string) {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName })).data.id
  await client.call(dnsRecords.routes.create, { site, type: 'A', name, value: '192.0.2.1' })
  return { client, site }
}

test('a document that cannot be built keeps nobody else from being published, is told to the operator and comes when it can be', async () => {
  const broken = await withRecord('broken.example', 'first')
  await until(() => answers(broken.site, 'first.broken'))
  await sql('UPDATE dns_record SET ttl_seconds = -5 WHERE site_id = $1', [broken.site])
  await sql('UPDATE site SET version = version + 1 WHERE id = $1', [broken.site])
  await sql(`INSERT INTO outbox (kind, key) VALUES ('dns-zone', $1)`, [broken.site])
  const stuck = () => sql<{ attempts: number }>('SELECT attempts FROM outbox WHERE key = $1', [broken.site])
  await until(async () => (await stuck())[0])
  const other = await withRecord('other.example', 'second')
  await until(() => answers(other.site, 'second.other'), 10_000)
  await until(async () => (await stuck()).some(({ attempts }) => attempts > 0))
  const operator = await api.newClient({ isOperator: true })
  const [job] = (await operator.call(operatorArea.routes.jobs, { kind: 'publish', search: 'broken.example' })).data
  assert.ok(job?.problem?.includes('ttl'), job?.problem ?? 'no problem is told')
  assert.ok((job?.attempts ?? 0) >= 1 && job?.dueAt !== null)
  await sql('UPDATE dns_record SET ttl_seconds = 300, name = $2 WHERE site_id = $1', [broken.site, 'mended'])
  await sql('UPDATE site SET version = version + 1 WHERE id = $1', [broken.site])
  await sql(`UPDATE outbox SET due_at = now() + interval '1 hour' WHERE key = $1`, [broken.site])
  await operator.call(operatorArea.routes.retryJob, { kind: 'publish', job: job?.id ?? '' })
  await until(() => answers(broken.site, 'mended.broken'))
  assert.deepEqual(await stuck(), [])
})

test('thousands of documents of one organisation keep another one’s change waiting for a moment only', async () => {
  const many = await api.newClient()
  const one = await withRecord('one-change.example', 'first')
  await until(() => answers(one.site, 'first.one-change'))
  const waiting = async (organizationId: string) =>
    (await sql('SELECT FROM outbox WHERE organization_id = $1', [organizationId])).length
  await api.database.system(async (tx) => {
    await tx.query(
      `INSERT INTO outbox (organization_id, kind, key) SELECT $1::uuid, 'edge-site', gen_random_uuid()::text FROM generate_series(1, 4000)`,
      [many.organizationId],
    )
    await tx.query(`INSERT INTO outbox (organization_id, kind, key) VALUES ($1, 'dns-zone', $2)`, [
      one.client.organizationId,
      one.site,
    ])
    await tx.query(`SELECT pg_notify('outbox', '')`)
  })
  await until(async () => (await waiting(one.client.organizationId)) === 0)
  assert.ok((await waiting(many.organizationId)) > 0)
  await sql('DELETE FROM outbox WHERE organization_id = $1', [many.organizationId])
})

test('a large zone that cannot be built is told to the operator as well, and tried again later', async () => {
  const broken = await withRecord('broken-large.example', 'first')
  await until(() => answers(broken.site, 'first.broken-large'))
  await sql('UPDATE dns_record SET ttl_seconds = -5 WHERE site_id = $1', [broken.site])
  await sql('UPDATE site SET version = version + 1, record_count = 60000 WHERE id = $1', [broken.site])
  await sql(`INSERT INTO outbox (kind, key) VALUES ('dns-zone', $1)`, [broken.site])
  const operator = await api.newClient({ isOperator: true })
  const jobs = async () =>
    (await operator.call(operatorArea.routes.jobs, { kind: 'publish', search: 'broken-large.example' })).data
  await until(async () => (await jobs()).some(({ attempts }) => (attempts ?? 0) > 0), 20_000)
  const [job] = await jobs()
  assert.ok(job?.problem?.includes('ttl'), job?.problem ?? 'no problem is told')
  await sql('DELETE FROM outbox WHERE key = $1', [broken.site])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { dnsRecords, operatorArea, sites } from '@fairway/contract'
import { embeddedConnection } from '@fairway/platform'
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

test('a document for which the database has no room, or takes a connection away, keeps nobody else from being published', async () => {
  const [full, killer] = [await withRecord('full.example', 'first'), await withRecord('killer.example', 'first')]
  await until(() => answers(full.site, 'first.full'))
  await until(() => answers(killer.site, 'first.killer'))
  const administrator = new pg.Client(embeddedConnection(api.config))
  await administrator.connect()
  try {
    await administrator.query(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
         IF NEW.key = '${full.site}' THEN RAISE 'no room' USING ERRCODE = '53200'; END IF;
         PERFORM pg_terminate_backend(pg_backend_pid());
         PERFORM pg_sleep(60);
         RETURN NEW;
       END $$;
       CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON publication FOR EACH ROW WHEN (NEW.kind = 'dns-zone' AND NEW.key IN ('${full.site}', '${killer.site}')) EXECUTE FUNCTION no_room()`,
    )
    for (const { site } of [full, killer]) {
      await sql('UPDATE site SET version = version + 1 WHERE id = $1', [site])
      // Also one that has failed for days.
      await sql(
        `INSERT INTO outbox (kind, key, attempts, created_at) VALUES ('dns-zone', $1, 2000, now() - interval '1 day')`,
        [site],
      )
    }
    const other = await withRecord('beside.example', 'second')
    await until(() => answers(other.site, 'second.beside'), 10_000)
    const seconds = () =>
      sql<{ attempts: number; seconds: number }>(
        'SELECT attempts, extract(epoch FROM due_at - now())::int AS seconds FROM outbox WHERE key IN ($1, $2) AND attempts > 2000',
        [full.site, killer.site],
      )
    await until(async () => (await seconds()).length === 2)
    for (const row of await seconds()) assert.ok(row.seconds <= 30, `${row.seconds} seconds`)
  } finally {
    await administrator.query('DROP TRIGGER no_room ON publication; DROP FUNCTION no_room()')
    await administrator.end()
    await sql('DELETE FROM outbox WHERE key IN ($1, $2)', [full.site, killer.site])
  }
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

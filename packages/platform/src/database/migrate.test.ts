import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Config, loadConfig } from '../config.ts'
import { makeLog } from '../log.ts'
import { embeddedConnection } from './connection.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { migrate, schemaState } from './migrate.ts'

const log = makeLog('database', { logLevel: 'silent' })
const stack = new AsyncDisposableStack()
let config: Config
before(async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-migrate-'))
  stack.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_LOG_LEVEL: 'error' })
  stack.use(await startEmbeddedDatabase({ config, log }))
  await migrate(config, log)
})
after(() => stack.disposeAsync())

async function connected(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(embeddedConnection(config))
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('what a newer version has only widened is served; what it has narrowed is refused with the way back', async () => {
  await using client = await connected()
  await client.query(`INSERT INTO schema_migration (name) VALUES ('9998-more.sql')`)
  await migrate(config, log)
  assert.deepEqual(await schemaState(config), { missing: [], unknown: ['9998-more.sql'] })
  await client.query(`INSERT INTO schema_migration (name) VALUES ('9999-less.narrows.sql')`)
  await assert.rejects(migrate(config, log), /newer Fairway.*9999-less\.narrows\.sql.*restore a backup/)
  await client.query(`DELETE FROM schema_migration WHERE name LIKE '999%'`)
  await migrate(config, log)
})

test('a migration that waits for a table does not keep others from it, and goes on when it is free', async () => {
  await using busy = await connected()
  await using visitor = await connected()
  await busy.query(
    `DELETE FROM schema_migration WHERE name = '0103-purges-looked-for.sql'; ALTER TABLE purge_receipt DROP COLUMN looked`,
  )
  await busy.query('BEGIN; LOCK TABLE purge_receipt IN ACCESS SHARE MODE')
  let done = false
  const migrating = migrate(config, log).then(() => (done = true))
  const waits: number[] = []
  for (const end = performance.now() + 6000; performance.now() < end; await delay(50)) {
    const asked = performance.now()
    await visitor.query('SELECT count(*) FROM purge_receipt')
    waits.push(performance.now() - asked)
  }
  assert.equal(done, false)
  // Behind the one that waits, for as long as that one waits at most; the machine may be slow besides.
  assert.ok(Math.max(...waits) < 5000 && waits.length > 3, `${Math.max(...waits)} ms, ${waits.length} answers`)
  await busy.query('COMMIT')
  await migrating
  assert.deepEqual(await schemaState(config), { missing: [], unknown: [] })
})

test('who is suspended at the upgrade is served for two weeks more; accounts that nobody is in are left alone', async () => {
  await using client = await connected()
  const [peopled = '', , open = ''] = (
    await client.query<{ id: string }>(
      `INSERT INTO organization (name, plan_id, partner_id, suspended)
       SELECT n, 'developer', (SELECT id FROM partner WHERE host_name IS NULL), n <> 'open' FROM unnest(ARRAY['peopled', 'empty', 'open']) n
       RETURNING id`,
    )
  ).rows.map(({ id }) => id)
  for (const id of [peopled, open])
    await client.query(
      `INSERT INTO app_user (organization_id, email, first_name, last_name, permissions) VALUES ($1::uuid, $1::uuid::text || '@example.com', 'A', 'B', '{}')`,
      [id],
    )
  await client.query(`DELETE FROM schema_migration WHERE name = '0323-held-accounts.sql'`)
  await migrate(config, log)
  const { rows } = await client.query<{ id: string; days: number }>(
    `SELECT organization_id AS id, round(extract(epoch FROM suspended_at - now()) / 86400)::int AS days FROM billing_account WHERE suspended_at IS NOT NULL`,
  )
  assert.deepEqual(rows, [{ id: peopled, days: 13 }])
})

import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { DatabaseReader, DatabaseWriter } from '../backup/database-rows.ts'
import { loadConfig, type Config } from '../config.ts'
import { makeLog } from '../log.ts'
import { connectionOf, socketFolder } from './connection.ts'
import { openDatabase } from './database.ts'
import { startEmbeddedDatabase } from './embedded.ts'
import { makeSchema, migrate, migrationNames } from './migrate.ts'
import { serverThatWrites } from './server-that-writes.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-ordinary-'))
const ours = loadConfig({ FAIRWAY_HOME: folder, FAIRWAY_LOG_LEVEL: 'error' })
const log = makeLog('test', ours)
const stop = new AsyncDisposableStack()
before(async () => {
  stop.use(await startEmbeddedDatabase({ config: ours, log }))
})
after(async () => {
  await stop.disposeAsync()
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

/** As a superuser, outside of Fairway. */
async function administrator(sql: string, database = 'postgres'): Promise<unknown[]> {
  const client = new pg.Client({ ...connectionOf(ours), database })
  await client.connect()
  try {
    const answers: pg.QueryResult[] = []
    for (const statement of sql.split(/(?<=;) /)) answers.push(await client.query(statement))
    return answers.at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

/** The settings of an installation that signs in as this role. */
function signedInAs(role: string, database: string): Config {
  return loadConfig({
    FAIRWAY_HOME: folder,
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_DATABASE_URL: `postgres://${role}:a%2Fb@/${database}?host=${encodeURIComponent(socketFolder(ours))}`,
  })
}

const organizations = (config: Config) => {
  const database = openDatabase(config, log, { connections: 1 })
  return {
    database,
    async add(name: string): Promise<string> {
      const [row] = await database.system((tx) =>
        tx.query<{ id: string }>(
          `INSERT INTO organization (name, plan_id, partner_id) SELECT $1, 'developer', id FROM partner RETURNING id`,
          [name],
        ),
      )
      return row?.id ?? ''
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a role that may make roles makes the schema, and sees one organisation at a time', async () => {
  await administrator(`CREATE ROLE maker LOGIN CREATEROLE PASSWORD 'a/b'; CREATE DATABASE made OWNER maker;`)
  const config = signedInAs('maker', 'made')
  await migrate(config, log)
  await using made = organizations(config)
  const [one, two] = [await made.add('One'), await made.add('Two')]
  const seen = (id: string) =>
    made.database.tenant(id, (tx) => tx.query<{ name: string }>('SELECT name FROM organization'))
  assert.deepEqual([await seen(one), await seen(two)], [[{ name: 'One' }], [{ name: 'Two' }]])
  const foreign = made.database.tenant(one, (tx) =>
    tx.query(`INSERT INTO site (organization_id, domain_name) VALUES ($1, 'taken.test')`, [two]),
  )
  await assert.rejects(foreign, /row-level security/)
})

test('a role without rights is told what a superuser types, and needs no more than that', async () => {
  await administrator(
    `DROP DATABASE made; DROP OWNED BY maker; DROP ROLE fairway_app, fairway_system, fairway_partner; CREATE ROLE "plain one" LOGIN PASSWORD 'a/b'; CREATE DATABASE ordinary;`,
  )
  const config = signedInAs('plain%20one', 'ordinary')
  const refused: unknown = await migrate(config, log).then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(refused instanceof Error)
  const [, statements] = /superuser types: (.*;) \(/.exec(refused.message) ?? []
  assert.equal(
    statements,
    'CREATE ROLE fairway_app NOLOGIN; CREATE ROLE fairway_system NOLOGIN; CREATE ROLE fairway_partner NOLOGIN; GRANT fairway_app, fairway_system, fairway_partner TO "plain one" WITH ADMIN OPTION; GRANT ALL ON SCHEMA public TO "plain one";',
  )
  await administrator(statements ?? '', 'ordinary')
  await migrate(config, log)
  await migrate(config, log)
})

test('a schema of somebody else, and a role that was taken away, are told before anything is written', async () => {
  await administrator(`CREATE ROLE other LOGIN PASSWORD 'a/b';`)
  await assert.rejects(
    migrate(signedInAs('other', 'ordinary'), log),
    /GRANT fairway_app, fairway_system, fairway_partner TO "other" WITH ADMIN OPTION;.*REASSIGN OWNED BY "plain one" TO "other";/,
  )
  await administrator('REVOKE fairway_partner FROM "plain one" CASCADE;')
  await assert.rejects(
    migrate(signedInAs('plain%20one', 'ordinary'), log),
    /types: GRANT fairway_partner TO "plain one" WITH ADMIN OPTION; \(/,
  )
  await administrator('GRANT fairway_partner TO "plain one" WITH ADMIN OPTION; ALTER ROLE "plain one" NOINHERIT;')
  await assert.rejects(migrate(signedInAs('plain%20one', 'ordinary'), log), /types: ALTER ROLE "plain one" INHERIT; \(/)
  await administrator('ALTER ROLE "plain one" INHERIT;')
})

test('a backup by that role holds every row, and says so when a policy would hide some', async () => {
  const config = signedInAs('plain%20one', 'ordinary')
  {
    await using made = organizations(config)
    for (const name of ['One', 'Two', 'Three']) await made.add(name)
  }
  await administrator('CREATE DATABASE empty OWNER "plain one";')
  const empty = signedInAs('plain%20one', 'empty')
  {
    await using reader = await DatabaseReader.open(await serverThatWrites(config, { isDirect: true }))
    await assert.rejects(
      DatabaseReader.open(await serverThatWrites(config, { isDirect: true })),
      /Another backup of this database is being made/,
    )
    await using writer = await DatabaseWriter.open(await serverThatWrites(empty, { isDirect: true }), (client) =>
      makeSchema(client, migrationNames()),
    )
    for (const table of reader.tables) for await (const rows of reader.rows(table)) await writer.write(table, rows)
    await writer.finish(await reader.sequences())
  }
  const names = await administrator('SELECT name FROM organization ORDER BY name', 'empty')
  assert.deepEqual(names, [{ name: 'One' }, { name: 'Three' }, { name: 'Two' }])
  await administrator('DROP POLICY system ON site;', 'ordinary')
  await assert.rejects(
    DatabaseReader.open(await serverThatWrites(config, { isDirect: true })),
    /does not see every row of site:/,
  )
})

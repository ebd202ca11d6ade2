import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { auth, dnsRecords, sites } from '@fairway/contract'
import {
  type Config,
  DatabaseWriter,
  embeddedConnection,
  loadConfig,
  makeLog,
  makeSchema,
  migrate,
  openDatabase,
  schemaState,
  shareGeo,
  startEmbeddedDatabase,
} from '@fairway/platform'
import { startApi } from './api.ts'
import { verifyAuditLog } from './features/audit-log/verify.ts'
import { clientOf } from './testing/api-under-test.ts'
import { startWorker } from './worker.ts'
import { until } from './testing/until.ts'

/** Homes as earlier versions have left them (by `make-home.ts`): rows as text, sequences, and secrets that open what is sealed. */
const HOMES = path.join(import.meta.dirname, 'testing/homes')
type Home = {
  tables: Record<string, { columns: string[]; rows: (string | null)[][] }>
  sequences: { name: string; value: string }[]
  secrets: Record<string, string>
}

const readHome = (name: string) =>
  JSON.parse(zlib.gunzipSync(fs.readFileSync(path.join(HOMES, name))).toString()) as Home

/** The database as it was: the schema by the migrations of then, with these rows. */
async function putBack(config: Config, { tables, sequences }: Home): Promise<void> {
  const schema = tables['schema_migration']?.rows.map(([name]) => name ?? '').sort() ?? []
  await using writer = await DatabaseWriter.open(embeddedConnection(config), (client) => makeSchema(client, schema))
  for (const [name, { columns, rows }] of Object.entries(tables))
    await writer.write(
      { kind: 'table', engine: 'database', name, columns: columns.map((column) => ({ name: column, type: '' })) },
      rows.map((row) => Buffer.from(JSON.stringify(row))),
    )
  await writer.finish(
    sequences.map(({ name, value }) => ({ name: name.replace(/^public\./, ''), value, called: true })),
  )
}

const rowsOf = ({ tables }: Home, name: string) =>
  (tables[name]?.rows ?? []).map((row) => Object.fromEntries(row.map((text, at) => [tables[name]?.columns[at], text])))

async function counted(config: Config, tables: string[]): Promise<Record<string, number>> {
  await using database = openDatabase(config, makeLog('test', { logLevel: 'silent' }), { connections: 1 })
  return database.system(async (tx) => {
    const counts: Record<string, number> = {}
    for (const table of tables) {
      const [row] = await tx.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM "${table}"`)
      counts[table] = row?.rows ?? -1
    }
    return counts
  })
}

const zonesOf = (config: Config) => {
  const database = openDatabase(config, makeLog('test', { logLevel: 'silent' }), { connections: 1 })
  return database
    .system((tx) =>
      tx.query(`SELECT key, version, md5(body::text) AS digest FROM publication WHERE kind = 'dns-zone' ORDER BY key`),
    )
    .finally(() => database[Symbol.asyncDispose]())
}

for (const name of fs.readdirSync(HOMES))
  test(`a home of ${name.slice(0, 10)} is upgraded: every row, zone and audit log as it was, and its people go on`, async () => {
    const earlier = readHome(name)
    await using started = new AsyncDisposableStack()
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-upgrade-'))
    started.defer(() => fs.rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
    shareGeo(home)
    fs.mkdirSync(path.join(home, 'secrets'), { mode: 0o700 })
    for (const [file, text] of Object.entries(earlier.secrets))
      fs.writeFileSync(path.join(home, 'secrets', file), Buffer.from(text, 'base64'), { mode: 0o600 })
    const config = loadConfig({
      FAIRWAY_HOME: home,
      FAIRWAY_LISTEN: '127.0.0.1:0',
      FAIRWAY_COLLECTOR_LISTEN: '127.0.0.1:1',
      FAIRWAY_LOG_LEVEL: 'error',
    })
    const log = makeLog('test', config)
    started.use(await startEmbeddedDatabase({ config, log }))
    await putBack(config, earlier)
    const tables = Object.keys(earlier.tables).filter((table) => table !== 'schema_migration')
    const [rows, zones] = [await counted(config, tables), await zonesOf(config)]
    assert.ok(zones.length > 0)

    await migrate(config, log)
    assert.deepEqual(await schemaState(config), { missing: [], unknown: [] })
    // What belongs to somebody is all there and no more; the house may add plans and CDNs of its own.
    for (const [table, count] of Object.entries(await counted(config, tables))) {
      const isOfSomebody = earlier.tables[table]?.columns.includes('organization_id')
      assert.ok(isOfSomebody ? count === rows[table] : count >= (rows[table] ?? 0), `${table}: ${count}`)
    }
    assert.deepEqual(await zonesOf(config), zones)

    const api = started.use(await startApi({ config, log, consoleFolder: null }))
    const database = started.use(openDatabase(config, log, { connections: 2 }))
    const chains = await Array.fromAsync(verifyAuditLog(config, database))
    assert.deepEqual(
      chains.filter(({ broken }) => broken !== null),
      [],
    )
    assert.equal(
      chains.reduce((sum, { entries }) => sum + entries, 0),
      earlier.tables['audit_log']?.rows.length,
    )

    const { jwtToken } = await clientOf(api.url, '').call(auth.routes.login, {
      email: 'user-1@example.com',
      password: 'Correct-Horse-9',
    })
    const client = clientOf(api.url, jwtToken)
    const [site] = (await client.call(sites.routes.list, {})).data
    const { data: records } = await client.call(dnsRecords.routes.list, { site: site?.id ?? '' })
    const stored = rowsOf(earlier, 'dns_record').filter((row) => row['site_id'] === site?.id)
    assert.ok(stored.length >= 4)
    assert.deepEqual(
      records
        .flatMap(({ id, type, value }) => (stored.some((row) => row['id'] === id) ? [`${type} ${value}`] : []))
        .sort(),
      stored.map(({ type, value }) => `${type} ${value}`).sort(),
    )
    started.use(await startWorker({ config, log }))
    await client.call(dnsRecords.routes.create, {
      site: site?.id ?? '',
      type: 'A',
      name: 'late',
      value: '93.184.215.15',
      multiCdn: false,
    })
    await until(async () => JSON.stringify(await zonesOf(config)) !== JSON.stringify(zones))
  })

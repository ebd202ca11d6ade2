import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { startTestStore } from '../test-store.ts'
import type { StoreLayout } from './layout.ts'
import { EVENT_TABLES, MIGRATIONS } from './migrations.ts'
import { isEverywhere, statementsOf, tableAt, ttlOf } from './statements.ts'
import { openStore } from './store.ts'
import { DONE_MIGRATIONS, KINDS } from './table-descriptions.ts'

const embedded = await startTestStore()
after(() => embedded[Symbol.asyncDispose]())

const days = { raw: 30, minute: 8, hour: 400, day: null, threats: 30, recordedRequests: 3 }
const ONE: StoreLayout = { cluster: null, storagePolicy: null, cold: null, days }
const TIERED: StoreLayout = { ...ONE, storagePolicy: 'tiered', cold: { afterDays: 7, volume: 'cold' } }
const CLUSTER: StoreLayout = { ...ONE, cluster: 'main' }
const LAYOUTS = [ONE, TIERED, CLUSTER, { ...TIERED, cluster: 'main' }, { ...TIERED, days: { ...days, day: 3650 } }]

const changes = [{ create: DONE_MIGRATIONS }, ...MIGRATIONS.flatMap((migration) => migration.changes)]
const madeOf = (layout: StoreLayout) =>
  changes.flatMap((change) => statementsOf(change, { layout, database: 'fairway' }))
/** What is said of tables that are there: how long rows are kept, which disks they go to, that they are emptied. */
const saidOf = (layout: StoreLayout) =>
  EVENT_TABLES.flatMap((table) => {
    const at = tableAt(table, { layout, database: 'fairway' })
    const ttl = ttlOf(table, layout)
    return [
      `ALTER TABLE ${at} ${ttl === null ? 'REMOVE TTL' : `MODIFY TTL ${ttl}`}`,
      `ALTER TABLE ${at} MODIFY SETTING storage_policy = 'tiered'`,
      `TRUNCATE TABLE ${at}`,
    ]
  })

/** As the engine reads them: it refuses what is none. */
async function parsed(statements: readonly string[]): Promise<string[]> {
  await using store = openStore(embedded.config)
  // As literals: values beside the text would be in the address, which has no room for so many.
  const literals = statements.map((one) => `'${one.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
  const [row] = await store.query<{ read: string[] }>(
    `SELECT arrayMap(one -> formatQuerySingleLine(one), [${literals.join(', ')}]) AS read`,
  )
  return row?.read ?? []
}

test('one server is told, letter by letter, what it was told when its tables were released', () => {
  const released = MIGRATIONS.filter(({ number }) => number <= 17).map((migration) =>
    migration.changes.flatMap((change) => statementsOf(change, { layout: ONE, database: 'fairway' })),
  )
  assert.equal(
    crypto.hash('sha256', JSON.stringify(released)),
    'e420caea5ef2096575459ac961a99e6d7b450a608b9628488ce92bb27422f2af',
  )
})

test('every statement is one to the engine, for one server and a cluster, with tiers and without', async () => {
  for (const layout of LAYOUTS) {
    const statements = [...madeOf(layout), ...saidOf(layout)]
    const read = await parsed(statements)
    assert.equal(read.length, statements.length)
    if (layout.cluster !== null)
      assert.deepEqual(
        read.filter((one) => !one.includes(' ON CLUSTER main')),
        [],
      )
    else
      assert.deepEqual(
        read.filter((one) => /CLUSTER|Replicated|Distributed/.test(one)),
        [],
      )
  }
  await assert.rejects(parsed(['CREATE TABLE x ON CLUSTER (a Int8) ENGINE = Log']), /SYNTAX_ERROR|Syntax error/)
})

test('on a cluster every row is replicated, and rows of a key are on one shard', async () => {
  const read = await parsed(madeOf(CLUSTER))
  const held = read.filter((one) => one.startsWith('CREATE') && one.includes('MergeTree'))
  assert.equal(held.length, EVENT_TABLES.length + 1)
  assert.deepEqual(
    held.filter((one) => !/ENGINE = Replicated(?:Replacing)?MergeTree\('\/clickhouse\/tables\//.test(one)),
    [],
  )
  for (const table of EVENT_TABLES.filter((one) => !isEverywhere(one))) {
    const over = read.find((one) => one.startsWith(`CREATE TABLE IF NOT EXISTS fairway.${table.name} ON CLUSTER`))
    assert.match(over ?? '', /ENGINE = Distributed\('main', 'fairway', '\w+_local', cityHash64\(organization, at\)\)$/)
    // A newer build replaces an older one only where both are.
    if (KINDS[table.kind].engine !== 'MergeTree')
      for (const column of ['organization', 'at']) assert.ok(table.orderBy.split(', ').includes(column), table.name)
  }
})

test('rows move before they go, and not where they go before they would move', async () => {
  const ttl = (name: string, layout: StoreLayout) => {
    const table = EVENT_TABLES.find((one) => one.name === name)
    return table ? ttlOf(table, layout) : undefined
  }
  assert.equal(
    ttl('beacons', TIERED),
    "toDateTime(at) + toIntervalDay(7) TO VOLUME 'cold', toDateTime(at) + toIntervalDay(30)",
  )
  assert.equal(ttl('recorded_requests', TIERED), 'toDateTime(at) + toIntervalDay(3)')
  assert.equal(ttl('measures_day', TIERED), "at + toIntervalDay(7) TO VOLUME 'cold'")
  assert.equal(ttl('measures_day', ONE), null)
})

test('what the page for operators says to type is SQL to the engine', async () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/operate.md'), 'utf8')
  const section = page.split(/^## /m).find((one) => one.startsWith('ClickHouse elsewhere')) ?? ''
  const blocks = [...section.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql)
  const statements = blocks.flatMap((sql) =>
    sql
      .split(';')
      .map((one) => one.trim())
      .filter(Boolean),
  )
  assert.ok(statements.length >= 6)
  assert.equal((await parsed(statements)).length, statements.length)
})

import { Problem } from '@fairway/platform'
import { EVENT_TABLES, MIGRATIONS } from './migrations.ts'
import { type Place, heldName, statementsOf } from './statements.ts'
import type { EventStore } from './store.ts'
import { DONE_MIGRATIONS } from './table-descriptions.ts'

/**
 * Brings the tables up to date and writes down what was done. Two that run at once do no harm: every statement may run
 * twice.
 *
 * @throws Problem when the tables there are of another form than the settings say
 */
export async function migrateStore(store: EventStore): Promise<void> {
  const place = await placeOf(store)
  await refuseOtherForm(store)
  await run(store, statementsOf({ create: DONE_MIGRATIONS }, place))
  await keepShards(store)
  const applied = new Set(
    (await store.query<{ number: number }>('SELECT DISTINCT number FROM fairway_migrations')).map((row) => row.number),
  )
  for (const { number, name, changes } of MIGRATIONS) {
    if (applied.has(number)) continue
    for (const change of changes) await run(store, statementsOf(change, place))
    await note(store, number, name)
  }
}

/** Whether the tables are those of this code; while they are being changed, or the store is away, they are not. */
export async function isMigrated(store: EventStore): Promise<boolean> {
  const latest = Math.max(...MIGRATIONS.map(({ number }) => number))
  try {
    const [row] = await store.query<{ number: number }>('SELECT max(number) AS number FROM fairway_migrations')
    return row !== undefined && row.number >= latest
  } catch {
    return false
  }
}

/** The database that statements have to name. */
export async function placeOf({ layout, query }: EventStore): Promise<Place> {
  if (layout.cluster === null) return { layout, database: '' }
  const [row] = await query<{ database: string }>('SELECT currentDatabase() AS database')
  return { layout, database: row?.database ?? '' }
}

/** Makes the tables on servers that have joined the cluster since they were made. */
export async function fillNewServers(store: EventStore): Promise<void> {
  const { cluster } = store.layout
  if (cluster === null) return
  const place = await placeOf(store)
  const tables = [DONE_MIGRATIONS, ...EVENT_TABLES]
  const names = new Set(tables.flatMap((table) => [table.name, heldName(table, store.layout)]))
  const servers = await store.query<{ host: string; tables: number }>(
    `SELECT hostName() AS host, countIf(database = {database:String} AND name IN {names:Array(String)}) AS tables
     FROM clusterAllReplicas('${cluster}', system.tables) GROUP BY host SETTINGS skip_unavailable_shards = 1`,
    { database: place.database, names: [...names] },
  )
  if (servers.every((server) => server.tables >= names.size)) return
  for (const table of tables) await run(store, statementsOf({ create: table }, place))
}

async function run(store: EventStore, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await store.command(statement)
}

async function note(store: EventStore, number: number, name: string): Promise<void> {
  await store.command('INSERT INTO fairway_migrations (number, name) SELECT {number:UInt32}, {name:String}', {
    number,
    name,
  })
}

/**
 * Tables that are there stay as they are: what was made for one server would never be replicated, and nobody would
 * know.
 */
async function refuseOtherForm({ layout: { cluster }, query }: EventStore): Promise<void> {
  const [found] = await query<{ engine: string }>(
    `SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'beacons'`,
  )
  if (!found || (found.engine === 'Distributed') === (cluster !== null)) return
  throw new Problem(
    cluster === null
      ? 'The tables of this ClickHouse are of a cluster. Name it by FAIRWAY_CLICKHOUSE_CLUSTER.'
      : 'The tables of this ClickHouse were made for one server, and FAIRWAY_CLICKHOUSE_CLUSTER names a cluster. Give it an empty database (FAIRWAY_CLICKHOUSE_URL=…/another), and fill that from a backup.',
  )
}

/** Written down among the migrations, as one that never was. */
const SHARDS = 0

/**
 * Rows go to shards by the number and weight of these: with others, a newer row would no longer meet the one that it
 * replaces.
 */
async function keepShards(store: EventStore): Promise<void> {
  const { cluster } = store.layout
  if (cluster === null) return
  const shards = await store.query<{ shard: number; weight: number }>(
    'SELECT shard_num AS shard, any(shard_weight) AS weight FROM system.clusters WHERE cluster = {cluster:String} GROUP BY shard ORDER BY shard',
    { cluster },
  )
  const now = `shards ${shards.map(({ shard, weight }) => `${shard}:${weight}`).join(' ')}`
  const [noted] = await store.query<{ name: string }>(
    `SELECT name FROM fairway_migrations WHERE number = ${SHARDS} ORDER BY applied_at LIMIT 1`,
  )
  if (!noted) await note(store, SHARDS, now)
  else if (noted.name !== now)
    throw new Problem(
      `The cluster ${cluster} has ${now} (number:weight), and its tables were made for ${noted.name}. Replicas may be added; for other shards, fill an empty database from a backup.`,
    )
}

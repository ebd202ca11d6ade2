import pg from 'pg'
import type { ArchiveEnd, ArchiveTable } from './archive-lines.ts'
import { BackupError } from './backup-error.ts'

const FEWEST_ROWS = 20
const MOST_ROWS = 5_000
const FETCH_BYTES = 1 << 20
/** No two backups of one database at a time, from whatever machine. */
export const LOCK = 4732

/** Everything one moment of the database holds, read in one transaction that stays open meanwhile. */
export class DatabaseReader implements AsyncDisposable {
  #client: pg.Client
  readonly schema: string[]
  readonly tables: ArchiveTable[]

  private constructor(client: pg.Client, schema: string[], tables: ArchiveTable[]) {
    this.#client = client
    this.schema = schema
    this.tables = tables
  }

  /**
   * @param given.snapshot of another transaction, whose owner has seen to it that no other backup runs
   * @throws BackupError when another backup of this database runs, or nothing is in it.
   */
  static async open(connection: pg.ClientConfig, given: { snapshot?: string } = {}): Promise<DatabaseReader> {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000, keepAlive: true })
    // Told by the next question.
    client.on('error', () => {})
    try {
      await client.connect()
    } catch (error) {
      throw new BackupError(
        `The database does not answer (${error instanceof Error ? error.message : String(error)}). A backup is made while Fairway runs: start it first.`,
      )
    }
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      if (given.snapshot === undefined) await lockOut(client)
      else await client.query(`SET TRANSACTION SNAPSHOT ${pg.escapeLiteral(given.snapshot)}`)
      await client.query(PLAIN_TEXT)
      await seeEveryRow(client)
      const tables = await tablesOf(client)
      if (!tables.some(({ name }) => name === 'schema_migration'))
        throw new BackupError('There is no installation in this database yet.')
      const done = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')
      return new DatabaseReader(
        client,
        done.rows.map(({ name }) => name),
        tables,
      )
    } catch (error) {
      await client.end()
      throw error
    }
  }

  /** Rows of a table, a JSON list of texts and nulls each, as many at a time as fit in about a megabyte. */
  async *rows({ name, columns }: ArchiveTable): AsyncGenerator<Buffer[]> {
    const texts = columns.map((column) => `${pg.escapeIdentifier(column.name)}::text`).join(', ')
    await this.#client.query(
      `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT to_json(ARRAY[${texts}]::text[])::text AS line FROM ${pg.escapeIdentifier(name)}`,
    )
    for (let count = FEWEST_ROWS; ;) {
      const { rows } = await this.#client.query<{ line: string }>(`FETCH ${count} FROM backup_rows`)
      if (rows.length > 0) yield rows.map(({ line }) => Buffer.from(line))
      if (rows.length < count) break
      const bytes = rows.reduce((sum, { line }) => sum + line.length, 0) / rows.length
      count = Math.max(FEWEST_ROWS, Math.min(MOST_ROWS, Math.floor(FETCH_BYTES / Math.max(bytes, 1))))
    }
    await this.#client.query('CLOSE backup_rows')
  }

  async sequences(): Promise<ArchiveEnd['sequences']> {
    const { rows } = await this.#client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    )
    const all: ArchiveEnd['sequences'] = []
    for (const { name } of rows) {
      const state = await this.#client.query<{ value: string; called: boolean }>(
        `SELECT last_value::text AS value, is_called AS called FROM ${pg.escapeIdentifier(name)}`,
      )
      if (state.rows[0]) all.push({ name, ...state.rows[0] })
    }
    return all
  }

  /** Digest of every published zone document, by its key. */
  async zones(): Promise<Record<string, string>> {
    const { rows } = await this.#client.query<{ key: string; digest: string }>(
      `SELECT key, encode(sha256(convert_to(body::text || coalesce(patch::text, ''), 'UTF8')), 'hex') AS digest FROM publication WHERE kind = 'dns-zone' AND body IS NOT NULL ORDER BY key`,
    )
    return Object.fromEntries(rows.map(({ key, digest }) => [key, digest]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}

async function lockOut(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [LOCK])
  if (!rows[0]?.free) throw new BackupError('Another backup of this database is being made at this moment.')
}

type ForeignKey = { table: string; name: string; definition: string }

/**
 * Fills an empty database in one transaction: nothing of it is there before `finish`.
 * @throws BackupError when it is not empty.
 */
export class DatabaseWriter implements AsyncDisposable {
  #client: pg.Client
  #tables: Map<string, ArchiveTable>
  #foreignKeys: readonly ForeignKey[]

  private constructor(client: pg.Client, tables: ArchiveTable[], foreignKeys: readonly ForeignKey[]) {
    this.#client = client
    this.#tables = new Map(tables.map((table) => [table.name, table]))
    this.#foreignKeys = foreignKeys
  }

  /** @param makeSchema gives the database the schema of the backup, in the transaction it is given */
  static async open(
    connection: pg.ClientConfig,
    makeSchema: (client: pg.Client) => Promise<void>,
  ): Promise<DatabaseWriter> {
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000, keepAlive: true })
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query('BEGIN')
      if ((await tablesOf(client)).length > 0)
        throw new BackupError('The database is not empty: a backup is restored into an empty one only.')
      await makeSchema(client)
      await client.query(`${PLAIN_TEXT}; SET CONSTRAINTS ALL IMMEDIATE`)
      const tables = await tablesOf(client)
      const keys = await client.query<ForeignKey>(
        `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`,
      )
      // Rows come in no order that suits references, and triggers did their work when the rows were written.
      for (const { table, name } of keys.rows)
        await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`)
      for (const { name } of tables) await client.query(`ALTER TABLE ${pg.escapeIdentifier(name)} DISABLE TRIGGER USER`)
      await client.query(`TRUNCATE ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`)
      return new DatabaseWriter(client, tables, keys.rows)
    } catch (error) {
      await client.end()
      throw error
    }
  }

  /** @param rows as `DatabaseReader` gives them */
  async write({ name, columns }: ArchiveTable, rows: readonly Buffer[]): Promise<void> {
    const known = this.#tables.get(name)?.columns
    const types = columns.map((column) => known?.find((one) => one.name === column.name)?.type)
    if (!known || types.includes(undefined))
      throw new BackupError(`The backup has a table this version does not know as it is: ${name}.`)
    const names = columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')
    const values = types.map((type, at) => `(line->>${at})::${type}`).join(', ')
    for (const some of portions(rows))
      await this.#client.query(
        `INSERT INTO ${pg.escapeIdentifier(name)} (${names}) OVERRIDING SYSTEM VALUE SELECT ${values} FROM json_array_elements($1::json) AS line`,
        [`[${some.join(',')}]`],
      )
  }

  /** Puts references back, which checks every one of them, and commits. */
  async finish(sequences: ArchiveEnd['sequences']): Promise<void> {
    for (const { table, name, definition } of this.#foreignKeys)
      await this.#client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`)
    for (const name of this.#tables.keys())
      await this.#client.query(`ALTER TABLE ${pg.escapeIdentifier(name)} ENABLE TRIGGER USER`)
    for (const { name, value, called } of sequences)
      await this.#client.query('SELECT setval($1::text::regclass, $2::bigint, $3)', [
        pg.escapeIdentifier(name),
        value,
        called,
      ])
    await this.#client.query('COMMIT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}

/**
 * Rows that a policy hides would be missing from the backup. Who may pass policies by is told of any that would hide
 * some; for everybody else each table must have one that shows all of its rows.
 */
async function seeEveryRow(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ passes: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS passes FROM pg_roles WHERE rolname = current_user',
  )
  if (rows[0]?.passes) {
    await client.query('SET LOCAL row_security = off')
    return
  }
  const hidden = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relrowsecurity
        AND (NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive AND p.polcmd IN ('*', 'r')
                            AND pg_get_expr(p.polqual, p.polrelid) = 'true'
                            AND EXISTS (SELECT FROM unnest(p.polroles) AS held WHERE held = 0 OR pg_has_role(held, 'USAGE')))
          OR EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND NOT p.polpermissive))
      ORDER BY 1`,
  )
  if (hidden.rows.length > 0)
    throw new BackupError(
      `The role that FAIRWAY_DATABASE_URL names does not see every row of ${hidden.rows.map(({ name }) => name).join(', ')}: a superuser gives it that by GRANT fairway_system, or by BYPASSRLS.`,
    )
}

/** One way to write every value as text, whatever the server or the role is set to. */
const PLAIN_TEXT = `SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`

/** Tables with the columns that are written, not computed. */
async function tablesOf(client: pg.Client): Promise<ArchiveTable[]> {
  const { rows } = await client.query<{ name: string; columns: ArchiveTable['columns'] }>(
    `SELECT c.relname AS name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      GROUP BY c.relname ORDER BY c.relname`,
  )
  return rows.map((table) => ({ kind: 'table', engine: 'database', ...table }))
}

function* portions(rows: readonly Buffer[]): Generator<Buffer[]> {
  let some: Buffer[] = []
  let bytes = 0
  for (const row of rows) {
    some.push(row)
    bytes += row.length
    if (some.length < MOST_ROWS && bytes < FETCH_BYTES) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}

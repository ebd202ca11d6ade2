import crypto from 'node:crypto'
import { Readable } from 'node:stream'
import { parseError } from '@clickhouse/client'
import type { Config } from '@fairway/platform'
import { type StoreLayout, storeLayout } from './layout.ts'
import { StoreServers } from './servers.ts'
import { StoreAway, readFailure } from './store-error.ts'
import type { TableName } from './tables.ts'

/** How long the store works on a question before it gives up; as long as its settings say when left out. */
export type QueryBound = { seconds: number }

/**
 * Measurements, answers and requests as they happened, and questions over them. The same code speaks to the embedded
 * engine and to a ClickHouse server.
 */
export interface EventStore extends AsyncDisposable {
  readonly layout: StoreLayout
  /** Inserts rows whose names are the table's columns. */
  insert(table: TableName, rows: readonly object[]): Promise<void>
  /**
   * Inserts lines of JSON, one row each, as bytes.
   * @param token the same token inserts once only, however often it is repeated and at whichever server: what makes a
   *   replay after a crash harmless
   */
  insertLines(table: TableName, lines: Buffer | string, token?: string): Promise<void>
  /** Rows of a question; `{name:Type}` in the text takes values from `parameters`, which never enter the text. */
  query<Row>(sql: string, parameters?: Record<string, unknown>, bound?: QueryBound): Promise<Row[]>
  /** The same, with every row of the table that any server had accepted before this was asked. */
  queryNewest<Row>(table: 'taken_batches', sql: string, parameters?: Record<string, unknown>): Promise<Row[]>
  /** Rows of a question as lines of JSON, as they come: for more than fits in memory. */
  lines(sql: string): AsyncIterable<Uint8Array>
  /** A statement without rows. It is given to another server only when the first has not begun it. */
  command(sql: string, parameters?: Record<string, unknown>): Promise<void>
  isAnswering(): Promise<boolean>
}

/** Connects lazily: a store that is away shows in the first call, not here. */
export function openStore(config: Config): EventStore {
  return storeOf(
    config.clickhouseUrl ? StoreServers.outside(config) : StoreServers.embedded(config),
    storeLayout(config),
  )
}

/** One of the servers that the settings name, whatever the others do. */
export const openServer = (config: Config, name: string): EventStore =>
  storeOf(StoreServers.outside(config, [name]), storeLayout(config))

/** Answers of statements without rows are empty; what is not is an error of some lines. */
const ANSWER_BYTES = 64 << 10

function storeOf(servers: StoreServers, layout: StoreLayout): EventStore {
  // Tables of a cluster remember tokens, those of one server do where batches are told apart by them.
  const once = { mayRepeat: layout.cluster !== null }
  const again = { mayRepeat: true }
  const insertLines: EventStore['insertLines'] = async (table, lines, given) => {
    if (lines.length === 0) return
    const token = given ?? (layout.cluster === null ? null : crypto.randomUUID())
    await servers.run(async (client, signal) => {
      // `insert` takes objects only; `exec` sends bytes as they are.
      const values = Readable.from([typeof lines === 'string' ? Buffer.from(lines) : lines], { objectMode: false })
      const { stream } = await client.exec({
        query: `INSERT INTO ${table} FORMAT JSONEachRow`,
        values,
        ...(signal ? { abort_signal: signal } : {}),
        ...(token ? { clickhouse_settings: { insert_deduplication_token: token } } : {}),
      })
      let said = ''
      for await (const chunk of stream) if (said.length < ANSWER_BYTES) said += String(chunk)
      // The status was sent before something went wrong.
      if (said.trim() !== '') throw parseError(said)
    }, once)
  }
  const query = <Row>(sql: string, parameters?: Record<string, unknown>, before?: string) =>
    servers.run(async (client, signal) => {
      const given = signal ? { abort_signal: signal } : {}
      if (before !== undefined) await client.command({ query: before, ...given })
      const result = await client.query({
        query: sql,
        format: 'JSONEachRow',
        clickhouse_settings: WHOLE,
        ...given,
        ...(parameters ? { query_params: parameters } : {}),
      })
      return result.json<Row>()
    }, again)
  return {
    layout,
    insertLines,
    insert: (table, rows) => insertLines(table, rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    // In the text, where it is this statement's alone: the embedded engine's sessions are not made anew for it.
    query: (sql, parameters, bound) =>
      query(bound ? `${sql} SETTINGS max_execution_time = ${bound.seconds}` : sql, parameters),
    // A replica fetches what others took, each part when its turn comes: it is told to have done so first.
    queryNewest: (table, sql, parameters) =>
      query(sql, parameters, layout.cluster === null ? undefined : `SYSTEM SYNC REPLICA ${table} LIGHTWEIGHT`),
    async *lines(sql) {
      const { stream } = await servers.run((client) => client.exec({ query: `${sql} FORMAT JSONEachRow` }), again)
      try {
        yield* wholeLines(stream)
      } catch (error) {
        throw error instanceof StoreAway ? error : readFailure(error).error
      }
    },
    async command(sql, parameters) {
      await servers.run(
        (client, signal) =>
          client.command({
            query: sql,
            ...(signal ? { abort_signal: signal } : {}),
            ...(parameters ? { query_params: parameters } : {}),
          }),
        { mayRepeat: false },
      )
    },
    isAnswering: () => servers.isAnswering(),
    [Symbol.asyncDispose]: () => servers.close(),
  }
}

/**
 * Rows are read to the last before anybody sees them, so the engine may finish them first, away from the thread that
 * serves others.
 */
const WHOLE = { wait_end_of_query: 1 } as const

const [NEWLINE, BRACE, END_BRACE] = [...Buffer.from('\n{}')]
/** No error is longer; a row that is longer was not the last. */
const END_BYTES = 64 << 10

/**
 * The bytes of an answer whose status was sent before its rows. An error on the way stands behind the rows that had
 * gone out: an answer is whole when its last line is a row.
 */
async function* wholeLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let end: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    yield chunk
    end = (
      chunk.length >= END_BYTES
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([end, chunk])
    ).subarray(-END_BYTES)
  }
  const text = end.at(-1) === NEWLINE ? end.subarray(0, -1) : end
  const last = text.subarray(text.lastIndexOf(NEWLINE ?? 10) + 1)
  // Of a row that is longer than what is looked at, the begin is not seen.
  const isWhole = last.at(0) === BRACE || (end.length === END_BYTES && last.length === text.length)
  if (end.length > 0 && !(isWhole && last.at(-1) === END_BRACE))
    throw new StoreAway(`the answer broke off: ${last.toString('utf8').slice(0, 500)}`)
}

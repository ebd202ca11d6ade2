import http from 'node:http'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Config } from '@fairway/platform'
import { facadeSocket, storePassword } from '../facade/facade-address.ts'
import type { TableName } from './tables.ts'

/**
 * Measurements, answers and requests as they happened, and questions over them. The same code speaks to the embedded
 * engine and to a ClickHouse server.
 */
export interface EventStore extends AsyncDisposable {
  /** Inserts rows whose names are the table's columns. */
  insert(table: TableName, rows: readonly object[]): Promise<void>
  /**
   * Inserts lines of JSON, one row each, as bytes.
   * @param token the same token inserts once only, however often it is repeated: what makes a replay after a crash
   *   harmless
   */
  insertLines(table: TableName, lines: Buffer | string, token?: string): Promise<void>
  /** Rows of a question; `{name:Type}` in the text takes values from `parameters`, which never enter the text. */
  query<Row>(sql: string, parameters?: Record<string, unknown>): Promise<Row[]>
  /** Rows of a question as lines of JSON, as they come: for more than fits in memory. */
  lines(sql: string): AsyncIterable<Uint8Array>
  command(sql: string, parameters?: Record<string, unknown>): Promise<void>
  isAnswering(): Promise<boolean>
}

/** The store cannot be reached or answered late; worth a repetition, unlike a `StoreRefused`. */
export class StoreAway extends Error {}
/** The store answered that a statement or its data is wrong; `code` is ClickHouse's. */
export class StoreRefused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const REQUEST_TIMEOUT_MS = 30_000
const PING_TIMEOUT_MS = 1500
/** Too many queries, memory limit, timeout, too many parts, table read-only: they pass by themselves. */
const PASSING_CODES = new Set([159, 202, 209, 210, 241, 242, 243, 252, 319, 999, 1002])

/** Connects lazily: a store that is away shows in the first call, not here. */
export function openStore(config: Config): EventStore {
  const client = config.clickhouseUrl ? outsideClient(config.clickhouseUrl) : embeddedClient(config)
  return {
    async insert(table, rows) {
      if (rows.length > 0) await translated(client.insert({ table, values: rows, format: 'JSONEachRow' }))
    },
    async insertLines(table, lines, token) {
      if (lines.length === 0) return
      // `insert` takes objects only; `exec` sends bytes as they are.
      const values = Readable.from([typeof lines === 'string' ? Buffer.from(lines) : lines], { objectMode: false })
      const { stream } = await translated(
        client.exec({
          query: `INSERT INTO ${table} FORMAT JSONEachRow`,
          values,
          ...(token ? { clickhouse_settings: { insert_deduplication_token: token } } : {}),
        }),
      )
      await translated(finished(stream.resume()))
    },
    async query<Row>(sql: string, parameters?: Record<string, unknown>) {
      const result = await translated(
        client.query({
          query: sql,
          format: 'JSONEachRow',
          clickhouse_settings: WHOLE,
          ...(parameters ? { query_params: parameters } : {}),
        }),
      )
      return translated(result.json<Row>())
    },
    async *lines(sql) {
      const { stream } = await translated(client.exec({ query: `${sql} FORMAT JSONEachRow` }))
      try {
        for await (const chunk of stream) yield chunk as Uint8Array
      } catch (error) {
        throw new StoreAway(error instanceof Error ? error.message : String(error), { cause: error })
      }
    },
    async command(sql, parameters) {
      await translated(client.command({ query: sql, ...(parameters ? { query_params: parameters } : {}) }))
    },
    isAnswering: () => isAnswering(client),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function embeddedClient(config: Config): ClickHouseClient {
  const agent = new http.Agent({
    keepAlive: true,
    maxSockets: 16,
    socketPath: facadeSocket(config),
  } as http.AgentOptions)
  return createClient({
    url: 'http://store',
    http_agent: agent,
    username: 'fairway',
    password: storePassword(config),
    ...commonOptions,
  })
}

function outsideClient(url: string): ClickHouseClient {
  return createClient({ url, ...commonOptions })
}

const commonOptions = {
  application: 'fairway',
  request_timeout: REQUEST_TIMEOUT_MS,
  max_open_connections: 16,
  log: { level: ClickHouseLogLevel.OFF },
  clickhouse_settings: {
    // Versions differ in their defaults; the product reads numbers.
    output_format_json_quote_64bit_integers: 0,
    // An unknown name is a bug of ours, not something to skip.
    input_format_skip_unknown_fields: 0,
  },
} as const

/**
 * Rows are read to the last before anybody sees them, so the engine may finish them first, away from the thread that
 * serves others.
 */
const WHOLE = { wait_end_of_query: 1 } as const

async function isAnswering(client: ClickHouseClient): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, PING_TIMEOUT_MS, false).unref())
  return Promise.race([client.ping().then((answer) => answer.success), late])
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ClickHouseError))
      throw new StoreAway(error instanceof Error ? error.message : String(error), { cause: error })
    const code = Number(error.code)
    throw PASSING_CODES.has(code)
      ? new StoreAway(error.message, { cause: error })
      : new StoreRefused(code, error.message)
  }
}

import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { databaseConnection } from './connection.ts'
import { DatabaseAway, isAway } from './database-away.ts'

/**
 * A transaction, seen by one organisation or by the system. Rows are as the driver gives them; the caller names their
 * type.
 */
export interface Tx {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export interface Database extends AsyncDisposable {
  /** Runs `work` in a transaction that sees one organisation's rows only (row-level security). */
  tenant<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that sees the organisations of one partner only. */
  partner<T>(partnerId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that sees all rows: publishing, sign-in, jobs. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Like `system`, beside a transaction that is open: what must stay when that one is rolled back. It has connections
   * of its own, so that many at once do not wait for each other in a circle.
   */
  aside<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Calls `heard` for every NOTIFY on the channel, and once after each (re)connect because some may have been missed.
   */
  listen(channel: string, heard: (payload: string) => void): AsyncDisposable
  /** Null when the database answers, else why not. */
  problem(): Promise<string | null>
}

// The driver hands bigint over as text; counts and revisions here stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// Its own reader of times takes half of what a long list costs; JavaScript reads them at once where the offset is one
// of whole hours.
const readTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => unknown
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => {
  const time = new Date(`${text.replace(' ', 'T')}:00`)
  return Number.isNaN(time.getTime()) ? readTime(text) : time
})
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const ASIDE_CONNECTIONS = 3
/**
 * A connection, and the first word on it, take this long at most: a server that is slower than that does not answer.
 */
const ANSWER_WITHIN_MS = 5_000
const READINESS_WITHIN_MS = 2_000

/**
 * @param options.patienceMs how long one statement may take where somebody waits for it; without it as long as it takes
 */
export function openDatabase(
  config: Config,
  log: Log,
  { connections = 10, patienceMs }: { connections?: number; patienceMs?: number } = {},
): Database {
  const pool = openPool(config, log, connections, patienceMs)
  const beside = openPool(config, log, ASIDE_CONNECTIONS, patienceMs)
  const listeners = new Set<AsyncDisposable>()
  return {
    tenant(organizationId, work) {
      if (!UUID.test(organizationId)) throw new Error('organisation id is not a uuid')
      return transaction(
        pool,
        `BEGIN; SET LOCAL ROLE fairway_app; SET LOCAL fairway.organization = '${organizationId}'`,
        work,
      )
    },
    partner(partnerId, work) {
      if (!UUID.test(partnerId)) throw new Error('partner id is not a uuid')
      return transaction(
        pool,
        `BEGIN; SET LOCAL ROLE fairway_partner; SET LOCAL fairway.partner = '${partnerId}'`,
        work,
      )
    },
    system: (work) => transaction(pool, 'BEGIN; SET LOCAL ROLE fairway_system', work),
    aside: (work) => transaction(beside, 'BEGIN; SET LOCAL ROLE fairway_system', work),
    listen(channel, heard) {
      const listener = startListener(config, log, channel, heard)
      listeners.add(listener)
      return listener
    },
    async problem() {
      const late = new Promise<string>((resolve) =>
        setTimeout(resolve, READINESS_WITHIN_MS, 'no answer in time').unref(),
      )
      const why = await Promise.race([
        late,
        pool.query('SELECT 1').then(
          () => null,
          (error: Error) => error.message,
        ),
      ])
      return why === null ? null : `the database does not answer: ${why}`
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...listeners].map((listener) => listener[Symbol.asyncDispose]()))
      await Promise.all([pool.end(), beside.end()])
    },
  }
}

function openPool(config: Config, log: Log, connections: number, patienceMs: number | undefined): pg.Pool {
  const pool = new pg.Pool({
    ...databaseConnection(config),
    max: connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    keepAlive: true,
    ...(patienceMs === undefined ? {} : { query_timeout: patienceMs }),
  })
  pool.on('error', (error) => log.warn({ event: 'database.connection-lost', why: error.message }))
  // The pool hears only of connections that lie idle. One that breaks inside a transaction, between two statements, is
  // told by the next statement; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function transaction<T>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await told(pool.connect())
  let broken: Error | undefined
  let isOver = false
  const run = async (query: string | pg.QueryConfig, values?: readonly unknown[]) => {
    try {
      return await told(client.query(query as string, values as unknown[]))
    } catch (error) {
      if (error instanceof DatabaseAway) broken = error
      throw error
    }
  }
  // A connection takes one question at a time, and none that comes when somebody else may have it.
  let turn: Promise<unknown> = Promise.resolve()
  const ask = (text: string, values?: readonly unknown[]) => {
    const asked = turn.then(() => {
      if (isOver) throw new Error('a transaction was asked after its end')
      return run(text, values)
    })
    turn = asked.catch(() => {})
    return asked
  }
  try {
    await run({ text: begin, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig)
    const result = await work({
      query: async <Row>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows as Row[],
    })
    await turn
    isOver = true
    await run('COMMIT')
    return result
  } catch (error) {
    isOver = true
    await turn
    // The server rolls back by itself what it no longer hears of.
    if (!broken) await client.query('ROLLBACK').catch((failed: Error) => (broken = failed))
    throw error
  } finally {
    client.release(broken)
  }
}

/** @throws DatabaseAway when it was the server that failed and not the statement. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isAway(error) ? new DatabaseAway(`the database does not answer: ${error.message}`, { cause: error }) : error
  }
}

/** A connection of its own that listens, and comes back by itself. */
function startListener(config: Config, log: Log, channel: string, heard: (payload: string) => void): AsyncDisposable {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  let isTold = false
  // Many listeners try four times a second: one line each for as long as the server is away.
  const tell = (error: unknown) => {
    if (!isTold && !stopped)
      log.warn({
        event: 'database.listener-lost',
        channel,
        why: error instanceof Error ? error.message : String(error),
      })
    isTold = true
  }
  const again = () => {
    if (!stopped && !timer) timer = setTimeout(() => ((timer = null), void connect()), 250)
  }
  const connect = async () => {
    const fresh = new pg.Client({
      ...databaseConnection(config),
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      keepAlive: true,
    })
    client = fresh
    fresh.on('error', tell)
    fresh.on('end', again)
    fresh.on('notification', (message) => heard(message.payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      isTold = false
      heard('')
    } catch (error) {
      tell(error)
      await fresh.end().catch(() => {})
      again()
    }
  }
  void connect()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      if (timer) clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { databaseConnection } from './connection.ts'

/** A transaction, seen by one organisation or by the system. Rows are as the driver gives them; the caller names their type. */
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
  /** Like `system`, beside a transaction that is open: what must stay when that one is rolled back. It has connections of its own, so that many at once do not wait for each other in a circle. */
  aside<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls `heard` for every NOTIFY on the channel, and once after each (re)connect because some may have been missed. */
  listen(channel: string, heard: (payload: string) => void): AsyncDisposable
  /** Null when the database answers, else why not. */
  problem(): Promise<string | null>
}

// The driver hands bigint over as text; counts and revisions here stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// Its own reader of times takes half of what a long list costs; JavaScript reads them at once where the offset is one of whole hours.
const readTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => unknown
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => {
  const time = new Date(`${text.replace(' ', 'T')}:00`)
  return Number.isNaN(time.getTime()) ? readTime(text) : time
})
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const ASIDE_CONNECTIONS = 3

export function openDatabase(config: Config, log: Log, options: { connections?: number } = {}): Database {
  const pool = new pg.Pool({ ...databaseConnection(config), max: options.connections ?? 10, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 5_000 })
  pool.on('error', (error) => log.warn({ event: 'database.connection-lost', err: error }))
  const beside = new pg.Pool({ ...databaseConnection(config), max: ASIDE_CONNECTIONS, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 5_000 })
  beside.on('error', (error) => log.warn({ event: 'database.connection-lost', err: error }))
  const listeners = new Set<AsyncDisposable>()
  return {
    tenant(organizationId, work) {
      if (!UUID.test(organizationId)) throw new Error('organisation id is not a uuid')
      return transaction(pool, `BEGIN; SET LOCAL ROLE fairway_app; SET LOCAL fairway.organization = '${organizationId}'`, work)
    },
    partner(partnerId, work) {
      if (!UUID.test(partnerId)) throw new Error('partner id is not a uuid')
      return transaction(pool, `BEGIN; SET LOCAL ROLE fairway_partner; SET LOCAL fairway.partner = '${partnerId}'`, work)
    },
    system: (work) => transaction(pool, 'BEGIN; SET LOCAL ROLE fairway_system', work),
    aside: (work) => transaction(beside, 'BEGIN; SET LOCAL ROLE fairway_system', work),
    listen(channel, heard) {
      const listener = startListener(config, log, channel, heard)
      listeners.add(listener)
      return listener
    },
    async problem() {
      try {
        await pool.query('SELECT 1')
        return null
      } catch (error) {
        return `the database does not answer: ${error instanceof Error ? error.message : String(error)}`
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...listeners].map((listener) => listener[Symbol.asyncDispose]()))
      await Promise.all([pool.end(), beside.end()])
    },
  }
}

async function transaction<T>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  let isOver = false
  // A connection takes one question at a time, and none that comes when somebody else may have it.
  let turn: Promise<unknown> = Promise.resolve()
  const ask = (text: string, values?: readonly unknown[]) => {
    const asked = turn.then(() => {
      if (isOver) throw new Error('a transaction was asked after its end')
      return client.query(text, values as unknown[])
    })
    turn = asked.catch(() => {})
    return asked
  }
  try {
    await client.query(begin)
    const result = await work({ query: async <Row>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows as Row[] })
    await turn
    isOver = true
    await client.query('COMMIT')
    return result
  } catch (error) {
    isOver = true
    await turn
    await client.query('ROLLBACK').catch((failed: Error) => (broken = failed))
    throw error
  } finally {
    client.release(broken)
  }
}

/** A connection of its own that listens, and comes back by itself. */
function startListener(config: Config, log: Log, channel: string, heard: (payload: string) => void): AsyncDisposable {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | null = null
  const again = () => {
    if (!stopped && !timer) timer = setTimeout(() => ((timer = null), void connect()), 250)
  }
  const connect = async () => {
    const fresh = new pg.Client({ ...databaseConnection(config), connectionTimeoutMillis: 5_000, keepAlive: true })
    client = fresh
    fresh.on('error', (error) => log.warn({ event: 'database.listener-lost', channel, err: error }))
    fresh.on('end', again)
    fresh.on('notification', (message) => heard(message.payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
      heard('')
    } catch (error) {
      log.warn({ event: 'database.listener-failed', channel, err: error })
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

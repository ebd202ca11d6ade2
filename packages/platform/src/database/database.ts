import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { answered } from './answered.ts'
import { databaseConnections } from './connection.ts'
import { DatabaseAway, isAway } from './database-away.ts'
import { type Election, standForElection } from './election.ts'
import { startListener } from './listener.ts'
import { ANSWER_WITHIN_MS, cutOff, PatientClient, serverThatWrites } from './server-that-writes.ts'

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
  /** Of all processes whose database this is and that ask for it, one is elected; asked for once, it stands until the end. */
  election(): Election
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

/** The lock of whoever does the work that only one worker may do. */
const ELECTION = 4721
const ASIDE_CONNECTIONS = 3
/** How long somebody waits for a connection while all are taken. */
const TURN_WITHIN_MS = 5_000
/** Who asks how we are does not wait as long for a turn. */
const READINESS_WITHIN_MS = 2_000
/** What the pool says then: no word against the server. */
const ALL_TAKEN = /^timeout exceeded/

/**
 * @param options.patienceMs how long one statement may take where somebody waits for it; without it as long as it takes
 */
export function openDatabase(
  config: Config,
  log: Log,
  { connections = 10, patienceMs }: { connections?: number; patienceMs?: number } = {},
): Database {
  const pool = openConnections(config, log, connections, patienceMs)
  const beside = openConnections(config, log, ASIDE_CONNECTIONS, patienceMs)
  const listener = startListener(config, log)
  let election: Election | null = null
  return {
    tenant(organizationId, work) {
      if (!UUID.test(organizationId)) throw new Error('organisation id is not a uuid')
      return transaction(pool, `SET LOCAL ROLE fairway_app; SET LOCAL fairway.organization = '${organizationId}'`, work)
    },
    partner(partnerId, work) {
      if (!UUID.test(partnerId)) throw new Error('partner id is not a uuid')
      return transaction(pool, `SET LOCAL ROLE fairway_partner; SET LOCAL fairway.partner = '${partnerId}'`, work)
    },
    system: (work) => transaction(pool, 'SET LOCAL ROLE fairway_system', work),
    aside: (work) => transaction(beside, 'SET LOCAL ROLE fairway_system', work),
    listen: (channel, heard) => listener.listen(channel, heard),
    election: () => (election ??= standForElection(config, log, ELECTION)),
    async problem() {
      try {
        const asking = pool.use((client) => answered(client.query('SELECT 1'), pool.withinMs))
        await answered(asking, READINESS_WITHIN_MS)
        return null
      } catch (error) {
        return `the database does not answer: ${error instanceof Error ? error.message : String(error)}`
      }
    },
    async [Symbol.asyncDispose]() {
      await election?.[Symbol.asyncDispose]()
      await listener[Symbol.asyncDispose]()
      await Promise.all([pool.end(), beside.end()])
    },
  }
}

/** Connections to the server that takes writes; to another one when that has gone or follows one itself. */
type Connections = {
  begin: string
  /** How long the first word may take. */
  withinMs: number
  connect(): Promise<{ client: pg.PoolClient; release(broken?: Error): void }>
  use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  end(): Promise<void>
}

function openConnections(config: Config, log: Log, most: number, patienceMs: number | undefined): Connections {
  const hasChoice = databaseConnections(config, false).length > 1
  let current: Promise<pg.Pool> | null = null
  const leave = (pool: pg.Pool) => {
    current = null
    // Connections that are in use end with their work.
    void pool.end().catch(() => {})
  }
  const look = async () => {
    const server = await serverThatWrites(config, { isDirect: false })
    if (hasChoice) log.info({ event: 'database.chosen', host: server.host, port: server.port })
    return openPool(server, log, most, patienceMs)
  }
  const connect: Connections['connect'] = async () => {
    current ??= look().catch((error: unknown) => {
      current = null
      throw error
    })
    const [chosen, pool] = [current, await current]
    const leaveIt = (why: Error | undefined) => {
      if (hasChoice && why && current === chosen && !ALL_TAKEN.test(why.message)) leave(pool)
    }
    try {
      const client = await pool.connect()
      return {
        client,
        release(broken) {
          if (broken) cutOff(client)
          client.release(broken)
          leaveIt(broken)
        },
      }
    } catch (error) {
      leaveIt(error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }
  return {
    // Behind a pooler the first word waits for its turn, which is no silence.
    withinMs: config.databaseDirectUrl === '' ? ANSWER_WITHIN_MS : TURN_WITHIN_MS,
    // Of several servers one may have become a follower, which would answer reads from what it last heard.
    begin: hasChoice ? 'BEGIN READ WRITE' : 'BEGIN',
    connect,
    async use(work) {
      const { client, release } = await connect()
      try {
        const result = await work(client)
        release()
        return result
      } catch (error) {
        release(error instanceof Error ? error : new Error(String(error)))
        throw error
      }
    },
    async end() {
      await (await current?.catch(() => null))?.end()
    },
  }
}

function openPool(server: pg.ClientConfig, log: Log, connections: number, patienceMs: number | undefined): pg.Pool {
  const pool = new pg.Pool({
    ...server,
    Client: PatientClient,
    max: connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: TURN_WITHIN_MS,
    keepAlive: true,
    ...(patienceMs === undefined ? {} : { query_timeout: patienceMs }),
  })
  pool.on('error', (error) => log.warn({ event: 'database.connection-lost', why: error.message }))
  // The pool hears only of connections that lie idle. One that breaks inside a transaction, between two statements, is
  // told by the next statement; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function transaction<T>(pool: Connections, who: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { client, release } = await told(pool.connect())
  let broken: Error | undefined
  let isOver = false
  const answer = async <R>(coming: Promise<R>): Promise<R> => {
    try {
      return await told(coming)
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
      return answer(client.query(text, values as unknown[]))
    })
    turn = asked.catch(() => {})
    return asked
  }
  try {
    await answer(answered(client.query(`${pool.begin}; ${who}`), pool.withinMs))
    const result = await work({
      query: async <Row>(text: string, values?: readonly unknown[]) => (await ask(text, values)).rows as Row[],
    })
    await turn
    isOver = true
    await answer(client.query('COMMIT'))
    return result
  } catch (error) {
    isOver = true
    await turn
    // The server rolls back by itself what it no longer hears of.
    if (!broken) await client.query('ROLLBACK').catch((failed: Error) => (broken = failed))
    throw error
  } finally {
    release(broken)
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

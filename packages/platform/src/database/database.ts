import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { answered } from './answered.ts'
import { databaseConnections } from './connection.ts'
import { type Election, standForElection } from './election.ts'
import { startListener } from './listener.ts'
import { LOG_POSITION, NOWHERE } from './log-position.ts'
import { ALL_TAKEN, openPool } from './pool.ts'
import { type Repeated, repeatedQuestions } from './repeated.ts'
import { openReplicas, type ReplicaFigures } from './replicas.ts'
import { ANSWER_WITHIN_MS, cutOff, serverThatWrites } from './server-that-writes.ts'
import { type Connections, SYSTEM, type Tx, type Views, transaction, viewsOf } from './transaction.ts'

export type { Tx, Views } from './transaction.ts'

export interface Database extends AsyncDisposable, Views {
  /**
   * Like `system`, beside a transaction that is open: what must stay when that one is rolled back. It has connections
   * of its own, so that many at once do not wait for each other in a circle.
   */
  aside<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Asks a replica that shows everything up to that place in the log, as `logPosition` told it; the primary when none
   * does, or when it fails in between: then `ask` runs a second time. Only for what reads.
   */
  read<T>(position: string | null, ask: (from: Views) => Promise<T>): Promise<T>
  /** The one row that answers a question which is asked again and again, as the system: see `repeatedQuestions`. */
  repeated<Row>(key: string, sql: string): Promise<Row | undefined>
  /** SQL for the place that the log has reached, as text; NULL without replicas, or where it is not told. */
  readonly logPosition: string
  /** How the replicas are, as this process sees them; null without any. */
  replicas(): ReplicaFigures | null
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

/** The lock of whoever does the work that only one worker may do. */
const ELECTION = 4721
const ASIDE_CONNECTIONS = 3
/** How long somebody waits for a connection while all are taken. */
const TURN_WITHIN_MS = 5_000
/** Who asks how we are does not wait as long for a turn. */
const READINESS_WITHIN_MS = 2_000

/**
 * @param options.patienceMs how long one statement may take where somebody waits for it; without it as long as it takes
 * @param options.replicaConnections to each of the replicas that the settings name; without them `read` asks the primary
 */
export function openDatabase(
  config: Config,
  log: Log,
  {
    connections = 10,
    patienceMs,
    replicaConnections = 0,
  }: { connections?: number; patienceMs?: number; replicaConnections?: number } = {},
): Database {
  const pool = openConnections(config, log, connections, patienceMs)
  const beside = openConnections(config, log, ASIDE_CONNECTIONS, patienceMs)
  const listener = startListener(config, log)
  const views = viewsOf(pool)
  const replicas =
    replicaConnections > 0 && config.databaseReplicaUrls.length > 0
      ? openReplicas(config, log, {
          connections: replicaConnections,
          patienceMs,
          askPrimary: (sql) => views.system((tx) => tx.query(sql)),
        })
      : null
  let election: Election | null = null
  let questions: Repeated | null = null
  return {
    ...views,
    aside: (work) => transaction(beside, SYSTEM, work),
    read: (position, ask) => (replicas ? replicas.read(position, views, ask) : ask(views)),
    repeated: (key, sql) => (questions ??= repeatedQuestions(config)).ask(key, sql),
    get logPosition() {
      return replicas?.isAble ? LOG_POSITION : NOWHERE
    },
    replicas: () => replicas?.figures() ?? null,
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
      await replicas?.[Symbol.asyncDispose]()
      await election?.[Symbol.asyncDispose]()
      await questions?.[Symbol.asyncDispose]()
      await listener[Symbol.asyncDispose]()
      await Promise.all([pool.end(), beside.end()])
    },
  }
}

/** Connections to the server that takes writes; to another one when that has gone or follows one itself. */
type PrimaryConnections = Connections & {
  /** How long the first word may take. */
  withinMs: number
  use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  end(): Promise<void>
}

function openConnections(config: Config, log: Log, most: number, patienceMs: number | undefined): PrimaryConnections {
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
    return openPool(server, log, { most, turnWithinMs: TURN_WITHIN_MS, patienceMs })
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
  // Behind a pooler the first word waits for its turn, which is no silence.
  const withinMs = config.databaseDirectUrl === '' ? ANSWER_WITHIN_MS : TURN_WITHIN_MS
  // Of several servers one may have become a follower, which would answer reads from what it last heard.
  const begin = hasChoice ? 'BEGIN READ WRITE' : 'BEGIN'
  return {
    withinMs,
    begin: (client, who) => answered(client.query(`${begin}; ${who}`), withinMs),
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

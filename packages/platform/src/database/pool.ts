import pg from 'pg'
import type { Log } from '../log.ts'
import { PatientClient } from './server-that-writes.ts'

/** What is said when all connections stay taken, and of a statement that takes too long: no word against the server. */
export const ALL_TAKEN = /^timeout exceeded/
export const TOO_SLOW = /^Query read timeout/

/**
 * @param options.turnWithinMs how long one waits for a connection while all are taken
 * @param options.patienceMs how long one statement may take
 */
export function openPool(
  server: pg.ClientConfig,
  log: Log,
  { most, turnWithinMs, patienceMs }: { most: number; turnWithinMs: number; patienceMs: number | undefined },
): pg.Pool {
  const pool = new pg.Pool({
    ...server,
    Client: PatientClient,
    max: most,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: turnWithinMs,
    keepAlive: true,
    ...(patienceMs === undefined ? {} : { query_timeout: patienceMs }),
  })
  pool.on('error', (error) => log.warn({ event: 'database.connection-lost', why: error.message }))
  // The pool hears only of connections that lie idle. One that breaks inside a transaction, between two statements, is
  // told by the next statement; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

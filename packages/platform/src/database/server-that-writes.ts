import pg from 'pg'
import type { Config } from '../config.ts'
import { answered } from './answered.ts'
import { databaseConnections } from './connection.ts'
import { DatabaseAway } from './database-away.ts'

/** A connection, and the first word on it, take this long at most; see `answered` for whose time is meant. */
export const ANSWER_WITHIN_MS = 800

/** A client whose connecting ends when the server is silent, also in the middle of a handshake. */
export class PatientClient extends pg.Client {
  // The pool gives a function, everybody else waits for the promise.
  override connect(): Promise<this>
  override connect(done: (error: Error) => void): void
  override connect(done?: (error: Error) => void): Promise<this> | void {
    const connecting = answered(super.connect(), ANSWER_WITHIN_MS).then(
      () => this,
      (error: unknown) => {
        cutOff(this)
        throw error
      },
    )
    if (!done) return connecting
    const tell = done as (error?: Error) => void
    connecting
      .then(() => tell())
      .catch((error: unknown) => tell(error instanceof Error ? error : new Error(String(error))))
  }
}

/** Leaves without a word: one that is silent does not hear a goodbye. */
export function cutOff(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

/**
 * The server that takes writes now: the only one there is, or of several the first that says so.
 * @throws DatabaseAway when none does
 */
export async function serverThatWrites(config: Config, { isDirect }: { isDirect: boolean }): Promise<pg.ClientConfig> {
  const [only, ...others] = databaseConnections(config, isDirect)
  if (only === undefined || others.length === 0) return only ?? {}
  const asked = [only, ...others].map(async (connection) => {
    const why = await whyNotWriting(connection)
    if (why !== null) throw new Error(`${connection.host}:${connection.port} ${why}`)
    return connection
  })
  try {
    return await Promise.any(asked)
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [String(error)]
    throw new DatabaseAway(`no database server takes writes: ${reasons.join('; ')}`)
  }
}

async function whyNotWriting(connection: pg.ClientConfig): Promise<string | null> {
  const client = new PatientClient({ ...connection, keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await answered(
      client.query<{ follows: boolean }>(
        `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS follows`,
      ),
      ANSWER_WITHIN_MS,
    )
    return rows[0]?.follows ? 'takes none' : null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    // Whoever asked does not wait for the goodbye.
    void client.end().catch(() => {})
    setTimeout(cutOff, 1000, client).unref()
  }
}

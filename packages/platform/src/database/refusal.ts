import pg from 'pg'

/** Null when the server lets us in and answers, else why not. Opens a connection of its own. */
export async function databaseRefusal(connection: pg.ClientConfig): Promise<string | null> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2000 })
  // A connection that breaks is told by connect() or query() already.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => {})
  }
}

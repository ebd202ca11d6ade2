import type { Config } from './config.ts'
import type { Database, Tx } from './database/database.ts'
import type { Log } from './log.ts'
import { noteStreamTls, streamZone } from './stream-place.ts'

/** The notification that says that the certificate of the videos' names is another one, or is shown by the edge now. */
export const STREAM_CERTIFICATE = 'stream-certificate'

/** Until when the edge answers for the videos' names by TLS, epoch ms; 0 when it does not. */
export async function streamTlsUntil(tx: Tx, config: Config): Promise<number> {
  const [row] = await tx.query<{ live_until: Date | null }>(
    'SELECT live_until FROM stream_certificate WHERE host = $1',
    [streamZone(config)],
  )
  return row?.live_until?.getTime() ?? 0
}

const LOOK_AGAIN_MS = 30_000

/** Keeps in mind, for `streamOrigin`, whether the edge answers for the videos' names by TLS. */
export async function followStreamTls(config: Config, database: Database, log: Log): Promise<AsyncDisposable> {
  const look = () =>
    database
      .system((tx) => streamTlsUntil(tx, config))
      .then((until) => noteStreamTls(config, until))
      .catch((error: unknown) => log.warn({ event: 'stream-tls.not-read', err: error }))
  await look()
  const listener = database.listen(STREAM_CERTIFICATE, () => void look())
  const timer = setInterval(() => void look(), LOOK_AGAIN_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await listener[Symbol.asyncDispose]()
    },
  }
}

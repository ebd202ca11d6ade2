import {
  embeddedConnection,
  databaseRefusal,
  followsLog,
  forgetLog,
  makeMetrics,
  startControl,
  startEmbeddedDatabase,
} from '@fairway/platform'
import type { RoleContext } from './role.ts'

/**
 * The embedded PostgreSQL, watched: when the server ends, this role ends, and its next start brings the server back.
 */
export async function startDatabaseRole({ config, log, die }: RoleContext): Promise<AsyncDisposable> {
  const database = await startEmbeddedDatabase({ config, log })
  // What nobody carries away any more would be kept up to its bound.
  if (!followsLog(config))
    await forgetLog(config).catch((error: unknown) => log.warn({ event: 'database.log-not-forgotten', err: error }))
  void database.ended.then((how) => die(`PostgreSQL ended by itself (${how})`))
  const metrics = makeMetrics('database')
  const control = await startControl({
    config,
    role: 'database',
    log,
    metrics: () => metrics.metrics(),
    ready: async () => {
      const refusal = await databaseRefusal(embeddedConnection(config))
      return {
        ready: refusal === null,
        reasons: refusal === null ? [] : [refusal],
        facts: { postgresPid: database.pid, adopted: database.adopted },
      }
    },
  })
  return {
    async [Symbol.asyncDispose]() {
      await control[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

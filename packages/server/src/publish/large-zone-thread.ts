/** Builds and publishes one large zone, or folds its patch. */
import { workerData } from 'node:worker_threads'
import { type Config, DatabaseAway, makeLog, openDatabase } from '@fairway/platform'
import { AWAY, type LargeZoneWork } from './large-zones.ts'
import { rebuild } from './outbox.ts'
import { foldPatch } from './publication.ts'

const { config, key, work } = workerData as { config: Config; key: string; work: LargeZoneWork }
await using database = openDatabase(config, makeLog('worker', config), { connections: 1 })
try {
  if (work === 'build') await rebuild(config, database, 'dns-zone', key)
  else await database.system((tx) => foldPatch(tx, key))
} catch (error) {
  // Of errors of other classes the words do not reach the thread that waits.
  const message = error instanceof Error ? error.message : String(error)
  throw new Error(`${error instanceof DatabaseAway ? AWAY : ''}${message}`, { cause: error })
}

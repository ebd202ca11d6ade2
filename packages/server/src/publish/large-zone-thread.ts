/** Builds and publishes one large zone. */
import { workerData } from 'node:worker_threads'
import { type Config, makeLog, openDatabase } from '@fairway/platform'
import { rebuild } from './outbox.ts'

const { config, key } = workerData as { config: Config; key: string }
await using database = openDatabase(config, makeLog('worker', config), { connections: 1 })
await rebuild(config, database, 'dns-zone', key)

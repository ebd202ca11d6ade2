import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { test } from 'node:test'
import { type Log, loadConfig, makeLog } from '@fairway/platform'
import { AWAY, LargeZones } from './large-zones.ts'

test('a large zone is not told to be broken where the database was away', async () => {
  const config = loadConfig({
    FAIRWAY_HOME: '/nowhere',
    FAIRWAY_LOG_LEVEL: 'error',
    FAIRWAY_DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none',
  })
  const logged: string[] = []
  const log: Log = {
    ...makeLog('test', config),
    error: ({ err }: Record<string, unknown>) => void logged.push(err instanceof Error ? err.message : String(err)),
  }
  const failed: string[] = []
  const done = Promise.withResolvers<void>()
  await using large = new LargeZones(config, log, { done: done.resolve, failed: async (key) => failed.push(key) })
  large.build(crypto.randomUUID())
  await done.promise
  assert.ok(logged.length === 1 && logged[0]?.startsWith(AWAY), logged.join())
  assert.deepEqual(failed, [])
})

import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { test } from 'node:test'
import { type Log, loadConfig, makeLog } from '@fairway/platform'
import { AWAY, LargeZones } from './large-zones.ts'

test('a large zone is not told to be broken where the database was away, until it has been three times in a row', async (t) => {
  const clock = { minutes: 0 }
  t.mock.method(performance, 'now', () => clock.minutes * 60_000)
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
  let done = Promise.withResolvers<void>()
  await using large = new LargeZones(config, log, {
    done: () => done.resolve(),
    failed: async (key) => failed.push(key),
  })
  const key = crypto.randomUUID()
  for (; clock.minutes < 3; clock.minutes++) {
    assert.deepEqual(failed, [])
    done = Promise.withResolvers()
    large.build(key)
    await done.promise
  }
  assert.ok(logged.length === 3 && logged.every((line) => line.startsWith(AWAY)), logged.join())
  assert.deepEqual(failed, [key])
})

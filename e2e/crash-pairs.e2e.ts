import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killPairs, startPair } from '@fairway/app'
import { pace } from './pace.ts'

/** Each of the six once; `./fairway bench kill-pairs` ends two hundred. */
const KILLS = 6

test('whichever of two API, worker and collector processes is killed, sessions live on, no job is done twice, no beacon is lost or counted twice, and scores stay new', async (t) => {
  await using pair = await startPair()
  const { met, wrong } = await killPairs(pair, KILLS, (line) => t.diagnostic(line), 5_000 * pace())
  t.diagnostic(JSON.stringify(met))
  assert.deepEqual(wrong, [])
  assert.ok(met.sessions.asked > 50 && met.writes.acknowledged > 20 && met.jobs.given > 1 && met.beacons.taken > 100)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attacks } from './attacks.ts'
import { startWafWorld, tallyOf, totalOf } from './bench-waf.ts'
import { harmless } from './harmless.ts'

/** Of each kind some, the same in every run. */
const EVERY = 9

test('as a domain begins, most attacks are stopped and ordinary requests are not touched', async () => {
  await using world = await startWafWorld([])
  const some = <T>(list: T[]) => list.filter((_, i) => i % EVERY === 0)
  const stopped = totalOf(await tallyOf(world.ours.port, some(attacks())))
  assert.ok(stopped.stopped >= 0.85 * stopped.of, `${stopped.stopped} of ${stopped.of} attacks are stopped`)
  const touched = totalOf(await tallyOf(world.ours.port, some(harmless())))
  assert.ok(touched.stopped <= 0.02 * touched.of, `${touched.stopped} of ${touched.of} harmless requests are touched`)
})

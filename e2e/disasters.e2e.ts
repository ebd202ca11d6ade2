import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DISASTERS, endure, startScene } from '@fairway/app'

/** Of each; `./fairway bench disasters 3600` makes hours of them. */
const SECONDS = 4

test('nodes parted from the API, packets lost, clocks set wrong, documents without sense: every resolver and visitor is answered, and changes go on after it', async (t) => {
  await using stack = new AsyncDisposableStack()
  const { scene, load } = await startScene(stack)
  for (const disaster of DISASTERS.filter(({ needs }) => needs === undefined)) {
    const { met, servedMs } = await endure(scene, load, disaster, SECONDS)
    t.diagnostic(
      `${disaster.name}: a change is served ${servedMs} ms after it; slowest ${met.dns.slowestMs}, ${met.edge.slowestMs} ms`,
    )
    assert.deepEqual([met.dns.lost, met.edge.lost], [[], []], disaster.name)
  }
  assert.deepEqual(await load.stop(), [])
})

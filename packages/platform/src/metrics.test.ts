import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeMetrics } from './metrics.ts'

test('a process that has nothing to do is not woken to be measured, and its longest turn is told', async () => {
  const metrics = makeMetrics('test')
  const turns = () => performance.nodeTiming.uvMetricsInfo.loopCount
  const before = turns()
  await sleep(300)
  assert.ok(turns() - before < 15, `${turns() - before} turns`)
  const busyUntil = performance.now() + 200
  while (performance.now() < busyUntil);
  await sleep(20)
  const longest = async () =>
    Number(/^fairway_nodejs_eventloop_lag_max_seconds\{role="test"\} (.+)$/m.exec(await metrics.metrics())?.[1])
  const first = await longest()
  assert.ok(first >= 0.19)
  await sleep(20)
  // Since it was told last.
  assert.ok((await longest()) < first)
})

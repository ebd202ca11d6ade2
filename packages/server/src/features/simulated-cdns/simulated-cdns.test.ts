import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auditLog, simulatedCdns } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'

const { list, set } = simulatedCdns.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

test('the operator drives a simulated CDN, and it is live when the edge has it', async () => {
  const operator = await api.newClient({ isOperator: true })
  await using edge = startNodeUnderTest(api, 'edge')
  await until(async () => (await operator.call(list, {})).data.every((cdn) => cdn.live))
  const { fault, live, version } = await operator.call(set, { cdn: 'Swiftlane', fault: { mode: 'slow', addMs: 300 } })
  assert.deepEqual([fault, live], [{ mode: 'slow', addMs: 300 }, false])
  await until(async () => edge.document('simulated-cdn', 'swiftlane')?.version === version)
  await until(async () => (await operator.call(list, {})).data.find((cdn) => cdn.cdnId === 'swiftlane')?.live)
  const [entry] = (await operator.call(auditLog.routes.list, {})).data
  assert.deepEqual(
    [entry?.action, entry?.changes[0]?.after],
    ['simulatedCdn.set', { fault: { mode: 'slow', addMs: 300 } }],
  )
})

test('others only look; what is not there cannot be driven, nor in impossible ways', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await api.newClient()
  assert.equal((await client.call(list, {})).data.length, 3)
  assert.equal((await client.refusal(set, { cdn: 'swiftlane', fault: { mode: 'down' } })).status, 403)
  assert.equal((await operator.refusal(set, { cdn: 'nowhere', fault: { mode: 'down' } })).status, 404)
  assert.equal((await operator.refusal(set, { cdn: 'swiftlane', fault: { mode: 'errors', percent: 101 } })).status, 400)
})

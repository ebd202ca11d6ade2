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

test('an attack is set off by the operator only, ends by itself, and can be ended before', async () => {
  const operator = await api.newClient({ isOperator: true })
  const client = await api.newClient()
  const { attack, setAttack } = simulatedCdns.routes
  assert.equal((await client.call(attack, {})).attack, null)
  assert.equal((await client.refusal(setAttack, { kind: 'flood' })).status, 403)
  assert.equal((await operator.refusal(setAttack, { kind: 'flood', seconds: 5 })).status, 400)
  const before = Date.now()
  const started = (await operator.call(setAttack, { kind: 'flood', seconds: 60 })).attack
  assert.equal(started?.kind, 'flood')
  const lastsMs = Date.parse(started?.until ?? '') - before
  assert.ok(lastsMs > 30_000 && lastsMs < 120_000, String(lastsMs))
  assert.deepEqual((await client.call(attack, {})).attack, started)
  assert.equal((await operator.call(setAttack, { kind: null })).attack, null)
  await operator.call(setAttack, { kind: 'logins', seconds: 60 })
  await api.database.system((tx) => tx.query(`UPDATE simulated_attack SET until = now() - interval '1 second'`))
  assert.equal((await client.call(attack, {})).attack, null)
})

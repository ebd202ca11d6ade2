import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { PulseRegistration, auditLog, pulse } from '@fairway/contract'
import { nodeTokenOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { get, update } = pulse.routes
const received: PulseRegistration[] = []
let available = true
let sentAway = 0
let collector: http.Server
let api: ApiUnderTest
let running: NodeUnderTest[]
before(async () => {
  collector = http.createServer(async (request, response) => {
    if (!available) return void (sentAway++, response.writeHead(503).end())
    if (
      request.method !== 'PUT' ||
      request.url !== '/pulse/' ||
      request.headers.authorization !== `Bearer ${nodeTokenOf(api)}`
    )
      return void response.writeHead(401).end()
    received.push(PulseRegistration.parse(JSON.parse(await text(request))))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  api = await startApiUnderTest({ FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${(collector.address() as AddressInfo).port}` })
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
  collector.closeAllConnections()
  await new Promise((resolve) => collector.close(resolve))
})

const toldOf = (organizationId: string) =>
  received.findLast((registration) => registration.organizationId === organizationId)

test('the tag names the collector and the key; the collector learns which CDNs to measure', async () => {
  const own = await newSteeredDomain(api)
  const { key, tag, settings } = await own.client.call(get, {})
  assert.equal(
    tag,
    `<script async src="http://127.0.0.1:${api.config.collectorListen.port}/b.js" data-key="${key}"></script>`,
  )
  assert.deepEqual(settings.targets, [])
  await attach(own, ['swiftlane', 'edge'])
  const told = await until(async () => {
    const found = toldOf(own.client.organizationId)
    return found?.settings?.targets.length === 2 && found
  })
  assert.deepEqual(
    [told.key, told.settings?.targets],
    [
      key,
      [
        { c: 'edge', u: 'http://127.0.0.1:8000/.well-known/fairway/test.bin' },
        { c: 'swiftlane', u: 'http://127.0.0.11:8000/.well-known/fairway/test.bin' },
      ],
    ],
  )
})

test('new settings reach the collector, also one that was away for a while', async () => {
  const client = await api.newClient()
  available = false
  const { settings } = await client.call(update, { startDelaySeconds: 5, repeatDelaySeconds: 60, batchNumber: 0 })
  assert.deepEqual([settings.startDelaySeconds, settings.repeatDelaySeconds, settings.batchNumber], [5, 60, 0])
  await until(async () => sentAway > 0)
  available = true
  await until(async () => toldOf(client.organizationId)?.settings?.repeatDelaySeconds === 60)
  assert.equal((await client.call(auditLog.routes.list, {})).data[0]?.action, 'pulse.update')
})

test('delays outside their limits are refused', async () => {
  const client = await api.newClient()
  for (const wrong of [
    { startDelaySeconds: 1 },
    { startDelaySeconds: 61 },
    { repeatDelaySeconds: 9 },
    { repeatDelaySeconds: 61 },
    { batchNumber: 51 },
    { batchNumber: -1 },
  ]) {
    assert.equal(
      (await client.refusal(update, { startDelaySeconds: 2, repeatDelaySeconds: 10, batchNumber: 1, ...wrong })).status,
      400,
      JSON.stringify(wrong),
    )
  }
})

import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { steeringCases, type RouteInput } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'

const { decide } = steeringCases.routes
let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

const page = fs.readFileSync(path.join(import.meta.dirname, '../../../../../docs/steering-cases.md'), 'utf8')
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text = '']) => JSON.parse(text) as RouteInput<typeof decide>,
)

test('the examples of the page are decided as it says', async () => {
  const client = await api.newClient()
  const [fastest, canary, falling, wide] = await Promise.all(examples.map((one) => client.call(decide, one)))
  assert.deepEqual(fastest?.shares, [{ cdnId: 'polaris', percent: 100 }])
  const [first] = examples
  assert.ok(first)
  const kept = await client.call(decide, {
    ...first,
    previous: 'swiftlane',
    policy: { ...first.policy, settings: { marginPercent: 50 } },
  })
  assert.equal(kept.trace.steps[0]?.candidates.find((one) => one.chosen)?.reason, 'kept-by-margin')
  assert.equal(canary?.dependsOn.cidrPrefixLength, 24)
  assert.deepEqual(
    [canary?.trace.steps[0]?.reason, canary?.trace.steps[1]?.candidates[0]?.reason, canary?.shares[0]?.cdnId],
    ['outside-share', 'returning', 'swiftlane'],
  )
  const polaris = falling?.trace.steps[0]?.candidates[0]
  assert.deepEqual(
    [falling?.shares[0]?.cdnId, polaris?.reason, polaris?.availability?.fellFast, polaris?.availability?.value],
    ['swiftlane', 'below-threshold', true, 55],
  )
  const winner = wide?.trace.steps[0]?.candidates[1]
  assert.deepEqual(
    [wide?.shares[0]?.cdnId, winner?.reason, winner?.throughputMbps, winner?.throughputFrom],
    ['swiftlane', 'chosen-by-throughput', 64, { source: 'rum', level: 'country:JP', samples: 20 }],
  )
  const few = structuredClone(examples[3])
  const measured = few?.scores?.cdns['swiftlane']?.places?.['country:JP']?.rum
  assert.ok(few && measured)
  measured.throughputSamples = 19
  const unknown = await client.call(decide, few)
  assert.equal(unknown.shares[0]?.cdnId, 'polaris')
  assert.equal(unknown.trace.steps[0]?.candidates[1]?.throughputMbps, undefined)
})

test('fields that are not known and what saving refuses are told by their path', async () => {
  const client = await api.newClient()
  const [first] = examples
  assert.ok(first)
  const refused = async (policy: object) =>
    (await client.refusal(decide, { ...first, policy: { ...first.policy, ...policy } })).fields?.map((one) => one.path)
  assert.deepEqual(await refused({ colour: 'red' }), ['policy.colour'])
  assert.deepEqual(await refused({ cdns: [{ cdnId: 'polaris' }] }), [
    'policy.strategies.0.targets.1.cdnId',
    'scores.cdns.swiftlane',
  ])
  assert.deepEqual(await refused({ settings: { marginPercent: 51 } }), ['policy.settings.marginPercent'])
})

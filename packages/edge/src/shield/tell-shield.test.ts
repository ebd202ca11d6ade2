import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutgoingGate } from '@fairway/platform'
import type { PolicyDocument } from '@fairway/edge-lua'
import { policyDocument } from '../policy/policy.ts'
import { edgeConfig, recordingLog, siteOf, startOrigin, temporaryHome } from '../testing/edge-under-test.ts'
import { originTimes } from './origin-times.ts'
import { countsSince } from './tell-shield.ts'

test('each request is told once: a post that fails is told again, and an nginx that starts anew counts from zero', () => {
  const counter = countsSince()
  counter.see({ 'd1 own': 10, 'd1 others': 2, 'd2 own': 1 })
  const first = counter.waiting()
  assert.deepEqual(first, [
    { domainId: 'd1', own: 10, others: 2 },
    { domainId: 'd2', own: 1, others: 0 },
  ])
  // Not told yet, and more came meanwhile.
  counter.see({ 'd1 own': 15, 'd1 others': 2, 'd2 own': 1 })
  counter.told(first)
  assert.deepEqual(counter.waiting(), [{ domainId: 'd1', own: 5, others: 0 }])
  counter.see({ 'd1 own': 3 })
  assert.deepEqual(counter.waiting(), [{ domainId: 'd1', own: 8, others: 0 }])
  counter.told(counter.waiting())
  counter.see({ 'd1 own': 3 })
  assert.deepEqual(counter.waiting(), [])
})

test('only shielded origins are connected to, through the gate, and what does not answer is told as failed', async () => {
  const config = await edgeConfig(temporaryHome())
  const gate = new OutgoingGate({ config, log: recordingLog() })
  const closed = new OutgoingGate({ config: { ...config, privateNetworks: [] }, log: recordingLog() })
  await using website = await startOrigin((_request, response) => response.end())
  const policyOf = (domainId: string, port: number, isShielded = true): PolicyDocument => {
    const { body } = siteOf('site', 1, [{ domainId, origin: website.origin({ port }), ...(isShielded ? SHIELD : {}) }])
    const [domain] = (body as { domains: Parameters<typeof policyDocument>[0][] }).domains
    assert.ok(domain)
    return policyDocument(domain, domain, gate)
  }
  const policies = [policyOf('there', website.port), policyOf('gone', 1), policyOf('plain', website.port, false)]
  const times = originTimes(gate, () => policies)
  for (let turn = 0; turn < 3; turn++) await times.look()
  const told = new Map(times.told().map((one) => [one.domainId, one]))
  assert.deepEqual([...told.keys()].toSorted(), ['gone', 'there'])
  assert.deepEqual([told.get('there')?.samples, told.get('there')?.failed], [3, 0])
  assert.ok((told.get('there')?.ms ?? -1) >= 0)
  assert.deepEqual([told.get('gone')?.ms, told.get('gone')?.samples, told.get('gone')?.failed], [null, 0, 3])
  assert.equal(website.asked.length, 0)
  // Nobody is led into a network of ours by naming it.
  const inside = originTimes(closed, () => policies)
  await inside.look()
  assert.deepEqual(
    inside.told().map(({ samples, failed }) => [samples, failed]),
    [
      [0, 1],
      [0, 1],
    ],
  )
  policies.splice(0)
  await times.look()
  assert.deepEqual(times.told(), [])
})

const SHIELD = { shield: { nodes: [{ node: 'n', region: 'r', host: '192.0.2.1', port: 1 }] } }

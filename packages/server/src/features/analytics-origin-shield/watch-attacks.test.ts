import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { notifications } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { newSteeredDomain } from '../../testing/steered-domain.ts'
import { watchAttacks } from './watch-attacks.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

test('an attack is told once, and again with its peak, sources and end when it is over; its own organisation alone', async () => {
  const { client, site, domain } = await newSteeredDomain(api)
  const other = await newSteeredDomain(api)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const now = Date.now()
  const at = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 23)
  const event = (agoMs: number, weight: number, address: string, more: object = {}) => ({
    at: at(now - agoMs),
    organization: client.organizationId,
    site,
    domain,
    part: 'firewall-rules',
    action: 'block',
    rule: 'r',
    reason: 'rule',
    address,
    country: 'DE',
    weight,
    ...more,
  })
  const told = async (of = client) =>
    (await of.call(notifications.routes.list, {})).data.filter((one) => one.event === 'attack')
  await events.insert('security_events', [
    event(30_000, 150, '203.0.113.1'),
    event(20_000, 500, '203.0.113.2', { action: 'simulate', reason: 'simulated' }),
  ])
  await watchAttacks(api.database, events, now, api)
  assert.deepEqual(await told(), [], 'what is only simulated, and what is little, is no attack')
  await events.insert('security_events', [event(10_000, 300, '203.0.113.3'), event(80_000, 900, '203.0.113.4')])
  await watchAttacks(api.database, events, now, api)
  await watchAttacks(api.database, events, now + 1000, api)
  const [begun, ...more] = await told()
  assert.deepEqual(more, [])
  assert.equal(begun?.endedAt, null)
  await watchAttacks(api.database, events, now + 400_000, api)
  // The worker looks on by its own clock meanwhile.
  const ended = (await told()).find((one) => one.endedAt !== null)
  assert.ok(ended?.endedAt !== null && ended?.endedAt !== undefined)
  assert.ok(Date.parse(ended.endedAt) <= now, 'it ended with its last request')
  const [row] = await api.database.system((tx) =>
    tx.query<{ fields: { stopped: number; sources: number; peak: number } }>(
      `SELECT fields FROM notification WHERE event = 'attack' AND ended_at IS NOT NULL`,
    ),
  )
  assert.deepEqual([row?.fields.stopped, row?.fields.sources], [1350, 3])
  assert.ok((row?.fields.peak ?? 0) >= 450)
  assert.deepEqual(await told(other.client), [])
})

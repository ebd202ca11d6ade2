import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { nodes, notifications, type OriginReport, overview } from '@fairway/contract'
import { type ApiUnderTest, clientOf, nodeTokenOf, startApiUnderTest } from '../../testing/api-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { watchOrigins } from './origin-down.ts'

let api: ApiUnderTest
let node: ReturnType<typeof clientOf>
let running: NodeUnderTest[]
before(async () => {
  api = await startApiUnderTest()
  node = clientOf(api.url, nodeTokenOf(api))
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(running.map((one) => one[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

/** A node that is waited for by nobody: it confirms nothing. */
async function join(name: string): Promise<string> {
  const { nodeId } = await node.call(nodes.routes.register, { name, role: 'edge', version: '1', controlUrl: null })
  await sql(`UPDATE node SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [nodeId])
  return nodeId
}
const sql = (text: string, values: unknown[]) => api.database.system((tx) => tx.query(text, values))
/** As if the domain had been told of for a while, so that the others have had their turn. */
const settle = ({ domain }: SteeredDomain) =>
  sql(`UPDATE origin_report SET since = since - interval '1 minute' WHERE domain_id = $1`, [domain])
const pass = (seconds: number, { domain }: SteeredDomain) =>
  sql('UPDATE health_event SET ended_at = ended_at - make_interval(secs => $2) WHERE domain_id = $1', [domain, seconds])

/** What a node says of it; answers whether every node is asked for it. */
async function tell(of: SteeredDomain, by: string, counts: Partial<OriginReport>): Promise<boolean> {
  const report = { domainId: of.domain, answered: 0, unconnected: 0, silent: 0, ...counts }
  const { asked } = await node.call(nodes.routes.tellOrigins, { node: by, origins: [report] })
  await settle(of)
  await watchOrigins(api.database)
  return asked.includes(of.domain)
}
const openOf = async ({ client, site }: SteeredDomain, domain?: string) =>
  (await client.call(overview.routes.get, { site, ...(domain === undefined ? {} : { domain }) })).events
    .filter(({ kind, endedAt }) => kind === 'origin-down' && endedAt === null)
    .map(({ title, detail }) => [title, detail['failed'], detail['asked']])
const toldOf = async ({ client }: SteeredDomain) =>
  (await client.call(notifications.routes.list, {})).data
    .filter(({ event }) => event === 'origin-down')
    .map(({ endedAt }) => (endedAt === null ? 'open' : 'over'))
async function served(): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  return own
}

test('an origin that nobody can connect to opens an incident, and its end is told when it has lasted', async () => {
  const [own, one] = [await served(), await join('edge-a')]
  assert.equal(await tell(own, one, { unconnected: 9 }), false)
  assert.equal(await tell(own, one, { answered: 2, unconnected: 19 }), true)
  assert.deepEqual(await openOf(own), [[own.host, 19, 21]])
  assert.deepEqual(await openOf(own, own.domain), [[own.host, 19, 21]])
  assert.deepEqual(await toldOf(own), ['open'])
  await tell(own, one, { unconnected: 500 })
  assert.deepEqual(await toldOf(own), ['open'], 'one incident')
  // Half of it is no end yet.
  await tell(own, one, { answered: 49, unconnected: 51 })
  assert.equal((await openOf(own)).length, 1)
  assert.equal(await tell(own, one, { answered: 50, unconnected: 50 }), true)
  assert.deepEqual([await openOf(own), await toldOf(own)], [[], ['open']])
  await pass(61, own)
  await watchOrigins(api.database)
  assert.deepEqual(await toldOf(own), ['over'])
  // What fails again within ten minutes is the same incident, whose end waits as long.
  await tell(own, one, { unconnected: 40 })
  assert.deepEqual([(await openOf(own)).length, await toldOf(own)], [1, ['open']])
  await tell(own, one, { answered: 40 })
  await pass(61, own)
  await watchOrigins(api.database)
  assert.deepEqual(await toldOf(own), ['open'])
  await pass(600, own)
  await watchOrigins(api.database)
  assert.deepEqual(await toldOf(own), ['over'])
})

test('what answers other nodes is no outage, nor is what few asked for, or one round alone', async () => {
  const own = await served()
  const [one, other] = [await join('edge-b'), await join('edge-c')]
  await tell(own, other, { answered: 5 })
  await tell(own, one, { unconnected: 45 })
  assert.equal((await openOf(own)).length, 1, 'nine of ten failed')
  const second = await served()
  await tell(second, other, { answered: 6 })
  await tell(second, one, { unconnected: 45 })
  assert.deepEqual(await openOf(second), [])
  const third = await served()
  await tell(third, one, { silent: 19 })
  assert.deepEqual(await openOf(third), [])
  const report = { domainId: third.domain, answered: 0, unconnected: 100, silent: 0 }
  await sql('DELETE FROM origin_report WHERE domain_id = $1', [third.domain])
  await node.call(nodes.routes.tellOrigins, { node: one, origins: [report, report] })
  await watchOrigins(api.database)
  assert.deepEqual(await openOf(third), [], 'the other nodes have not had their turn')
})

test('nobody tells of what is not there, and an incident of a domain that goes is over without a word', async () => {
  const [own, one] = [await served(), await join('edge-d')]
  await node.call(nodes.routes.tellOrigins, {
    node: one,
    origins: [{ domainId: crypto.randomUUID(), answered: 0, unconnected: 99, silent: 0 }],
  })
  await tell(own, crypto.randomUUID(), { unconnected: 99 })
  assert.deepEqual(await openOf(own), [])
  await tell(own, one, { silent: 99 })
  assert.equal((await openOf(own)).length, 1)
  await sql('UPDATE domain SET removed_at = now() WHERE id = $1', [own.domain])
  await watchOrigins(api.database)
  assert.deepEqual(await openOf(own), [])
  await sql('DELETE FROM health_event WHERE domain_id = $1', [own.domain])
  await watchOrigins(api.database)
  assert.deepEqual(await toldOf(own), ['over'])
})

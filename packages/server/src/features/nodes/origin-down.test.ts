import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { after, before, test } from 'node:test'
import { cdnManagement, nodes, notifications, type OriginReport, overview } from '@fairway/contract'
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

/** As if so long had gone by since all that was told. */
const wait = (seconds: number, { domain }: SteeredDomain) =>
  sql(
    'UPDATE origin_report SET since = since - make_interval(secs => $2), told_at = told_at - make_interval(secs => $2) WHERE domain_id = $1',
    [domain, seconds],
  )
async function say(of: SteeredDomain, by: string, counts: Partial<OriginReport>): Promise<void> {
  const report = { domainId: of.domain, answered: 0, unconnected: 0, silent: 0, ...counts }
  await node.call(nodes.routes.tellOrigins, { node: by, origins: [report] })
  await watchOrigins(api.database)
}
const lettersOf = async ({ host }: SteeredDomain) =>
  (
    await api.database.system((tx) =>
      tx.query<{ title: string }>(
        `SELECT fields->>'title' AS title FROM mail_message WHERE fields->>'title' LIKE '%' || $1 || '%' ORDER BY created_at`,
        [host],
      ),
    )
  ).map(({ title }) => title)

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

test('the others have their turn from the moment when they are asked, not from the first failure', async () => {
  const [own, one, other] = [await served(), await join('edge-e'), await join('edge-f')]
  for (let round = 0; round < 5; round++) {
    await say(own, one, { unconnected: 3 })
    await wait(15, own)
  }
  // All are asked from here on.
  for (let round = 0; round < 3; round++) {
    await say(own, one, { unconnected: 60 })
    assert.deepEqual(await openOf(own), [], `round ${round}`)
    await wait(15, own)
  }
  await say(own, other, { answered: 60 })
  await say(own, one, { unconnected: 60 })
  assert.deepEqual(await openOf(own), [], 'one that only a node has trouble with')
  await say(own, other, { answered: 60, unconnected: 600 })
  assert.equal((await openOf(own)).length, 1)
})

test('a stranger who asks all nodes for a slow path is counted once, and what cannot be connected at each', async () => {
  const [own, five] = [await served(), await Promise.all([1, 2, 3, 4, 5].map((n) => join(`edge-five-${n}`)))]
  for (const one of five) await tell(own, one, { silent: 5 })
  assert.deepEqual(await openOf(own), [])
  for (const one of five.slice(0, 3)) await tell(own, one, { unconnected: 4, silent: 5 })
  assert.deepEqual(await openOf(own), [], 'twelve and five')
  await tell(own, five[4] ?? '', { answered: 3, silent: 5 })
  assert.deepEqual(await openOf(own), [], 'what is answered does not make it enough')
  await tell(own, five[3] ?? '', { unconnected: 4, silent: 5 })
  assert.deepEqual(await openOf(own), [[own.host, 41, 44]])
})

test('what is silent at each of several nodes is down though some is answered at each, and up when half is', async () => {
  const own = await served()
  const nodesOf = await Promise.all([1, 2, 3, 4].map((n) => join(`edge-hang-${n}`)))
  for (const one of nodesOf) await say(own, one, { answered: 2, silent: 20 })
  await settle(own)
  await watchOrigins(api.database)
  assert.deepEqual(await openOf(own), [[own.host, 80, 88]])
  for (const one of nodesOf) await tell(own, one, { answered: 15, silent: 20 })
  assert.equal((await openOf(own)).length, 1, 'the silence of one node is not half of all answers')
  for (const one of nodesOf) await tell(own, one, { answered: 20, silent: 20 })
  assert.deepEqual(await openOf(own), [])
})

test('of an origin that nobody asks any more it is not said that it answers again', async () => {
  const [own, one] = [await served(), await join('edge-g')]
  const { client, site, domain } = own
  const { data } = await client.call(cdnManagement.routes.list, { site, domain })
  const use = (enabled: boolean) => sql('UPDATE domain_cdn SET enabled = $2 WHERE id = $1', [data[0]?.id, enabled])
  await tell(own, one, { unconnected: 40 })
  assert.equal((await openOf(own)).length, 1)
  await use(false)
  for (let round = 0; round < 2; round++) {
    await watchOrigins(api.database)
    assert.deepEqual(await openOf(own), [], 'its last reports open nothing')
  }
  await pass(61, own)
  await watchOrigins(api.database)
  assert.deepEqual([await toldOf(own), await lettersOf(own)], [['over'], [`The origin of ${own.host} does not answer`]])
  // It is asked again and fails; then it does answer.
  await use(true)
  await tell(own, one, { unconnected: 40 })
  assert.deepEqual([(await openOf(own)).length, await toldOf(own)], [1, ['open']])
  await tell(own, one, { answered: 40 })
  await pass(601, own)
  await watchOrigins(api.database)
  assert.deepEqual(
    [await toldOf(own), (await lettersOf(own)).at(-1)],
    [['over'], `The origin of ${own.host} answers again`],
  )
})

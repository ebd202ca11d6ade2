import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dnsRecords, nodes, overview, sites, type HealthTransition, type ScoresSnapshot } from '@fairway/contract'
import {
  clientOf,
  nodeTokenOf,
  startApiUnderTest,
  type ApiUnderTest,
  type Client,
} from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

let api: ApiUnderTest
let running: NodeUnderTest[]
before(async () => {
  api = await startApiUnderTest()
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

test('a CDN that probes see dead shows at once, with its event, which ends when it is back', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const diedAt = Date.now() - 1000
  await tell(own, true, diedAt)
  const down = await own.client.call(overview.routes.get, { site: own.site })
  assert.deepEqual(
    down.cdns.map((cdn) => [cdn.cdnId, cdn.hardDown, cdn.since, cdn.latencyMs, cdn.availability, cdn.samples]),
    [
      ['swiftlane', true, new Date(diedAt).toISOString(), 42, 99.5, 200],
      ['polaris', false, null, null, null, 0],
    ],
  )
  assert.deepEqual(
    down.events.map((event) => [event.kind, event.title, event.cdnId, event.detail['evidence'], event.endedAt]),
    [['cdn-down', 'Swiftlane', 'swiftlane', '2 of 3 nodes', null]],
  )
  await tell(own, true, diedAt + 100)
  await tell(own, false, Date.now())
  const back = await own.client.call(overview.routes.get, { site: own.site })
  assert.deepEqual([back.cdns[0]?.hardDown, back.events.length, back.events[0]?.endedAt === null], [false, 1, false])
  // Another site of the organisation has other CDNs.
  const other = await own.client.call(sites.routes.create, { domainName: 'quiet.example' })
  assert.deepEqual((await own.client.call(overview.routes.get, { site: other.data.id })).events, [])
  const stranger = await newSteeredDomain(api)
  assert.deepEqual((await stranger.client.call(overview.routes.get, { site: stranger.site })).events, [])
})

test('a console hears of what happens in its own organisation, and of nothing else', async () => {
  const [own, other] = [await newSteeredDomain(api), await newSteeredDomain(api)]
  await using heard = await listen(own.client)
  await tell(other, true, Date.now())
  await other.client.call(dnsRecords.routes.create, { site: other.site, type: 'TXT', name: 'x', value: 'y' })
  await own.client.call(dnsRecords.routes.create, { site: own.site, type: 'TXT', name: 'x', value: 'y' })
  await until(
    async () =>
      heard.events.some((event) => event.kind === 'version') &&
      heard.events.some((event) => event.kind === 'acknowledged'),
  )
  await tell(own, true, Date.now())
  await until(async () => heard.events.some((event) => event.kind === 'health'))
  assert.deepEqual([...new Set(heard.events.map((event) => event.siteId))].sort(), [null, own.site].sort())
})

type Heard = { kind: string; siteId: string | null }

async function listen(client: Client): Promise<AsyncDisposable & { events: Heard[] }> {
  const stop = new AbortController()
  const response = await fetch(new URL(overview.routes.events.path, api.url), {
    headers: { authorization: `Bearer ${client.token}` },
    signal: stop.signal,
  })
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const events: Heard[] = []
  const reading = (async () => {
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      for (const line of chunk.split('\n'))
        if (line.startsWith('data: ')) events.push(overview.routes.events.out.parse(JSON.parse(line.slice(6))))
    }
  })().catch(() => {})
  return {
    events,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reading
    },
  }
}

async function tell({ client }: SteeredDomain, hardDown: boolean, at: number): Promise<void> {
  const world = { rum: { samples: 200, availability: 99.5, latencyMs: 42, newestAt: at } }
  const snapshot: ScoresSnapshot = {
    organizationId: client.organizationId,
    serial: at % 2 ** 31,
    builtAt: at,
    lifetimeSeconds: 60,
    cdns: { swiftlane: { hardDown, hardDownSince: hardDown ? at : null, places: { world } } },
  }
  const transition: HealthTransition = {
    organizationId: client.organizationId,
    cdnId: 'swiftlane',
    hardDown,
    at,
    evidence: '2 of 3 nodes',
  }
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, {
    name: 'node',
    role: 'collector',
    version: '1',
    controlUrl: null,
  })
  await node.call(nodes.routes.publishScores, { node: nodeId, snapshots: [snapshot], transitions: [transition] })
}

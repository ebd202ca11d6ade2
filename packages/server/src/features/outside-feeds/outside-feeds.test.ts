import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { FEED_KEYS, openStore, startCollector, startStore } from '@fairway/analytics'
import {
  dataFeeds,
  nodes,
  notifications,
  outsideFeeds,
  routingStrategies,
  type LeftOutFeed,
  type ScoresSnapshot,
  type SeenFeed,
} from '@fairway/contract'
import { collectorAuthorization, freePort, unsealForNodes } from '@fairway/platform'
import { clientOf, nodeTokenOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { list, create, update, rotateKey, remove } = outsideFeeds.routes
let api: ApiUnderTest
let collector: NodeUnderTest
let running: NodeUnderTest[]
before(async () => {
  // Nothing listens there until a test does.
  api = await startApiUnderTest({ FAIRWAY_COLLECTOR_LISTEN: `127.0.0.1:${await freePort()}` })
  collector = startNodeUnderTest(api, 'collector')
  running = [collector, startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

const published = (organizationId: string) => collector.document('outside-feeds', organizationId)
const keysOf = (organizationId: string) =>
  published(organizationId)?.feeds[0]?.keys.map(({ sealed }) => unsealForNodes(api.config, FEED_KEYS, sealed))

test('a feed is made with a key that is shown once, travels sealed to the collector, and can be replaced', async () => {
  const client = await api.newClient()
  const of = client.organizationId
  const { data, key } = await client.call(create, { name: ' Own monitoring ', weightPercent: 40 })
  assert.match(key, /^fwf_[\w-]{43}$/)
  assert.deepEqual([data.name, data.weightPercent, data.enabled, data.seen], ['Own monitoring', 40, true, null])
  assert.ok(data.url.endsWith(`/feeds/${data.id}/`))
  await until(async () => keysOf(of)?.join() === key)
  const rows = await api.database.system((tx) =>
    tx.query<{ all: string }>(`SELECT to_jsonb(f)::text AS all FROM outside_feed f WHERE organization_id = $1`, [of]),
  )
  assert.ok(!rows[0]?.all.includes(key.slice(4)), 'sealed at rest')
  assert.ok(!JSON.stringify(await client.call(list, {})).includes(key))

  const rotated = await client.call(rotateKey, { id: data.id })
  assert.ok(Date.parse(rotated.data.oldKeyUntil ?? '') > Date.now() + 23 * 3_600_000)
  await until(async () => keysOf(of)?.join() === [rotated.key, key].join())
  assert.notEqual(published(of)?.feeds[0]?.keys[1]?.until, null)
  // One more within the day: the key that the sender is known to have stays, not the one in between.
  const again = await client.call(rotateKey, { id: data.id })
  assert.equal(again.data.oldKeyUntil, rotated.data.oldKeyUntil)
  await until(async () => keysOf(of)?.join() === [again.key, key].join())

  await client.call(update, { id: data.id, name: 'Own', weightPercent: 0, enabled: false })
  await until(async () => published(of)?.feeds[0]?.enabled === false)
  await client.call(remove, { id: data.id })
  await until(async () => published(of) === null)
  assert.equal((await client.refusal(remove, { id: data.id })).status, 404)
})

test('ten feeds of different names are all there may be, and wrong fields are told', async () => {
  const client = await api.newClient()
  for (let index = 0; index < 10; index++) await client.call(create, { name: `Feed ${index}` })
  assert.equal((await client.refusal(create, { name: 'One more' })).code, 27050)
  const { data } = await client.call(list, {})
  await client.call(remove, { id: data[0]?.id ?? '' })
  const taken = await client.refusal(create, { name: 'fEED 5' })
  assert.deepEqual([taken.code, taken.fields?.[0]?.path], [27051, 'name'])
  assert.equal((await client.refusal(update, { id: data[1]?.id ?? '', name: 'Feed 5' })).code, 27051)
  for (const wrong of [
    { name: '' },
    { name: 'x'.repeat(61) },
    { name: 'x', weightPercent: 101 },
    { name: 'x', weightPercent: 1.5 },
  ])
    assert.equal((await client.refusal(create, wrong)).status, 400)
})

test('a feed of another organisation is not there', async () => {
  const [mine, other] = [await api.newClient(), await api.newClient()]
  const { id } = (await mine.call(create, { name: 'Mine' })).data
  assert.deepEqual((await other.call(list, {})).data, [])
  for (const refused of [
    await other.refusal(update, { id, name: 'Theirs' }),
    await other.refusal(rotateKey, { id }),
    await other.refusal(remove, { id }),
  ])
    assert.equal(refused.status, 404)
  await other.call(create, { name: 'Mine' })
})

test('what the collector knows is told, and nothing is made up while it is away', async () => {
  const client = await api.newClient()
  const { id } = (await client.call(create, { name: 'Own' })).data
  assert.equal((await client.call(list, {})).data[0]?.seen, null)
  const seen: SeenFeed = {
    feed: id,
    state: 'feeding',
    since: 1,
    cdnId: null,
    place: null,
    entries: 1,
    samples: 100,
    newestAt: 2,
    compared: 1,
    agreeing: 1,
    posts: [],
  }
  const server = http.createServer((request, response) => {
    const isRight =
      request.headers.authorization === collectorAuthorization(api.config) &&
      request.url === `/feeds/?organization=${client.organizationId}`
    response.writeHead(isRight ? 200 : 401).end(JSON.stringify([seen]))
  })
  const { host, port } = api.config.collectorListen
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  try {
    assert.deepEqual((await client.call(list, {})).data[0]?.seen, seen)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('who would move by one feed is told for a domain, and a feed that is left out is told of once', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const { client, site, domain } = own
  await using _store = await startStore({ config: api.config, log: api.log })
  await using _events = openStore(api.config)
  const { id } = (await client.call(create, { name: 'Own' })).data
  await client.call(routingStrategies.routes.create, {
    site,
    domain,
    name: 'First',
    method: 'static-route',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris' }],
    availabilityThreshold: 90,
  })
  await until(async () => published(client.organizationId)?.cdnIds.join() === 'polaris,swiftlane')
  const node = clientOf(api.url, nodeTokenOf(api))
  const registered = { name: 'c', role: 'collector', version: '1', controlUrl: null } as const
  const { nodeId } = await node.call(nodes.routes.register, registered)
  const said = {
    feed: id,
    name: 'Own',
    samples: 100,
    share: 0.25,
    availability: 10,
    latencyMs: null,
    newestAt: Date.now(),
  }
  const probed = { world: { sum: { samples: 100, availability: 100, latencyMs: 5, newestAt: Date.now() } } }
  let serial = 0
  const publish = (leftOut: LeftOutFeed[], off?: true) =>
    node.call(nodes.routes.publishScores, {
      node: nodeId,
      snapshots: [
        {
          organizationId: client.organizationId,
          serial: ++serial,
          builtAt: Date.now(),
          lifetimeSeconds: 300,
          cdns: {
            swiftlane: {
              hardDown: false,
              hardDownSince: null,
              places: { ...probed, 'country:JP': { feed: [off ? { ...said, off } : said] } },
            },
            polaris: { hardDown: false, hardDownSince: null, places: probed },
          },
          leftOut,
        } satisfies ScoresSnapshot,
      ],
      transitions: [],
    })
  await publish([])
  const asked = { site, domain, feed: 'outside-feeds' as const }
  const moves = async (outside: string) =>
    (await client.call(dataFeeds.routes.without, { ...asked, outside })).moves.map(
      ({ place, before: was, after: then }) => `${place} ${was[0]?.cdnId} ${then[0]?.cdnId}`,
    )
  assert.deepEqual(await moves(id), ['country:JP polaris swiftlane'])
  const told = (await client.call(dataFeeds.routes.list, { site, domain })).feeds.find(
    (one) => one.feed === 'outside-feeds',
  )
  assert.deepEqual(
    [told?.state, told?.samples, told?.cdns[0]?.availability, told?.cdns[0]?.senders],
    ['feeding', 100, 10, 1],
  )
  assert.equal((await client.refusal(dataFeeds.routes.without, { ...asked, outside: crypto.randomUUID() })).status, 404)
  assert.equal((await client.refusal(dataFeeds.routes.without, { ...asked, feed: 'pulse', outside: id })).status, 404)
  await client.call(update, { id, name: 'Own', enabled: false })
  await publish([], true)
  assert.deepEqual(await moves(id), ['country:JP swiftlane polaris'])
  await client.call(update, { id, name: 'Own', enabled: true })

  const incidents = async () =>
    (await client.call(notifications.routes.list, { ordering: '-created_at' })).data
      .filter(({ event }) => event === 'feed-left-out')
      .map(({ fields, endedAt }) => [fields['state'], fields['cdn'], endedAt === null])
  const out = {
    feed: id,
    name: 'Own',
    state: 'contradicts' as const,
    since: Date.now(),
    cdnId: 'swiftlane',
    place: 'country:JP',
  }
  await publish([out])
  await publish([out])
  assert.deepEqual(await incidents(), [['contradicts', 'Swiftlane', true]])
  await publish([])
  assert.deepEqual(await incidents(), [['contradicts', 'Swiftlane', false]])
  await publish([{ ...out, state: 'stopped' }])
  await client.call(remove, { id })
  assert.ok(
    (await incidents()).every(([, , isOpen]) => isOpen === false),
    'a feed that is gone is no incident',
  )
})

test('what is posted to the collector decides where no visitor is heard, and why names the feed', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const { client, site, domain, host } = own
  const { data, key } = await client.call(create, { name: 'Own monitoring' })
  await client.call(routingStrategies.routes.create, {
    site,
    domain,
    name: 'First',
    method: 'static-route',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris' }],
    availabilityThreshold: 90,
  })
  await using _store = await startStore({ config: api.config, log: api.log })
  await using _collector = await startCollector({ config: api.config, log: api.log })
  const post = async () => {
    const measuredAt = new Date().toISOString()
    const entry = { place: 'country:JP', samples: 100, measuredAt }
    const body = JSON.stringify({
      entries: [
        { ...entry, cdn: 'swiftlane', availability: 10 },
        { ...entry, cdn: 'polaris', availability: 100 },
      ],
    })
    const at = String(Math.floor(Date.now() / 1000))
    const signature = crypto.createHmac('sha256', key).update(`${at}.${body}`).digest('hex')
    const headers = { 'feed-timestamp': at, 'feed-signature': `v1=${signature}` }
    return (await fetch(data.url, { method: 'POST', headers, body })).text()
  }
  await until(async () => (await post()) === '{"taken":2,"left":[]}')
  const decided = await until(async () => {
    const { decision } = await client.call(routingStrategies.routes.why, { name: host, client: '133.11.0.1' })
    return decision.shares[0]?.cdnId === 'polaris' ? decision : undefined
  })
  const swiftlane = decided.trace.steps[0]?.candidates.find(({ cdnId }) => cdnId === 'swiftlane')
  assert.deepEqual(
    [swiftlane?.availability?.source, swiftlane?.availability?.value, swiftlane?.availability?.feed?.names],
    ['feed', 10, ['Own monitoring']],
  )
  assert.equal((await client.call(list, {})).data[0]?.seen?.posts[0]?.refused, null)
})

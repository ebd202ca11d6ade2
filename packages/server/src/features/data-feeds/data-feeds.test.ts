import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { dataFeeds, domains, nodes, routingStrategies, versions, type ScoresSnapshot } from '@fairway/contract'
import { reportReader } from '@fairway/platform'
import { clientOf, nodeTokenOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'

const { list, without } = dataFeeds.routes
const { putSetting, why } = routingStrategies.routes
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

test('feeds tell what they said, how much leans on them, where they contradict, and who would move without one', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const { client, site, domain } = own
  assert.equal((await client.refusal(list, { site, domain })).code, 503)
  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  await client.call(routingStrategies.routes.create, {
    site,
    domain,
    name: 'Fastest',
    method: 'best-latency',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris' }],
  })
  await publish(own)
  const at = new Date(Date.now() - 20_000).toISOString().replace('T', ' ').slice(0, 23)
  const many = <T>(count: number, row: (index: number) => T) => Array.from({ length: count }, (_, i) => row(i))
  const organization = client.organizationId
  const beacon = (cdn: string, index: number, ok: number) => ({ at, organization, cdn, subnet: index, ok, rtt_ms: 20 })
  await events.insert('beacons', [
    ...many(40, (i) => beacon('swiftlane', i, i < 10 ? 0 : 1)),
    ...many(30, (i) => beacon('polaris', i, 1)),
    ...many(30, (i) => beacon('not-installed', i, 1)),
  ])
  await events.insert(
    'probes',
    many(30, (i) => ({ at, organization, cdn: 'swiftlane', node: `n${i % 2}`, ok: 1, rtt_ms: 5, error: '' })),
  )
  const request = { at, organization, site, cdn: 'polaris', client: '203.0.113.0', rtt_ms: 12.5, network: 'AS64500' }
  await events.insert('edge_requests', [
    { ...request, domain },
    { ...request, domain, rtt_ms: 0 },
    { ...request, domain: 'of-somebody-else', rtt_ms: 900 },
  ])
  const answers = { at: at.slice(0, 19), organization, site, domain, cdn: 'polaris', built: 1 }
  await events.insert('dns_answers_minute', [
    { ...answers, country: 'JP', answers: 30 },
    { ...answers, country: 'DE', answers: 90 },
  ])

  const told = await client.call(list, { site, domain })
  const feed = (name: string) => told.feeds.find((one) => one.feed === name)
  assert.deepEqual(
    told.feeds.map(({ feed: name, samples, decides }) => [name, samples, decides]),
    [
      ['pulse', 70, true],
      ['private-data', 0, true],
      ['probes', 30, true],
      ['network-errors', 0, true],
      ['edge-connections', 1, true],
      ['outside-feeds', 0, true],
    ],
  )
  assert.deepEqual(
    ['private-data', 'network-errors', 'outside-feeds'].map((name) => feed(name)?.state),
    ['off', 'off', 'off'],
  )
  assert.deepEqual(told.errorReporting, {
    on: false,
    secure: false,
    cdns: [
      { cdnId: 'swiftlane', asks: true },
      { cdnId: 'polaris', asks: true },
    ],
  })
  const [edge] = feed('edge-connections')?.cdns ?? []
  assert.deepEqual([edge?.latencyMs, edge?.availability, edge?.senders], [12.5, null, 1])
  const swiftlane = feed('pulse')?.cdns.find(({ cdnId }) => cdnId === 'swiftlane')
  assert.deepEqual([swiftlane?.availability, swiftlane?.senders], [75, 40])
  assert.equal(feed('probes')?.cdns[0]?.senders, 2)
  assert.deepEqual(told.differences, [{ cdnId: 'swiftlane', between: ['pulse', 'probes'], points: 25 }])
  assert.equal(feed('pulse')?.answersPercent, 25, 'Japan alone is decided by visitors')

  const moved = await client.call(without, { site, domain, feed: 'pulse' })
  assert.deepEqual(
    [
      moved.moved,
      moved.answersPercent,
      moved.moves.map((move) => [move.place, move.strategy, move.before, move.after]),
    ],
    [1, 25, [['country:JP', 'Fastest', [{ cdnId: 'polaris', percent: 100 }], [{ cdnId: 'swiftlane', percent: 100 }]]]],
  )
  assert.equal((await client.call(without, { site, domain, feed: 'edge-connections' })).moved, 0)

  const changed = await client.call(putSetting, { site, domain, feedsOff: ['pulse', 'pulse'] })
  assert.deepEqual(changed.data.feedsOff, ['pulse'])
  const policy = () => running[0]?.document('dns-zone', site)?.policies[0]
  await until(async () => policy()?.cdns.every(({ ignores }) => ignores?.join() === 'rum'))
  const now = (await client.call(list, { site, domain })).feeds.find((one) => one.feed === 'pulse')
  assert.deepEqual(
    [now?.switchedOff, now?.placesPercent, now?.samples],
    [true, 0, 70],
    'what it says is shown all the same',
  )
  const chosen = await client.call(why, { name: own.host, client: '133.11.0.1' })
  assert.deepEqual(
    chosen.decision.shares.map(({ cdnId }) => cdnId),
    ['swiftlane'],
    'Japan too is decided by the probes',
  )
  const back = await client.call(without, { site, domain, feed: 'pulse' })
  assert.deepEqual([back.wanted, back.moved, back.moves[0]?.after[0]?.cdnId], ['on', 1, 'polaris'])
  const refused = await client.refusal(putSetting, { site, domain, feedsOff: ['beacons' as 'pulse'] })
  assert.equal(refused.fields?.[0]?.path, 'feedsOff.0')

  await client.call(versions.routes.revert, { site, number: String(changed.meta.version) })
  await until(async () => policy()?.cdns.every(({ ignores }) => ignores === undefined))
  assert.equal((await client.call(list, { site, domain })).feeds[0]?.switchedOff, false)
})

test('a domain asks browsers for reports when it is switched on, each CDN at its own address, which is a version', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'edge'])
  const { client, site, domain, host } = own
  const edge = running[1]
  const served = () => edge?.document('edge-site', site)?.domains.find((one) => one.host === host)
  assert.equal(served()?.reportsTo, '', 'off until somebody chooses it')
  const on = await client.call(domains.routes.update, { site, domain, settings: { networkErrors: true } })
  await until(async () => served()?.reportsTo !== '')
  const paths = [served()?.reportsTo, served()?.cdns['swiftlane']?.reportsTo].map(
    (text) => new URL(text ?? '').pathname,
  )
  const read = reportReader(api.config)
  for (const [index, cdnId] of ['edge', 'swiftlane'].entries()) {
    const about = read(paths[index] ?? '')
    assert.deepEqual(about?.subject, { organizationId: client.organizationId, domainId: domain, cdnId })
    assert.deepEqual(
      [about?.isAbout(host), about?.isAbout(`x.${host}`), about?.isAbout('other.test')],
      [true, false, false],
    )
  }
  const { cdns } = await client.call(domains.routes.compile, { site, domain })
  for (const { settings } of cdns)
    assert.equal(settings.find(({ setting }) => setting === 'networkErrors')?.level, 'exact')
  await client.call(versions.routes.revert, { site, number: String(on.meta.version) })
  await until(async () => served()?.reportsTo === '')
})

/** Visitors of Japan find Polaris faster, the probes Swiftlane. */
async function publish({ client }: SteeredDomain): Promise<void> {
  const measure = (latencyMs: number) => ({ samples: 100, availability: 100, latencyMs, newestAt: Date.now() })
  const cdn = (rum: number, sum: number) => ({
    hardDown: false,
    hardDownSince: null,
    places: { 'country:JP': { rum: measure(rum) }, world: { sum: measure(sum) } },
  })
  const snapshot: ScoresSnapshot = {
    organizationId: client.organizationId,
    serial: 1,
    builtAt: Date.now(),
    lifetimeSeconds: 300,
    cdns: { swiftlane: cdn(80, 5), polaris: cdn(20, 50) },
  }
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, {
    name: 'c',
    role: 'collector',
    version: '1',
    controlUrl: null,
  })
  await node.call(nodes.routes.publishScores, { node: nodeId, snapshots: [snapshot], transitions: [] })
}

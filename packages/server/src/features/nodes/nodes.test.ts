import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  cdnManagement,
  dnsRecords,
  nodes,
  notifications,
  operatorArea,
  sites,
  versions,
  type Disagreement,
} from '@fairway/contract'
import { collectorAuthorization } from '@fairway/platform'
import { clientOf, nodeTokenOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { until } from '../../testing/until.ts'
import { startWorker } from '../../worker.ts'

let api: ApiUnderTest
before(async () => void (api = await startApiUnderTest()))
after(() => api[Symbol.asyncDispose]())

let made = 0
async function newSite() {
  const client = await api.newClient()
  const site = (await client.call(sites.routes.create, { domainName: `fed${++made}.example` })).data.id
  const add = async (name: string) =>
    (await client.call(dnsRecords.routes.create, { site, type: 'TXT', name, value: 'x' })).meta.version ?? 0
  const stateOf = async (version: number) => client.call(versions.routes.get, { site, number: String(version) })
  return { client, site, add, stateOf }
}

test('a node hears of every change in order, and of what it missed when it comes back', async () => {
  const { site, add } = await newSite()
  const newest = await add('a')
  await using node = startNodeUnderTest(api, 'dns', 'late')
  await until(async () => node.document('dns-zone', site)?.version === newest)
  const next = await add('b')
  await until(async () => node.document('dns-zone', site)?.version === next)
  assert.ok(
    node.document('dns-zone', 'system:fairway.test')?.rrsets.some((set) => set.name === '*.swiftlane.cdn.fairway.test'),
  )
})

test('a version is deploying until every node that is there has confirmed it, and failed when one refuses it', async () => {
  await using first = startNodeUnderTest(api, 'dns', 'one')
  const { site, add, stateOf } = await newSite()
  await until(async () => first.document('dns-zone', site))
  await using second = startNodeUnderTest(api, 'dns', 'two')
  await until(async () => second.document('dns-zone', site))
  second.refuse('no space left')
  const refused = await add('a')
  const failed = await until(async () => {
    const version = await stateOf(refused)
    return version.state === 'failed' && version
  })
  const two = failed.nodes.find((node) => node.name === 'two')
  assert.deepEqual([two?.state, two?.reason], ['failed', 'no space left'])
  second.refuse(null)
  const taken = await add('b')
  await until(async () =>
    (await stateOf(taken)).nodes
      .filter((node) => node.name === 'one' || node.name === 'two')
      .every((node) => node.state === 'live'),
  )
})

test('a machine that joins under the name of one that is there gets a name of its own', async () => {
  const { client: owner, site } = await newSite()
  await using node = startNodeUnderTest(api, 'dns', 'twin')
  await until(async () => node.document('dns-zone', site))
  const operator = await api.newClient({ isOperator: true })
  const join = async (name?: string) => {
    const { url } = await operator.call(operatorArea.routes.inviteNode, {})
    const token = new URL(url).pathname.split('/').at(-1) ?? ''
    return (await clientOf(api.url, '').call(nodes.routes.join, { token, name })).name
  }
  assert.match((await join('twin')) ?? '', /^twin-[0-9a-f]{6}$/)
  assert.equal(await join('another'), 'another')
  // Which has joined, and not come yet.
  assert.match((await join('another')) ?? '', /^another-[0-9a-f]{6}$/)
  assert.equal(await join(), undefined)
  assert.equal((await owner.refusal(operatorArea.routes.inviteNode, {})).status, 403)
})

test('nobody is invited where no other machine would reach the collector', async () => {
  await using lonely = await startApiUnderTest({ FAIRWAY_PUBLIC_URL: 'https://console.example' })
  const operator = await lonely.newClient({ isOperator: true })
  assert.equal((await operator.refusal(operatorArea.routes.inviteNode, {})).code, 7408)
})

test('what collectors are shown lets nobody register', async () => {
  const token = collectorAuthorization(api.config).slice('Bearer '.length)
  const asked = { name: 'stranger', role: 'dns', version: '1', controlUrl: null } as const
  assert.equal((await clientOf(api.url, token).refusal(nodes.routes.register, asked)).status, 401)
  assert.ok((await clientOf(api.url, nodeTokenOf(api)).call(nodes.routes.register, asked)).epoch)
})

test('a node that has gone away does not hold a change up', async () => {
  const gone = startNodeUnderTest(api, 'dns', 'gone')
  await using stays = startNodeUnderTest(api, 'dns', 'stays')
  const { site, add, stateOf } = await newSite()
  await until(async () => gone.document('dns-zone', site) && stays.document('dns-zone', site))
  await gone[Symbol.asyncDispose]()
  const version = await add('a')
  await api.database.system((tx) =>
    tx.query(`UPDATE node SET last_seen_at = now() - interval '1 minute' WHERE name <> 'stays'`),
  )
  const live = await until(async () => {
    const found = await stateOf(version)
    return found.state === 'live' && found
  })
  assert.equal(live.nodes.find((node) => node.name === 'gone')?.state, 'away')
})

test('what was changed while no worker ran is published when one comes', async () => {
  const { client, site } = await newSite()
  // As a crash between the commit and the publication leaves it.
  await api.database.system(async (tx) => {
    await tx.query(`UPDATE site SET version = version + 10 WHERE id = $1`, [site])
    await tx.query(`INSERT INTO outbox (organization_id, kind, key) VALUES ($1, 'dns-zone', $2)`, [
      client.organizationId,
      site,
    ])
  })
  await using _second = await startWorker({ config: api.config, log: api.log })
  await until(
    async () =>
      (
        await api.database.system((tx) =>
          tx.query(`SELECT FROM publication WHERE kind = 'dns-zone' AND key = $1 AND version > 10`, [site]),
        )
      ).length > 0,
  )
})

test('an acknowledgement of a node that never registered is 404', async () => {
  const node = clientOf(api.url, nodeTokenOf(api))
  assert.equal((await node.refusal(nodes.routes.acknowledge, { node: 'not-a-node', acknowledgements: [] })).status, 404)
  assert.equal(
    (
      await node.refusal(nodes.routes.acknowledge, {
        node: '00000000-0000-4000-8000-000000000000',
        acknowledgements: [{ kind: 'dns-zone', key: 'x', version: 1, ok: true, reason: null }],
      })
    ).status,
    404,
  )
})

test('a node that claims what was never published is not believed: later changes do not look served', async () => {
  const { site, add, stateOf } = await newSite()
  const newest = await add('a')
  const liar = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await liar.call(nodes.routes.register, {
    name: 'liar',
    role: 'dns',
    version: '0',
    controlUrl: null,
  })
  const claim = (key: string, version: number) =>
    liar.call(nodes.routes.acknowledge, {
      node: nodeId,
      acknowledgements: [{ kind: 'dns-zone', key, version, ok: true, reason: null }],
    })
  await until(async () => (await claim(site, newest)).stored === 1)
  assert.deepEqual([(await claim(site, 1_000_000)).stored, (await claim('no-such-zone', 1)).stored], [0, 0])
  const later = await add('b')
  const found = await until(async () => {
    const version = await stateOf(later)
    return version.nodes.some(({ name }) => name === 'liar') && version
  })
  assert.equal(found.nodes.find(({ name }) => name === 'liar')?.state, 'waiting')
})

test('beacons that contradict everybody else open one incident, which ends when they are told of no more', async () => {
  const client = await api.newClient()
  const organizationId = client.organizationId
  const cdnId = (await client.call(cdnManagement.routes.platforms, { ordering: 'created_at' })).data[0]?.id ?? ''
  const node = clientOf(api.url, nodeTokenOf(api))
  const { nodeId } = await node.call(nodes.routes.register, {
    name: 'c',
    role: 'collector',
    version: '1',
    controlUrl: 'unix:none',
  })
  let serial = 0
  const publish = (disagreements: Disagreement[]) =>
    node.call(nodes.routes.publishScores, {
      node: nodeId,
      snapshots: [
        { organizationId, serial: ++serial, builtAt: Date.now(), lifetimeSeconds: 300, cdns: {}, disagreements },
      ],
      transitions: [],
    })
  const said = { cdnId, heard: 400, subnets: 1, availability: 0, others: 99.54, since: Date.now(), seenAt: Date.now() }
  const told = async () =>
    (await client.call(notifications.routes.list, { ordering: '-created_at' })).data
      .filter((one) => one.event === 'beacons-disagree')
      .map((one) => [one.fields['place'], one.fields['others'], one.endedAt === null])
  await publish([
    { ...said, place: 'country:CN', availability: 77 },
    { ...said, place: 'country:DE', heard: 12 },
  ])
  assert.deepEqual(await told(), [])
  await publish([{ ...said, place: 'country:GB|AS2856' }])
  await publish([{ ...said, place: 'country:GB|AS2856', heard: 500 }])
  assert.deepEqual(await told(), [['country:GB|AS2856', 99.5, true]])
  await publish([{ ...said, place: 'country:FR' }])
  assert.deepEqual((await told()).sort(), [
    ['country:FR', 99.5, true],
    ['country:GB|AS2856', 99.5, false],
  ])
  await publish([])
  assert.ok((await told()).every(([, , open]) => open === false))
})

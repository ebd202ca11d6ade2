import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  LIMITS,
  WhyQuestion,
  nodes,
  routingStrategies,
  versions,
  type RouteInput,
  type ScoresSnapshot,
} from '@fairway/contract'
import { decide } from '@fairway/domain'
import { startControl } from '@fairway/platform'
import { clientOf, nodeTokenOf, startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { create, enable, get, list, remove, reorder, simulate, simulateMany, update, why } = routingStrategies.routes
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

type Rule = Omit<RouteInput<typeof create>, 'site' | 'domain'>
const always = (name: string, cdnId: string, more: Partial<Rule> = {}): Rule => ({
  name,
  method: 'always-use',
  targets: [{ cdnId }],
  ...more,
})
const ruleOf = ({ client, site, domain }: SteeredDomain) => ({
  add: async (rule: Rule) => (await client.call(create, { site, domain, ...rule })).data,
  refused: async (rule: Rule) => (await client.refusal(create, { site, domain, ...rule })).code,
  names: async () => (await client.call(list, { site, domain })).data.map((rule) => rule.name),
})

async function steeredBy(cdnIds: string[], planId = 'enterprise'): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api, { planId })
  await attach(own, cdnIds)
  return own
}

test('strategies are read in their order, can be edited, switched, reordered and removed, and each change undone', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { client, site, domain } = own
  const { add, names } = ruleOf(own)
  const revert = (version: number | null) => client.call(versions.routes.revert, { site, number: String(version) })
  const first = await add(always('First', 'swiftlane', { filter: { places: ['country:JP'] } }))
  const second = await add({
    name: 'Second',
    method: 'best-latency',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris', weight: 3 }],
    availabilityThreshold: null,
  })
  assert.deepEqual(
    [first.priority, second.priority, first.availabilityThreshold, second.availabilityThreshold, second.targets],
    [
      1,
      2,
      90,
      null,
      [
        { cdnId: 'swiftlane', weight: 1 },
        { cdnId: 'polaris', weight: 3 },
      ],
    ],
  )

  const moved = await client.call(reorder, { site, domain, ids: [second.id, first.id] })
  assert.deepEqual(await names(), ['Second', 'First'])
  await revert(moved.meta.version)
  assert.deepEqual(await names(), ['First', 'Second'])

  const off = await client.call(enable, { site, domain, id: first.id, enabled: false })
  assert.equal(off.data.enabled, false)
  assert.equal((await client.call(enable, { site, domain, id: first.id, enabled: false })).meta.version, null)
  await revert(off.meta.version)
  assert.equal((await client.call(get, { site, domain, id: first.id })).enabled, true)

  const edited = await client.call(update, {
    site,
    domain,
    id: second.id,
    name: 'Renamed',
    method: 'best-availability',
    targets: [{ cdnId: 'polaris' }],
  })
  assert.deepEqual([edited.data.name, edited.data.method, edited.data.priority], ['Renamed', 'best-availability', 2])
  const removed = await client.call(remove, { site, domain, id: second.id })
  assert.deepEqual(await names(), ['First'])
  await revert(removed.meta.version)
  const back = await client.call(get, { site, domain, id: second.id })
  assert.deepEqual({ ...back, modifiedAt: '' }, { ...edited.data, modifiedAt: '' })
  await revert(edited.meta.version)
  assert.equal(
    (await client.refusal(versions.routes.revert, { site, number: String(edited.meta.version) })).status,
    409,
  )
  const titles = new Set(
    (await client.call(versions.routes.list, { site, page_size: -1 })).data.map((version) => version.title),
  )
  for (const title of ['Strategy "First" off', `Add strategy "First" to ${own.host}`, 'Remove strategy "Renamed"'])
    assert.ok(titles.has(title), title)
})

test('what cannot work is refused: targets that are not installed or named twice, weights that are all zero', async () => {
  const own = await steeredBy(['swiftlane'])
  const { refused } = ruleOf(own)
  assert.equal(await refused(always('x', 'polaris')), 810011)
  assert.equal(
    await refused({ name: 'x', method: 'weighted-distribution', targets: [{ cdnId: 'swiftlane', weight: 0 }] }),
    810012,
  )
  const twice = await own.client.refusal(create, {
    site: own.site,
    domain: own.domain,
    name: 'x',
    method: 'best-latency',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'swiftlane' }],
  })
  assert.deepEqual(twice.fields, [{ path: 'targets', message: 'validation.duplicateValue' }])
  for (const wrong of [
    { targets: [] },
    { filter: { places: ['country:jp'] } },
    { filter: { cidrs: ['10.0.0.0/33'] } },
    { filter: { networks: ['AS0'] } },
    { availabilityThreshold: 101 },
    { name: ' ' },
  ] as Partial<Rule>[]) {
    assert.equal(await refused({ ...always('x', 'swiftlane'), ...wrong }), 400, JSON.stringify(wrong))
  }
})

test('the plan decides on methods and filters; there is a limit', async () => {
  const own = await steeredBy(['swiftlane'], 'developer')
  const { add, refused } = ruleOf(own)
  assert.equal(await refused({ name: 'x', method: 'best-latency', targets: [{ cdnId: 'swiftlane' }] }), 810003)
  assert.equal(await refused(always('x', 'swiftlane', { filter: { places: ['country:JP'] } })), 810002)
  for (let index = 0; index < LIMITS.strategiesPerDomain; index++) await add(always(`s${index}`, 'swiftlane'))
  assert.equal(await refused(always('one more', 'swiftlane')), 810007)
  const bounded = await steeredBy(['swiftlane'])
  await api.database.system((tx) =>
    tx.query(
      `INSERT INTO plan (id, name, ability, site_limit, record_limit, cdn_limit, minimum_ttl_seconds, maxima) SELECT 'bounded', 'Bounded', ability, site_limit, record_limit, cdn_limit, minimum_ttl_seconds, '{"staticStrategiesPerDomain": 1}' FROM plan WHERE id = 'enterprise'`,
    ),
  )
  await api.database.system((tx) =>
    tx.query(`UPDATE organization SET plan_id = 'bounded' WHERE id = $1`, [bounded.client.organizationId]),
  )
  const its = ruleOf(bounded)
  await its.add(always('the one', 'swiftlane'))
  const measured = await its.add({ name: 'measured', method: 'best-latency', targets: [{ cdnId: 'swiftlane' }] })
  assert.equal(await its.refused(always('a second', 'swiftlane')), 810007)
  assert.equal(
    (
      await bounded.client.refusal(update, {
        site: bounded.site,
        domain: bounded.domain,
        id: measured.id,
        ...always('measured', 'swiftlane'),
      })
    ).code,
    810007,
  )
})

test('reordering needs two strategies and exactly those that are there', async () => {
  const own = await steeredBy(['swiftlane'])
  const { add } = ruleOf(own)
  const place = { site: own.site, domain: own.domain }
  const a = await add(always('a', 'swiftlane'))
  assert.equal((await own.client.refusal(reorder, { ...place, ids: [a.id] })).code, 810009)
  const b = await add(always('b', 'swiftlane'))
  for (const ids of [[a.id], [a.id, a.id], [a.id, b.id, 'x'], ['x', 'y']])
    assert.equal((await own.client.refusal(reorder, { ...place, ids })).status, 409)
})

test('a strategy that nobody can reach is warned about', async () => {
  const own = await steeredBy(['swiftlane'])
  const { add } = ruleOf(own)
  const all = await add(always('all', 'swiftlane'))
  const never = await add(always('never', 'swiftlane', { filter: { places: ['country:JP'] } }))
  const { warnings } = await own.client.call(list, { site: own.site, domain: own.domain })
  assert.deepEqual(warnings, [{ strategyId: never.id, kind: 'unreachable', becauseOf: all.id }])
})

test('without a DNS node to ask, the API decides by the published scores and says so', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const { add } = ruleOf(own)
  await add(always('Japan', 'polaris', { filter: { places: ['country:JP'] } }))
  await add({ name: 'Rest', method: 'best-latency', targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris' }] })
  await publishScores(own, { swiftlane: 80, polaris: 20 })
  const from = (client: string) => own.client.call(why, { name: `${own.host}.`, client })
  const japan = await from('133.11.0.1')
  assert.deepEqual(
    [japan.by, japan.name, japan.visitor.location.country, japan.decision.shares],
    ['api', own.host, 'JP', [{ cdnId: 'polaris', percent: 100 }]],
  )
  assert.equal(japan.decision.trace.steps[0]?.reason, 'decided')
  const elsewhere = await from('8.8.8.8')
  assert.deepEqual(
    [elsewhere.decision.trace.steps.map((step) => step.reason), elsewhere.decision.shares],
    [['filter-place', 'decided'], [{ cdnId: 'polaris', percent: 100 }]],
  )
  const many = await own.client.call(simulateMany, {
    site: own.site,
    domain: own.domain,
    clients: ['133.11.0.1', '133.11.0.0/24', '2001:db8::/48'],
  })
  assert.deepEqual(
    [
      many.by,
      many.answers.map(({ client, cdnId, strategyId }) => [client, cdnId, strategyId === japan.decision.strategyId]),
    ],
    [
      'api',
      [
        ['133.11.0.1', 'polaris', true],
        ['133.11.0.0/24', 'polaris', true],
        ['2001:db8::/48', 'polaris', false],
      ],
    ],
  )
  const draft = await own.client.call(simulate, {
    site: own.site,
    domain: own.domain,
    client: '133.11.0.1',
    draft: [{ id: 'new', ...always('Draft', 'swiftlane') }],
  })
  assert.deepEqual([draft.decision.strategyId, draft.decision.shares], ['new', [{ cdnId: 'swiftlane', percent: 100 }]])
  assert.equal((await own.client.refusal(why, { name: 'www.nowhere.example', client: '8.8.8.8' })).status, 404)
  assert.equal((await (await api.newClient()).refusal(why, { name: own.host, client: '8.8.8.8' })).status, 404)
})

test('a DNS node that is there is asked, with the draft in place of the saved strategies', async () => {
  const own = await steeredBy(['swiftlane', 'polaris'])
  const asked: WhyQuestion[] = []
  await using control = await startControl({
    config: api.config,
    role: 'dns',
    log: api.log,
    ready: () => ({ ready: true, reasons: [] }),
    routes: {
      'POST /why': (body) => {
        const question = WhyQuestion.parse(body)
        asked.push(question)
        const visitor = {
          address: question.client,
          prefixLength: question.prefixLength ?? 32,
          location: { continent: 'EU' as const, country: 'DE', region: null, city: null, network: null, asn: null },
        }
        const policy = question.policy ?? running[0]?.document('dns-zone', own.site)?.policies[0]
        assert.ok(policy)
        return {
          name: question.name,
          visitor,
          decision: decide({ policy, scores: null, visitor, previous: null, now: 0 }),
          decidedAt: 0,
          node: 'ns',
        }
      },
    },
  })
  await using _node = startNodeUnderTest(api, 'dns', 'ns', control.url)
  const saved = await until(async () => {
    const answer = await own.client.call(simulate, { site: own.site, domain: own.domain, client: '192.0.2.7' })
    return answer.by === 'dns-node' && answer
  })
  assert.deepEqual([saved.node, saved.visitor.location.country, asked[0]?.policy], ['ns', 'DE', undefined])
  const draft = await own.client.call(simulate, {
    site: own.site,
    domain: own.domain,
    client: '192.0.2.7',
    prefixLength: 24,
    draft: [{ id: 'd', ...always('D', 'polaris') }],
  })
  assert.deepEqual(
    [draft.decision.strategyId, draft.visitor.prefixLength, asked.at(-1)?.policy?.cdns.map((cdn) => cdn.cdnId)],
    ['d', 24, ['swiftlane', 'polaris']],
  )
})

async function publishScores({ client }: SteeredDomain, latencyByCdn: Record<string, number>): Promise<void> {
  const measure = (latencyMs: number) => ({ rum: { samples: 100, availability: 100, latencyMs, newestAt: Date.now() } })
  const snapshot: ScoresSnapshot = {
    organizationId: client.organizationId,
    serial: 1,
    builtAt: Date.now(),
    lifetimeSeconds: 300,
    cdns: Object.fromEntries(
      Object.entries(latencyByCdn).map(([cdnId, latencyMs]) => [
        cdnId,
        { hardDown: false, hardDownSince: null, places: { world: measure(latencyMs) } },
      ]),
    ),
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

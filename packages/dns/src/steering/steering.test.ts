import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsZone, Measure, ScoresSnapshot, SteeringPolicy } from '@fairway/contract'
import { Client } from '../answer/client.ts'
import { compileZone } from '../segment/compile.ts'
import { Segment } from '../segment/segment.ts'
import type { SteeredEntry } from '../segment/steered-entry.ts'
import { geoFixture } from '../testing/geo-fixture.ts'
import { cdnOf, policyOf, strategyOf, zoneOf } from '../testing/zone-fixture.ts'
import { Xorshift } from './random.ts'
import { Steering, type Choice } from './steering.ts'

const CDNS = [cdnOf('one', 'one.test'), cdnOf('two', 'two.test')]
const fastest = (id: string, extra: Partial<SteeringPolicy> = {}) =>
  policyOf(
    id,
    CDNS,
    [
      strategyOf('fast', {
        method: 'best-latency',
        targets: [
          { cdnId: 'one', weight: 1 },
          { cdnId: 'two', weight: 1 },
        ],
      }),
    ],
    extra,
  )

function world(chose: (choice: Choice) => void = () => {}) {
  const geo = geoFixture()
  const clock = { now: 1_000_000 }
  const steering = new Steering({ locationOf: geo.location, clock: () => clock.now, random: new Xorshift(5), chose })
  const client = new Client(geo)
  let former: Segment | undefined
  const put = async (policy: SteeringPolicy, extra: Partial<DnsZone> = {}): Promise<SteeredEntry> => {
    const segment = await Segment.open(
      compileZone(
        zoneOf('example.test', '', {
          steered: [{ name: 'www.example.test', domainId: 'd', policyId: policy.id }],
          policies: [policy],
          ...extra,
        }),
        1,
      ),
    )
    steering.swapped(former, segment)
    former = segment
    return segment.steered[0] ?? assert.fail()
  }
  const scores = (
    serial: number,
    ms: { one: number; two: number },
    extra: Partial<ScoresSnapshot> = {},
  ): ScoresSnapshot => {
    const measure = (latencyMs: number): Measure => ({
      samples: 100,
      availability: 100,
      latencyMs,
      newestAt: clock.now,
    })
    const cdn = (latencyMs: number) => ({
      hardDown: false,
      hardDownSince: null,
      places: { 'country:JP': { rum: measure(latencyMs) }, world: { rum: measure(latencyMs) } },
    })
    return {
      organizationId: 'org-1',
      serial,
      builtAt: clock.now,
      lifetimeSeconds: 300,
      cdns: { one: cdn(ms.one), two: cdn(ms.two) },
      ...extra,
    }
  }
  const chosen = (entry: SteeredEntry, address = '203.0.113.1') => {
    client.setText(address)
    return steering
      .decide(entry, client)
      .decision.shares.map((share) => share.cdnId)
      .join()
  }
  return { steering, clock, client, put, scores, chosen }
}

test('a decision is made once for all alike visitors, and anew when measurements change', async () => {
  const { steering, put, scores, chosen } = world()
  const entry = await put(fastest('p'))
  steering.setScores(scores(1, { one: 10, two: 20 }))
  for (let i = 0; i < 200; i++) assert.equal(chosen(entry, `203.0.113.${i}`), 'one')
  assert.equal(steering.decisions, 1)
  for (let i = 0; i < 200; i++) chosen(entry, `198.51.${i}.1`)
  assert.equal(steering.decisions, 2)
  steering.setScores(scores(2, { one: 30, two: 20 }))
  assert.equal(chosen(entry), 'two')
  assert.equal(steering.decisions, 3)
})

test('a winner stays while another is better by less than the margin, and over an edit of the policy', async () => {
  const { steering, put, scores, chosen } = world()
  const entry = await put(fastest('p'))
  steering.setScores(scores(1, { one: 20, two: 30 }))
  assert.equal(chosen(entry), 'one')
  steering.setScores(scores(2, { one: 20, two: 19.5 }))
  assert.equal(chosen(entry), 'one')
  const edited = await put(fastest('p2'), { version: 2 })
  assert.equal(chosen(edited), 'one')
  steering.setScores(scores(3, { one: 20, two: 15 }))
  assert.equal(chosen(edited), 'two')
})

test('a place that comes and goes among the measured ones does not go back to what it had before', async () => {
  const { steering, put, scores, chosen } = world()
  const entry = await put(fastest('p'))
  const withPlace = (serial: number, ms: { one: number; two: number }) => steering.setScores(scores(serial, ms))
  const without = (serial: number, ms: { one: number; two: number }) => {
    const snapshot = scores(serial, ms)
    for (const cdn of Object.values(snapshot.cdns)) delete cdn.places['country:JP']
    steering.setScores(snapshot)
  }
  withPlace(1, { one: 20, two: 30 })
  assert.equal(chosen(entry), 'one')
  without(2, { one: 20, two: 15 })
  assert.equal(chosen(entry), 'two')
  withPlace(3, { one: 20, two: 19.5 })
  assert.equal(chosen(entry), 'two')
  without(4, { one: 20, two: 20.5 })
  assert.equal(chosen(entry), 'two')
})

test('processes of one node choose alike within the margin, whoever was asked first, and who disagrees gives in to the first', async () => {
  const said: Choice[][] = [[], []]
  const nodes = await Promise.all(
    said.map(async (list) => {
      const node = world((choice) => list.push(choice))
      return { ...node, entry: await node.put(fastest('p')), list }
    }),
  )
  const [first, second] = [nodes[0] ?? assert.fail(), nodes[1] ?? assert.fail()]
  const measured = (serial: number, ms: { one: number; two: number }) => {
    for (const { steering, scores } of nodes) steering.setScores(scores(serial, ms))
  }
  const both = () => nodes.map(({ entry, chosen }) => chosen(entry))
  const hear = () => {
    const [one, two] = [first.list.splice(0), second.list.splice(0)]
    first.steering.hear(two, true)
    second.steering.hear(one, false)
  }
  measured(1, { one: 20, two: 30 })
  assert.equal(first.chosen(first.entry), 'one')
  hear()
  measured(2, { one: 20, two: 19.5 })
  assert.deepEqual(both(), ['one', 'one'], 'the second was not asked before, and stays with what the first chose')
  assert.deepEqual(said, [[], []], 'nothing new')

  measured(3, { one: 30, two: 20 })
  assert.equal(second.chosen(second.entry), 'two')
  measured(4, { one: 19.5, two: 20 })
  assert.deepEqual(both(), ['one', 'two'], 'news are on their way')
  hear()
  hear()
  measured(5, { one: 19.6, two: 20 })
  assert.deepEqual(both(), ['one', 'one'])
})

test('measurements age with the clock when no new ones come', async () => {
  const { steering, clock, put, scores, chosen } = world()
  const policy = policyOf('p', CDNS, [
    strategyOf('fast', {
      method: 'best-latency',
      targets: [
        { cdnId: 'two', weight: 1 },
        { cdnId: 'one', weight: 1 },
      ],
    }),
  ])
  const entry = await put(policy)
  steering.setScores(scores(1, { one: 10, two: 20 }))
  assert.equal(chosen(entry), 'one')
  clock.now += 305_000
  steering.tick()
  assert.equal(chosen(entry), 'one,two', 'without data an even split')
})

test("this node's own verdict counts at once, and the collector's until it falls silent", async () => {
  const { steering, clock, put, scores, chosen } = world()
  const entry = await put(fastest('p'))
  const verdict = (down: boolean) =>
    steering.setVerdicts('org-1', { at: clock.now, cdns: { one: { down, since: down ? clock.now : null } } })
  verdict(true)
  assert.equal(chosen(entry), 'two', 'without any scores')
  verdict(false)
  const down = scores(1, { one: 10, two: 20 })
  const one = down.cdns['one'] ?? assert.fail()
  steering.setScores({ ...down, cdns: { ...down.cdns, one: { ...one, hardDown: true, hardDownSince: clock.now } } })
  assert.equal(chosen(entry), 'two', 'the collector sees it down')
  clock.now += 20_000
  verdict(false)
  steering.tick()
  assert.equal(chosen(entry), 'one', 'the collector is silent, and we see it alive')
  clock.now += 40_000
  steering.tick()
  assert.equal(chosen(entry), 'two', 'our own verdict is old: the last word of the collector stands')
})

test('policies that no zone uses any more are forgotten', async () => {
  const { steering, client, put } = world()
  const entry = await put(fastest('p'))
  client.setText('203.0.113.1')
  steering.decide(entry, client)
  await put(fastest('p2'))
  assert.throws(() => steering.decide(entry, client), /not in use/)
})

test('a draft is judged with what is chosen now as its previous choice, and changes nothing', async () => {
  const { steering, client, put, scores, chosen } = world()
  const entry = await put(fastest('p'))
  steering.setScores(scores(1, { one: 20, two: 30 }))
  assert.equal(chosen(entry), 'one')
  steering.setScores(scores(2, { one: 20, two: 19.5 }))
  client.setText('203.0.113.1')
  const draft = steering.explain(entry, client, fastest('draft'))
  assert.deepEqual(draft.decision.shares, [{ cdnId: 'one', percent: 100 }])
  const eager = fastest('eager', { settings: { minimumSamples: 20, marginPercent: 0, ttlSeconds: 30 } })
  assert.deepEqual(steering.explain(entry, client, eager).decision.shares, [{ cdnId: 'two', percent: 100 }])
  assert.equal(chosen(entry), 'one')
})

test("the explanation of a shared decision names the asker's own place", async () => {
  const { steering, client, put } = world()
  const entry = await put(policyOf('p', CDNS, [strategyOf('all', { targets: [{ cdnId: 'one', weight: 1 }] })]))
  for (const [address, country] of [
    ['203.0.113.1', 'JP'],
    ['198.51.1.1', 'DE'],
    ['10.0.0.1', null],
  ] as const) {
    client.setText(address)
    assert.equal(steering.explain(entry, client).decision.trace.location.country, country)
  }
  assert.equal(steering.decisions, 1)
})

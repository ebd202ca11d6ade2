import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStore, startStore } from '@fairway/analytics'
import { LIMITS, analyticsDem, auditLog, overview } from '@fairway/contract'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { createView, decisions, performance: performanceOf, removeView, updateView, views } = analyticsDem.routes
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

test('without the event store charts answer 503 and Home shows what is known without it; with it they answer again', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  const chart = { site: own.site, seconds: 900 }
  assert.equal((await own.client.refusal(performanceOf, chart)).code, 503)
  assert.equal((await own.client.refusal(decisions, chart)).code, 503)
  const blind = await own.client.call(overview.routes.get, { site: own.site })
  assert.deepEqual(
    [
      blind.analyticsAvailable,
      blind.cdns.map((cdn) => cdn.name),
      blind.nodes.map((node) => `${node.role} ${node.state}`),
    ],
    [false, ['Swiftlane', 'Polaris'], ['dns up', 'edge up']],
  )

  await using _store = await startStore({ config: api.config, log: api.log })
  await using events = openStore(api.config)
  const organization = own.client.organizationId
  const at = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().replace('T', ' ').slice(0, 23)
  await events.insert(
    'beacons',
    Array.from({ length: 45 }, (_, index) => ({
      at: at(60_000 + index),
      organization,
      cdn: index < 40 ? 'swiftlane' : 'nimbus',
      continent: 'AS',
      country: 'JP',
      region: '',
      city: '',
      network: '',
      ok: 1,
      rtt_ms: 25,
    })),
  )
  await events.insert('dns_answers', [
    {
      at: at(30_000),
      organization,
      site: own.site,
      domain: own.domain,
      cdn: 'swiftlane',
      country: 'JP',
      node: 'n',
      answers: 30,
    },
    {
      at: at(30_000),
      organization,
      site: own.site,
      domain: own.domain,
      cdn: 'polaris',
      country: 'DE',
      node: 'n',
      answers: 10,
    },
  ])
  const seen = await until(async () => {
    const answer = await own.client.call(overview.routes.get, { site: own.site, domain: own.domain })
    return answer.analyticsAvailable && answer
  })
  assert.deepEqual(
    seen.cdns.map((cdn) => [cdn.cdnId, cdn.share, cdn.trend.length]),
    [
      ['swiftlane', 75, 30],
      ['polaris', 25, 0],
    ],
  )
  assert.equal(seen.countries.length, 2)

  const report = await own.client.call(performanceOf, chart)
  assert.deepEqual(
    report.totals.map((row) => [row.cdnId, row.samples]),
    [
      ['nimbus', 5],
      ['swiftlane', 40],
    ],
  )
  const ofDomain = async (domain: string) =>
    (await own.client.call(performanceOf, { ...chart, domain })).totals.map(({ cdnId }) => cdnId)
  assert.deepEqual(await ofDomain(own.domain), ['swiftlane'], 'CDNs that the domain does not have are left out')
  const answered = await own.client.call(decisions, { ...chart, domain: own.domain })
  assert.deepEqual(answered.totals, [
    { cdnId: 'polaris', answers: 10 },
    { cdnId: 'swiftlane', answers: 30 },
  ])
  assert.deepEqual((await own.client.call(decisions, { ...chart, country: 'DE' })).totals, [
    { cdnId: 'polaris', answers: 10 },
  ])
})

test('charts are marked with outages and changes of their range', async () => {
  const own = await newSteeredDomain(api)
  await using _store = await startStore({ config: api.config, log: api.log })
  const insert = (cdn: string, startedSecondsAgo: number, endedSecondsAgo: number | null) =>
    api.database.system((tx) =>
      tx.query(
        `INSERT INTO health_event (organization_id, kind, cdn_id, title, started_at, ended_at) VALUES ($1, 'cdn-down', $2, $2, now() - make_interval(secs => $3), now() - make_interval(secs => $4))`,
        [own.client.organizationId, cdn, startedSecondsAgo, endedSecondsAgo],
      ),
    )
  await insert('swiftlane', 600, 500)
  await insert('polaris', 300, null)
  await insert('tidewater', 9000, 8000)
  const { marks } = await until(() => own.client.call(decisions, { site: own.site, seconds: 900 }))
  assert.deepEqual(
    marks.map((mark) => [mark.kind, mark.label, mark.to === null]),
    [
      ['failover', 'swiftlane', false],
      ['failover', 'polaris', true],
      ['change', `Add site ${own.host.slice(4)}`, true],
      ['change', 'Add A www', true],
    ],
  )
  // One that came and went is marked where it was down, not in the calm between.
  const ago = (seconds: number) => Date.now() - seconds * 1000
  const spans: [number, number][] = [
    [ago(9000), ago(8990)],
    [ago(600), ago(590)],
    [ago(510), ago(500)],
  ]
  await api.database.system((tx) =>
    tx.query(
      `UPDATE health_event SET detail = jsonb_build_object('spans', $2::jsonb) WHERE organization_id = $1 AND cdn_id = 'swiftlane'`,
      [own.client.organizationId, JSON.stringify(spans)],
    ),
  )
  const flapped = (await own.client.call(decisions, { site: own.site, seconds: 900 })).marks
  assert.deepEqual(
    flapped.filter(({ cdnId }) => cdnId === 'swiftlane').map(({ from, to }) => [from, to]),
    spans.slice(1),
  )
  assert.equal(
    (await own.client.call(decisions, { site: own.site, seconds: 900, until: Math.floor(Date.now() / 1000) - 5000 }))
      .marks.length,
    0,
  )
})

test('a saved view is its owner’s alone, keeps what the page shows, and is told in the audit log', async () => {
  const owner = await api.newClient()
  const mate = await api.colleague(owner, ['ViewPerformancePolicy'])
  const page = {
    tab: 'availability',
    range: '7d',
    country: 'JP',
    source: 'sum',
    compare: ['swiftlane', 'polaris@JP'],
  } as const
  const { data } = await owner.call(createView, { name: '  Japan ', page: { ...page, compare: [...page.compare] } })
  assert.deepEqual([data.name, data.page], ['Japan', page])
  assert.deepEqual((await owner.call(views, {})).data, [data])

  // Neither a colleague nor a stranger sees it, nor can either change it by its id; each may use its name.
  for (const other of [mate, await api.newClient()]) {
    assert.deepEqual((await other.call(views, {})).data, [])
    assert.equal((await other.refusal(updateView, { id: data.id, name: 'Mine', page: {} })).status, 404)
    assert.equal((await other.refusal(removeView, { id: data.id })).status, 404)
    await other.call(createView, { name: 'japan', page: {} })
  }
  const taken = await owner.refusal(createView, { name: 'JAPAN', page: {} })
  assert.deepEqual([taken.code, taken.fields?.[0]?.path], [27061, 'name'])
  const renamed = await owner.call(updateView, { id: data.id, name: 'JAPAN', page: { tab: 'decisions' } })
  assert.deepEqual([renamed.data.name, renamed.data.page], ['JAPAN', { tab: 'decisions' }])
  await owner.call(removeView, { id: data.id })
  assert.deepEqual((await owner.call(views, {})).data, [])
  const { data: told } = await owner.call(auditLog.routes.list, {})
  assert.deepEqual(
    told.map(({ action }) => action).filter((action) => action.startsWith('dem-view')),
    // The colleague's own beside them, since the log is the organisation's.
    ['dem-view.remove', 'dem-view.update', 'dem-view.create', 'dem-view.create'],
  )
})

test('a view that says what no address of the page says is refused, and so is one too many, also of two at once', async () => {
  const client = await api.newClient()
  const wrong = [
    { tab: 'billing' },
    { range: '../../x' },
    { country: 'Japan' },
    { compare: [] },
    { compare: ['a', 'b', 'c', 'd', 'e'] },
    { compare: ['a@Japan'] },
    { compare: ['<b>'] },
    { next: 'https://example.com' },
  ]
  for (const page of wrong)
    assert.equal(
      (await client.refusal(createView, { name: 'x', page: page as object })).status,
      400,
      JSON.stringify(page),
    )
  assert.equal((await client.refusal(createView, { name: ' ', page: {} })).status, 400)
  for (let index = 1; index < LIMITS.demViews.perPerson; index++)
    await client.call(createView, { name: `View ${index}`, page: {} })
  const both = await Promise.allSettled(['a', 'b'].map((name) => client.call(createView, { name, page: {} })))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.equal((await client.refusal(createView, { name: 'c', page: {} })).code, 27060)
})

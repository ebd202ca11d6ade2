import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  auditLog,
  domains,
  type EdgeSite,
  operatorArea,
  shieldAssets,
  shieldRegions,
  versions,
} from '@fairway/contract'
import { call } from '@fairway/platform'
import { buildEdgeSite } from '../../publish/edge-site.ts'
import { type ApiUnderTest, type Client, startApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { keepRoutes } from './keep-routes.ts'

const { get, update } = shieldRegions.routes
let api: ApiUnderTest
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  operator = await api.newClient({ isOperator: true })
})
after(() => api[Symbol.asyncDispose]())
beforeEach(() => api.database.system((tx) => tx.query('DELETE FROM node')))

type Told = { domainId: string; ms: number | null; samples: number; failed: number; at: number }

/** An edge node that says so of itself; answers its id. */
async function join(name: string, region: string | null, address: string | null): Promise<string> {
  const answer = (await call(api.config, 'POST', '/nodes/v1/register/', {
    name,
    role: 'edge',
    version: '1',
    controlUrl: null,
    shield: { region, address },
  })) as { nodeId: string }
  // It stays there however long the test takes.
  await api.database.system((tx) =>
    tx.query(`UPDATE node SET last_seen_at = now() + interval '1 day' WHERE id = $1`, [answer.nodeId]),
  )
  return answer.nodeId
}
const tell = (node: string, times: Told[], counts: object[] = []) =>
  call(api.config, 'POST', `/nodes/v1/${node}/shield/`, { times, counts })
const leave = (node: string) =>
  api.database.system((tx) =>
    tx.query(`UPDATE node SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [node]),
  )
const place = ({ site, domain }: SteeredDomain) => ({ site, domain })
const time = (domain: string, ms: number | null): Told => ({
  domainId: domain,
  ms,
  samples: ms === null ? 0 : 5,
  failed: ms === null ? 5 : 0,
  at: Date.now(),
})
/** Regions as nodes would ask them, by what the domain's site says. */
const published = async ({ site, host }: SteeredDomain): Promise<string[]> => {
  const built = await api.database.system((tx) => buildEdgeSite(tx, site, api.config))
  const all = (built?.body as EdgeSite | undefined)?.domains ?? []
  return (all.find((one) => one.host === host)?.shield?.nodes ?? []).map(({ region, node }) => `${region}/${node}`)
}

async function shielded(): Promise<SteeredDomain> {
  const own = await newSteeredDomain(api)
  await using _dns = startNodeUnderTest(api, 'dns', 'dns')
  await using _edge = startNodeUnderTest(api, 'edge', 'plain')
  await attach(own, ['swiftlane'])
  await own.client.call(domains.routes.update, { ...place(own), settings: { originShield: 'use' } })
  return own
}

test('the nearest region by measured time speaks with the origin, another when the owner says so or it is gone', async () => {
  const own = await shielded()
  const { client, domain } = own
  const [east, west] = [await join('e1', 'east', '192.0.2.1:8444'), await join('w1', 'west', '192.0.2.2:8444')]
  await join('plain', null, null)
  const none = await client.call(get, place(own))
  assert.deepEqual(
    none.regions.map((one) => [one.region, one.usable, one.ms, one.nodes[0]?.measuredAt]),
    [
      ['east', true, null, null],
      ['west', true, null, null],
    ],
    'unknown is not zero',
  )
  await tell(east, [time(domain, 80)])
  await tell(west, [time(domain, 8)])
  await keepRoutes(api.database, api.log)
  const auto = await client.call(get, place(own))
  assert.deepEqual([auto.region, auto.route?.region, auto.route?.why], [null, 'west', 'nearest'])
  assert.deepEqual(
    auto.regions.map(({ region, ms, nodes }) => [region, ms, nodes[0]?.samples]),
    [
      ['east', 80, 5],
      ['west', 8, 5],
    ],
  )
  assert.deepEqual(await published(own), ['west/w1', 'east/e1'])
  // A little nearer moves nothing.
  await tell(east, [time(domain, 7)])
  await keepRoutes(api.database, api.log)
  assert.equal((await client.call(get, place(own))).route?.why, 'kept')
  await client.call(update, { ...place(own), region: 'east' })
  assert.deepEqual(await published(own), ['east/e1', 'west/w1'])
  // All of it is gone: traffic goes by the next, and the screen says so.
  await leave(east)
  await keepRoutes(api.database, api.log)
  const next = await client.call(get, place(own))
  assert.deepEqual([next.region, next.route?.region, next.route?.why], ['east', 'west', 'next'])
  assert.equal(next.regions[0]?.usable, false)
  await leave(west)
  await keepRoutes(api.database, api.log)
  assert.deepEqual([(await client.call(get, place(own))).route?.why, await published(own)], ['none', []])
  await tell(west, [])
  await join('w1', 'west', '192.0.2.2:8444')
  await keepRoutes(api.database, api.log)
  assert.deepEqual(await published(own), ['west/w1'])
  const { data: history } = await client.call(versions.routes.list, { site: own.site })
  assert.ok(history.some(({ title }) => title === `Shield region of ${own.host}: west`))
  const { data: entries } = await client.call(auditLog.routes.list, {})
  assert.ok(entries.some(({ action }) => action === 'shieldRegion.follow'))
  assert.ok(entries.some(({ action }) => action === 'shieldRegion.update'))
})

test('a choice is refused where nobody can be fetched through, published once, reverted, and gone with the shield', async () => {
  const own = await shielded()
  const { client } = own
  await join('e1', 'east', '192.0.2.1:8444')
  await join('n1', 'north', null)
  for (const region of ['north', 'nowhere'])
    assert.equal((await client.refusal(update, { ...place(own), region })).code, 27044)
  assert.equal((await client.refusal(update, { ...place(own), region: '-x' })).status, 400)
  assert.equal((await client.refusal(update, { ...place(own), region: 'east', more: 1 } as never)).status, 400)
  const { meta } = await client.call(update, { ...place(own), region: 'east' })
  assert.ok(meta.version !== null)
  assert.equal((await client.call(update, { ...place(own), region: 'east' })).meta.version, null)
  assert.deepEqual(await published(own), ['east/e1'])
  await client.call(versions.routes.revert, { site: own.site, number: String(meta.version) })
  assert.equal((await client.call(get, place(own))).region, null)
  await client.call(domains.routes.update, { ...place(own), settings: { originShield: 'bypass' } })
  assert.deepEqual(await published(own), [])
  assert.equal((await client.call(get, place(own))).route, null)
})

test('the operator puts a node into a region over what its machine was told, and takes the word back', async () => {
  const node = await join('e1', 'east', '[2001:db8::1]:8444')
  const row = async () =>
    (await operator.call(operatorArea.routes.nodes, {})).data.find(({ id }) => id === node)?.shield
  assert.deepEqual(await row(), { region: 'east', by: 'machine', address: '[2001:db8::1]:8444' })
  await operator.call(operatorArea.routes.setNodeRegion, { node, region: 'west' })
  assert.deepEqual(await row(), { region: 'west', by: 'operator', address: '[2001:db8::1]:8444' })
  // A restart of the machine says its own again, and changes nothing.
  await join('e1', 'east', '[2001:db8::1]:8444')
  assert.equal((await row())?.region, 'west')
  await operator.call(operatorArea.routes.setNodeRegion, { node, region: null })
  assert.equal((await row())?.region, 'east')
  const customer = await api.newClient()
  assert.equal((await customer.refusal(operatorArea.routes.setNodeRegion, { node, region: 'west' })).status, 403)
})

test('what nodes have sent to an origin is counted for each instance, and only for domains that are there', async () => {
  const own = await shielded()
  const other = await newSteeredDomain(api)
  const east = await join('e1', 'east', '192.0.2.1:8444')
  const instance = async () =>
    (await own.client.call(shieldAssets.routes.list, {})).data.find(({ node }) => node === 'e1')
  assert.deepEqual([(await instance())?.region, (await instance())?.requests], ['east', null])
  const stranger = crypto.randomUUID()
  for (let turn = 0; turn < 2; turn++)
    await tell(
      east,
      [time(own.domain, 3), time(stranger, 3)],
      [
        { domainId: own.domain, own: 10, others: 5 },
        { domainId: stranger, own: 1, others: 1 },
      ],
    )
  assert.deepEqual((await instance())?.requests, { own: 20, others: 10 })
  await assert.rejects(tell(east, [], [{ domainId: own.domain, own: -1, others: 0 }]))
  await assert.rejects(tell(east, [{ ...time(own.domain, 3), ms: 1e9 }]))
  // Nobody else sees it.
  assert.deepEqual((await other.client.call(shieldAssets.routes.list, {})).data, [])
  await until(async () => (await instance())?.requests !== null)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  analyticsDem,
  cdnManagement,
  dnsRecords,
  domains,
  overview,
  routingStrategies,
  sites,
  teammates,
  versions,
  vsrRules,
} from '@fairway/contract'
import { send, startApiUnderTest, type ApiUnderTest } from './testing/api-under-test.ts'
import { everyRoute, type NamedRoute } from './testing/every-route.ts'
import { startNodeUnderTest, type NodeUnderTest } from './testing/node-under-test.ts'
import { OWNED, bodyOf, newWorld, valueOf, type World } from './testing/whole-world.ts'

let api: ApiUnderTest
let running: NodeUnderTest[]
let victim: World
let stranger: World
before(async () => {
  api = await startApiUnderTest()
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
  victim = await newWorld(api, 'Victim')
  stranger = await newWorld(api, 'Stranger')
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

/**
 * Routes of signed-in users whose path names something of an organisation. Those that reach beyond it have tests of
 * their own, beside them.
 */
const forUsers = everyRoute.filter(
  ({ route }) => route.permission !== 'public' && route.permission !== 'node' && !route.scope,
)

const fingerprint = async ({ client, site, domain }: World) =>
  JSON.stringify([
    await client.call(sites.routes.get, { site }),
    await client.call(domains.routes.list, { site }),
    await client.call(dnsRecords.routes.list, { site }),
    await client.call(versions.routes.list, { site }),
    (await client.call(cdnManagement.routes.list, { site, domain })).data.map(({ id, enabled, state }) => [
      id,
      enabled,
      state,
    ]),
    await client.call(routingStrategies.routes.list, { site, domain }),
    await client.call(vsrRules.routes.list, { site, domain }),
    await client.call(cdnManagement.routes.platforms, {}),
    await client.call(teammates.routes.list, {}),
  ])

test("another organisation's identifiers give 404 in every place of every route, and change nothing", async () => {
  const before = await fingerprint(victim)
  let tried = 0
  for (const entry of forUsers) {
    const owned = entry.params.filter((param) => OWNED.has(param))
    // Each parameter alone among the stranger's own, then all of them.
    for (const foreign of [...owned.filter((param) => param !== 'number').map((param) => [param]), owned]) {
      if (!foreign.some((param) => param !== 'number')) continue
      const path = Object.fromEntries(
        entry.params.map((param) => [param, valueOf(entry, param, foreign.includes(param) ? victim : stranger)]),
      )
      const response = await send(api.url, stranger.client.token, entry.route, { ...bodyOf(entry, victim), ...path })
      assert.equal(
        response.status,
        404,
        `${entry.name} with the victim's ${foreign.join(', ')} answered ${response.status} ${await response.text()}`,
      )
      tried++
    }
  }
  assert.ok(tried > 50, `${tried} calls`)
  assert.equal(await fingerprint(victim), before)
})

test('identifiers in queries and bodies are no way around', async () => {
  const { client, site, domain } = stranger
  const status = async (route: NamedRoute['route'], input: Record<string, unknown>) =>
    (await send(api.url, client.token, route, input)).status
  assert.equal(await status(routingStrategies.routes.why, { name: victim.host, client: '8.8.8.8' }), 404)
  assert.equal(await status(overview.routes.get, { site, domain: victim.domain }), 404)
  assert.equal(await status(analyticsDem.routes.decisions, { site, domain: victim.domain }), 404)
  assert.equal(await status(dnsRecords.routes.removeMany, { site, ids: [victim.record], force: true }), 404)
  assert.equal(await status(cdnManagement.routes.install, { site, domain, cdnId: victim.custom }), 404)
  assert.equal(
    await status(routingStrategies.routes.create, {
      site,
      domain,
      name: 'x',
      method: 'always-use',
      targets: [{ cdnId: victim.custom }],
    }),
    409,
  )
  assert.equal(
    await status(routingStrategies.routes.reorder, { site, domain, ids: [victim.ids['routing-strategies']] }),
    409,
  )
})

test('what names nothing answers with nothing of another organisation', async () => {
  const secrets = [
    victim.client.organizationId,
    victim.client.email,
    victim.site,
    victim.domain,
    victim.host,
    victim.record,
    victim.custom,
    ...Object.values(victim.ids),
  ]
  for (const entry of forUsers.filter(
    ({ route, params }) => route.method === 'GET' && !params.length && !route.stream,
  )) {
    const response = await send(api.url, stranger.client.token, entry.route, bodyOf(entry, stranger))
    const text = await response.text()
    // The event store is away here; what it answers to whom is tested beside its questions.
    assert.ok(
      response.status === 200 || (response.status === 503 && entry.route.errors.includes(503)),
      `${entry.name}: ${response.status} ${text}`,
    )
    for (const secret of secrets) assert.ok(!text.includes(secret), `${entry.name} tells ${secret}`)
  }
})

test('one organisation may not drive what all share', async () => {
  const set = forUsers.find(({ name }) => name === 'simulated-cdns.set')
  assert.ok(set)
  assert.equal(
    (await send(api.url, stranger.client.token, set.route, { cdn: 'swiftlane', fault: { mode: 'down' } })).status,
    403,
  )
})

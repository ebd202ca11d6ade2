import assert from 'node:assert/strict'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { DnsClient, cnameOf } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import { selfSigned } from './self-signed.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, certificates, dataFeeds, dnsRecords, domains, routingStrategies, simulatedCdns, sites } =
  FEATURES
const HOST = 'www.reported.example'
/** /24s of one network (AS3320) of Germany, and one of another network there. */
const FAILING = Array.from({ length: 40 }, (_, index) => `80.147.${index}`)
const OTHERS = ['88.64.1.0/24', '133.11.0.0/24']
const WITHIN_MS = 30_000

let world: World
let place = { site: '', domain: '' }
const origin = http.createServer((_, response) => void response.end('the website'))

before(async () => {
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const { port } = origin.address() as AddressInfo
  world = await startWorld({
    settings: { FAIRWAY_PRIVATE_NETWORKS: `127.0.0.1:${port}`, FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' },
  })
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  const site = (await world.api(sites.routes.create, { domainName: 'reported.example' })).data.id
  const made = await world.api(dnsRecords.routes.create, {
    site,
    type: 'A',
    name: 'www',
    value: '93.184.215.14',
    multiCdn: true,
  })
  assert.ok(made.data.domainId)
  place = { site, domain: made.data.domainId }
  await world.api(domains.routes.update, {
    ...place,
    origin: { address: '127.0.0.1', port, protocol: 'http', hostHeader: HOST },
    settings: { networkErrors: true },
  })
  await world.api(certificates.routes.upload, { site, ...selfSigned([HOST]) })
  for (const cdnId of ['swiftlane', 'polaris']) await world.api(cdnManagement.routes.install, { ...place, cdnId })
  await until(
    'both CDNs serve',
    async () => {
      const { data } = await world.api(cdnManagement.routes.list, place)
      return data.length === 2 && data.every(({ state }) => state === 'operational')
    },
    20_000,
  )
  await world.api(routingStrategies.routes.create, {
    ...place,
    name: 'Swiftlane first',
    method: 'static-route',
    targets: [{ cdnId: 'swiftlane' }, { cdnId: 'polaris' }],
    availabilityThreshold: 90,
  })
})
after(async () => {
  origin.close()
  await world[Symbol.asyncDispose]()
})

test('a CDN that browsers of one network report is avoided there within 30 s, without a snippet, and nowhere else', async (t) => {
  using dns = new DnsClient(world.dns)
  const cdnFor = async (subnet: string) =>
    cnameOf(await dns.ask({ name: HOST, type: 'A', subnet }))
      ?.split('.')
      .at(1) ?? null
  const [failing] = FAILING.map((network) => `${network}.0/24`)
  assert.ok(failing)
  await until(
    'probes speak for both',
    async () => {
      const { decision } = await world.api(routingStrategies.routes.why, { name: HOST, client: '80.147.0.7' })
      const read = decision.trace.steps[0]?.candidates ?? []
      return read.length === 2 && read.every(({ availability }) => availability?.source === 'sum')
    },
    30_000,
    500,
  )
  assert.equal(await cdnFor(failing), 'swiftlane')
  const { data } = await world.api(simulatedCdns.routes.list, {})
  const address = data.find(({ cdnId }) => cdnId === 'swiftlane')?.address ?? ''
  const collector = await until('the edge names the collector', async () => (await reportTo(address)) ?? false, 20_000)

  const startedAt = performance.now()
  const statuses = await Promise.all(FAILING.map((network) => report(collector, `${network}.7`, 'tcp.timed_out')))
  assert.deepEqual([...new Set(statuses)], [204])
  await until('the network is sent to Polaris', async () => (await cdnFor(failing)) === 'polaris', WITHIN_MS)
  t.diagnostic(`avoided after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  for (const other of OTHERS) assert.equal(await cdnFor(other), 'swiftlane', await reasonFor(other))

  const why = await world.api(routingStrategies.routes.why, { name: HOST, client: '80.147.3.7' })
  const used = why.decision.trace.steps[0]?.candidates.find(({ cdnId }) => cdnId === 'swiftlane')?.availability
  assert.deepEqual([used?.source, used?.level.endsWith('|AS3320'), used?.value], ['nel', true, 0])
  const feed = (await world.api(dataFeeds.routes.list, place)).feeds.find((one) => one.feed === 'network-errors')
  assert.deepEqual([feed?.state, feed?.samples, feed?.cdns[0]?.senders], ['feeding', 40, 40])

  // Whoever is loud is heard for his own /24 only: thousands of reports of one address move nobody's network.
  const loud = await Promise.all(
    Array.from({ length: 80 }, (_, age) => report(collector, '88.64.1.9', 'tcp.reset', age)),
  )
  assert.ok(loud.includes(204))
  await until(
    'they are counted',
    async () =>
      ((await world.api(dataFeeds.routes.list, place)).feeds.find((one) => one.feed === 'network-errors')?.samples ??
        0) > 100,
    10_000,
  )
  await new Promise((resolve) => setTimeout(resolve, 4000))
  for (const other of OTHERS) assert.equal(await cdnFor(other), 'swiftlane', await reasonFor(other))
})

async function reasonFor(network: string): Promise<string> {
  const { decision } = await world.api(routingStrategies.routes.why, {
    name: HOST,
    client: network.split('/')[0] ?? '',
  })
  return `${network}: ${JSON.stringify(decision.trace.steps[0]?.candidates)}`
}

/** Where a visitor's browser is told to report to; null while it is not. */
function reportTo(host: string): Promise<string | null> {
  const { port } = world.config.edgeHttps
  return new Promise((resolve) => {
    https
      .get(
        { host, port, servername: HOST, headers: { host: HOST }, rejectUnauthorized: false, agent: false },
        (response) => {
          response.resume()
          const said = response.headers['report-to']
          const group = said === undefined ? null : (JSON.parse(String(said)) as { endpoints: { url: string }[] })
          resolve(response.headers['nel'] === undefined ? null : (group?.endpoints[0]?.url ?? null))
        },
      )
      .on('error', () => resolve(null))
  })
}

async function report(url: string, address: string, type: string, age = 0): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/reports+json', 'x-forwarded-for': address },
    body: JSON.stringify([
      { age, type: 'network-error', url: `https://${HOST}/page`, body: { type, phase: 'connection', server_ip: '' } },
    ]),
  })
  return response.status
}

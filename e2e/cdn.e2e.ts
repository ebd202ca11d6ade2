import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { ApiError } from '@fairway/app'
import { type DomainCdn, FEATURES, type SimulatedFault } from '@fairway/contract'
import { type Fetched, curl } from './curl.ts'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cdnManagement, dnsRecords, domains, simulatedCdns, sites } = FEATURES
const HOST = 'www.cdn.example'
const CDNS = ['swiftlane', 'polaris', 'tidewater', 'edge']

let world: World
let place = { site: '', domain: '' }
/** Paths the origin was asked for. */
const asked: string[] = []
const origin = http.createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'public, max-age=600' }).end(`origin of ${request.headers.host} at ${request.url}`)
})

before(async () => {
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  origin.listen(0, '127.0.0.1', resolve)
  await listening
  const bound = origin.address()
  assert.ok(bound && typeof bound === 'object')
  // The one private address that Fairway takes for an origin is that of its demonstration website.
  world = await startWorld({ settings: { FAIRWAY_ORIGIN_LISTEN: `127.0.0.1:${bound.port}` } })
  await world.api(auth.routes.register, { email: 'owner@example.com', password: 'Owner-1234', firstName: 'Olive', lastName: 'Owner', organizationName: 'Example' })
  const site = (await world.api(sites.routes.create, { domainName: 'cdn.example' })).data.id
  const domain = (await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })).data.domainId
  assert.ok(domain)
  place = { site, domain }
  await world.api(domains.routes.update, { ...place, origin: { address: '127.0.0.1', port: bound.port, protocol: 'http', hostHeader: HOST } })
})
after(async () => {
  origin.close()
  await world[Symbol.asyncDispose]()
})

test('CDNs attached over the API come into operation and serve the origin under the address that DNS gives, from their cache the second time', async () => {
  for (const cdnId of CDNS) await world.api(cdnManagement.routes.install, { ...place, cdnId })
  const attached = await until('all CDNs in operation', async () => {
    const rows = await list()
    return rows.length === CDNS.length && rows.every((row) => row.state === 'operational') && rows
  }, 20_000 * pace())
  for (const cdn of attached) {
    const [first, second] = [await get(cdn, `/page-of-${cdn.cdnId}`), await get(cdn, `/page-of-${cdn.cdnId}`)]
    assert.deepEqual([first, second].map(({ status, body, headers }) => [status, body, headers.get('x-cache')]), ['MISS', 'HIT'].map((cache) => [200, `origin of ${HOST} at /page-of-${cdn.cdnId}`, cache]))
    assert.match(second.headers.get('x-served-by') ?? '', new RegExp(`^${cdn.cdnId === 'edge' ? 'edge' : cdn.cdnId}\\b`))
  }
  assert.deepEqual(asked, attached.map((cdn) => `/page-of-${cdn.cdnId}`))
})

test('over HTTPS, too; a host that nobody attached is refused', async () => {
  const cdn = await attachedAs('polaris')
  const secure = await get(cdn, '/page-of-polaris', { https: true })
  assert.deepEqual([secure.status, secure.body], [200, `origin of ${HOST} at /page-of-polaris`])
  const other = await curl(await urlOf(cdn, '/'), 'other.example')
  assert.ok(other.status >= 400 && other.status < 500, `a strange host got ${other.status}`)
})

test('faults of a CDN are what its visitors see, and nobody else', async () => {
  const [slow, failing, dead] = [await attachedAs('swiftlane'), await attachedAs('polaris'), await attachedAs('tidewater')]
  await Promise.all([fault(slow, { mode: 'slow', addMs: 400 }), fault(failing, { mode: 'errors', percent: 50 }), fault(dead, { mode: 'down' })])
  assert.ok((await get(slow, '/page-of-swiftlane')).ms >= 400)
  const statuses: number[] = []
  const url = await urlOf(failing, '/page-of-polaris')
  while (statuses.length < 100) statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => curl(url, HOST)))).map(({ status }) => status))
  const failed = statuses.filter((status) => status >= 500).length
  // Half of 100, six standard deviations to either side.
  assert.ok(failed > 20 && failed < 80, `${failed} of 100 failed`)
  assert.equal(failed + statuses.filter((status) => status === 200).length, 100)
  await assert.rejects(get(dead, '/page-of-tidewater'), 'a dead CDN gave an answer')
  assert.equal((await get(await attachedAs('edge'), '/page-of-edge')).status, 200)
  await Promise.all([slow, failing, dead].map((cdn) => fault(cdn, { mode: 'up' })))
  for (const cdn of [slow, failing, dead]) assert.equal((await get(cdn, `/page-of-${cdn.cdnId}`)).status, 200)
})

test('a CDN that is taken off leaves the answers; the last one stays', async () => {
  const [last, ...others] = await list()
  assert.ok(last)
  for (const { id } of others) await world.api(cdnManagement.routes.uninstall, { ...place, id })
  await until('only one is answered', async () => new Set(await Promise.all(Array.from({ length: 20 }, async () => (await dig(world.dns, HOST, 'A'))[0]))).size === 1, 10_000 * pace())
  assert.equal((await dig(world.dns, HOST, 'A'))[0], last.cname)
  const refusedAs = (code: number) => (error: unknown) => error instanceof ApiError && error.code === code
  await assert.rejects(world.api(cdnManagement.routes.uninstall, { ...place, id: last.id }), refusedAs(27906))
  await assert.rejects(world.api(cdnManagement.routes.update, { ...place, id: last.id, enabled: false }), refusedAs(27906))
  assert.equal((await get(last, `/page-of-${last.cdnId}`)).status, 200)
})

const list = async (): Promise<DomainCdn[]> => (await world.api(cdnManagement.routes.list, { ...place, ordering: 'created_at' })).data

async function attachedAs(cdnId: string): Promise<DomainCdn> {
  const found = (await list()).find((cdn) => cdn.cdnId === cdnId)
  assert.ok(found, cdnId)
  return found
}

/** The CDN's own name is looked up as a visitor's resolver would. */
async function urlOf(cdn: DomainCdn, path: string, https = false): Promise<string> {
  const address = (await dig(world.dns, cdn.cname, 'A')).at(-1)
  assert.match(address ?? '', /^127\.0\.0\.\d+$/)
  return `${https ? 'https' : 'http'}://${address}:${(https ? world.config.edgeHttps : world.config.edgeHttp).port}${path}`
}

async function get(cdn: DomainCdn, path: string, { https = false } = {}): Promise<Fetched> {
  return curl(await urlOf(cdn, path, https), HOST, ...(https ? ['--insecure'] : []))
}

async function fault({ cdnId }: DomainCdn, wanted: SimulatedFault): Promise<void> {
  const { version } = await world.api(simulatedCdns.routes.set, { cdn: cdnId, fault: wanted })
  await until(`${cdnId} ${wanted.mode}`, async () => (await world.api(simulatedCdns.routes.list, {})).data.some((cdn) => cdn.cdnId === cdnId && cdn.version >= version && cdn.live), 5000 * pace())
}

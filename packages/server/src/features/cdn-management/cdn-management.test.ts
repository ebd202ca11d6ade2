import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import tls from 'node:tls'
import {
  cdnManagement,
  dnsRecords,
  domains,
  type Preflight,
  type PreflightAddress,
  PreflightQuestion,
  versions,
  type DnsZone,
} from '@fairway/contract'
import { OutgoingGate, startControl } from '@fairway/platform'
import { driverContext } from '../../reconcile/driver-context.ts'
import { reconcile } from '../../reconcile/reconciler.ts'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { createPlatform, install, list, platforms, uninstall, update } = cdnManagement.routes
let api: ApiUnderTest
let dns: NodeUnderTest
let edge: NodeUnderTest
let control: Awaited<ReturnType<typeof startControl>>
/** What the edge node says of origins; it has no word where nothing is set. */
let origin: ((question: PreflightQuestion) => Partial<PreflightAddress>) | null = null
before(async () => {
  api = await startApiUnderTest()
  dns = startNodeUnderTest(api, 'dns')
  control = await startControl({
    config: api.config,
    role: 'edge',
    log: api.log,
    ready: () => ({ ready: true, reasons: [] }),
    routes: { 'POST /preflight': (question) => saw(PreflightQuestion.parse(question)) },
  })
  edge = startNodeUnderTest(api, 'edge', 'node', control.url)
})
after(async () => {
  await Promise.all([dns, edge].map((node) => node[Symbol.asyncDispose]()))
  await control[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const SILENT: Omit<PreflightAddress, 'address'> = {
  peer: null,
  connectMs: null,
  tls: null,
  firstByteMs: null,
  status: null,
  redirectTo: null,
  redirectLoop: false,
  cacheSeconds: null,
  cacheReason: null,
  error: null,
}
/** It takes so long for that, and says when it begins. */
let patience = () => Promise.resolve()
async function saw(question: PreflightQuestion): Promise<Preflight> {
  await patience()
  if (!origin) throw new Error('no word')
  const seen = { ...SILENT, address: question.addresses[0] ?? '', ...origin(question) }
  return { node: 'edge', at: new Date().toISOString(), addresses: [seen] }
}
const statesOf = async ({ client, site, domain }: SteeredDomain) =>
  Object.fromEntries((await client.call(list, { site, domain })).data.map((cdn) => [cdn.cdnId, cdn.state]))
const titlesOf = async ({ client, site }: SteeredDomain) =>
  (await client.call(versions.routes.list, { site })).data.map((version) => version.title)
const steeredIn = (zone: DnsZone | null | undefined) => zone?.steered.map(({ name }) => name) ?? []
const servingIn = (zone: DnsZone | null | undefined) =>
  zone?.policies.flatMap((policy) => policy.cdns.filter((cdn) => cdn.serving).map((cdn) => cdn.cdnId)) ?? []

test('an organisation finds the simulated CDNs and the edge, with what they can do', async () => {
  const client = await api.newClient()
  const { data } = await client.call(platforms, { ordering: 'series' })
  assert.deepEqual(
    data.map((cdn) => [cdn.id, cdn.driver, cdn.series]),
    [
      ['swiftlane', 'simulated', 1],
      ['polaris', 'simulated', 2],
      ['tidewater', 'simulated', 3],
      ['edge', 'fairway-edge', 5],
    ],
  )
  assert.equal(data[0]?.capabilities.customHostHeader, true)
})

test('an attached CDN is deploying until the edge has confirmed it; then DNS answers with it', async () => {
  const own = await newSteeredDomain(api)
  const { data, meta } = await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'swiftlane' })
  assert.equal(data.state, 'deploying')
  assert.match(data.cname, /^[0-9a-f]{12}\.swiftlane\.cdn\.fairway\.test$/)
  await until(async () => servingIn(dns.document('dns-zone', own.site)).includes('swiftlane'))
  assert.deepEqual(steeredIn(dns.document('dns-zone', own.site)), [own.host])
  assert.ok(!dns.document('dns-zone', own.site)?.rrsets.some((set) => set.type === 'A'))
  assert.deepEqual(
    edge.document('edge-site', own.site)?.domains.map((domain) => [domain.host, domain.origin.addresses]),
    [[own.host, ['8.8.8.8']]],
  )
  assert.deepEqual(await statesOf(own), { swiftlane: 'operational' })
  assert.deepEqual((await titlesOf(own)).slice(0, 2), [
    `Swiftlane is serving ${own.host}`,
    `Install Swiftlane on ${own.host}`,
  ])
  const version = await until(async () => {
    const found = await own.client.call(versions.routes.get, {
      site: own.site,
      number: String((meta.version ?? 0) + 1),
    })
    return found.state === 'live' && found
  })
  assert.deepEqual([version.source, version.author], ['system', 'Fairway'])
  assert.equal(
    (await own.client.call(domains.routes.get, { site: own.site, domain: own.domain })).cdnStatus,
    'operational',
  )
})

test('while no CDN serves yet, the name answers with its own record', async () => {
  const own = await newSteeredDomain(api)
  edge.refuse('no room')
  const { meta } = await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'edge' })
  const zone = await until(async () => {
    const found = dns.document('dns-zone', own.site)
    return (found?.version ?? 0) >= (meta.version ?? 0) && found
  })
  assert.deepEqual([steeredIn(zone), zone.rrsets.at(-1)?.rdata], [[], ['8.8.8.8']])
  const failed = await until(async () =>
    (await own.client.call(list, { site: own.site, domain: own.domain })).data.find((cdn) => cdn.state === 'failed'),
  )
  assert.equal(failed.detail, 'node: no room')
  edge.refuse(null)
  await until(async () => (await statesOf(own))['edge'] === 'operational')
})

test('a CDN once a domain, as many as the plan allows, and nothing that is not there', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  const refusedCode = async (cdnId: string) =>
    (await own.client.refusal(install, { site: own.site, domain: own.domain, cdnId })).code
  assert.equal(await refusedCode('swiftlane'), 27021)
  assert.equal(await refusedCode('nowhere'), 404)
  await api.database.system((tx) => tx.query(`UPDATE plan SET cdn_limit = 1 WHERE id = 'enterprise'`))
  assert.equal(await refusedCode('polaris'), 27022)
  await api.database.system((tx) => tx.query(`UPDATE plan SET cdn_limit = 50 WHERE id = 'enterprise'`))
})

test('a CDN that cannot express what the domain needs is refused, and so is a need that a CDN cannot express', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const secure = { origin: { address: '8.8.8.8', port: 443, protocol: 'https' as const, hostHeader: own.host } }
  await own.client.call(domains.routes.update, { ...place, ...secure })
  const refusal = await own.client.refusal(install, { ...place, cdnId: 'tidewater' })
  assert.deepEqual(
    [refusal.code, refusal.fields],
    [27020, [{ path: 'origin.protocol', message: 'validation.cdnCannot' }]],
  )
  await own.client.call(domains.routes.update, { ...place, origin: { ...secure.origin, port: 80, protocol: 'http' } })
  await own.client.call(install, { ...place, cdnId: 'tidewater' })
  assert.equal((await own.client.refusal(domains.routes.update, { ...place, ...secure })).code, 27020)
})

test('at least one CDN stays, and one that may answer', async () => {
  const own = await newSteeredDomain(api)
  const ids = await attach(own, ['swiftlane', 'polaris'])
  const [swiftlane, polaris] = [ids.get('swiftlane') ?? '', ids.get('polaris') ?? '']
  const place = { site: own.site, domain: own.domain }
  const off = await own.client.call(update, { ...place, id: polaris, enabled: false })
  assert.equal(off.data.enabled, false)
  assert.equal((await own.client.refusal(update, { ...place, id: swiftlane, enabled: false })).code, 27906)
  assert.equal((await own.client.refusal(uninstall, { ...place, id: swiftlane })).code, 27906)
  await own.client.call(versions.routes.revert, { site: own.site, number: String(off.meta.version) })
  await own.client.call(update, { ...place, id: swiftlane, enabled: false })
  await own.client.call(uninstall, { ...place, id: swiftlane })
  assert.equal((await own.client.refusal(uninstall, { ...place, id: swiftlane })).code, 27003)
  assert.equal((await own.client.refusal(uninstall, { ...place, id: polaris })).code, 27906)
})

test('a CDN that is taken off leaves DNS first, then the edge when resolvers have forgotten it, then the list', async () => {
  const own = await newSteeredDomain(api)
  const ids = await attach(own, ['swiftlane', 'polaris'])
  const { meta } = await own.client.call(uninstall, {
    site: own.site,
    domain: own.domain,
    id: ids.get('polaris') ?? '',
  })
  await until(async () => {
    const zone = dns.document('dns-zone', own.site)
    return (zone?.version ?? 0) >= (meta.version ?? 0) && !servingIn(zone).includes('polaris')
  })
  const leftDns = () =>
    api.database.system((tx) =>
      tx.query(`SELECT FROM domain_cdn WHERE id = $1 AND left_dns_at IS NOT NULL`, [ids.get('polaris')]),
    )
  await until(async () => (await leftDns()).length > 0)
  assert.deepEqual(await statesOf(own), { swiftlane: 'operational', polaris: 'deleting' })
  await later(29)
  assert.deepEqual(await statesOf(own), { swiftlane: 'operational', polaris: 'deleting' })
  await later(31)
  await until(async () => {
    await muchLater()
    return (await statesOf(own))['polaris'] === undefined
  })
  assert.equal((await titlesOf(own))[0], `Polaris has left ${own.host}`)
  assert.deepEqual(
    edge.document('edge-site', own.site)?.domains.map((domain) => domain.host),
    [own.host],
  )
})

test('an uninstall can be undone, while it is under way and afterwards', async () => {
  const own = await newSteeredDomain(api)
  const ids = await attach(own, ['swiftlane', 'polaris'])
  const place = { site: own.site, domain: own.domain }
  const first = await own.client.call(uninstall, { ...place, id: ids.get('polaris') ?? '' })
  await own.client.call(versions.routes.revert, { site: own.site, number: String(first.meta.version) })
  await until(async () => (await statesOf(own))['polaris'] === 'operational')
  const second = await own.client.call(uninstall, { ...place, id: ids.get('polaris') ?? '' })
  await until(async () => {
    await muchLater()
    return (await statesOf(own))['polaris'] === undefined
  })
  await own.client.call(versions.routes.revert, { site: own.site, number: String(second.meta.version) })
  await until(async () => (await statesOf(own))['polaris'] === 'operational')
  const added = await own.client.call(install, { ...place, cdnId: 'tidewater' })
  await own.client.call(versions.routes.revert, { site: own.site, number: String(added.meta.version) })
  assert.equal((await statesOf(own))['tidewater'], 'deleting')
})

test('multi-CDN off: DNS answers the record at once, the CDNs are kept aside, and on again they answer at once', async () => {
  const own = await newSteeredDomain(api)
  const ids = await attach(own, ['swiftlane', 'polaris'])
  const place = { site: own.site, domain: own.domain }
  const standby = async () =>
    (await own.client.call(list, place)).data.map((cdn) => [cdn.cdnId, cdn.state, cdn.standby])
  const zoneOf = (version: number | null) =>
    until(async () => {
      const found = dns.document('dns-zone', own.site)
      return (found?.version ?? 0) >= (version ?? 0) && found
    })
  const off = await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, multiCdn: false })
  const zone = await zoneOf(off.meta.version)
  assert.deepEqual([steeredIn(zone), zone.rrsets.at(-1)?.rdata], [[], ['8.8.8.8']])
  assert.deepEqual(await standby(), [
    ['swiftlane', 'operational', true],
    ['polaris', 'operational', true],
  ])
  assert.equal((await own.client.call(domains.routes.get, place)).cdnStatus, 'unavailable')
  assert.equal((await own.client.call(dnsRecords.routes.get, { site: own.site, id: own.record })).cdnIds.length, 0)
  const on = await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, multiCdn: true })
  assert.equal(steeredIn(await zoneOf(on.meta.version)).length, 1)
  assert.deepEqual(
    (await standby()).map(([, state, aside]) => [state, aside]),
    [
      ['operational', false],
      ['operational', false],
    ],
  )
  await own.client.call(versions.routes.revert, { site: own.site, number: String(on.meta.version) })
  assert.deepEqual(
    (await standby()).map(([, , aside]) => aside),
    [true, true],
  )
  // What nobody is sent to may leave, to the last one.
  for (const id of ids.values()) await own.client.call(uninstall, { ...place, id })
  await until(async () => {
    await muchLater()
    return (await standby()).length === 0
  })
  await until(async () => edge.document('edge-site', own.site)?.domains.length === 0)
})

test('CDNs kept aside leave with their record', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, multiCdn: false })
  await own.client.call(dnsRecords.routes.remove, { site: own.site, id: own.record })
  await until(async () => {
    await muchLater()
    return (
      (await api.database.system((tx) => tx.query('SELECT FROM domain_cdn WHERE domain_id = $1', [own.domain])))
        .length === 0
    )
  })
})

test('a removed record takes its domain from the edge when the CDNs have left', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  await own.client.call(dnsRecords.routes.remove, { site: own.site, id: own.record })
  assert.equal((await own.client.refusal(list, { site: own.site, domain: own.domain })).status, 404)
  assert.equal(edge.document('edge-site', own.site)?.domains.length, 1)
  await until(async () => {
    await muchLater()
    return edge.document('edge-site', own.site)?.domains.length === 0
  })
  await until(async () => {
    await muchLater()
    return (await api.database.system((tx) => tx.query('SELECT FROM domain WHERE id = $1', [own.domain]))).length === 0
  })
})

test('attaching a CDN to a name that is off switches multi-CDN on', async () => {
  const own = await newSteeredDomain(api)
  await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, multiCdn: false })
  await attach(own, ['edge'])
  assert.equal((await own.client.call(dnsRecords.routes.get, { site: own.site, id: own.record })).multiCdn, true)
})

test('a custom CDN serves when it answers for the domain under its own name, and says why when not', async () => {
  const own = await newSteeredDomain(api)
  const { data } = await own.client.call(createPlatform, { name: 'My CDN', cname: 'edge.mycdn.example' })
  assert.deepEqual([data.id, data.driver, data.cname, data.series], ['my-cdn', 'custom', 'edge.mycdn.example', 4])
  const taken = await own.client.refusal(createPlatform, { name: 'my cdn', cname: 'other.mycdn.example' })
  assert.deepEqual([taken.code, taken.fields], [7491, [{ path: 'name', message: 'validation.invalidName' }]])
  assert.equal(
    (await own.client.refusal(createPlatform, { name: 'Loop', cname: 'x.edge.fairway.test' })).fields[0]?.path,
    'cname',
  )
  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: 'my-cdn' })
  const failed = await until(async () =>
    (await own.client.call(list, { site: own.site, domain: own.domain })).data.find((cdn) => cdn.state === 'failed'),
  )
  assert.match(failed.detail ?? '', /^edge\.mycdn\.example does not answer for www\./)
  assert.equal((await own.client.refusal(install, { site: own.site, domain: own.domain, cdnId: 'my-cdn' })).code, 7488)
  const asked: string[] = []
  const answering = {
    ...driverContext(api.config, gateOf(api), api.database),
    probe: async (cname: string, { host }: { host: string }) => (asked.push(`${cname} ${host}`), null),
  }
  await until(async () => {
    // The worker asks too, in vain, and each time the pause until the next attempt grows.
    const seconds = (passedSeconds += 600)
    await reconcile(api.database, answering, () => Date.now() + seconds * 1000, 'vendors')
    return (await statesOf(own))['my-cdn'] === 'operational'
  })
  assert.equal(asked[0], `edge.mycdn.example ${own.host}`)
  assert.equal(
    dns.document('dns-zone', own.site)?.policies[0]?.cdns[0]?.cname ?? 'edge.mycdn.example',
    'edge.mycdn.example',
  )
})

test('a custom CDN that says 404 serves only when the origin says the same', async () => {
  const status = { cdn: 404, origin: 200 }
  const server = http.createServer((request, response) => {
    response.statusCode = request.headers['host'] === 'origin.example' ? status.origin : status.cdn
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const gate = bentGate({ http: port })
  const own = await newSteeredDomain(api)
  await own.client.call(domains.routes.update, {
    site: own.site,
    domain: own.domain,
    origin: { address: '8.8.8.8', port: 80, protocol: 'http', hostHeader: 'origin.example' },
  })
  const context = driverContext(api.config, gate, api.database)
  const ask = () => context.probe('edge.mycdn.example', { siteId: own.site, host: own.host })
  try {
    assert.equal(await ask(), 'status 404, which the origin does not say')
    status.origin = 410
    assert.equal(await ask(), null)
    Object.assign(status, { cdn: 403, origin: 200 })
    assert.equal(await ask(), null)
  } finally {
    server.close()
  }
})

test('a CDN whose certificate does not hold serves no longer, where visitors come by HTTPS', async () => {
  const own = await newSteeredDomain(api)
  const reference = (await attach(own, ['swiftlane'])).get('swiftlane') ?? ''
  const made = makeCertificate({ names: [own.host], key: 'ec' })
  const status = { plain: 301, secure: 200 }
  const plain = http.createServer((_, response) => void response.writeHead(status.plain).end())
  const secure = https.createServer({ cert: made.certificate, key: made.privateKey }, (_, response) =>
    response.writeHead(status.secure).end(),
  )
  const ports: number[] = []
  for (const server of [plain, secure]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  const [http80 = 0, https443 = 0] = ports
  const serves = (ca?: string) =>
    driverContext(api.config, bentGate({ http: http80, https: https443, ca }), api.database).stillServes({
      reference,
      siteId: own.site,
      host: own.host,
    })
  const given = (mark: string | null) =>
    api.database.system((tx) =>
      tx.query('UPDATE domain_cdn SET vendor_certificate = $2 WHERE id = $1', [reference, mark]),
    )
  try {
    assert.equal(await serves(), true, 'nobody has said that it is asked by HTTPS')
    await given('mark')
    assert.deepEqual([await serves(), await serves(made.certificate)], [false, true])
    status.secure = 502
    assert.equal(await serves(made.certificate), false)
    await given(null)
    assert.equal(await serves(made.certificate), true)
    await api.database.system((tx) => tx.query('UPDATE domain SET always_https = true WHERE id = $1', [own.domain]))
    assert.equal(await serves(made.certificate), false)
    Object.assign(status, { plain: 503, secure: 200 })
    assert.equal(await serves(made.certificate), false)
  } finally {
    plain.close()
    secure.close()
  }
})

/** Whatever is asked is asked at these ports, by the name that it is asked by; `ca`: whose certificates hold. */
function bentGate(ports: { http: number; https?: number; ca?: string | undefined }): OutgoingGate {
  class Bent extends OutgoingGate {
    override request(...[sender, wanted]: Parameters<OutgoingGate['request']>) {
      const isSecure = wanted.url.protocol === 'https:' && wanted.connectTo?.port === 443
      const connectTo = { host: '127.0.0.1', port: isSecure ? (ports.https ?? 0) : ports.http }
      const secureContext = tls.createSecureContext(ports.ca === undefined ? {} : { ca: ports.ca })
      return super.request(sender, { ...wanted, own: true, connectTo, secureContext })
    }
  }
  const names = { ...gateOf(api).names, aliasOf: async () => null }
  return new Bent({ config: api.config, log: api.log, names })
}

const gateOf = ({ config, log }: ApiUnderTest) => new OutgoingGate({ config, log })

let passedSeconds = 0
/** Reconciles as if ten minutes had passed since the last time, so that no pause between two attempts is left. */
const muchLater = () => later((passedSeconds += 600))

/** Reconciles as if so many seconds had passed. */
async function later(seconds: number): Promise<void> {
  await reconcile(api.database, driverContext(api.config, gateOf(api), api.database), () => Date.now() + seconds * 1000)
}

test('a name that is steered has no service binding in the answers, and has it again when it is not', async () => {
  const own = await newSteeredDomain(api)
  const zone = () => dns.document('dns-zone', own.site)
  await own.client.call(dnsRecords.routes.create, {
    site: own.site,
    type: 'HTTPS',
    name: '@',
    value: '1 . alpn=h2 ipv4hint=8.8.8.8',
  })
  const { data: apex } = await own.client.call(dnsRecords.routes.create, {
    site: own.site,
    type: 'A',
    name: '@',
    value: '8.8.8.8',
    multiCdn: true,
  })
  const isBound = () => zone()?.rrsets.some(({ type }) => type === 'HTTPS')
  await until(async () => isBound() === true)
  await attach({ ...own, domain: apex.domainId ?? '' }, ['swiftlane'])
  await until(async () => isBound() === false)
  await own.client.call(dnsRecords.routes.update, { site: own.site, id: apex.id, multiCdn: false })
  await until(async () => isBound() === true)
})

type Does = Partial<PreflightAddress> | ((question: PreflightQuestion) => Partial<PreflightAddress>)
/** Installs the first CDN, where the origin does so over each protocol. */
async function firstSeen(over: Record<'http' | 'https', Does>, cdnId = 'swiftlane') {
  const own = await newSteeredDomain(api)
  origin = (question) => {
    const does = over[question.protocol]
    return typeof does === 'function' ? does(question) : does
  }
  try {
    const { data, meta } = await own.client.call(install, { site: own.site, domain: own.domain, cdnId })
    const { origin: is } = await own.client.call(domains.routes.get, { site: own.site, domain: own.domain })
    return { own, version: meta.version, seen: data.originSeen, is: [is.protocol, is.port] }
  } finally {
    origin = null
  }
}
/** As an edge node tells of a redirect: it leads back where neither the host nor the path is another. */
const sentTo =
  (protocol: 'http' | 'https', path = '/', host?: string) =>
  ({ hostHeader, path: asked }: PreflightQuestion) => ({
    status: 301,
    redirectTo: `${protocol}://${host ?? hostHeader}${path}`,
    redirectLoop: host === undefined && path === asked,
  })
const sentOn = sentTo('https')

test('an origin that sends everybody on to HTTPS is fetched over HTTPS from the first CDN on, in the same version', async () => {
  const { own, version, seen, is } = await firstSeen({ http: sentOn, https: { status: 404 } })
  assert.deepEqual([seen, is], ['https', ['https', 443]])
  const { changes } = await own.client.call(versions.routes.get, { site: own.site, number: String(version) })
  assert.ok(changes.some(({ entity }) => entity === 'domain'))
  // Taken off and made anew with the same origin it stays mended.
  await own.client.call(dnsRecords.routes.remove, { site: own.site, id: own.record })
  await own.client.call(dnsRecords.routes.create, {
    site: own.site,
    type: 'A',
    name: 'www',
    value: '8.8.8.8',
    multiCdn: true,
  })
  const back = (await own.client.call(domains.routes.list, { site: own.site })).data[0]
  assert.deepEqual([back?.origin.protocol, back?.origin.port], ['https', 443])
})

test('the first install says what of an origin is not well, and refuses nothing', async () => {
  const cases = [
    [{ http: { status: 200 }, https: {} }, 'http', 'http'],
    [{ http: { error: 'ECONNREFUSED' }, https: { status: 200 } }, 'https', 'https'],
    [{ http: sentTo('https', '/en/'), https: { status: 200 } }, 'https', 'https'],
    [{ http: sentTo('https', '/en/'), https: sentTo('https', '/en/') }, 'https', 'https'],
    [{ http: sentTo('https', '/', 'elsewhere.example'), https: { status: 200 } }, 'http', 'http'],
    [{ http: sentTo('http', '/en/'), https: { status: 200 } }, 'http', 'http'],
    [{ http: sentOn, https: { status: 502 } }, 'redirects', 'http'],
    [{ http: sentOn, https: sentOn }, 'redirects', 'http'],
    [{ http: sentOn, https: sentTo('http', '/en/') }, 'redirects', 'http'],
    [{ http: { error: 'timeout' }, https: { error: 'timeout' } }, 'fails', 'http'],
    [{ http: { status: 503 }, https: { status: 200 } }, 'fails', 'http'],
  ] as const
  for (const [index, [over, seen, protocol]] of cases.entries()) {
    const found = await firstSeen(over)
    assert.deepEqual([found.seen, found.is[0]], [seen, protocol], `case ${index}`)
  }
})

test('an origin that somebody has set, and one that no node can look at, are left as they are', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  assert.equal((await own.client.call(install, { ...place, cdnId: 'swiftlane' })).data.originSeen, null)
  origin = sentOn
  try {
    assert.equal((await own.client.call(install, { ...place, cdnId: 'polaris' })).data.originSeen, null)
  } finally {
    origin = null
  }
})

test('nobody waits while an origin is looked at, and what its owner sets meanwhile stays', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const [looks, looked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  patience = () => (looks.resolve(), looked.promise)
  origin = sentOn
  let isOver = false
  try {
    const installed = own.client.call(install, { ...place, cdnId: 'swiftlane' }).finally(() => (isOver = true))
    await looks.promise
    const set = { address: '8.8.8.8', port: 8080, protocol: 'http' as const, hostHeader: own.host }
    await own.client.call(domains.routes.update, { ...place, origin: set })
    assert.equal(isOver, false)
    looked.resolve()
    assert.equal((await installed).data.originSeen, null)
    const { origin: is } = await own.client.call(domains.routes.get, place)
    assert.deepEqual([is.protocol, is.port], ['http', 8080])
  } finally {
    looked.resolve()
    patience = () => Promise.resolve()
    origin = null
  }
})

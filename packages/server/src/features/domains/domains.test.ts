import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cdnManagement, certificates, domains, dnsRecords, versions } from '@fairway/contract'
import { call } from '@fairway/platform'
import { startApiUnderTest, type ApiUnderTest } from '../../testing/api-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'
import { makeCertificate } from '../../testing/made-certificates.ts'
import { cdnStatus, isDisabled } from './cdn-status.ts'

const { get, list, update } = domains.routes
let api: ApiUnderTest
let dns: NodeUnderTest
let edge: NodeUnderTest
before(async () => {
  api = await startApiUnderTest()
  dns = startNodeUnderTest(api, 'dns')
  edge = startNodeUnderTest(api, 'edge')
})
after(async () => {
  await Promise.all([dns, edge].map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

test('a domain is as good as its best CDN, and disabled in selectors unless it is usable', () => {
  assert.equal(cdnStatus(['failed', 'operational', 'deploying'], true), 'operational')
  assert.equal(cdnStatus(['deleting', 'deploying'], true), 'deploying')
  assert.equal(cdnStatus(['deleting', 'failed'], true), 'failed')
  assert.equal(cdnStatus([], true), 'available')
  assert.equal(cdnStatus(['operational'], false), 'unavailable')
  assert.deepEqual((['operational', 'available', 'deploying'] as const).map(isDisabled), [false, false, false])
  assert.deepEqual(
    (['failed', 'deleting', 'unavailable', 'action-required', 'review-failed'] as const).map(isDisabled),
    [true, true, true, true, true],
  )
})

test('a new origin reaches the edge, steering settings reach DNS, and both can be undone', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  const place = { site: own.site, domain: own.domain }
  const origin = {
    address: 'origin.example.net',
    port: 8443,
    protocol: 'https' as const,
    hostHeader: 'backend.example.net',
  }
  const first = await own.client.call(update, { ...place, origin, cacheTtlSeconds: 60 })
  assert.deepEqual(
    [first.data.origin, first.data.cacheTtlSeconds],
    [
      {
        ...origin,
        type: 'fqdn',
        spareAddresses: [],
        balance: 'failover',
        fallbackAddress: null,
        keepaliveSeconds: 60,
        verifyCertificate: false,
      },
      60,
    ],
  )
  await until(async () => edge.document('edge-site', own.site)?.domains[0]?.origin.port === 8443)
  const second = await own.client.call(update, { ...place, minimumSamples: 5, marginPercent: 12.5 })
  await until(async () => dns.document('dns-zone', own.site)?.policies[0]?.settings.minimumSamples === 5)
  const live = await until(async () => {
    const version = await own.client.call(versions.routes.get, { site: own.site, number: String(second.meta.version) })
    return version.state === 'live' && version
  })
  assert.deepEqual([live.title, live.nodes.map((node) => node.role)], [`Change ${own.host}`, ['dns']])
  await own.client.call(versions.routes.revert, { site: own.site, number: String(second.meta.version) })
  await own.client.call(versions.routes.revert, { site: own.site, number: String(first.meta.version) })
  const back = await own.client.call(get, place)
  assert.deepEqual(
    [back.origin.address, back.minimumSamples, back.marginPercent, back.cdnStatus],
    ['8.8.8.8', 20, 5, 'operational'],
  )
  assert.equal((await own.client.call(update, { ...place, minimumSamples: 20 })).meta.version, null)
})

test('an origin is neither in our own networks nor a name that leads back', async () => {
  const own = await newSteeredDomain(api)
  const refused = async (address: string, port = 80) => {
    const refusal = await own.client.refusal(update, {
      site: own.site,
      domain: own.domain,
      origin: { address, port, protocol: 'http', hostHeader: own.host },
    })
    return [refusal.status, refusal.fields[0]?.path, refusal.fields[0]?.message]
  }
  for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '0.0.0.0', '192.168.1.1'])
    assert.deepEqual(await refused(address), [400, 'origin.address', 'validation.bogonIpCheck'], address)
  for (const address of [own.host, 'abc.edge.fairway.test', 'fairway.test'])
    assert.deepEqual(await refused(address), [400, 'origin.address', 'validation.cnameLoop'], address)
  assert.equal((await refused('not a host'))[0], 400)
  // The demonstration website's address is the demo's alone.
  const { host, port } = api.config.originListen
  const demo = await own.client.refusal(update, {
    site: own.site,
    domain: own.domain,
    origin: { address: host, port, protocol: 'http', hostHeader: own.host },
  })
  assert.deepEqual(demo.fields[0], { path: 'origin.address', message: 'validation.bogonIpCheck' })
})

test('an origin that somebody set stays when the record is edited', async () => {
  const own = await newSteeredDomain(api)
  await own.client.call(update, {
    site: own.site,
    domain: own.domain,
    origin: { address: 'origin.example.net', port: 80, protocol: 'http', hostHeader: own.host },
  })
  await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, value: '8.8.4.4' })
  assert.equal(
    (await own.client.call(get, { site: own.site, domain: own.domain })).origin.address,
    'origin.example.net',
  )
})

test('a renamed record takes its domain along; DNS answers with the CDNs again when the edge knows the new name', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, name: 'shop' })
  const host = own.host.replace('www.', 'shop.')
  const domain = await own.client.call(get, { site: own.site, domain: own.domain })
  assert.deepEqual([domain.name, domain.origin.hostHeader], [host, host])
  await until(async () => dns.document('dns-zone', own.site)?.steered[0]?.name === host)
  assert.equal(edge.document('edge-site', own.site)?.domains[0]?.host, host)
})

test('the list searches and counts', async () => {
  const own = await newSteeredDomain(api)
  await own.client.call(dnsRecords.routes.create, {
    site: own.site,
    type: 'A',
    name: 'img',
    value: '8.8.8.8',
    multiCdn: true,
  })
  assert.deepEqual(
    (await own.client.call(list, { site: own.site, ordering: 'name' })).data.map((domain) => domain.name.split('.')[0]),
    ['img', 'www'],
  )
  const found = await own.client.call(list, { site: own.site, search: 'img' })
  assert.deepEqual([found.meta.total, found.data[0]?.cdnIds], [1, []])
})

test('every address of an origin is checked, and each finding stands at its own', async () => {
  const own = await newSteeredDomain(api)
  const base = { address: '8.8.8.8', port: 80, protocol: 'http' as const, hostHeader: own.host }
  const refused = async (origin: object) => {
    const { status, fields } = await own.client.refusal(update, {
      site: own.site,
      domain: own.domain,
      origin: { ...base, ...origin },
    })
    return [status, ...fields.map(({ path, message }) => `${path} ${message}`)]
  }
  assert.deepEqual(await refused({ spareAddresses: ['8.8.4.4', '10.0.0.1'], fallbackAddress: '127.0.0.1' }), [
    400,
    'origin.spareAddresses.1 validation.bogonIpCheck',
    'origin.fallbackAddress validation.bogonIpCheck',
  ])
  assert.deepEqual(await refused({ spareAddresses: ['8.8.8.8'] }), [
    400,
    'origin.spareAddresses.0 validation.duplicateValue',
  ])
  assert.deepEqual(await refused({ fallbackAddress: '8.8.8.8' }), [
    400,
    'origin.fallbackAddress validation.duplicateValue',
  ])
  assert.deepEqual(await refused({ spareAddresses: ['origin.example.net'] }), [
    400,
    'origin.spareAddresses.0 validation.originType',
  ])
  assert.deepEqual(await refused({ spareAddresses: [own.host] }), [400, 'origin.spareAddresses.0 validation.cnameLoop'])
  assert.deepEqual(await refused({ address: 'under_score.example' }), [
    400,
    'origin.address validation.fqdnOrIpAddress',
  ])
  assert.deepEqual(await refused({ address: `${'a'.repeat(64)}.example` }), [
    400,
    'origin.address validation.fqdnOrIpAddress',
  ])
  for (const port of [-1, 65_536])
    assert.deepEqual(await refused({ port }), [400, 'origin.port validation.originPortCheck'])
  for (const keepaliveSeconds of [0, 101])
    assert.deepEqual(await refused({ keepaliveSeconds }), [400, 'origin.keepaliveSeconds validation.keepalive'])
  assert.deepEqual(await refused({ hostHeader: '*.example.net' }), [400, 'origin.hostHeader validation.fqdn'])
  assert.equal(
    (await refused({ spareAddresses: Array.from({ length: 50 }, (_, i) => `8.8.1.${i}`) }))[1],
    'origin.spareAddresses validation.atMostEntries:50',
  )
  const { data } = await own.client.call(update, {
    site: own.site,
    domain: own.domain,
    origin: {
      ...base,
      port: 0,
      spareAddresses: ['8.8.4.4'],
      balance: 'ip-hash',
      fallbackAddress: 'origin.example.net',
      keepaliveSeconds: 100,
    },
  })
  assert.deepEqual(
    [
      data.origin.type,
      data.origin.spareAddresses,
      data.origin.balance,
      data.origin.fallbackAddress,
      data.origin.keepaliveSeconds,
    ],
    ['ipv4', ['8.8.4.4'], 'ip-hash', 'origin.example.net', 100],
  )
})

test("settings reach the edge as each CDN can have them; tags are nobody else's business", async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['edge', 'polaris'])
  const place = { site: own.site, domain: own.domain }
  await serveOverTls(own)
  const settings = {
    compression: 'brotli' as const,
    alwaysHttps: true,
    ignoreQuery: true,
    tieredCache: true,
    earlyHints: true,
    http2: false,
  }
  const saved = await own.client.call(update, { ...place, settings })
  assert.equal(saved.data.settings.compression, 'brotli')
  const document = await until(async () => {
    const [domain] = edge.document('edge-site', own.site)?.domains ?? []
    return domain?.alwaysHttps === true && domain
  })
  assert.deepEqual(
    [document.compression, document.cdns['polaris']?.compression, document.cache.ignoreQuery, document.cache.tiered],
    ['brotli', 'gzip', true, true],
  )
  const { cdns } = await own.client.call(domains.routes.compile, place)
  const of = (id: string) =>
    cdns
      .find(({ cdnId }) => cdnId === id)
      ?.settings.filter(({ level }) => level !== 'exact')
      .map(({ setting, level }) => `${setting} ${level}`)
  assert.deepEqual(of('edge'), ['earlyHints not'])
  assert.deepEqual(of('polaris'), ['compression approximate', 'earlyHints not'])
  const tagged = await own.client.call(update, { ...place, settings: { tags: ['shop', 'Deutschland 1'] } })
  assert.deepEqual([tagged.data.settings.tags, tagged.meta.version], [['shop', 'Deutschland 1'], null])
  for (const tags of [[''], ['a<b'], Array.from({ length: 21 }, (_, i) => `t${i}`)])
    assert.equal((await own.client.refusal(update, { ...place, settings: { tags } })).status, 400)
})

test('a domain says how much a request may bring through the edge', async () => {
  const own = await newSteeredDomain(api)
  const { largestRequestMb } = await own.client.call(get, { site: own.site, domain: own.domain })
  assert.equal(largestRequestMb, api.config.edgeLargestRequestMb)
})

test('HTTP/3 and early hints are had where an edge node has lately offered them, and told as missing elsewhere', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['edge', 'polaris'])
  const place = { site: own.site, domain: own.domain }
  const settings = { http3: true, earlyHints: true }
  const offered = async () => (await own.client.call(get, place)).http3Offered
  const said = async () =>
    (await own.client.call(domains.routes.compile, { ...place, settings })).cdns
      .map(
        ({ cdnId, settings: all }) =>
          `${cdnId} ${all
            .filter(({ setting }) => setting === 'http3' || setting === 'earlyHints')
            .map(({ level, reason }) => reason ?? level)
            .join(' ')}`,
      )
      .sort()
  const join = (role: string, http3Port: unknown) =>
    call(api.config, 'POST', '/nodes/v1/register/', { name: 'quick', role, version: '1', controlUrl: null, http3Port })
  const nowhere = ['edge noHttp3 noEarlyHints', 'polaris noHttp3 noEarlyHints']
  assert.deepEqual([await offered(), await said()], [false, nowhere])
  for (const wrong of [0, 65_536, '443', 1.5]) await assert.rejects(join('edge', wrong))
  await join('dns', 443)
  assert.equal(await offered(), false, 'a name server speaks it with nobody')
  await join('edge', 443)
  assert.deepEqual([await offered(), await said()], [true, ['edge exact exact', 'polaris noHttp3 noEarlyHints']])
  await api.database.system((tx) =>
    tx.query(`UPDATE node SET last_seen_at = now() - interval '2 days' WHERE name = 'quick'`),
  )
  assert.deepEqual([await offered(), await said()], [false, nowhere])
  const { meta } = await own.client.call(update, { ...place, settings })
  const published = (on: boolean) =>
    until(async () => {
      const [domain] = edge.document('edge-site', own.site)?.domains ?? []
      return domain?.http3 === on && domain.earlyHints === on && domain
    })
  // Nodes that have it, when they come, find it on; simulated CDNs are at other addresses.
  assert.equal((await published(true)).cdns['polaris']?.http3 ?? false, false)
  await own.client.call(versions.routes.revert, { site: own.site, number: String(meta.version) })
  await published(false)
})

test('27005: WebSocket is an ability of the plan; 27020: of the CDNs, too, as is HTTPS to the origin', async () => {
  const poor = await newSteeredDomain(api, { planId: 'developer' })
  assert.equal(
    (await poor.client.refusal(update, { site: poor.site, domain: poor.domain, settings: { websocket: true } })).code,
    27_005,
  )
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  await attach(own, ['tidewater'])
  const origin = { address: '8.8.8.8', port: 443, protocol: 'https' as const, hostHeader: own.host }
  const refused = async (wanted: object) => {
    const { code, fields } = await own.client.refusal(update, { ...place, ...wanted })
    return [code, ...(fields ?? []).map(({ path }) => path)]
  }
  assert.deepEqual(await refused({ settings: { websocket: true } }), [27_020, 'settings.websocket'])
  assert.deepEqual(await refused({ origin, settings: { websocket: true } }), [
    27_020,
    'settings.websocket',
    'origin.protocol',
  ])
  const [compiled] = (await own.client.call(domains.routes.compile, { ...place, origin })).cdns
  assert.deepEqual([compiled?.problem, compiled?.against], [27_020, ['origin.protocol']])
  assert.equal((await own.client.call(get, place)).origin.protocol, 'http')
})

test('behind the shield CDNs need not speak with the origin; without it those that cannot go out of use, by the same version', async () => {
  const poor = await newSteeredDomain(api, { planId: 'business' })
  assert.equal(
    (await poor.client.refusal(update, { site: poor.site, domain: poor.domain, settings: { originShield: 'use' } }))
      .code,
    27_005,
  )
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const origin = {
    address: '8.8.8.8',
    port: 8443,
    protocol: 'https' as const,
    hostHeader: own.host,
    spareAddresses: ['8.8.4.4'],
    balance: 'ip-hash' as const,
  }
  await own.client.call(update, { ...place, origin, settings: { originShield: 'use' } })
  await attach(own, ['tidewater'])
  const {
    cdns: [tidewater],
  } = await own.client.call(domains.routes.compile, place)
  assert.deepEqual(
    [tidewater?.problem, tidewater?.settings.find(({ setting }) => setting === 'balance')?.level],
    [null, 'exact'],
  )
  const bypass = () => own.client.refusal(update, { ...place, settings: { originShield: 'bypass' } })
  assert.equal((await bypass()).code, 27_027)
  await own.client.call(update, { ...place, origin: { ...origin, port: 443 } })
  assert.equal((await bypass()).code, 27_906)
  await attach(own, ['swiftlane'])
  const { meta } = await own.client.call(update, { ...place, settings: { originShield: 'bypass' } })
  const enabled = async () =>
    Object.fromEntries(
      (await own.client.call(cdnManagement.routes.list, place)).data.map((cdn) => [cdn.cdnId, cdn.enabled]),
    )
  assert.deepEqual(await enabled(), { swiftlane: true, tidewater: false })
  await until(
    async () =>
      dns.document('dns-zone', own.site)?.policies[0]?.cdns.find(({ cdnId }) => cdnId === 'tidewater')?.enabled ===
      false,
  )
  const tidewaterRow =
    (await own.client.call(cdnManagement.routes.list, place)).data.find(({ cdnId }) => cdnId === 'tidewater')?.id ?? ''
  assert.equal(
    (await own.client.refusal(cdnManagement.routes.update, { ...place, id: tidewaterRow, enabled: true })).code,
    27_020,
  )
  await own.client.call(versions.routes.revert, { site: own.site, number: String(meta.version) })
  assert.deepEqual(
    [await enabled(), (await own.client.call(get, place)).settings.originShield],
    [{ swiftlane: true, tidewater: true }, 'use'],
  )
})

test('a test of an origin needs an edge node to make it, and refuses the same addresses', async () => {
  const own = await newSteeredDomain(api)
  const origin = { address: '8.8.8.8', port: 80, protocol: 'http' as const, hostHeader: own.host }
  assert.equal(
    (await own.client.refusal(domains.routes.preflight, { site: own.site, domain: own.domain, origin })).code,
    503,
  )
  assert.equal(
    (
      await own.client.refusal(domains.routes.preflight, {
        site: own.site,
        domain: own.domain,
        origin: { ...origin, address: '169.254.169.254' },
      })
    ).fields[0]?.message,
    'validation.bogonIpCheck',
  )
})

const serveOverTls = async ({ client, site, host }: SteeredDomain) =>
  (
    await client.call(certificates.routes.upload, {
      site,
      ...makeCertificate({ subject: `/CN=${host}`, names: [host] }),
    })
  ).data.id

test('visitors are not sent to HTTPS before a certificate serves (27040), nor held to it while they may come without (27041)', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const set = (settings: object) => own.client.call(update, { ...place, settings })
  const refusedSetting = async (settings: object) => (await own.client.refusal(update, { ...place, settings })).code
  assert.equal(await refusedSetting({ alwaysHttps: true }), 27_040)
  assert.equal(await refusedSetting({ hsts: 'host' }), 27_041)
  const certificate = await serveOverTls(own)
  await attach(own, ['edge'])
  await set({ alwaysHttps: true, hsts: 'subdomains', hstsSeconds: 86_400 })
  await until(async () => edge.document('edge-site', own.site)?.domains[0]?.hsts === 'max-age=86400; includeSubDomains')
  assert.equal(await refusedSetting({ alwaysHttps: false }), 27_041)
  await set({ hsts: 'forget', alwaysHttps: false })
  await until(async () => edge.document('edge-site', own.site)?.domains[0]?.hsts === 'max-age=0')
  assert.equal((await own.client.refusal(update, { ...place, settings: { hstsSeconds: 299 } })).status, 400)
  // Its only certificate is not taken away without a word while it sends everybody to HTTPS.
  const remove = certificates.routes.remove
  await set({ alwaysHttps: true })
  assert.equal((await own.client.refusal(remove, { id: certificate })).code, 28_022)
  const second = await serveOverTls(own)
  await own.client.call(remove, { id: certificate })
  assert.equal((await own.client.refusal(remove, { id: second })).code, 28_022)
  await own.client.call(remove, { id: second, confirm: true })
})

test('an origin may be an IPv6 address, beside IPv4 ones and not beside names; the same one twice is refused however it is written', async () => {
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const origin = { address: '2606:4700::6810:1', port: 80, protocol: 'http' as const, hostHeader: own.host }
  const { data } = await own.client.call(update, { ...place, origin: { ...origin, spareAddresses: ['8.8.8.8'] } })
  assert.equal(data.origin.type, 'ipv6')
  for (const [spare, message] of [
    ['2606:4700:0:0::6810:0001', 'duplicateValue'],
    ['origin.example.net', 'originType'],
    ['::1', 'bogonIpCheck'],
    ['::ffff:127.0.0.1', 'bogonIpCheck'],
  ] as const)
    assert.deepEqual(
      (await own.client.refusal(update, { ...place, origin: { ...origin, spareAddresses: [spare] } })).fields,
      [{ path: 'origin.spareAddresses.0', message: `validation.${message}` }],
      spare,
    )
})

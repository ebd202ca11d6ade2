import assert from 'node:assert/strict'
import {
  accessControl,
  account,
  analyticsDem,
  apiKeys,
  apiProtection,
  bulkConfigure,
  byoCdnKeys,
  cacheRules,
  cdnManagement,
  crsRules,
  credentialStuffing,
  customPages,
  dnsSecondaries,
  failedLogin,
  firewallRules,
  httpHeaderRewrite,
  originRules,
  outsideFeeds,
  privateData,
  pulse,
  purges,
  routingStrategies,
  signedUrls,
  streamCaptions,
  sessions,
  supportTickets,
  teammates,
  vsrRules,
  webhooks,
} from '@fairway/contract'
import { endpointId } from '@fairway/domain'
import { accountOf } from '../features/billing/account-store.ts'
import { postInvoice, quoteOf } from '../features/billing/post-invoice.ts'
import type { ApiUnderTest, Client } from './api-under-test.ts'
import type { NamedRoute } from './every-route.ts'
import { attach, newSteeredDomain, type SteeredDomain } from './steered-domain.ts'
import { until } from './until.ts'

/** An endpoint in force that is named after the organisation. */
async function anEndpoint(api: ApiUnderTest, { client, site, domain }: SteeredDomain, name: string): Promise<string> {
  const path = `/api/${name.toLowerCase()}`
  const id = endpointId('GET', path)
  const endpoint = { ...ENDPOINT, id, method: 'GET', path, edited: false }
  await api.database.system((tx) =>
    tx.query(
      'INSERT INTO api_schema (id, organization_id, site_id, endpoints, in_force_since) VALUES ($1, $2, $3, $4, now())',
      [domain, client.organizationId, site, JSON.stringify([endpoint])],
    ),
  )
  return id
}
const ENDPOINT = { kinds: ['none'], maxBytes: 0, open: true, parameters: [] }

/** Everything that one organisation has, by the name of the path parameter it stands for. */
export type World = SteeredDomain & { ids: Record<string, string>; custom: string }

/** An organisation with one of everything. Nodes must run, or a domain never comes into service. */
export async function newWorld(api: ApiUnderTest, name: string): Promise<World> {
  const own = await newSteeredDomain(api)
  const { client, site, domain } = own
  const custom = (
    await client.call(cdnManagement.routes.createPlatform, {
      name: `${name} CDN`,
      cname: `edge.${name.toLowerCase()}.example`,
    })
  ).data.id
  const cdns = await attach(own, ['swiftlane', 'polaris'])
  const target = { targets: [{ cdnId: 'swiftlane' }] }
  const strategy = (
    await client.call(routingStrategies.routes.create, { site, domain, name, method: 'always-use', ...target })
  ).data.id
  const rule = (
    await client.call(vsrRules.routes.create, { site, domain, name, filter: {}, mimickedAddress: '133.11.0.1' })
  ).data.id
  const cached = (
    await client.call(cacheRules.routes.create, {
      site,
      domain,
      type: 'directory',
      path: `/${name}/`,
      expiry: { value: 1, unit: 'day' },
      honorOrigin: true,
    })
  ).data.id
  const [purge] = (await client.call(purges.routes.create, { site, domainIds: [domain], kind: 'all', soft: true })).data
  const person = (
    await client.call(teammates.routes.invite, {
      email: `invited@${name.toLowerCase()}.example`,
      roleIds: ['site-viewer'],
    })
  ).id
  const [found] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO found_record (organization_id, site_id, type, name, value, found_by) VALUES ($1, $2, 'A', 'www', '8.8.8.8', 'hand') RETURNING id`,
      [client.organizationId, site],
    ),
  )
  const [certificate] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO certificate (organization_id, site_id, type, names) VALUES ($1, $2, 'lets-encrypt', $3) RETURNING id`,
      [client.organizationId, site, [own.host]],
    ),
  )
  const customPage = (
    await client.call(customPages.routes.create, { site, kind: 'errors', name, html: '<p>::REQUEST_ID::' })
  ).data.id
  const ticket = (await client.call(supportTickets.routes.create, { subject: name, message: name })).id
  const key = (
    await client.call(byoCdnKeys.routes.create, { platform: 'fastly', name, values: { token: name.padEnd(32, 'x') } })
  ).id
  const secondary = (await client.call(dnsSecondaries.routes.create, { name: `${name} secondary` })).data.id
  const [{ id: video } = { id: '' }] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_asset (organization_id, name, size, created_by) VALUES ($1, 'film.mp4', 1, 'x') RETURNING id`,
      [client.organizationId],
    ),
  )
  const [{ id: live } = { id: '' }] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO stream_live (organization_id, name, latency, key_frame_seconds, rewind_seconds, key_hash, created_by) VALUES ($1::uuid, 'Harbour', 'normal', 2, 60, $1::uuid::text, 'x') RETURNING id`,
      [client.organizationId],
    ),
  )
  const caption = (await client.call(streamCaptions.routes.create, { asset: video, ...CAPTIONS })).id
  const signingKey = (await client.call(signedUrls.routes.createKey, {})).data.id
  const hook = (await client.call(webhooks.routes.create, { url: 'https://8.8.8.8/', types: ['dns'] })).data.id
  const delivery = (await client.call(webhooks.routes.test, { id: hook })).id
  const [news] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO notification (organization_id, type, level, event, fields) VALUES ($1, 'dns', 'info', 'nameservers-verified', '{}') RETURNING id`,
      [client.organizationId],
    ),
  )
  const beaconKey = (await client.call(pulse.routes.get, {})).key
  await client.call(pulse.routes.rotate, {})
  const monitored = (
    await client.call(privateData.routes.create, { name, hostname: 'object.example.net', path: '/test.bin' })
  ).id
  const view = (await client.call(analyticsDem.routes.createView, { name, page: {} })).data.id
  const outside = (await client.call(outsideFeeds.routes.create, { name })).data.id
  const apiKey = (await client.call(apiKeys.routes.create, { name, tier: 1 })).data.id
  const passkey = await aPasskey(api, client, name)
  const {
    data: [session],
  } = await client.call(sessions.routes.list, {})
  const { customerId } = await client.call(account.routes.info, {})
  const invoice = await anInvoice(api, client.organizationId, name)
  const bulk = (
    await client.call(bulkConfigure.routes.create, {
      domainIds: [domain],
      change: { tab: 'general', settings: { http2: true } },
    })
  ).data.id
  await until(async () => (await client.call(bulkConfigure.routes.get, { id: bulk })).finishedAt !== null)
  const place = { site, domain }
  const ids = {
    'access-control': (
      await client.call(accessControl.routes.create, {
        ...place,
        list: 'blacklist',
        kind: 'address',
        value: '192.0.2.6',
      })
    ).data.id,
    'firewall-rules': (await client.call(firewallRules.routes.create, { ...place, name, action: { type: 'block' } }))
      .data.id,
    'api-protection': (await client.call(apiProtection.routes.create, { ...place, ...API_RULE })).data.id,
    'api-schema': await anEndpoint(api, own, name),
    'failed-login': (await client.call(failedLogin.routes.create, { ...place, ...FAILED_LOGIN })).data.id,
    'credential-stuffing': (await client.call(credentialStuffing.routes.create, { ...place, ...STUFFING })).data.id,
    'http-header-rewrite': (await client.call(httpHeaderRewrite.routes.create, { ...place, ...HEADER_RULE })).data.id,
    'origin-rules': (await client.call(originRules.routes.create, { ...place, name, origin: { port: 8080 } })).data.id,
    'crs-rules': (await client.call(crsRules.routes.exclude, { ...place, path: '/x' })).data.id,
    account: customerId,
    'bulk-configure': bulk,
    certificates: certificate?.id ?? '',
    'api-keys': apiKey,
    passkeys: passkey,
    sessions: session?.id ?? '',
    billing: invoice,
    'cache-rules': cached,
    'custom-pages': customPage,
    purges: purge?.id ?? '',
    notifications: news?.id ?? '',
    webhooks: hook,
    delivery,
    'beacon-key': beaconKey,
    'analytics-dem': view,
    'outside-feeds': outside,
    'private-data': monitored,
    'stream-assets': video,
    'live-streams': live,
    'stream-captions': caption,
    'signed-urls': signingKey,
    'support-tickets': ticket,
    'byo-cdn-keys': key,
    'add-site': found?.id ?? '',
    'cdn-management': cdns.get('swiftlane') ?? '',
    'dns-records': own.record,
    'dns-secondaries': secondary,
    'routing-strategies': strategy,
    teammates: person,
    'vsr-rules': rule,
  }
  return { ...own, ids, custom }
}

async function aPasskey(api: ApiUnderTest, { email, organizationId }: Client, name: string): Promise<string> {
  const rows = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO passkey (organization_id, user_id, credential_id, public_key, counter, transports, name, relying_party, backed_up) SELECT $1, id, $2, ''::bytea, 0, '{}', $2, 'localhost', false FROM app_user WHERE email = $3 RETURNING id`,
      [organizationId, name, email],
    ),
  )
  return rows[0]?.id ?? ''
}

const HEADER_RULE = {
  name: 'x',
  direction: 'response' as const,
  operations: [{ operation: 'set' as const, header: 'x-a', value: '1' }],
}

const CAPTIONS = {
  language: 'de',
  label: 'Deutsch',
  file: Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nAhoi\n').toString('base64'),
}
const BALANCER = { mode: 'weights', entries: [{ cdnId: 'edge', host: null, weight: 1, enabled: true }] }
const API_RULE = { name: 'x', path: '/api/*', key: 'a key of sixteen'.replaceAll(' ', '-') }
const FAILED_LOGIN = {
  name: 'x',
  path: '/login',
  maxAttempts: 10,
  maxFailed: 5,
  failure: { by: 'status' as const, status: 401 },
}
const STUFFING = { name: 'x', path: '/login', accountField: 'user', passwordField: 'password' }

const ADDRESS = {
  firstName: 'Ann',
  lastName: 'Example',
  billingCountry: 'TW',
  billingCity: 'Taipei',
  billingAddr1: '1 Road',
}

/** Posted for that organisation, with a line that stands for usage. */
async function anInvoice(api: ApiUnderTest, organizationId: string, name: string): Promise<string> {
  return api.database.system(async (tx) => {
    const account = await accountOf(tx, organizationId)
    const span = { from: Date.UTC(2026, 0, 1), until: Date.UTC(2026, 1, 1) }
    const rows = [
      {
        day: '2026-01-02',
        site_id: name,
        domain_id: name,
        cdn_id: name,
        site_name: name,
        domain_name: name,
        cdn_name: name,
        used: 5,
      },
    ]
    const quote = await quoteOf(
      tx,
      account,
      [
        {
          kind: 'usage',
          itemId: 'dnsQuery',
          name: { en: name, zhHant: name, zhHans: name },
          span,
          amountMinor: 5,
          usage: { used: 5, included: 0, rateUnits: 1, rateMinor: 1, rows },
        },
      ],
      new Date(),
    )
    return (await postInvoice(tx, account, quote, { kind: 'month', period: span, now: new Date(), paid: true })).id
  })
}

/**
 * What calls must send beside their path, so that they fail for no other reason. A route that is not here must be fine
 * without.
 */
const BODIES: Record<string, (of: World) => Record<string, unknown>> = {
  'add-site.addDomain': () => ({ name: 'x', origin: '8.8.8.8' }),
  'add-site.addFound': () => ({ type: 'A', name: 'x', value: '8.8.8.8' }),
  'add-site.choose': (of) => ({ ids: [of.ids['add-site']], chosen: false }),
  'add-site.create': () => ({ domainName: 'another-one.example' }),
  'add-site.eligibility': () => ({ domainName: 'another-one.example' }),
  'add-site.readFile': () => ({ text: 'x A 8.8.8.8' }),
  'analytics-dem.createView': () => ({ name: 'x', page: {} }),
  'analytics-dem.updateView': () => ({ name: 'x', page: {} }),
  'account.close': () => ({ confirmName: 'Nothing', password: 'Wrong-Horse-9' }),
  'account.connectGoogle': () => ({ state: 'x'.repeat(43), query: '' }),
  'account.password': () => ({ currentPassword: 'Wrong-Horse-9', password: 'Another-Horse-9' }),
  'account.sendMessage': () => ({ email: 'x@example.com' }),
  'account.setSettings': () => ({ showTutorial: false }),
  'account.setLocale': () => ({ locale: 'en' }),
  'account.survey': () => ({ industry: 'media', jobTitle: 'developer' }),
  'account.updateOrganization': () => ({ organizationName: 'Mine', industry: null, jobTitle: null, masterApp: 'web' }),
  'account.updateProfile': () => ({ firstName: 'A', lastName: 'B', menuOrder: 'default' }),
  'account.verifyMessage': () => ({ code: '000000' }),
  'account.verifyTotp': () => ({ code: '000000' }),
  'access-control.create': () => ({ list: 'blacklist', kind: 'address', value: '192.0.2.7' }),
  'access-control.createMany': () => ({ entries: [{ list: 'blacklist', kind: 'address', value: '192.0.2.9' }] }),
  'access-control.import': () => ({ list: 'blacklist', text: '192.0.2.8' }),
  'access-control.removeMany': (of) => ({ ids: [of.ids['access-control']] }),
  'crs-rules.apply': () => ({ ruleIds: [941100], enabled: false }),
  'crs-rules.exclude': () => ({ path: '/x' }),
  'firewall-rules.copy': (of) => ({ domains: [of.domain] }),
  'firewall-rules.create': () => ({ name: 'x', action: { type: 'block' } }),
  'firewall-rules.update': () => ({ name: 'x', action: { type: 'block' } }),
  'firewall-rules.reorder': (of) => ({ ids: [of.ids['firewall-rules']] }),
  'api-protection.create': () => API_RULE,
  'api-protection.update': () => API_RULE,
  'api-protection.reorder': (of) => ({ ids: [of.ids['api-protection']] }),
  'api-schema.edit': () => ENDPOINT,
  'api-schema.ignore': () => ({ ignored: true }),
  'failed-login.create': () => FAILED_LOGIN,
  'failed-login.update': () => FAILED_LOGIN,
  'failed-login.reorder': (of) => ({ ids: [of.ids['failed-login']] }),
  'credential-stuffing.create': () => STUFFING,
  'credential-stuffing.update': () => STUFFING,
  'credential-stuffing.reorder': (of) => ({ ids: [of.ids['credential-stuffing']] }),
  'http-header-rewrite.create': () => HEADER_RULE,
  'http-header-rewrite.update': () => HEADER_RULE,
  'http-header-rewrite.reorder': (of) => ({ ids: [of.ids['http-header-rewrite']] }),
  'origin-rules.create': () => ({ name: 'x', origin: { port: 8080 } }),
  'origin-rules.update': () => ({ name: 'x', origin: { port: 8080 } }),
  'origin-rules.reorder': (of) => ({ ids: [of.ids['origin-rules']] }),
  'web-security.backTest': () => ({ change: {} }),
  'web-security.try': () => ({ address: '192.0.2.7' }),
  'web-security.expression': () => ({ text: 'path exists' }),
  'api-keys.create': () => ({ name: 'x', tier: 1 }),
  'cache-rules.create': () => ({
    type: 'directory',
    path: '/x/',
    expiry: { value: 1, unit: 'day' },
    honorOrigin: true,
  }),
  'cache-rules.createNoCache': () => ({ type: 'directory', path: '/x/' }),
  'cache-rules.update': () => ({ honorOrigin: false }),
  'billing.addAddOn': () => ({ addonId: 'none' }),
  'billing.linkMarketplace': () => ({ token: 'none' }),
  'billing.redeemCoupon': () => ({ code: 'NONE' }),
  'billing.setAddress': () => ADDRESS,
  'billing.setCap': () => ({ capMinor: null, action: 'continue' }),
  'billing.setPayment': () => ({ intentId: 'seti_none', address: ADDRESS }),
  'billing.subscribe': () => ({ planId: 'none' }),
  'billing.upgradeInfo': () => ({ planId: 'business' }),
  'billing.upgradePlan': () => ({ planId: 'none' }),
  'analytics-multi-cdn.requests': () => ({ from: 0, until: 1 }),
  'analytics-origin-shield.logins': ({ site, domain }) => ({ site, domain }),
  'certificates.checkUpload': () => ({ certificate: 'x', privateKey: 'x' }),
  'certificates.issue': (of) => ({ names: [of.host], authority: 'lets-encrypt' }),
  'certificates.precheck': (of) => ({ names: [of.host], authority: 'lets-encrypt' }),
  'certificates.upload': () => ({ certificate: 'x', privateKey: 'x' }),
  'cdn-management.createPlatform': () => ({ name: 'Another', cname: 'edge.another.example' }),
  'cdn-management.install': () => ({ cdnId: 'edge' }),
  'cdn-management.updatePlatform': () => ({ name: 'Renamed' }),
  'custom-pages.create': () => ({ kind: 'errors', name: 'x', html: '<p>::REQUEST_ID::' }),
  'custom-pages.preview': () => ({ kind: 'errors' }),
  'domains.preflight': () => ({
    origin: { address: 'origin.example.net', port: 80, protocol: 'http', hostHeader: 'origin.example.net' },
  }),
  'dns-records.create': () => ({ type: 'TXT', name: 'x', value: 'y' }),
  'dns-records.updateMany': (of) => ({ ids: [of.record], set: { ttlSeconds: 600 }, force: true }),
  'dns-primary.set': () => ({ servers: ['192.0.2.53:53'], key: null }),
  'dns-secondaries.create': () => ({ name: 'x' }),
  'dns-records.removeMany': (of) => ({ ids: [of.record], force: true }),
  'versions.compare': () => ({ from: 0, to: 1 }),
  'purges.create': (of) => ({ domainIds: [of.domain], kind: 'all' }),
  'purges.preview': (of) => ({ domainIds: [of.domain], kind: 'all' }),
  'passkeys.create': () => ({ ceremony: 'x'.repeat(43), name: 'x', response: {} }),
  'passkeys.rename': () => ({ name: 'x' }),
  'outside-feeds.create': () => ({ name: 'x' }),
  'outside-feeds.update': () => ({ name: 'x' }),
  'private-data.create': () => ({ name: 'x', hostname: 'x.example.net', path: '/x.bin' }),
  'private-data.update': () => ({ name: 'x', hostname: 'x.example.net', path: '/x.bin' }),
  'private-data.look': () => ({ hostname: 'x.example.net', path: '/x.bin' }),
  'pulse.update': () => ({ startDelaySeconds: 2, repeatDelaySeconds: 10, batchNumber: 1 }),
  'route-map.putOverrides': () => ({ csv: '203.0.113.0/24,swiftlane' }),
  'routing-strategies.bulkEffect': (of) => ({ domainIds: [of.domain], strategy: { enabled: false } }),
  'routing-strategies.bulkUpdate': (of) => ({ domainIds: [of.domain], strategy: { enabled: false } }),
  'routing-strategies.cloneEffect': (of) => ({ domainIds: [of.domain] }),
  'routing-strategies.cloneAndReplace': (of) => ({ domainIds: [of.domain] }),
  'routing-strategies.replace': () => ({ strategies: [] }),
  'routing-strategies.create': () => ({ name: 'x', method: 'always-use', targets: [{ cdnId: 'swiftlane' }] }),
  'routing-strategies.enable': () => ({ enabled: false }),
  'routing-strategies.reorder': (of) => ({ ids: [of.ids['routing-strategies']] }),
  'routing-strategies.simulate': () => ({ client: '8.8.8.8' }),
  'routing-strategies.simulateMany': () => ({ clients: ['8.8.8.8'] }),
  'data-feeds.without': () => ({ feed: 'pulse' }),
  'routing-strategies.update': () => ({ name: 'x', method: 'always-use', targets: [{ cdnId: 'swiftlane' }] }),
  'routing-strategies.why': (of) => ({ name: of.host, client: '8.8.8.8' }),
  'simulated-cdns.set': () => ({ fault: { mode: 'down' } }),
  'simulated-cdns.setAttack': () => ({ kind: 'flood' }),
  'sites.create': () => ({ domainName: 'another-one.example' }),
  'sites.remove': (of) => ({ confirmName: of.host.slice(4) }),
  'support-tickets.contact': () => ({}),
  'support-tickets.create': () => ({ subject: 'x', message: 'y' }),
  'support-tickets.reply': () => ({ message: 'y' }),
  'vsr-rules.effect': () => ({ filter: {}, mimickedAddress: '133.11.0.1' }),
  'bulk-configure.create': (of) => ({ domainIds: [of.domain], change: { tab: 'general', settings: { http2: true } } }),
  'bulk-configure.preview': (of) => ({ domainIds: [of.domain], change: { tab: 'general', settings: { http2: true } } }),
  'shield-regions.update': () => ({ region: null }),
  'bot-management.setFriction': () => ({ softening: false }),
  'byo-cdn-keys.create': () => ({ platform: 'fastly', name: 'x', values: { token: 'x'.repeat(32) } }),
  'byo-cdn-keys.update': () => ({ name: 'x', values: { token: 'y'.repeat(32) } }),
  'teammates.leave': () => ({ email: 'x@example.com', password: 'Wrong-Horse-9' }),
  'teammates.transferOwnership': () => ({ password: 'Wrong-Horse-9' }),
  'teammates.invite': () => ({ email: 'somebody@example.com', roleIds: [] }),
  'teammates.setRoles': () => ({ roleIds: [] }),
  'teammates.whoCan': () => ({ feature: 'sites' }),
  'vsr-rules.create': () => ({ name: 'x', filter: {}, mimickedAddress: '133.11.0.1' }),
  'signed-urls.set': () => ({ on: false }),
  'signed-urls.createKey': () => ({}),
  'signed-urls.placeCloudfront': () => ({ cdnId: 'x' }),
  'signed-urls.inspect': () => ({ url: 'http://x.stream.localhost/' }),
  'live-streams.create': () => ({ name: 'x' }),
  'live-streams.update': () => ({ name: 'x' }),
  'live-streams.setTest': () => ({ on: true }),
  'live-streams.setTranscoder': () => ({ on: true }),
  'live-streams.setRecording': () => ({ on: true }),
  'stream-balancers.set': () => ({ ...BALANCER, isOn: true }),
  'stream-balancers.simulate': () => BALANCER,
  'stream-balancers.why': () => ({ client: '8.8.8.8' }),
  'stream-chapters.set': () => ({ chapters: [{ start: 1, title: 'x' }] }),
  'stream-peers.set': () => ({ isOn: true }),
  'stream-captions.create': () => CAPTIONS,
  'stream-assets.create': () => ({ name: 'x.mp4', size: 1 }),
  'stream-assets.replace': () => ({ name: 'x.mp4', size: 1 }),
  'stream-assets.makeFile': () => ({ rendition: '360p' }),
  'stream-thumbnails.set': () => ({ thumbnail: { kind: 'automatic' } }),
  'webhooks.create': () => ({ url: 'https://8.8.8.8/', types: ['dns'] }),
  'webhooks.update': () => ({ url: 'https://8.8.8.8/', types: ['dns'] }),
  'zone-files.apply': () => ({ format: 'bind', text: 'x 300 A 192.0.2.1', force: true }),
  'zone-files.preview': () => ({ format: 'bind', text: 'x 300 A 192.0.2.1' }),
  'vsr-rules.enable': () => ({ enabled: false }),
  'vsr-rules.update': () => ({ name: 'x', filter: {}, mimickedAddress: '133.11.0.1' }),
}

/** Parameters of paths that name something of an organisation. */
export const OWNED: ReadonlySet<string> = new Set([
  'site',
  'domain',
  'id',
  'number',
  'platform',
  'key',
  'source',
  'asset',
])

/** What a route is called with beside its path; not always all that it needs. */
export const knownBodyOf = ({ name }: NamedRoute, of: World): Record<string, unknown> => BODIES[name]?.(of) ?? {}

/** The same for a call that is to fail for no other reason than its path. */
export function bodyOf(entry: NamedRoute, of: World): Record<string, unknown> {
  const body = knownBodyOf(entry, of)
  assert.ok(entry.route.in.safeParse(body).success, `${entry.name}: say here what it must be called with`)
  return body
}

/** What stands for a parameter of a route's path. */
export function valueOf(entry: NamedRoute, param: string, of: World): string {
  const value = {
    site: of.site,
    domain: of.domain,
    source: of.ids['live-streams'],
    asset: of.ids['stream-assets'],
    view: 'a'.repeat(24),
    number: '1',
    cdn: 'swiftlane',
    platform: of.custom,
    delivery: of.ids['delivery'],
    key: of.ids['beacon-key'],
    id: of.ids[entry.name.split('.')[0] ?? ''],
  }[param]
  assert.ok(value, `${entry.name}: say here what {${param}} stands for`)
  return value
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  billing,
  byoCdnKeys,
  cdnManagement,
  dnsRecords,
  domains,
  notifications,
  powerUps,
  versions,
  type CdnOfferInput,
} from '@fairway/contract'
import { type ApiUnderTest, type Client, startApiUnderTest } from '../../testing/api-under-test.ts'
import { newCustomer, payWith } from '../../testing/billing-under-test.ts'
import { startNodeUnderTest, type NodeUnderTest } from '../../testing/node-under-test.ts'
import { attach, newSteeredDomain, type SteeredDomain } from '../../testing/steered-domain.ts'
import { until } from '../../testing/until.ts'

const { catalogue, decide, get, installed, offers, packageOf, removeOffer, reviews, setOffer } = powerUps.routes
const { createPlatform, install, list, platforms, removePlatform, uninstall, updatePlatform } = cdnManagement.routes
let api: ApiUnderTest
let running: NodeUnderTest[]
let operator: Client
before(async () => {
  api = await startApiUnderTest()
  running = [startNodeUnderTest(api, 'dns'), startNodeUnderTest(api, 'edge')]
  operator = await api.newClient({ isOperator: true })
})
after(async () => {
  await Promise.all(running.map((node) => node[Symbol.asyncDispose]()))
  await api[Symbol.asyncDispose]()
})

const offer = (change: Partial<CdnOfferInput> & Pick<CdnOfferInput, 'name'>): CdnOfferInput => ({
  driver: 'fairway-edge',
  slug: null,
  cname: null,
  category: 'china-rim',
  introduction: null,
  referenceUrl: null,
  review: true,
  planIds: [],
  offered: true,
  ...change,
})
const stateOf = async ({ client, site, domain }: SteeredDomain, cdnId: string) =>
  (await client.call(list, { site, domain })).data.find((cdn) => cdn.cdnId === cdnId)
const png = (bytes: number) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex'),
    Buffer.alloc(bytes - 33),
  ]).toString('base64')

test('the catalogue holds CDNs, vendors without a key and add-ons, each where it belongs, and finds them by words', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane'])
  const { data, categories, currency } = await own.client.call(catalogue, {})
  const one = (id: string) => data.find((powerUp) => powerUp.id === id)
  assert.deepEqual(
    [one('swiftlane')?.status, one('swiftlane')?.installs, one('polaris')?.status, one('polaris')?.features],
    ['installed', 1, null, { websocket: false, wildcard: true, icpCheck: false }],
  )
  assert.deepEqual(
    data.filter(({ kind }) => kind === 'vendor').map(({ driver, needs }) => `${driver} ${needs}`),
    ['akamai', 'bunny', 'cloudflare', 'cloudfront', 'fastly', 'tencent'].map((name) => `${name} key`),
  )
  assert.deepEqual(
    [one('origin-shield')?.included, one('china-dns')?.monthlyMinor, one('dynamic-routing')?.category, currency],
    [true, 10_000, 'smart-load-balancing', 'USD'],
  )
  assert.ok(categories.some(({ category, count }) => category === 'global-cdn' && count >= 3))
  assert.deepEqual(
    (await own.client.call(catalogue, { search: 'tidew' })).data.map(({ id }) => id),
    ['tidewater'],
  )
  assert.deepEqual(
    (await own.client.call(catalogue, { category: 'dns' })).data.map(({ id }) => id),
    ['china-dns'],
  )
  const detail = await own.client.call(get, { powerUp: 'swiftlane' })
  assert.deepEqual(
    [detail.installed[0]?.domain?.name, detail.rates?.[0]?.meter, detail.rates?.[0]?.rate?.units],
    [own.host, 'cdnTraffic', 1_000_000_000],
  )
  assert.equal((await own.client.refusal(get, { powerUp: 'nothing' })).status, 404)
})

test('what is reviewed waits for people: licence, queue, refusal with its reason, asking again, approval, serving', async () => {
  await operator.call(setOffer, { offer: 'jade', ...offer({ name: 'Jade', category: 'china-cdn' }) })
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  assert.equal((await own.client.refusal(install, { ...place, cdnId: 'jade' })).code, 27_032)
  const first = await own.client.call(install, { ...place, cdnId: 'jade', icpNumber: '京ICP备12345678号-1' })
  assert.equal(first.data.state, 'under-review')
  const mine = async () => (await operator.call(reviews, { search: own.host })).data[0]
  const waiting = await mine()
  assert.deepEqual(
    [waiting?.state, waiting?.icpNumber, waiting?.requestedBy, waiting?.domain],
    ['waiting', '京ICP备12345678号-1', own.client.email, own.host],
  )
  const told = async (client: Client) =>
    (await client.call(notifications.routes.list, { type: 'cdn' })).data.map(
      ({ event, endedAt }) => `${event} ${endedAt !== null}`,
    )
  assert.deepEqual(await told(operator), ['review-waiting false'])
  const review = waiting?.id ?? ''
  assert.equal((await operator.refusal(decide, { review, decision: 'refuse' })).fields[0]?.path, 'reason')
  await operator.call(decide, { review, decision: 'refuse', reason: 'The licence is of another site' })
  assert.deepEqual(
    [(await stateOf(own, 'jade'))?.state, (await stateOf(own, 'jade'))?.detail],
    ['review-failed', 'The licence is of another site'],
  )
  assert.equal(
    (await own.client.call(install, { ...place, cdnId: 'jade', icpNumber: '京ICP备87654321号' })).data.state,
    'under-review',
  )
  assert.deepEqual([(await mine())?.state, (await mine())?.icpNumber], ['waiting', '京ICP备87654321号'])
  const decided = await operator.call(decide, { review, decision: 'approve' })
  assert.deepEqual([decided.state, decided.decidedBy], ['approved', operator.email])
  await until(async () => (await stateOf(own, 'jade'))?.state === 'operational')
  assert.deepEqual((await told(own.client)).sort(), ['cdn-approved false', 'cdn-refused false'])
  assert.deepEqual(await told(operator), ['review-waiting true', 'review-waiting true'])
  assert.equal((await operator.refusal(decide, { review, decision: 'approve' })).code, 7409)
  assert.ok(
    (await own.client.call(versions.routes.list, { site: own.site })).data.some(
      ({ title }) => title === `Jade is approved for ${own.host}`,
    ),
  )
  assert.equal((await own.client.refusal(decide, { review, decision: 'approve' })).status, 403)
})

test('undoing an uninstallation is no way around a review, and one that waits may always be withdrawn', async () => {
  await operator.call(setOffer, { offer: 'rim', ...offer({ name: 'Rim' }) })
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const { data } = await own.client.call(install, { ...place, cdnId: 'rim' })
  const gone = await own.client.call(uninstall, { ...place, id: data.id })
  assert.deepEqual((await operator.call(reviews, { search: own.host })).data, [])
  await own.client.call(versions.routes.revert, { site: own.site, number: String(gone.meta.version) })
  assert.equal((await stateOf(own, 'rim'))?.state, 'under-review')
  assert.equal((await operator.call(reviews, { search: own.host })).data[0]?.state, 'waiting')
})

test('in China and near it every domain is reviewed, whoever brings the CDN', async () => {
  await operator.call(setOffer, { offer: 'pearl', ...offer({ name: 'Pearl', category: 'china-cdn', review: false }) })
  await operator.call(setOffer, { offer: 'delta', ...offer({ name: 'Delta', review: false }) })
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  const values = { secretId: 'AKIDabcdefghijklmnop', secretKey: 's'.repeat(32) }
  await own.client.call(byoCdnKeys.routes.create, { platform: 'tencent', name: 'Ours', values })
  const ours = (await own.client.call(catalogue, {})).data.find(
    ({ driver, kind }) => driver === 'tencent' && kind === 'cdn',
  )
  // An account of one's own makes it a custom CDN, in the category of its vendor.
  assert.deepEqual([ours?.type, ours?.category, ours?.review], ['custom', 'china-cdn', true])
  const licence = { icpNumber: '京ICP备12345678号-1' }
  for (const [cdnId, more] of [
    ['delta', {}],
    [ours?.id ?? '', licence],
    ['pearl', licence],
  ] as const) {
    assert.equal((await own.client.call(get, { powerUp: cdnId })).review, true, cdnId)
    assert.equal((await own.client.call(install, { ...place, cdnId, ...more })).data.state, 'under-review', cdnId)
  }
  assert.deepEqual(
    (await operator.call(reviews, { search: own.host, ordering: 'cdn' })).data.map((row) => [row.cdn, row.icpNumber]),
    [
      ['Delta', null],
      ['Ours', licence.icpNumber],
      ['Pearl', licence.icpNumber],
    ],
  )
})

test('what serves when its CDN comes to be reviewed goes on, set up anew too; brought back it waits', async () => {
  const tide = offer({ name: 'Tide', review: false, category: 'global-cdn' })
  await operator.call(setOffer, { offer: 'tide', ...tide })
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  await attach(own, ['tide'])
  await operator.call(setOffer, { offer: 'tide', ...tide, category: 'china-rim' })
  await own.client.call(dnsRecords.routes.update, { site: own.site, id: own.record, name: 'moved' })
  const states = new Set<string>()
  await until(async () => {
    const state = (await stateOf(own, 'tide'))?.state ?? ''
    states.add(state)
    return state === 'operational'
  })
  assert.ok(!states.has('under-review'))
  assert.deepEqual((await operator.call(reviews, { search: 'moved' })).data, [])
  await attach(own, ['swiftlane'])
  await own.client.call(uninstall, { ...place, id: (await stateOf(own, 'tide'))?.id ?? '' })
  assert.equal((await own.client.call(install, { ...place, cdnId: 'tide' })).data.state, 'under-review')
})

test('what the operator offers goes with its plans, shows itself everywhere as it is changed, and stays while it is used', async () => {
  await operator.call(setOffer, {
    offer: 'harbour',
    ...offer({ name: 'Harbour', review: false, category: 'regional-cdn', planIds: ['business'] }),
  })
  const own = await newSteeredDomain(api)
  const place = { site: own.site, domain: own.domain }
  assert.equal((await own.client.call(get, { powerUp: 'harbour' })).needs, 'plan')
  assert.equal((await own.client.refusal(install, { ...place, cdnId: 'harbour' })).code, 27_005)
  await operator.call(setOffer, {
    offer: 'harbour',
    ...offer({ name: 'Harbour', review: false, category: 'regional-cdn' }),
  })
  await attach(own, ['harbour'])
  await operator.call(setOffer, {
    offer: 'harbour',
    ...offer({ name: 'New Harbour', review: false, category: 'global-cdn' }),
  })
  assert.deepEqual(
    (await own.client.call(platforms, { search: 'harbour' })).data.map(({ name, category }) => [name, category]),
    [['New Harbour', 'global-cdn']],
  )
  assert.equal(
    (
      await operator.refusal(setOffer, {
        offer: 'harbour',
        ...offer({ name: 'Harbour', driver: 'custom', cname: 'x.example.net' }),
      })
    ).code,
    7409,
  )
  assert.equal((await operator.refusal(removeOffer, { offer: 'harbour' })).code, 7409)
  assert.equal((await operator.refusal(setOffer, { offer: 'other', ...offer({ name: 'swiftlane' }) })).code, 7491)
  assert.equal(
    (await operator.refusal(setOffer, { offer: 'custom', ...offer({ name: 'C', driver: 'custom' }) })).fields[0]?.path,
    'cname',
  )
  assert.equal((await operator.call(offers, {})).data.find(({ id }) => id === 'harbour')?.installs, 1)
})

test('a custom CDN has a picture that is one, a link and an introduction, can be changed, and goes when no domain uses it', async () => {
  const own = await newSteeredDomain(api)
  const at = { name: 'My CDN', cname: 'edge.mycdn.example' }
  const refusedLogo = async (logo: string) => {
    const { status, fields } = await own.client.refusal(createPlatform, { ...at, logo })
    return [status, fields[0]?.message ?? null]
  }
  assert.deepEqual(await refusedLogo(png(20_001)), [413, null])
  assert.deepEqual(
    await refusedLogo(
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64'),
    ),
    [400, 'validation.svgScript:script'],
  )
  assert.deepEqual(await refusedLogo(Buffer.from('GIF89a').toString('base64')), [400, 'validation.pictureType'])
  const { data } = await own.client.call(createPlatform, {
    ...at,
    logo: png(20_000),
    referenceUrl: 'https://mycdn.example/',
    introduction: 'Ours since 2019',
  })
  const shown = async () => {
    const { type, category, referenceUrl, introduction, logo } = await own.client.call(get, { powerUp: data.id })
    return [type, category, referenceUrl, introduction?.en, logo?.slice(0, 22) ?? null]
  }
  assert.deepEqual(await shown(), [
    'custom',
    'custom-cdn',
    'https://mycdn.example/',
    'Ours since 2019',
    'data:image/png;base64,',
  ])
  await own.client.call(updatePlatform, { platform: data.id, name: 'Origin in Tokyo', category: 'origin-server' })
  assert.deepEqual(await shown(), ['custom', 'origin-server', null, undefined, 'data:image/png;base64,'])
  await own.client.call(updatePlatform, { platform: data.id, name: 'Origin in Tokyo', logo: null })
  assert.equal((await shown())[4], null)
  await own.client.call(install, { site: own.site, domain: own.domain, cdnId: data.id })
  assert.equal((await own.client.refusal(removePlatform, { platform: data.id })).code, 27_033)
  const spare = (await own.client.call(createPlatform, { name: 'Spare', cname: 'x.mycdn.example' })).data.id
  await own.client.call(removePlatform, { platform: spare })
  assert.equal((await own.client.refusal(removePlatform, { platform: spare })).status, 404)
  assert.equal((await own.client.refusal(updatePlatform, { platform: 'swiftlane', name: 'Mine' })).status, 404)
})

test('what is installed is listed by domain with its status, add-ons by themselves', async () => {
  const own = await newSteeredDomain(api)
  await attach(own, ['swiftlane', 'polaris'])
  await own.client.call(uninstall, {
    site: own.site,
    domain: own.domain,
    id: (await stateOf(own, 'polaris'))?.id ?? '',
  })
  const rows = async (input: object) =>
    (await own.client.call(installed, input)).data.map(({ powerUpId, status, domain }) => [
      powerUpId,
      status,
      domain?.name,
    ])
  assert.deepEqual(await rows({ ordering: 'name' }), [
    ['polaris', 'delete-in-progress', own.host],
    ['swiftlane', 'installed', own.host],
  ])
  assert.deepEqual(await rows({ status: 'installed' }), [['swiftlane', 'installed', own.host]])
  assert.deepEqual(await rows({ kind: 'add-on' }), [])
})

test('the shield is bought by the month; with it go the settings that need it, and what only it made possible', async () => {
  const client = await newCustomer(api)
  await payWith(api, client, '4242424242424242')
  await client.call(billing.routes.subscribe, { planId: 'business' })
  await client.call(billing.routes.addAddOn, { addonId: 'origin-shield' })
  const services = await client.call(installed, { kind: 'add-on' })
  assert.deepEqual(
    services.data.map(({ powerUpId, status, monthlyMinor }) => [powerUpId, status, monthlyMinor]),
    [['origin-shield', 'installed', 20_000]],
  )
  const site = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO site (organization_id, domain_name, zone_status) VALUES ($1, 'shielded.example', 1) RETURNING id`,
      [client.organizationId],
    ),
  )
  const [domain] = await api.database.system((tx) =>
    tx.query<{ id: string }>(
      `INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header) VALUES ($1, $2, 'www.shielded.example', '8.8.8.8', 8443, 'https', 'www.shielded.example') RETURNING id`,
      [client.organizationId, site[0]?.id],
    ),
  )
  const place = { site: site[0]?.id ?? '', domain: domain?.id ?? '' }
  await client.call(domains.routes.update, { ...place, settings: { originShield: 'use' } })
  assert.equal((await client.refusal(billing.routes.removeAddOn, { addon: 'origin-shield' })).code, 27_027)
  await client.call(domains.routes.update, {
    ...place,
    origin: { address: '8.8.8.8', port: 443, protocol: 'https', hostHeader: 'www.shielded.example' },
  })
  await client.call(billing.routes.removeAddOn, { addon: 'origin-shield' })
  assert.equal((await client.call(domains.routes.get, place)).settings.originShield, 'bypass')
  assert.equal(
    (await client.call(versions.routes.list, { site: place.site })).data[0]?.title,
    'Bypass the origin shield: www.shielded.example',
  )
})

test('a package says what plan and add-ons include', async () => {
  const client = await api.newClient({ planId: 'business' })
  const traffic = await client.call(packageOf, { type: 'cdnTraffic' })
  assert.deepEqual([traffic.plan.id, traffic.included, traffic.total, traffic.rate?.minor], ['business', 1e12, 1e12, 4])
  assert.deepEqual((await client.call(packageOf, { type: 'mcdn' })).included, 20)
  assert.equal((await client.refusal(packageOf, { type: 'weather' })).code, 7499)
})

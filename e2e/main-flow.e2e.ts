import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { ApiError } from '@fairway/app'
import { type DomainCdn, FEATURES, type SimulatedFault } from '@fairway/contract'
import { freePorts } from '@fairway/platform'
import type { Page } from 'playwright-core'
import { chromiumMissing, openChromium } from './chromium.ts'
import { goOn, setUp } from './console-session.ts'
import { type Fetched, curl } from './curl.ts'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { pebbleMissing, startPebble } from './pebble.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { cdnManagement, certificates, domains, purges, simulatedCdns, sites, versions } = FEATURES
const ZONE = 'harbour.example'
const HOST = `www.${ZONE}`
const CDNS = { swiftlane: 'Swiftlane', polaris: 'Polaris', tidewater: 'Tidewater', edge: 'Fairway Edge' }
const skip = pebbleMissing || chromiumMissing

const stack = new AsyncDisposableStack()
let world: World
let page: Page
let place = { site: '', domain: '' }
let port = 0
/** The authority's root: what a visitor's browser trusts. */
let trusted = ''
/** How often the origin was asked for what, and for which host. */
const asked = new Map<string, number>()
const origin = http.createServer((request, response) => {
  const key = `${request.headers.host}${request.url}`
  asked.set(key, (asked.get(key) ?? 0) + 1)
  const lifetime = request.url?.startsWith('/static/') ? 'no-cache' : 'public, max-age=600'
  response
    .writeHead(200, { 'content-type': 'text/html', 'cache-control': lifetime })
    .end(`origin of ${request.headers.host} at ${request.url} ${'.'.repeat(2000)}`)
})

before(async () => {
  if (skip) return
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  stack.defer(() => void origin.close())
  const bound = origin.address()
  assert.ok(bound && typeof bound === 'object')
  port = bound.port
  // The authority asks our own name server, whose address has to be known before it is there.
  const [dnsPort = 0, httpPort = 0] = await freePorts(2, ['127.0.0.1'])
  const authority = stack.use(await startPebble({ dns: { host: '127.0.0.1', port: dnsPort }, httpPort }))
  world = stack.use(
    await startWorld({
      settings: {
        FAIRWAY_PRIVATE_NETWORKS: `127.0.0.1:${port}`,
        FAIRWAY_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
        FAIRWAY_RESOLVER: `127.0.0.1:${dnsPort}`,
        FAIRWAY_ACME_LETS_ENCRYPT_URL: authority.directory,
        FAIRWAY_ACME_ROOTS_FILE: authority.rootsFile,
        FAIRWAY_ACME_CONTACT: 'owner@example.com',
      },
    }),
  )
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trusted-'))
  stack.defer(() => fs.rmSync(folder, { recursive: true, force: true }))
  trusted = path.join(folder, 'root.pem')
  fs.writeFileSync(trusted, await authority.issuerRoot())
  const browser = await openChromium()
  stack.defer(() => browser.close())
  page = await (
    await browser.newContext({
      baseURL: world.url,
      viewport: { width: 1280, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
    })
  ).newPage()
  page.setDefaultTimeout(20_000 * pace())
})
after(() => stack.disposeAsync())

test('an empty organisation gets a site and a domain', { skip }, async () => {
  await setUp(page)
  await page.getByRole('textbox', { name: 'Domain name' }).fill(ZONE)
  await page.getByRole('button', { name: 'Add site' }).click()
  await page.waitForURL('**/add-site/quick-scan?*')
  await page.getByText('The scan found nothing').waitFor()
  // The address changes before the page does, and both pages have such a link.
  for (const next of ['review-domains', 'review-dns-records'])
    await page
      .getByRole('link', { name: 'Continue' })
      .and(page.locator(`[href*="/${next}"]`))
      .click()
  await page.getByRole('button', { name: /^Serve/ }).click()
  await page.waitForURL('**/add-site/finish-setup?*')
  await goOn(page, `/${ZONE}/add-domain`)
  await page.getByRole('textbox', { name: 'Name' }).fill('www')
  await page.getByRole('textbox', { name: 'Origin' }).fill('93.184.215.14')
  await page.getByRole('button', { name: 'Add domain' }).click()
  await page.waitForURL(`**/${ZONE}/${HOST}/multi-cdn/cdn-management`)
  const [site] = (await world.api(sites.routes.list, {})).data
  const [domain] = (await world.api(domains.routes.list, { site: site?.id ?? '' })).data
  assert.ok(site && domain)
  place = { site: site.id, domain: domain.id }
})

test('it gets CDNs, an origin, settings, a cache rule and a certificate', { skip }, async () => {
  for (const [at, name] of Object.values(CDNS).entries()) {
    await (at === 0 ? firstStep('Install CDN') : page.getByRole('button', { name: 'Install CDN' })).click()
    await page.getByRole('button', { name: `Install ${name}` }).click()
    await page.getByRole('button', { name: `More for ${name}` }).waitFor()
  }
  await goOn(page, `/${ZONE}/${HOST}/origin-protocol`)
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill('127.0.0.1')
  await page.getByRole('textbox', { name: 'Port' }).fill(String(port))
  await page.getByRole('textbox', { name: 'Host header' }).fill('website.example')
  await save()
  await goOn(page, `/${ZONE}/${HOST}/general-settings`)
  await page.getByText('Brotli first', { exact: true }).click()
  await save()
  await goOn(page, `/${ZONE}/${HOST}/multi-cdn/cache-control`)
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  const rule = page.getByRole('dialog')
  await rule.getByRole('textbox', { name: 'Path' }).fill('/static/')
  await rule.getByRole('switch', { name: 'Honor origin' }).press('Space')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await rule.waitFor({ state: 'hidden' })
  await goOn(page, `/${ZONE}/${HOST}/multi-cdn/ssl`)
  await firstStep('Set up certificate').click()
  await page.getByRole('button', { name: 'Order certificate' }).click()
  const attached = await until(
    'certificate and CDNs in operation',
    async () => {
      const [certificate] = (await world.api(certificates.routes.list, { site: place.site })).data
      const cdns = await list()
      return (
        certificate?.status === 'active' &&
        cdns.length === Object.keys(CDNS).length &&
        cdns.every(({ state }) => state === 'operational') &&
        cdns
      )
    },
    30_000 * pace(),
    100,
  )
  // What a visitor's resolver is told of each CDN's own name.
  for (const cdn of attached) addresses.set(cdn.cdnId, (await dig(world.dns, cdn.cname, 'A')).at(-1) ?? '')
  await until(
    'every node serves it',
    async () => {
      const version = (await world.api(sites.routes.get, { site: place.site })).version
      return (await world.api(versions.routes.get, { site: place.site, number: String(version) })).state === 'live'
    },
    20_000 * pace(),
  )
})

test(
  'curl sees at each CDN the certificate, a miss and a hit, compression, the cache rule and the host header',
  { skip },
  async () => {
    const encodings: Record<string, string | null> = {}
    for (const cdn of Object.keys(CDNS)) {
      const url = `/page-of-${cdn}`
      // Without --insecure: curl itself has judged the certificate by the authority's root.
      const [first, second, compressed] = [
        await get(cdn, url),
        await get(cdn, url),
        await get(cdn, url, '--compressed', '--header', 'Accept-Encoding: br, gzip'),
      ]
      assert.deepEqual(
        [first, second].map(({ status, headers }) => [status, headers.get('x-cache')]),
        [
          [200, 'MISS'],
          [200, 'HIT'],
        ],
        cdn,
      )
      assert.match(second.body, new RegExp(`^origin of website.example at ${url} `))
      assert.match(second.headers.get('x-served-by') ?? '', new RegExp(`^${cdn}\\b`))
      assert.equal(compressed.body, second.body)
      encodings[cdn] = compressed.headers.get('content-encoding')
      // The origin forbids it, the rule replaces what the origin says.
      for (let times = 0; times < 2; times++)
        assert.equal((await get(cdn, `/static/of-${cdn}`)).headers.get('x-cache'), times === 0 ? 'MISS' : 'HIT', cdn)
      assert.deepEqual([asked.get(`website.example${url}`), asked.get(`website.example/static/of-${cdn}`)], [1, 1])
    }
    assert.deepEqual(encodings, { edge: 'br', swiftlane: 'br', polaris: 'gzip', tidewater: 'gzip' })
    await assert.rejects(
      curl(
        `https://elsewhere.example:${world.config.edgeHttps.port}/`,
        'elsewhere.example',
        '--cacert',
        trusted,
        '--resolve',
        `elsewhere.example:${world.config.edgeHttps.port}:${addresses.get('edge')}`,
      ),
      'another name was vouched for',
    )
    const strange = await curl(`http://${addresses.get('edge')}:${world.config.edgeHttp.port}/`, 'other.example')
    assert.ok(strange.status >= 400 && strange.status < 500, `a strange host got ${strange.status}`)
  },
)

test('a purge is completed when every CDN was seen to have let go', { skip }, async () => {
  for (const cdn of Object.keys(CDNS)) await get(cdn, '/changed')
  const before = asked.get('website.example/changed') ?? 0
  await goOn(page, `/${ZONE}/${HOST}/multi-cdn/cache-control/purge/add`)
  await page.getByRole('textbox', { name: 'Paths' }).fill('/changed')
  await page.getByRole('button', { name: 'Purge', exact: true }).click()
  await page.waitForURL('**/cache-control/purge?purge=*')
  const { status, receipts } = await until(
    'the purge is over',
    async () => {
      const [purge] = (await world.api(purges.routes.list, { site: place.site })).data
      const now = purge && (await world.api(purges.routes.get, { site: place.site, id: purge.id }))
      return now && now.status !== 'deploying' && now
    },
    30_000 * pace(),
  )
  assert.deepEqual(
    [status, ...receipts.map(({ detail }) => detail?.code)],
    ['completed', ...Object.keys(CDNS).map(() => 'seen-gone')],
  )
  await page.getByRole('dialog').getByText('Completed').first().waitFor()
  for (const cdn of Object.keys(CDNS)) await get(cdn, '/changed')
  // Who looked, or the visitor after that, brought a new one to each.
  assert.equal(asked.get('website.example/changed'), before + Object.keys(CDNS).length)
})

test('faults of a CDN are what its visitors see, and nobody else', { skip }, async () => {
  await Promise.all([
    fault('swiftlane', { mode: 'slow', addMs: 400 }),
    fault('polaris', { mode: 'errors', percent: 50 }),
    fault('tidewater', { mode: 'down' }),
  ])
  assert.ok((await get('swiftlane', '/page-of-swiftlane')).ms >= 400)
  const statuses: number[] = []
  while (statuses.length < 100)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => get('polaris', '/page-of-polaris')))).map(
        ({ status }) => status,
      ),
    )
  const failed = statuses.filter((status) => status >= 500).length
  // Half of 100, six standard deviations to either side.
  assert.ok(failed > 20 && failed < 80, `${failed} of 100 failed`)
  assert.equal(failed + statuses.filter((status) => status === 200).length, 100)
  await assert.rejects(get('tidewater', '/page-of-tidewater'), 'a dead CDN gave an answer')
  assert.equal((await get('edge', '/page-of-edge')).status, 200)
  await Promise.all(['swiftlane', 'polaris', 'tidewater'].map((cdn) => fault(cdn, { mode: 'up' })))
  for (const cdn of ['swiftlane', 'polaris', 'tidewater']) assert.equal((await get(cdn, `/page-of-${cdn}`)).status, 200)
})

test('CDNs that are uninstalled leave the answers; the last one stays', { skip }, async () => {
  await goOn(page, `/${ZONE}/${HOST}/multi-cdn/cdn-management`)
  const { edge: last, ...others } = CDNS
  for (const name of Object.values(others)) await uninstall(name)
  const cname = (await list()).find(({ cdnId }) => cdnId === 'edge')?.cname
  await until(
    'only one is answered',
    async () =>
      new Set(await Promise.all(Array.from({ length: 20 }, async () => (await dig(world.dns, HOST, 'A'))[0]))).size ===
      1,
    10_000 * pace(),
  )
  assert.equal((await dig(world.dns, HOST, 'A'))[0], cname)
  await uninstall(last)
  await page.getByText('At least one CDN has to stay on.').waitFor()
  const edge = (await list()).find(({ cdnId }) => cdnId === 'edge')
  assert.equal(edge?.state, 'operational')
  const refused = (error: unknown) => error instanceof ApiError && error.code === 27906
  await assert.rejects(world.api(cdnManagement.routes.uninstall, { ...place, id: edge?.id ?? '' }), refused)
  await assert.rejects(
    world.api(cdnManagement.routes.update, { ...place, id: edge?.id ?? '', enabled: false }),
    refused,
  )
  assert.equal((await get('edge', '/page-of-edge')).status, 200)
})

/** What an empty table offers; until it is known to be empty, the head of the page offers the same. */
const firstStep = (name: string) => page.locator('[data-empty]').getByRole('button', { name })

async function uninstall(name: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Uninstall…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

async function save(): Promise<void> {
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByRole('button', { name: 'Save' }).click()
  await bar.waitFor({ state: 'hidden' })
}

const addresses = new Map<string, string>()
/** As a visitor who was led to the CDN, over HTTPS. */
function get(cdn: string, path: string, ...more: string[]): Promise<Fetched> {
  const { port: tlsPort } = world.config.edgeHttps
  return curl(
    `https://${HOST}:${tlsPort}${path}`,
    HOST,
    '--cacert',
    trusted,
    '--resolve',
    `${HOST}:${tlsPort}:${addresses.get(cdn)}`,
    ...more,
  )
}

async function fault(cdnId: string, wanted: SimulatedFault): Promise<void> {
  const { version } = await world.api(simulatedCdns.routes.set, { cdn: cdnId, fault: wanted })
  await until(
    `${cdnId} ${wanted.mode}`,
    async () =>
      (await world.api(simulatedCdns.routes.list, {})).data.some(
        (cdn) => cdn.cdnId === cdnId && cdn.version >= version && cdn.live,
      ),
    5000 * pace(),
  )
}

const list = async (): Promise<DomainCdn[]> =>
  (await world.api(cdnManagement.routes.list, { ...place, ordering: 'created_at' })).data

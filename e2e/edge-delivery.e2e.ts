import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { ApiError } from '@fairway/app'
import { type DomainCdn, FEATURES, type Purge, type SimulatedFault } from '@fairway/contract'
import { type Fetched, curl } from './curl.ts'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cacheRules, cdnManagement, customPages, dnsRecords, domains, purges, simulatedCdns, sites } = FEATURES
const HOST = 'www.delivery.example'
const CDNS = ['swiftlane', 'polaris', 'tidewater', 'edge']

let world: World
let place = { site: '', domain: '' }
let port = 0
/** What the origin says next, and how often it was asked for what. */
let answer: http.RequestListener = (request, response) =>
  void response
    .writeHead(200, {
      'content-type': 'text/html',
      'cache-control': 'max-age=600',
      'cache-tag': request.url?.startsWith('/t/') ? 'news, all' : '',
    })
    .end(`${request.url} ${'x'.repeat(2000)}`)
const asked = new Map<string, number>()
const origin = http.createServer((request, response) => {
  asked.set(request.url ?? '', (asked.get(request.url ?? '') ?? 0) + 1)
  answer(request, response)
})

before(async () => {
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const bound = origin.address()
  assert.ok(bound && typeof bound === 'object')
  port = bound.port
  world = await startWorld({ settings: { FAIRWAY_PRIVATE_NETWORKS: `127.0.0.1:${port}` } })
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  const site = (await world.api(sites.routes.create, { domainName: 'delivery.example' })).data.id
  const domain = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })
  ).data.domainId
  assert.ok(domain)
  place = { site, domain }
  await world.api(domains.routes.update, {
    ...place,
    origin: { address: '127.0.0.1', port, protocol: 'http', hostHeader: HOST },
  })
  for (const cdnId of CDNS) await world.api(cdnManagement.routes.install, { ...place, cdnId })
  await operational()
})
after(async () => {
  origin.close()
  await world[Symbol.asyncDispose]()
})

test('settings saved in the console are what visitors of every CDN get, as far as the table said', async () => {
  const { cdns } = await world.api(domains.routes.compile, {
    ...place,
    settings: { compression: 'brotli', ignoreQuery: true, tieredCache: true },
  })
  const levels = Object.fromEntries(
    cdns.map(({ cdnId, settings }) => [
      cdnId,
      Object.fromEntries(settings.map(({ setting, level }) => [setting, level])),
    ]),
  )
  assert.deepEqual(
    [levels['edge']?.['compression'], levels['polaris']?.['compression'], levels['tidewater']?.['ignoreQuery']],
    ['exact', 'approximate', 'not'],
  )
  await world.api(domains.routes.update, {
    ...place,
    settings: { compression: 'brotli', ignoreQuery: true, tieredCache: true },
  })
  await operational()
  const encoding = async (id: string) =>
    (await get(id, '/compressed', '-H', 'Accept-Encoding: gzip, br')).headers.get('content-encoding')
  assert.deepEqual(
    [await encoding('edge'), await encoding('swiftlane'), await encoding('polaris')],
    ['br', 'br', 'gzip'],
  )
  for (const id of ['edge', 'tidewater']) await get(id, '/ignoring?a=1')
  assert.deepEqual(
    [
      (await get('edge', '/ignoring?a=2')).headers.get('x-cache'),
      (await get('tidewater', '/ignoring?a=2')).headers.get('x-cache'),
    ],
    ['HIT', 'MISS'],
  )
  // One fetch from the origin for all that share the second cache.
  for (const id of ['edge', 'swiftlane', 'polaris']) await get(id, '/tiered')
  assert.equal(asked.get('/tiered'), 1)
})

test('cache rules decide by path, and a rule on a CDN with fixed lifetimes is rounded down', async () => {
  await world.api(cacheRules.routes.create, {
    ...place,
    type: 'directory',
    path: '/forced/',
    expiry: { value: 3, unit: 'hour' },
    honorOrigin: false,
  })
  await world.api(cacheRules.routes.createNoCache, { ...place, type: 'extension', path: '.live' })
  await operational()
  answer = (_, response) => void response.writeHead(200, { 'cache-control': 'no-cache' }).end('forced')
  await get('edge', '/forced/a')
  assert.equal((await get('edge', '/forced/a')).headers.get('x-cache'), 'HIT')
  assert.equal((await get('edge', '/else/a')).headers.get('x-cache'), 'MISS')
  answer = plain
  await get('edge', '/else/score.live')
  assert.equal((await get('edge', '/else/score.live')).headers.get('x-cache'), 'BYPASS')
  const { cdns } = await world.api(domains.routes.compile, place)
  const rule = cdns
    .find(({ cdnId }) => cdnId === 'tidewater')
    ?.settings.find(({ setting }) => setting === 'cacheRule /forced/')
  assert.deepEqual([rule?.level, rule?.given], ['approximate', '7200'])
})

test('a purge says what it is about, and is completed when every CDN was seen to have let go', async () => {
  const paths = ['/p/one', '/p/two', '/q/three']
  for (const id of CDNS) for (const path of paths) await get(id, path)
  const preview = await world.api(purges.routes.preview, {
    site: place.site,
    domainIds: [place.domain],
    kind: 'directory',
    targets: ['/p/'],
  })
  assert.deepEqual(
    [preview.objects, preview.complete, preview.cdns.map(({ objects }) => objects)],
    [8, true, [2, 2, 2, 2]],
  )
  assert.ok(preview.bytes > 0 && preview.top.some(({ target }) => target === '/p/one'))
  const done = await purged({ kind: 'directory', targets: ['/p/'] })
  assert.equal(done.status, 'completed', JSON.stringify(done.receipts))
  assert.deepEqual(
    done.receipts.map(({ detail, objects }) => [detail?.code, objects]),
    Array.from({ length: 4 }, () => ['seen-gone', 2]),
  )
  assert.equal((await get('edge', '/q/three')).headers.get('x-cache'), 'HIT')
})

test('by address, by tag and whole', async () => {
  for (const id of CDNS) for (const path of ['/u?x=1', '/u?x=2', '/t/tagged', '/untagged']) await get(id, path)
  assert.equal((await purged({ kind: 'url', targets: ['/u'] })).status, 'completed')
  await get('edge', '/untagged')
  const byTag = await purged({ kind: 'tag', targets: ['news'] })
  assert.equal(byTag.status, 'completed', JSON.stringify(byTag.receipts))
  assert.deepEqual(
    [
      (await get('edge', '/untagged')).headers.get('x-cache'),
      (await get('tidewater', '/untagged')).headers.get('x-cache'),
    ],
    ['HIT', 'MISS'],
  )
  const before = (await get('edge', '/untagged')).headers.get('date') ?? ''
  assert.equal((await purged({ kind: 'all', targets: [] })).status, 'completed')
  // Who looked whether it was gone may have brought a new one.
  assert.ok(Date.parse((await get('edge', '/untagged')).headers.get('date') ?? '') > Date.parse(before))
})

test('a CDN that says done and serves on is caught', async () => {
  await fault('swiftlane', { mode: 'lie' })
  for (const id of CDNS) await get(id, '/lied-about')
  const { status, receipts } = await purged({ kind: 'url', targets: ['/lied-about'] })
  assert.equal(status, 'failed')
  assert.deepEqual(receipts.map(({ cdnId, status: one, detail }) => [cdnId, one, detail?.code]).sort(), [
    ['edge', 'completed', 'seen-gone'],
    ['polaris', 'completed', 'seen-gone'],
    ['swiftlane', 'failed', 'still-old'],
    ['tidewater', 'completed', 'seen-gone'],
  ])
  await fault('swiftlane', { mode: 'up' })
})

// A hundred are `./fairway bench purge`.
test('in all of 20 trials', async () => {
  await fault('swiftlane', { mode: 'lie' })
  const made = (
    await Promise.all(
      Array.from({ length: 10 }, async (_, worker) => {
        const ids: (string | undefined)[] = []
        for (let trial = 0; trial < 2; trial++) {
          const path = `/trial/${worker}/${trial}`
          // An answer may be read to its end a moment before it is kept.
          await until(
            'it is kept',
            async () => (await get('swiftlane', path)).headers.get('x-cache') === 'HIT',
            60_000 * pace(),
            50,
          )
          ids.push(
            (
              await world.api(purges.routes.create, {
                site: place.site,
                domainIds: [place.domain],
                kind: 'url',
                targets: [path],
              })
            ).data[0]?.id,
          )
        }
        return ids
      }),
    )
  ).flat()
  // Only what the liar's receipts say; others may have to wait for their minute.
  const outcomes = await until(
    'the receipts',
    async () => {
      const listed = (await world.api(purges.routes.list, { site: place.site, domain_id: place.domain, page_size: -1 }))
        .data
      const receipts = made.map((id) =>
        listed.find((purge) => purge.id === id)?.receipts.find(({ cdnId }) => cdnId === 'swiftlane'),
      )
      return (
        receipts.every((receipt) => receipt && receipt.status !== 'deploying') &&
        receipts.map((receipt) => `${receipt?.status} ${receipt?.detail?.code}`)
      )
    },
    180_000 * pace(),
    500,
  )
  assert.deepEqual([outcomes.length, new Set(outcomes)], [20, new Set(['failed still-old'])])
  await fault('swiftlane', { mode: 'up' })
})

test('a soft purge keeps what it sets aside: for an origin that fails, and for Undo', async () => {
  answer = (_, response) => void response.writeHead(200, { 'cache-control': 'max-age=600' }).end('before')
  assert.equal((await get('edge', '/soft/a')).body, 'before')
  assert.equal((await get('edge', '/soft/b')).body, 'before')
  answer = (_, response) => void response.destroy()
  const [made] = (
    await world.api(purges.routes.create, {
      site: place.site,
      domainIds: [place.domain],
      kind: 'directory',
      targets: ['/soft/'],
      soft: true,
    })
  ).data
  assert.ok(made)
  await until(
    'the edge has it',
    async () => (await get('edge', '/soft/a')).headers.get('x-cache') !== 'HIT',
    5000 * pace(),
  )
  assert.equal((await get('edge', '/soft/a')).body, 'before')
  answer = (_, response) => void response.writeHead(200, { 'cache-control': 'max-age=600' }).end('after')
  assert.equal((await get('edge', '/soft/a')).body, 'after')
  await world.api(purges.routes.undo, { site: place.site, id: made.id })
  await until('it is back', async () => (await get('edge', '/soft/b')).body === 'before', 5000 * pace())
  await assert.rejects(
    world.api(purges.routes.undo, { site: place.site, id: made.id }),
    (error: unknown) => error instanceof ApiError && error.code === 27030,
  )
  answer = plain
})

test('an origin is looked at from the edge before it is saved', async () => {
  const { node, addresses } = await world.api(domains.routes.preflight, {
    ...place,
    origin: { address: '127.0.0.1', port, protocol: 'http', hostHeader: HOST },
  })
  const [first] = addresses
  assert.ok(node && first)
  assert.deepEqual([first.status, first.cacheSeconds, first.error, first.redirectLoop], [200, 600, null, false])
  answer = (request, response) => void response.writeHead(301, { location: `https://${HOST}${request.url}` }).end()
  const looping = (
    await world.api(domains.routes.preflight, {
      ...place,
      origin: { address: '127.0.0.1', port, protocol: 'http', hostHeader: HOST },
    })
  ).addresses[0]
  assert.deepEqual([looping?.status, looping?.redirectLoop], [301, true])
  answer = plain
})

test('an origin that fails is answered for with the page of the domain by every CDN, to the byte of its preview; maintenance closes all of them', async () => {
  const html = '<!doctype html><title>Sorry</title><p>::REQUEST_ID:: ::STATUS:: 抱歉</p>'
  const page = (await world.api(customPages.routes.create, { site: place.site, kind: 'errors', name: 'Sorry', html }))
    .data.id
  await world.api(customPages.routes.use, { ...place, errorsPageId: page })
  await operational()
  answer = (request) => void request.socket.destroy()
  for (const id of CDNS) {
    const { status, headers, body } = await get(id, `/broken-${id}`)
    const [, requestId = ''] = /<p>([0-9a-f]{32}) /.exec(body) ?? []
    const shown = await world.api(customPages.routes.preview, {
      site: place.site,
      kind: 'errors',
      html,
      values: { REQUEST_ID: requestId, STATUS: '502' },
    })
    assert.deepEqual([status, headers.get('cache-control'), body], [502, 'no-store', shown.html], id)
  }
  answer = plain
  await world.api(customPages.routes.use, { ...place, inMaintenance: true })
  await operational()
  for (const id of CDNS) {
    const { status, headers, body } = await get(id, '/anything', '-H', 'Accept-Language: zh-TW')
    assert.deepEqual([status, headers.get('retry-after'), /維護中/.test(body)], [503, '300', true], id)
  }
  await world.api(customPages.routes.use, { ...place, inMaintenance: false })
  await operational()
  assert.equal((await get('edge', '/open-again')).status, 200)
})

const plain = answer

async function operational(): Promise<DomainCdn[]> {
  const version = (await world.api(sites.routes.get, { site: place.site })).version
  await until(
    `version ${version} live`,
    async () =>
      (await world.api(FEATURES.versions.routes.get, { site: place.site, number: String(version) })).state === 'live',
    20_000 * pace(),
  )
  return until(
    'all CDNs in operation',
    async () => {
      const rows = (await world.api(cdnManagement.routes.list, place)).data
      return rows.length === CDNS.length && rows.every((row) => row.state === 'operational') && rows
    },
    20_000 * pace(),
  )
}

async function purged(wanted: { kind: Purge['kind']; targets: string[] }): Promise<Purge> {
  const [made] = (await world.api(purges.routes.create, { site: place.site, domainIds: [place.domain], ...wanted }))
    .data
  assert.ok(made)
  return until(
    'the purge is over',
    async () => {
      const now = await world.api(purges.routes.get, { site: place.site, id: made.id })
      return now.status !== 'deploying' && now
    },
    30_000 * pace(),
  )
}

const addresses = new Map<string, string>()
async function get(cdnId: string, path: string, ...more: string[]): Promise<Fetched> {
  if (!addresses.has(cdnId)) {
    const cdn = (await world.api(cdnManagement.routes.list, place)).data.find((one) => one.cdnId === cdnId)
    addresses.set(cdnId, (await dig(world.dns, cdn?.cname ?? '', 'A')).at(-1) ?? '')
  }
  return curl(`http://${addresses.get(cdnId)}:${world.config.edgeHttp.port}${path}`, HOST, ...more)
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

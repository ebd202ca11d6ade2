import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { type CompiledCdn, type DomainCdn, FEATURES } from '@fairway/contract'
import { dig } from './dig.ts'
import { pace } from './pace.ts'
import { selfSigned } from './self-signed.ts'
import { until } from './until.ts'
import { type World, startWorld } from './world.ts'

const { auth, cacheRules, cdnManagement, certificates, dnsRecords, domains, sites, versions } = FEATURES
const HOST = 'www.compiled.example'
const CDNS = ['edge', 'swiftlane', 'polaris', 'tidewater']
const TEXT = 'compressible words, again and again. '.repeat(100)

/** A few requests in a row; `about` are the settings whose difference may show in the answers. */
type Probe = {
  what: string
  about: string[]
  requests: { path: string; method?: string; headers?: Record<string, string> }[]
}

let world: World
let place = { site: '', domain: '' }
let ports: number[] = []
const addresses = new Map<string, string>()
/** What to answer is written in the path: `/…/cc=<Cache-Control>/ct=<type>/s=<status>/file.ext`. */
const answer: http.RequestListener = (request, response) => {
  const part = (name: string) => new RegExp(`/${name}=([^/?]*)`).exec(decodeURIComponent(request.url ?? ''))?.[1]
  const headers: http.OutgoingHttpHeaders = {
    'content-type': part('ct')?.replace('_', '/') ?? 'text/plain',
    etag: '"v1"',
  }
  const cacheControl = part('cc')
  if (cacheControl !== undefined) headers['cache-control'] = cacheControl
  const vary = part('vary')
  if (vary !== undefined) headers.vary = vary
  if (part('cookie') !== undefined) headers['set-cookie'] = 'a=1'
  if (part('to') !== undefined) headers.location = `/${part('to')}`
  response
    .writeHead(Number(part('s') ?? 200), headers)
    .end(
      request.method === 'HEAD'
        ? undefined
        : `${request.method} ${request.headers.host} ${part('vary') ? request.headers[part('vary') ?? ''] : ''} ${TEXT}`,
    )
}
const origins = [http.createServer(answer)]

before(async () => {
  for (const origin of origins) await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  ports = origins.map((origin) => (origin.address() as { port: number }).port)
  world = await startWorld({ settings: { FAIRWAY_PRIVATE_NETWORKS: `127.0.0.1:${ports[0]}` } })
  await world.api(auth.routes.register, {
    email: 'owner@example.com',
    password: 'Owner-1234',
    firstName: 'Olive',
    lastName: 'Owner',
    organizationName: 'Example',
  })
  const site = (await world.api(sites.routes.create, { domainName: 'compiled.example' })).data.id
  const domain = (
    await world.api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })
  ).data.domainId
  assert.ok(domain)
  place = { site, domain }
  await world.api(domains.routes.update, {
    ...place,
    origin: { address: '127.0.0.1', port: ports[0] ?? 0, protocol: 'http', hostHeader: HOST },
    settings: { compression: 'brotli', ignoreQuery: true },
  })
  for (const [type, path, honorOrigin] of [
    ['directory', '/forced/', false],
    ['pattern', '/shop/*/view', false],
    ['extension', '.keep', false],
    ['directory', '/polite/', true],
  ] as const) {
    await world.api(cacheRules.routes.create, { ...place, type, path, expiry: { value: 5, unit: 'hour' }, honorOrigin })
  }
  for (const [type, path] of [
    ['directory', '/never/'],
    ['extension', '.live'],
    ['pattern', '/user/*/cart'],
  ] as const)
    await world.api(cacheRules.routes.createNoCache, { ...place, type, path })
  for (const cdnId of CDNS) await world.api(cdnManagement.routes.install, { ...place, cdnId })
  await settled()
})
after(async () => {
  for (const origin of origins) origin.close()
  await world[Symbol.asyncDispose]()
})

test('what CDNs do otherwise than the edge was announced, over at least 200 requests to each', async () => {
  const { cdns } = await world.api(domains.routes.compile, place)
  const found = await differences(probes(), cdns)
  assert.deepEqual(found.silent, [])
  assert.ok(found.requests >= 200, `${found.requests} requests to each CDN`)
  // The table is no excuse for everything: what it calls exact is the most of it, and what it calls different shows.
  assert.ok(
    found.announced > 0 && found.announced < found.compared / 4,
    `${found.announced} of ${found.compared} comparisons differ as announced`,
  )
  assert.deepEqual(
    cdns.find(({ cdnId }) => cdnId === 'swiftlane')?.settings.filter(({ level }) => level !== 'exact'),
    [],
  )
})

test('with HTTPS for everybody and everything compressed by gzip, too', async () => {
  await world.api(certificates.routes.upload, { site: place.site, ...selfSigned([HOST]) })
  await world.api(domains.routes.update, {
    ...place,
    settings: { alwaysHttps: true, compression: 'gzip', ignoreQuery: false },
  })
  await settled()
  const { cdns } = await world.api(domains.routes.compile, place)
  const paths = ['/', '/a?b=c', '/forced/x', '/.well-known/acme-challenge/token']
  const found = await differences(
    paths.map((path) => ({
      what: `redirect ${path}`,
      about: ['alwaysHttps'],
      requests: [{ path }, { path, method: 'POST' }],
    })),
    cdns,
  )
  assert.deepEqual([found.silent, found.announced], [[], 0])
})

function probes(): Probe[] {
  const found: Probe[] = []
  const add = (what: string, about: string[], ...requests: Probe['requests']) =>
    void found.push({ what, about, requests })
  const twice = (what: string, about: string[], path: string, headers: Record<string, string> = {}) =>
    add(what, about, { path, headers }, { path, headers })
  for (const type of [
    'text_html',
    'text_css',
    'application_json',
    'image_svg+xml',
    'image_png',
    'application_octet-stream',
  ]) {
    for (const accepted of ['gzip', 'br', 'gzip, br', 'br;q=0, gzip', 'identity', 'gzip;q=0', '*', ''])
      add(`${type} for "${accepted}"`, ['compression'], {
        path: `/compress/ct=${type}/cc=max-age=600/x`,
        headers: accepted === '' ? {} : { 'accept-encoding': accepted },
      })
  }
  for (let i = 0; i < 8; i++)
    add(
      `query ${i}`,
      ['ignoreQuery'],
      { path: `/query/cc=max-age=600/${i}?a=1` },
      { path: `/query/cc=max-age=600/${i}?a=2` },
    )
  for (const cc of [
    'max-age=600',
    'no-cache',
    'max-age=0',
    'no-store',
    'private',
    's-maxage=60, max-age=0',
    'max-age=600, must-revalidate',
    'public, max-age=60',
    'no-store, max-age=60',
  ]) {
    twice(`plain ${cc}`, [], `/plain/cc=${encodeURIComponent(cc)}/x`)
    twice(`forced ${cc}`, ['cacheRule /forced/'], `/forced/cc=${encodeURIComponent(cc)}/x`)
    twice(`pattern ${cc}`, ['cacheRule /shop/*/view'], `/shop/cc=${encodeURIComponent(cc)}/view`)
    twice(`extension ${cc}`, ['cacheRule .keep'], `/files/cc=${encodeURIComponent(cc)}/x.keep`)
    twice(`polite ${cc}`, ['cacheRule /polite/'], `/polite/cc=${encodeURIComponent(cc)}/x`)
  }
  for (const path of ['/never/cc=max-age=600/a', '/never/deep/er/cc=max-age=600/b', '/x/cc=max-age=600/score.live'])
    twice(`no cache ${path}`, ['noCacheRule /never/', 'noCacheRule .live'], path)
  for (const path of ['/user/cc=max-age=600/cart', '/user/a/cc=max-age=600/cart'])
    twice(`no cache ${path}`, ['noCacheRule /user/*/cart'], path)
  for (const status of [200, 203, 204, 301, 302, 307, 404, 410, 500, 503])
    twice(`status ${status}`, [], `/status/s=${status}/cc=max-age=600/to=there/x`)
  for (const status of [200, 302, 404, 500]) twice(`silent status ${status}`, ['cacheDefault'], `/silent/s=${status}/x`)
  for (const language of ['en', 'fr', 'zh'])
    twice(`vary ${language}`, [], '/vary/vary=accept-language/cc=max-age=600/x', { 'accept-language': language })
  twice('cookie', [], '/cookie/cookie=1/cc=max-age=600/x')
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
    add(
      method,
      [],
      { path: `/method/${method}/cc=max-age=600/x` },
      { path: `/method/${method}/cc=max-age=600/x`, method },
      { path: `/method/${method}/cc=max-age=600/x` },
    )
  const requests: Record<string, string>[] = [
    { 'if-none-match': '"v1"' },
    { 'if-none-match': '"v2"' },
    { authorization: 'Basic eA==' },
    { connection: 'close, x-hop', 'x-hop': '1' },
  ]
  for (const headers of requests)
    twice(
      `headers ${JSON.stringify(headers)}`,
      [],
      `/headers/cc=max-age=600/${Object.keys(headers).join('-')}`,
      headers,
    )
  return found
}

/**
 * Runs every probe on every CDN and compares with the edge. What differs must be in that CDN's table, under a setting
 * the probe is about.
 */
async function differences(all: Probe[], cdns: CompiledCdn[]) {
  const result = { requests: 0, compared: 0, announced: 0, silent: [] as string[] }
  for (const { what, about, requests } of all) {
    const seen = new Map<string, string>()
    const askAll = async (id: string) => {
      const answers: string[] = []
      for (const one of requests) answers.push(await ask(id, one))
      seen.set(id, answers.join('\n'))
    }
    // What is sent to one CDN with POST makes the others' objects old too: those one after the other.
    if (requests.some(({ method = 'GET' }) => method !== 'GET')) for (const id of CDNS) await askAll(id)
    else await Promise.all(CDNS.map(askAll))
    result.requests += requests.length
    for (const id of CDNS.slice(1)) {
      result.compared += 1
      if (seen.get(id) === seen.get('edge')) continue
      const table = cdns.find(({ cdnId }) => cdnId === id)?.settings ?? []
      if (table.some(({ setting, level }) => level !== 'exact' && about.includes(setting))) result.announced += 1
      else result.silent.push(`${id}, ${what}:\n${seen.get('edge')}\n${seen.get(id)}`)
    }
  }
  return result
}

/**
 * All of an answer that a visitor could tell apart, in one line. nginx closes a stored file just after the visitor has
 * the last byte, so the next request waits a turn.
 */
async function ask(cdnId: string, { path, method = 'GET', headers = {} }: Probe['requests'][number]): Promise<string> {
  const answered = await new Promise<string>((resolve, reject) => {
    const request = http.request(
      {
        host: addresses.get(cdnId),
        port: world.config.edgeHttp.port,
        path,
        method,
        headers: { host: HOST, ...headers },
        agent: false,
        timeout: 10_000,
      },
      (response) => {
        let bytes = 0
        const start: Buffer[] = []
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (start.length === 0) start.push(chunk)
        })
        response.on('end', () => {
          const { headers: got } = response
          resolve(
            JSON.stringify([
              response.statusCode,
              got['x-cache'],
              got['content-encoding'] ?? null,
              got['location'] ?? null,
              got['vary'] ?? null,
              got['cache-control'] ?? null,
              got['content-encoding'] ? null : bytes,
            ]),
          )
        })
      },
    )
    request.on('error', reject)
    request.end()
  })
  await new Promise((resolve) => setTimeout(resolve, 3))
  return answered
}

async function settled(): Promise<DomainCdn[]> {
  const { version } = await world.api(sites.routes.get, { site: place.site })
  await until(
    `version ${version} live`,
    async () => (await world.api(versions.routes.get, { site: place.site, number: String(version) })).state === 'live',
    20_000 * pace(),
  )
  const rows = await until(
    'all CDNs in operation',
    async () => {
      const data = (await world.api(cdnManagement.routes.list, place)).data
      return data.length === CDNS.length && data.every((row) => row.state === 'operational') && data
    },
    20_000 * pace(),
  )
  for (const row of rows) addresses.set(row.cdnId, (await dig(world.dns, row.cname, 'A')).at(-1) ?? '')
  return rows
}

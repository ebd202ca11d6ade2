import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import zlib from 'node:zlib'
import { Beacon } from '@fairway/contract'
import { type Browser, chromium } from 'playwright-core'
import { loadBeaconScript } from '../collector/beacon-script.ts'

const CHROMIUM = '/usr/bin/chromium-headless-shell'
const script = loadBeaconScript()
const skip = fs.existsSync(CHROMIUM) ? false : `${CHROMIUM} is not installed`
let browser: Browser | undefined
after(() => browser?.close())
const page = async () => {
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  return browser.newPage()
}

async function serve(handler: http.RequestListener) {
  const server = http.createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
/** A test object as CDNs serve it: readable and measurable from other origins. */
const testObject =
  (waitMs: number, { status = 200, timing = true } = {}): http.RequestListener =>
  (_request, response) =>
    void setTimeout(
      () =>
        response
          .writeHead(status, { 'access-control-allow-origin': '*', ...(timing ? { 'timing-allow-origin': '*' } : {}) })
          .end(Buffer.alloc(2000)),
      waitMs,
    )

/** The page and the collector's paths on one server; `beacons` resolves with the first so many. */
async function site(
  tag: (url: string) => string,
  settings: unknown = null,
  posted: (request: http.IncomingMessage) => void = () => {},
) {
  const posts: Beacon[] = []
  const waiters: { enough: number; resolve: (posts: Beacon[]) => void }[] = []
  const cookies: (string | undefined)[] = []
  const server = await serve((request, response) => {
    cookies.push(request.headers.cookie)
    if (script.serve(request.url ?? '', request, response)) return
    if (request.url?.startsWith('/b/settings'))
      return void response
        .writeHead(settings ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(settings))
    if (request.url === '/b/') {
      posted(request)
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      return void request.on('end', () => {
        posts.push(Beacon.parse(JSON.parse(Buffer.concat(chunks).toString())))
        response.writeHead(204, { 'access-control-allow-origin': '*' }).end()
        for (const waiter of waiters) if (posts.length >= waiter.enough) waiter.resolve(posts)
      })
    }
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>page</title>${tag(`http://${request.headers.host}`)}`)
  })
  return {
    ...server,
    posts,
    cookies,
    beacons: (enough: number) => new Promise<Beacon[]>((resolve) => waiters.push({ enough, resolve })),
  }
}

test('the script is at most 4 KB compressed and sets no cookie', () => {
  assert.ok(zlib.gzipSync(script.source, { level: 9 }).length <= 4096)
  assert.doesNotMatch(script.source.toString(), /cookie\s*=|localStorage|sessionStorage/)
})

test('static settings: real round trips of each CDN, failures told as such', { skip }, async () => {
  await using fast = await serve(testObject(20))
  await using slow = await serve(testObject(120))
  await using blind = await serve(testObject(60, { timing: false }))
  await using broken = await serve(testObject(5, { status: 503 }))
  const targets = JSON.stringify([
    { c: 'fast', u: `${fast.url}/t.bin` },
    { c: 'slow', u: `${slow.url}/t.bin?a=b` },
    { c: 'blind', u: `${blind.url}/t.bin` },
    { c: 'broken', u: `${broken.url}/t.bin` },
    { c: 'gone', u: 'http://127.0.0.1:9/t.bin' },
  ])
  await using shop = await site(
    (url) =>
      `<script async src="${url}/b.js" data-key="k1" data-start="0" data-batches="1" data-targets='${targets}'></script>`,
  )
  const tab = await page()
  const arrived = shop.beacons(1)
  await tab.goto(shop.url)
  const [beacon] = await arrived
  const of = (cdn: string) => beacon?.s.find((sample) => sample.c === cdn)
  assert.equal(beacon?.k, 'k1')
  assert.equal(beacon?.s.length, 5)
  for (const [cdn, expected] of [
    ['fast', 20],
    ['slow', 120],
    ['blind', 60],
  ] as const) {
    const rtt = of(cdn)?.r ?? -1
    assert.ok(of(cdn)?.ok === 1 && rtt >= expected - 2 && rtt < expected + 1000, `${cdn}: ${rtt}`)
  }
  for (const cdn of ['broken', 'gone']) assert.deepEqual(of(cdn), { c: cdn, ok: 0 })
  assert.ok(shop.cookies.every((cookie) => cookie === undefined))
  await tab.close()
})

test(
  "round trip, handshake and the page's own costs are told apart; the page's host is told whatever its policy",
  { skip },
  async () => {
    const origins: (string | undefined)[] = []
    await using cdn = await serve(testObject(40))
    const targets = JSON.stringify([{ c: 'a', u: `${cdn.url}/t.bin`, l: `${cdn.url}/large.bin` }])
    await using shop = await site(
      (url) =>
        `<meta name="referrer" content="no-referrer"><script>Math.random=()=>0.01</script><script async src="${url}/${script.facts.file}" integrity="${script.facts.integrity}" crossorigin="anonymous" data-key="k1" data-start="0" data-batches="1" data-targets='${targets}'></script>`,
      null,
      (request) => origins.push(request.headers.origin),
    )
    const tab = await page()
    const arrived = shop.beacons(1)
    await tab.goto(shop.url.replace('127.0.0.1', 'localhost'))
    const [beacon] = await arrived
    const sample = beacon?.s[0]
    assert.ok(sample?.t !== undefined && sample.w !== undefined && sample.m !== undefined, JSON.stringify(sample))
    assert.ok(sample.w >= 38 && sample.t < (sample.r ?? 0), JSON.stringify(sample))
    // Script, object, the same again without a body, the larger one, the post.
    assert.equal(beacon?.p?.[0], 5)
    assert.ok((beacon?.p?.[1] ?? 0) > 4_000, String(beacon?.p?.[1]))
    assert.deepEqual(origins, [`http://localhost:${new URL(shop.url).port}`])
    await tab.close()
  },
)

test(
  "an object of the page owner's own that lacks its headers or is gone is told from a CDN that is dead",
  { skip },
  async () => {
    await using closed = await serve((_request, response) => response.writeHead(200).end('x'))
    await using gone = await serve(testObject(1, { status: 404 }))
    await using broken = await serve(testObject(1, { status: 503 }))
    const targets = JSON.stringify([
      { c: 'closed', u: `${closed.url}/t.bin`, o: 1 },
      { c: 'gone', u: `${gone.url}/t.bin`, o: 1 },
      { c: 'broken', u: `${broken.url}/t.bin`, o: 1 },
      { c: 'dead', u: 'http://127.0.0.1:9/t.bin', o: 1 },
      { c: 'house', u: `${gone.url}/t.bin` },
    ])
    await using shop = await site(
      (url) =>
        `<script async src="${url}/b.js" data-key="k1" data-start="0" data-batches="1" data-targets='${targets}'></script>`,
    )
    const tab = await page()
    const arrived = shop.beacons(1)
    await tab.goto(shop.url)
    const [beacon] = await arrived
    assert.deepEqual(Object.fromEntries(beacon?.s.map(({ c, ok, f }) => [c, [ok, f ?? null]]) ?? []), {
      closed: [0, 'cors'],
      gone: [0, 'http'],
      broken: [0, null],
      dead: [0, null],
      house: [0, null],
    })
    await tab.close()
  },
)

test('dynamic settings are fetched and the delay before the start is kept', { skip }, async () => {
  await using cdn = await serve(testObject(10))
  await using shop = await site((url) => `<script src="${url}/b.js" data-key="k2"></script>`, {
    startDelaySeconds: 2,
    repeatDelaySeconds: 10,
    batchNumber: 1,
    targets: [{ c: 'a', u: `${cdn.url}/t.bin` }],
  })
  const tab = await page()
  const arrived = shop.beacons(1)
  const started = performance.now()
  await tab.goto(shop.url)
  const [beacon] = await arrived
  assert.ok(performance.now() - started >= 2000)
  assert.deepEqual([beacon?.k, beacon?.s[0]?.c, beacon?.s[0]?.ok], ['k2', 'a', 1])
  await tab.close()
})

test('who saves data or is on a slow line is left alone', { skip }, async () => {
  let asked = 0
  await using cdn = await serve((request, response) => {
    asked++
    testObject(0)(request, response)
  })
  const targets = JSON.stringify([{ c: 'a', u: `${cdn.url}/t.bin` }])
  for (const connection of [{ saveData: true }, { effectiveType: 'slow-2g' }, { effectiveType: '2g' }]) {
    await using shop = await site(
      (url) =>
        `<script>Object.defineProperty(navigator,'connection',{value:${JSON.stringify(connection)}})</script><script src="${url}/b.js" data-key="k" data-start="0" data-batches="1" data-targets='${targets}'></script>`,
    )
    const tab = await page()
    await tab.goto(shop.url, { waitUntil: 'networkidle' })
    await tab.close()
  }
  assert.equal(asked, 0)
})

test('a page that is not visible measures only when it is', { skip }, async () => {
  let asked = 0
  await using cdn = await serve((request, response) => {
    asked++
    testObject(0)(request, response)
  })
  const targets = JSON.stringify([{ c: 'a', u: `${cdn.url}/t.bin` }])
  await using shop = await site(
    (url) =>
      `<script>var seen='hidden';Object.defineProperty(document,'visibilityState',{get:function(){return seen}})</script><script src="${url}/b.js" data-key="k" data-start="0" data-batches="1" data-targets='${targets}'></script>`,
  )
  const tab = await page()
  await tab.goto(shop.url, { waitUntil: 'networkidle' })
  assert.equal(asked, 0)
  const arrived = shop.beacons(1)
  await tab.evaluate(`seen='visible'; document.dispatchEvent(new Event('visibilitychange'))`)
  assert.equal((await arrived)[0]?.s[0]?.ok, 1)
  await tab.close()
})

test(
  'a page by TLS, or one whose policy forbids it, does not tell a CDN dead that its browser never asked',
  { skip },
  async () => {
    await using open = await serve(testObject(5))
    await using shut = await serve(testObject(5))
    const targets = JSON.stringify([
      { c: 'open', u: `${open.url}/t.bin` },
      { c: 'shut', u: `${shut.url}/t.bin` },
      { c: 'gone', u: 'http://127.0.0.1:9/t.bin' },
    ])
    const tag = (url: string) =>
      `<script async src="${url}/b.js" data-key="k1" data-start="0" data-batches="1" data-targets='${targets}'></script>`
    await using shop = await site(
      (url) =>
        `<meta http-equiv="content-security-policy" content="connect-src ${url} ${open.url} http://127.0.0.1:9">${tag(url)}`,
    )
    const tab = await page()
    const arrived = shop.beacons(1)
    await tab.goto(shop.url)
    const [beacon] = await arrived
    assert.deepEqual(beacon?.s.map(({ c, ok }) => [c, ok]).sort(), [
      ['gone', 0],
      ['open', 1],
    ])
    await tab.close()

    const secure = await page()
    let asked = 0
    await secure.route('**/*', async (route) => {
      const url = new URL(route.request().url())
      if (url.protocol === 'http:') asked++
      if (url.pathname === '/b.js') return route.fulfill({ contentType: 'text/javascript', body: script.source })
      await (url.pathname === '/' ? route.fulfill({ contentType: 'text/html', body: tag(url.origin) }) : route.abort())
    })
    const posted: string[] = []
    secure.on('request', (request) => request.method() === 'POST' && posted.push(request.postData() ?? ''))
    await secure.goto('https://shop.example.test/')
    await secure.waitForTimeout(1500)
    assert.deepEqual([asked, posted], [0, []])
    await secure.close()
  },
)

import assert from 'node:assert/strict'
import https from 'node:https'
import { after, before, beforeEach, test } from 'node:test'
import {
  type EdgeUnderTest,
  EDGE,
  eventually,
  type Origin,
  purgesOf,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'
import { besides, shieldOf, startRelay } from '../testing/relay-under-test.ts'

// Machines of a shield region speak with the origin for the others; when they do not, traffic goes on without them.

let near: EdgeUnderTest
let far: EdgeUnderTest
let edge: EdgeUnderTest
let website: Origin
let version = 0
const seen: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = []

before(async () => {
  near = await startRelay('near')
  far = await startRelay('far', {
    ...besides(near),
    FAIRWAY_EDGE_HTTP: '127.0.0.25:8000',
    FAIRWAY_EDGE_HTTPS: '127.0.0.25:8443',
  })
  edge = await startEdgeUnderTest(undefined, undefined, besides(near))
  website = await startOrigin((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => (body += piece.toString()))
    request.on('end', () => {
      seen.push({ path: request.url ?? '', headers: request.headers, body })
      if (request.url === '/gone') return void response.destroy()
      response.setHeader('X-Fairway-Relay', 'unasked')
      if (request.url === '/tagged') response.setHeader('Cache-Tag', 'news')
      response.setHeader('Cache-Control', /^\/(kept|tagged)$/.test(request.url ?? '') ? 'max-age=60' : 'no-store')
      response.end(`hello ${body}`)
    })
  })
})
after(async () => {
  for (const one of [edge, far, near]) await one?.[Symbol.asyncDispose]()
  await website?.[Symbol.asyncDispose]()
})
beforeEach(() => void seen.splice(0))

async function publish(relays: EdgeUnderTest[], more: object = {}, to = [near, far, edge]): Promise<void> {
  const site = siteOf('site', ++version, [
    { origin: website.origin(), cache: { enabled: true, defaultTtlSeconds: 0 }, shield: shieldOf(...relays), ...more },
  ])
  for (const one of to) await one.publish(site)
}
const counted = async (one: EdgeUnderTest, whose: 'own' | 'others') =>
  (await one.agent.shield())[`site-domain-0 ${whose}`] ?? 0

test('a region speaks with the origin for all others, each request counted where it was', async () => {
  await publish([near, far])
  const [before, others] = [await counted(near, 'others'), await counted(far, 'others')]
  for (const body of ['', 'form=1', 'x'.repeat(200_000)]) {
    const answer = await edge.get('www.example.test', '/page?a=1', body ? { method: 'POST', body } : {})
    assert.equal(answer.status, 200)
    assert.equal(answer.text, `hello ${body}`)
    assert.equal(answer.headers['x-fairway-relay'], undefined)
  }
  assert.deepEqual(
    seen.map(({ path, headers }) => [path, headers['host'], headers['x-forwarded-host'], headers['cdn-loop']]),
    Array.from({ length: 3 }, () => ['/page?a=1', 'origin.example.test', 'www.example.test', 'fairway']),
  )
  for (const { headers } of seen)
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('x-fairway')),
      [],
    )
  assert.equal(await counted(near, 'others'), before + 3)
  assert.equal(await counted(far, 'others'), others)
  assert.equal(await counted(edge, 'own'), 0)
})

test('a machine of the region asks the origin itself, and so does one where all regions are gone', async () => {
  await publish([near, far])
  const before = await counted(near, 'own')
  const own = await near.get('www.example.test', '/own', {
    at: near.config.edgeHttp.host,
    port: near.config.edgeHttp.port,
  })
  assert.equal(own.status, 200)
  assert.equal(await counted(near, 'own'), before + 1)
  const nobody = { nodes: [{ node: 'gone', region: 'gone', host: EDGE, port: 1 }] }
  await publish([], { shield: nobody })
  const [first, second] = [await edge.get('www.example.test', '/a'), await edge.get('www.example.test', '/b')]
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal((await edge.get('www.example.test', '/c', { method: 'POST', body: 'form=1' })).text, 'hello form=1')
  assert.equal(await counted(edge, 'own'), 3)
})

test('traffic goes on by the next region when one does not answer, and nothing is done twice', async () => {
  const nobody = { node: 'gone', region: 'gone', host: EDGE, port: 2 }
  await publish([], { shield: { nodes: [nobody, ...shieldOf(far).nodes] } })
  const before = await counted(far, 'others')
  assert.equal((await edge.get('www.example.test', '/page')).status, 200)
  assert.equal((await edge.get('www.example.test', '/page', { method: 'POST', body: 'a' })).text, 'hello a')
  assert.equal(await counted(far, 'others'), before + 2)
  // The origin may have acted on it: neither another region nor this machine asks again (RFC 9110 9.2.2).
  await publish([near, far])
  seen.splice(0)
  assert.equal((await edge.get('www.example.test', '/gone', { method: 'POST', body: 'a' })).status, 502)
  assert.equal(seen.length, 1)
})

test('a machine that does not know the domain yet is passed over', async () => {
  await publish([near, far], { host: 'new.example.test' }, [far, edge])
  const before = await counted(far, 'others')
  assert.equal((await edge.get('new.example.test', '/page')).status, 200)
  assert.equal(await counted(far, 'others'), before + 1)
})

test('nobody but machines of this installation is let through', async () => {
  await publish([near, far])
  const ask = (headers: Record<string, string>, ca?: string) =>
    new Promise<number>((resolve, reject) =>
      https
        .get(
          {
            host: near.config.shieldListen?.host,
            port: near.config.shieldListen?.port,
            headers: { host: 'www.example.test', 'x-fairway-host': 'www.example.test', ...headers },
            rejectUnauthorized: ca !== undefined,
            ca,
            servername: 'relay.fairway',
          },
          (response) => (response.resume(), resolve(response.statusCode ?? 0)),
        )
        .on('error', reject),
    )
  assert.equal(await ask({}), 403)
  assert.equal(await ask({ 'x-fairway-relay': 'a'.repeat(40), 'x-fairway-relayed': '1' }), 403)
  await assert.rejects(ask({}, edge.agent.layout.certificate), /certificate/i)
  assert.equal(seen.length, 0)
  // What visitors write into these headers says nothing, neither here nor there.
  const before = await counted(near, 'others')
  await edge.get('www.example.test', '/page', {
    headers: { 'x-fairway-relayed': '1', 'x-fairway-relay': 'a', 'x-fairway-host': 'other.example.test' },
  })
  assert.equal(await counted(near, 'others'), before + 1)
  // Another installation has another certificate: it is not believed, and the origin is asked from here.
  await using stranger = await startRelay('stranger', {
    FAIRWAY_EDGE_HTTP: '127.0.0.26:8000',
    FAIRWAY_EDGE_HTTPS: '127.0.0.26:8443',
  })
  await publish([stranger], {}, [stranger, edge])
  assert.equal((await edge.get('www.example.test', '/page')).status, 200)
  assert.deepEqual(await stranger.agent.shield(), {})
})

test('the second cache is the region’s: what it holds, the origin is not asked for again', async () => {
  await publish([near], { cache: { enabled: true, defaultTtlSeconds: 0, tiered: true } })
  assert.equal((await edge.get('www.example.test', '/kept')).headers['x-cache'], 'MISS')
  await using another = await startEdgeUnderTest(undefined, undefined, besides(near))
  await publish([near], { cache: { enabled: true, defaultTtlSeconds: 0, tiered: true } }, [near, edge, another])
  await eventually(async () => {
    const answer = await another.get('www.example.test', '/kept')
    assert.equal(answer.text, 'hello ')
  })
  assert.equal(seen.length, 1)
})

test('a purge by tag holds for the region’s second cache, also at a machine that never had the object', async () => {
  const cache = { enabled: true, defaultTtlSeconds: 0, tiered: true }
  await using another = await startEdgeUnderTest(undefined, undefined, besides(near))
  await publish([near], { cache }, [near, edge, another])
  const firsts = async (path: string) => {
    for (const one of [edge, another]) assert.equal((await one.get('www.example.test', path)).status, 200)
    return seen.filter((one) => one.path === path).length
  }
  assert.equal((await edge.get('www.example.test', '/tagged')).headers['x-cache'], 'MISS')
  const purges = purgesOf('site', ++version, [{ kind: 'tag', value: 'news', at: Date.now() + 1, soft: false }])
  for (const one of [near, edge, another]) await one.publish(purges)
  assert.equal((await another.get('www.example.test', '/tagged')).headers['x-cache'], 'MISS')
  assert.equal(seen.length, 2, 'the origin is asked again')
  assert.equal(await firsts('/tagged'), 2, 'and once for all of them')
})

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { EdgeChallenges, Publication } from '@fairway/contract'
import {
  type EdgeUnderTest,
  NORTH,
  type Origin,
  certificateOf,
  eventually,
  simulatedCdn,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
  temporaryHome,
} from './testing/edge-under-test.ts'

const HOST = 'www.example.test'
const TOKEN = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0'
const PROOF = `${TOKEN}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI`
const PATH = `/.well-known/acme-challenge/${TOKEN}`
const home = temporaryHome()
let edge: EdgeUnderTest
let website: Origin
let version = 0

function challengesOf(siteId: string, challenges: EdgeChallenges['challenges']): Publication {
  version += 1
  return {
    revision: version,
    kind: 'edge-challenges',
    key: siteId,
    version,
    body: { siteId, organizationId: 'org-1', version, challenges },
  }
}
const proves = (host: string, token = TOKEN) => ({ host, token, keyAuthorization: `${token}.${PROOF.split('.')[1]}` })
const get = (target = PATH, options?: Parameters<EdgeUnderTest['get']>[2]) => edge.get(HOST, target, options)
const settings = (more: object) => siteOf('site', ++version, [{ host: HOST, origin: website.origin(), ...more }])

before(async () => {
  website = await startOrigin(
    (request, response) =>
      void response.writeHead(200, { 'cache-control': 'max-age=600' }).end(`the website’s own ${request.url}`),
  )
  edge = await startEdgeUnderTest(home)
  await edge.publish(settings({}))
  await edge.publish(certificateOf(edge, 'site', HOST, ++version))
  await edge.publish(challengesOf('site', [proves(HOST), proves('not-here-yet.example.test')]))
})
after(async () => {
  await edge[Symbol.asyncDispose]()
  await website[Symbol.asyncDispose]()
  fs.rmSync(home, { recursive: true, force: true })
})

describe('the challenge of an order', () => {
  it('is answered over plain HTTP with its key authorization, and never cached', async () => {
    const answer = await get()
    assert.deepEqual(
      [
        answer.status,
        answer.text,
        answer.headers['content-type'],
        answer.headers['cache-control'],
        answer.headers['x-cache'],
      ],
      [200, PROOF, 'application/octet-stream', 'no-store', undefined],
    )
    assert.equal(Number(answer.headers['content-length']), PROOF.length)
    assert.deepEqual(
      [(await get(PATH, { method: 'HEAD' })).status, (await get(PATH, { method: 'HEAD' })).text],
      [200, ''],
    )
  })

  it('is found whatever the case and port of the Host, the query, and over HTTPS where a redirect has led', async () => {
    const answers = await Promise.all([
      get(PATH, { headers: { host: `WWW.Example.Test:${edge.config.edgeHttp.port}` } }),
      get(`${PATH}?from=authority`),
      get(PATH, { tls: true }),
    ])
    assert.deepEqual(
      answers.map(({ text }) => text),
      [PROOF, PROOF, PROOF],
    )
  })

  it('is answered for a name that the edge does not serve yet', async () => {
    assert.equal((await edge.get('not-here-yet.example.test', PATH)).text, PROOF)
    assert.equal((await edge.get('not-here-yet.example.test', '/')).status, 421)
  })

  it('goes before redirects to HTTPS, maintenance and what the cache holds', async () => {
    await edge.publish(challengesOf('site', []))
    const kept = [await get(), await get()]
    assert.deepEqual(
      kept.map(({ text, headers }) => [text, headers['x-cache']]),
      [
        [`the website’s own ${PATH}`, 'MISS'],
        [`the website’s own ${PATH}`, 'HIT'],
      ],
    )
    await edge.publish(settings({ alwaysHttps: true, inMaintenance: true }))
    await edge.publish(challengesOf('site', [proves(HOST)]))
    assert.deepEqual([(await get()).text, (await get('/')).status], [PROOF, 503])
    await edge.publish(settings({ alwaysHttps: true }))
    assert.deepEqual([(await get()).text, (await get('/')).status], [PROOF, 301])
    await edge.publish(settings({}))
  })

  it('is answered by every CDN that is on the edge, but not by one that is down', async () => {
    await edge.publish(simulatedCdn('North', NORTH, ++version, { mode: 'up' }))
    assert.equal((await get(PATH, { at: NORTH })).text, PROOF)
    await edge.publish(simulatedCdn('North', NORTH, ++version, { mode: 'errors', percent: 100 }))
    assert.equal((await get(PATH, { at: NORTH })).status, 503)
  })

  it('is of one host only, and of one token', async () => {
    await edge.publish(siteOf('second', ++version, [{ host: 'other.test', origin: website.origin() }]))
    assert.match((await edge.get('other.test', PATH)).text, /^the website’s own/)
    for (const target of [`${PATH}x`, `${PATH}/`, `/.well-known/acme-challenge/`, PATH.toLowerCase(), `/deeper${PATH}`])
      assert.equal((await get(target)).text, `the website’s own ${target}`)
  })

  it('leaves those of the website’s own orders, and what is no look at a file, to the origin', async () => {
    assert.equal(
      (await get('/.well-known/acme-challenge/certbot')).text,
      'the website’s own /.well-known/acme-challenge/certbot',
    )
    assert.equal((await get(PATH, { method: 'POST', body: 'x' })).text, `the website’s own ${PATH}`)
  })

  it('is answered again after nginx has died, and after a restart with nobody to ask', async () => {
    const pid = edge.agent.nginx.pid()
    assert.ok(pid)
    process.kill(pid, 'SIGKILL')
    await eventually(async () => assert.equal((await get()).text, PROOF))
    await edge[Symbol.asyncDispose]()
    edge = await startEdgeUnderTest(home)
    assert.equal((await get()).text, PROOF)
  })

  it('is over when the order is, one at a time', async () => {
    await edge.publish(challengesOf('second', [proves('other.test', 'second')]))
    await edge.publish(challengesOf('site', [proves(HOST, 'newer')]))
    const own = `the website’s own ${PATH}`
    assert.deepEqual(
      [(await get()).text, (await get('/.well-known/acme-challenge/newer')).text.slice(0, 6)],
      [own, 'newer.'],
    )
    await edge.publish({ revision: ++version, kind: 'edge-challenges', key: 'site', version, body: null })
    assert.equal(
      (await get('/.well-known/acme-challenge/newer')).text,
      'the website’s own /.well-known/acme-challenge/newer',
    )
    assert.equal((await edge.get('other.test', '/.well-known/acme-challenge/second')).text.slice(0, 7), 'second.')
    assert.ok(Number((await edge.agent.state())?.counters['challenges_answered']) > 0)
  })
})

import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type EdgeChallenges, type Publication, SecurityPolicy } from '@fairway/contract'
import { BOT_DEFAULTS } from '@fairway/domain'
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

const FOLDER = '/.well-known/acme-challenge/'

function securedBy(wanted: object | null): Publication {
  version += 1
  const bots = { ...BOT_DEFAULTS, securityLevel: 'off' as const }
  const policy = SecurityPolicy.parse({ access: [], bots, firewall: [], headers: [], origins: [], ...wanted })
  const domains = wanted === null ? [] : [{ domainId: 'site-domain-0', host: HOST, policy }]
  const body = { siteId: 'site', organizationId: 'org-1', version, domains }
  return { revision: version, kind: 'edge-security', key: 'site', version, body }
}

describe('what stands below the folder of challenges', () => {
  const rule = (id: string, field: string, value: string, type = 'block') => ({
    id,
    name: id,
    expression: { field, operator: 'contains', values: [value] },
    action: type === 'challenge' ? { type, mode: 'browser-standard' } : { type },
  })

  it('is held against access list and rules, but for the proof of an order of ours', async () => {
    await edge.publish(challengesOf('site', [proves(HOST)]))
    const blocked = { id: 'b', list: 'blacklist', kind: 'address', value: '203.0.113.9', network: null, until: 0 }
    await edge.publish(
      securedBy({
        access: [{ ...blocked, exclude: false }],
        firewall: [rule('admin', 'path', '/admin'), rule('sql', 'query', 'union'), rule('who', 'query', 'rest_route')],
      }),
    )
    const from = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    assert.deepEqual([(await get(PATH, from)).text, (await get(`${FOLDER}own`, from)).status], [PROOF, 403])
    const asked = website.asked.length
    for (const [method, target] of [
      ['POST', 'x?rest_route=/wp/v2/users'],
      ['GET', 'x?id=1%20union%20select'],
      ['GET', '..;/..;/admin'],
      ['GET', 'x/admin'],
    ] as const)
      assert.equal((await get(FOLDER + target, { method })).status, 403, `${method} ${target}`)
    assert.equal(website.asked.length, asked)
    await edge.publish(securedBy(null))
  })

  it('meets maintenance, redirects and questions to people, but for a look at one file by its token', async () => {
    const bots = { ...BOT_DEFAULTS, securityLevel: 'under-attack' as const, integrityCheck: 'strict' as const }
    const headers = { 'user-agent': 'Mozilla/5.0 (compatible; an authority)', accept: '*/*' }
    const status = async (target: string, more: object = {}) =>
      (await get(FOLDER + target, { headers, ...more })).status
    await edge.publish(securedBy({ bots, firewall: [rule('ask', 'path', 'token', 'challenge')] }))
    assert.equal(await status('a-token_1'), 200)
    const others: [string, object][] = [
      ['a-token_1?x', {}],
      ['a-token_1/x', {}],
      ['%61-token_1', {}],
      ['../../token', {}],
      ['a'.repeat(129), {}],
      ['', {}],
      ['a-token_1', { method: 'POST', body: 'x' }],
      ['a-token_1', { body: 'x', headers: { ...headers, 'content-length': '1' } }],
    ]
    for (const [target, more] of others) assert.equal(await status(target, more), 403, target)
    await edge.publish(securedBy(null))
    await edge.publish(settings({ inMaintenance: true }))
    assert.equal(await status('a-token_1'), 200)
    for (const [target, more] of others) assert.equal(await status(target, more), 503, target)
    await edge.publish(settings({ alwaysHttps: true }))
    assert.equal(await status('a-token_1'), 200)
    for (const [target, more] of others) assert.match(String(await status(target, more)), /^30[18]$/, target)
    await edge.publish(settings({}))
  })
})

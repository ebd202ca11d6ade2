import assert from 'node:assert/strict'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type BalancerMode, type ScoresSnapshot, StreamBalance } from '@fairway/contract'
import { balancePolicy } from '@fairway/domain'
import { type Geo, loadConfig, makeLog, openGeo } from '@fairway/platform'
import fc from 'fast-check'
import { StreamSteering } from './stream-steering.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const OTHER = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-steering-'))
const log = makeLog('collector', { logLevel: 'silent' })
let geo: Geo
let scores: ScoresSnapshot | null = null
let steering: StreamSteering
let server: http.Server
let counts: Record<string, number> = {}

const start = () =>
  new StreamSteering({
    folder,
    node: 'n1',
    trustedProxies: ['127.0.0.1'],
    geo,
    scoresOf: () => scores,
    counted: (result) => void (counts[result] = (counts[result] ?? 0) + 1),
    log,
  })
before(async () => {
  geo = await openGeo(loadConfig({ FAIRWAY_HOME: folder }))
  steering = start()
  server = http.createServer((request, response) => steering.serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.closeAllConnections()
  server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function balance(ids: string[], { id = ID, mode = 'weights' as BalancerMode } = {}): StreamBalance {
  const entries = ids.map((pathway, index) => ({
    pathway,
    name: pathway,
    host: `${pathway}.example`,
    weight: [60, 30, 10][index] ?? 10,
    enabled: true,
  }))
  return StreamBalance.parse({
    balancerId: id,
    organizationId: 'o',
    liveId: null,
    version: 1,
    ttlSeconds: 10,
    pathways: entries.map(({ pathway, host, weight }) => ({ id: pathway, host, weight })),
    policy: balancePolicy({ balancerId: id, organizationId: 'o', mode }, entries),
  })
}
const dead = (...ids: string[]): ScoresSnapshot => ({
  organizationId: 'o',
  serial: 1,
  builtAt: Date.now(),
  lifetimeSeconds: 600,
  cdns: Object.fromEntries(ids.map((id) => [id, { hardDown: true, hardDownSince: Date.now(), places: {} }])),
})

type Manifest = {
  VERSION: number
  TTL: number
  'RELOAD-URI': string
  'PATHWAY-PRIORITY': string[]
  'PATHWAY-CLONES'?: { ID: string; 'BASE-ID': string; 'URI-REPLACEMENT': { HOST: string } }[]
}
const ask = (text: string, from = '203.0.113.9', method = 'GET') =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${text}`, {
    method,
    headers: { 'x-forwarded-for': from, origin: 'https://player.example' },
  })
const manifest = async (text: string, from?: string): Promise<Manifest & { decision: string }> => {
  const answer = await ask(text, from)
  assert.equal(answer.status, 200)
  return { ...((await answer.json()) as Manifest), decision: answer.headers.get('x-decision-id') ?? '' }
}
const path0 = `/steer/${ID}?p=a,b,c`

test('1,000 sessions from many addresses are shared within 2 points of the weights, and each keeps its pathway', async () => {
  steering.apply(ID, balance(['a', 'b', 'c']))
  const first: Record<string, number> = {}
  const told: Manifest[] = []
  for (let batch = 0; batch < 20; batch++)
    told.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, (_, index) => manifest(path0, `198.${(batch * 50 + index) % 200}.7.7`)),
      )),
    )
  for (const one of told) {
    const [pathway = ''] = one['PATHWAY-PRIORITY']
    first[pathway] = (first[pathway] ?? 0) + 1
  }
  for (const [id, weight] of [
    ['a', 60],
    ['b', 30],
    ['c', 10],
  ] as const)
    assert.ok(Math.abs((first[id] ?? 0) / 10 - weight) <= 2, JSON.stringify(first))
  for (const one of told.slice(0, 20)) {
    const again = await manifest(one['RELOAD-URI'], '192.0.2.1')
    assert.deepEqual(again['PATHWAY-PRIORITY'], one['PATHWAY-PRIORITY'])
    assert.equal(again['RELOAD-URI'], one['RELOAD-URI'])
  }
})

test('a manifest has the form of the standard, may be read by any page, and is kept by nobody', async () => {
  const answer = await ask(path0)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const { VERSION, TTL, 'RELOAD-URI': reload } = (await answer.json()) as Manifest
  assert.deepEqual([VERSION, TTL], [1, 10])
  assert.match(reload, new RegExp(`^/steer/${ID}\\?p=a,b,c&s=[0-9a-f]{24}$`))
  assert.equal((await ask(path0, undefined, 'POST')).status, 405)
  const head = await ask(path0, undefined, 'HEAD')
  assert.deepEqual([head.status, await head.text()], [200, ''])
})

test('a dead CDN has left the list at the next question, and is back in it when it lives', async () => {
  const { 'RELOAD-URI': reload, 'PATHWAY-PRIORITY': before } = await manifest(path0)
  const [home = ''] = before
  scores = dead(home)
  assert.deepEqual(
    (await manifest(reload))['PATHWAY-PRIORITY'],
    before.filter((id) => id !== home),
  )
  scores = null
  assert.deepEqual((await manifest(reload))['PATHWAY-PRIORITY'], before)
})

test('a CDN that was added later is told as a copy, and stays one at the next question', async () => {
  const { 'PATHWAY-CLONES': clones, 'RELOAD-URI': reload } = await manifest(`/steer/${ID}?p=a,b`)
  assert.deepEqual(clones, [{ 'BASE-ID': 'a', ID: 'c', 'URI-REPLACEMENT': { HOST: 'c.example' } }])
  assert.deepEqual((await manifest(reload))['PATHWAY-CLONES'], clones)
})

test('who came by a signed address is told of every CDN as a copy of where it came from', async () => {
  const { 'PATHWAY-CLONES': clones, 'RELOAD-URI': reload } = await manifest(`/steer/${ID}?p=.&_HLS_pathway=%22.%22`)
  assert.deepEqual(
    clones,
    ['a', 'b', 'c'].map((id) => ({ 'BASE-ID': '.', ID: id, 'URI-REPLACEMENT': { HOST: `${id}.example` } })),
  )
  assert.deepEqual((await manifest(reload))['PATHWAY-CLONES'], clones)
})

test('players of DASH are understood: several pathways with a throughput each, and the port that copies need', async () => {
  const { 'PATHWAY-CLONES': clones, 'RELOAD-URI': reload } = await manifest(`/steer/${ID}?p=a&port=8081`)
  assert.deepEqual(
    clones?.map((clone) => clone['URI-REPLACEMENT'].HOST),
    ['b.example:8081', 'c.example:8081'],
  )
  const later = await manifest(`${reload}&_DASH_pathway=%22a,b%22&_DASH_throughput=900000,5140000`)
  assert.deepEqual(later['PATHWAY-CLONES'], clones)
  const session = new URL(reload, 'http://x').searchParams.get('s') ?? ''
  assert.deepEqual(steering.why({ balancerId: ID, session }).said, { pathway: 'b', throughput: 5_140_000 })
  await manifest(`${reload}&_DASH_pathway=%22a%22&_DASH_throughput=`)
  assert.deepEqual(steering.why({ balancerId: ID, session }).said, { pathway: 'a', throughput: null })
})

test('nothing of what is asked comes back but pathways of ours and a session in its form', async () => {
  const evil = encodeURIComponent('"><script>')
  for (const query of [
    `p=${evil}`,
    `s=${evil}`,
    's=123',
    `p=${'a,'.repeat(11)}a`,
    `p=${'x'.repeat(254)}`,
    `port=${evil}`,
    'port=0',
  ])
    assert.equal((await ask(`/steer/${ID}?${query}`)).status, 400, query)
  const text = await (await ask(`/steer/${ID}?p=a,evil.example&_HLS_pathway=${evil}&x=${evil}`)).text()
  assert.ok(!text.includes('evil') && !text.includes('script'), text)
  assert.equal((await ask(`/steer/${ID}?p=a&x=${'y'.repeat(5_000)}`)).status, 414)
  assert.equal((await ask('/steer/../../etc/passwd')).status, 404)
  assert.equal((await ask(`/steer/${ID}/`)).status, 404)
})

test('whatever is asked, the answer is a manifest of our hosts or a refusal', async () => {
  const hosts = new Set(['a.example', 'b.example', 'c.example'])
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 60 }), fc.constantFrom('p', 's', '_HLS_pathway'), async (text, name) => {
      const answer = await ask(`/steer/${ID}?${name}=${encodeURIComponent(text.toWellFormed())}`, '192.0.2.200')
      assert.ok([200, 400].includes(answer.status))
      if (answer.status !== 200) return
      const told = (await answer.json()) as Manifest
      assert.ok(told['PATHWAY-PRIORITY'].every((id) => ['a', 'b', 'c'].includes(id)))
      assert.ok((told['PATHWAY-CLONES'] ?? []).every((clone) => hosts.has(clone['URI-REPLACEMENT'].HOST)))
    }),
    { numRuns: 200 },
  )
})

test('a balancer not heard of yet is asked for again, one that is gone never', async () => {
  assert.equal((await ask(`/steer/${OTHER}`)).status, 404)
  steering.apply(OTHER, balance(['a'], { id: OTHER }))
  assert.equal((await ask(`/steer/${OTHER}`)).status, 200)
  steering.apply(OTHER, null)
  assert.equal((await ask(`/steer/${OTHER}`)).status, 410)
  assert.throws(() => steering.apply('../evil', null))
})

test('why is told by decision and by session, to the owner of the balancer alone, without the address', async () => {
  const { decision, 'RELOAD-URI': reload } = await manifest(path0, '133.11.0.77')
  const session = new URL(reload, 'http://x').searchParams.get('s') ?? ''
  const answer = steering.why({ balancerId: ID, decision })
  assert.deepEqual([answer.session, answer.visitor.address, answer.visitor.prefixLength], [session, '133.11.0.0', 24])
  assert.equal(answer.visitor.location.country, 'JP')
  assert.ok(answer.decision.trace.steps.length > 0)
  const later = await manifest(`${reload}&_HLS_pathway=%22b%22&_HLS_throughput=5140000`, '133.11.0.77')
  assert.equal(steering.why({ balancerId: ID, session }).decisionId, later.decision)
  assert.deepEqual(steering.why({ balancerId: ID, session }).said, { pathway: 'b', throughput: 5_140_000 })
  for (const foreign of [{ decision }, { session }])
    assert.throws(() => steering.why({ balancerId: OTHER, ...foreign }), { status: 404 })
  const near = steering.why({ balancerId: ID, client: '2001:200::1' })
  assert.deepEqual([near.decisionId, near.session, near.visitor.prefixLength], [null, null, 128])
})

test('what one viewer says of itself changes nobody else’s answer', async () => {
  const mine = await manifest(path0, '192.0.2.50')
  for (let liar = 0; liar < 20; liar++) await manifest(`${path0}&_HLS_pathway=c&_HLS_throughput=1`, `192.0.2.${liar}`)
  assert.deepEqual((await manifest(mine['RELOAD-URI'], '192.0.2.50'))['PATHWAY-PRIORITY'], mine['PATHWAY-PRIORITY'])
})

test('a collector that starts anew answers from its disk, and passes over what is damaged there', async () => {
  fs.writeFileSync(path.join(folder, 'stream-balances', `${OTHER}.json`), '{"balancerId":')
  const { 'RELOAD-URI': reload, 'PATHWAY-PRIORITY': before } = await manifest(path0)
  steering = start()
  assert.deepEqual((await manifest(reload))['PATHWAY-PRIORITY'], before)
  assert.equal((await ask(`/steer/${OTHER}`)).status, 404)
})

test('one network cannot flood: what is above its share is told to come later, others are answered', async () => {
  counts = {}
  const statuses = new Map<number, number>()
  for (let batch = 0; batch < 12; batch++)
    for (const { status } of await Promise.all(Array.from({ length: 400 }, () => ask(path0, '100.64.9.9'))))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
  assert.ok((statuses.get(429) ?? 0) > 0, JSON.stringify([...statuses]))
  assert.equal((await ask(path0, '100.64.10.9')).status, 200)
  assert.equal(counts['rate-limited'], statuses.get(429))
})

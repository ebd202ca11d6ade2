import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { OutsideFeedKeys, ScoresSnapshot } from '@fairway/contract'
import { feedSnippets } from '@fairway/domain'
import { makeLog } from '@fairway/platform'
import { clientReader } from '../collector/client-address.ts'
import { collectorMetrics } from '../collector/collector-metrics.ts'
import { buildSnapshot } from '../scores/build-snapshot.ts'
import { outsideFeedHandler } from './feed-posts.ts'
import { OutsideFeeds } from './outside-feeds.ts'

const run = promisify(execFile)
const ID = '5b0f2c1e-8a53-4a0e-9a0b-4f6f4d1f0c11'
const KEY = 'fwf_key-of-the-feed'
const NOW = Date.now()
const document = (change: Partial<OutsideFeedKeys['feeds'][number]> = {}): OutsideFeedKeys => ({
  organizationId: 'o1',
  version: 1,
  cdnIds: ['polaris', 'swiftlane'],
  feeds: [{ id: ID, name: 'Own', enabled: true, weightPercent: 100, keys: [{ sealed: KEY, until: null }], ...change }],
})
const folders: string[] = []
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true })
})
const newFolder = (): string => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outside-feeds-'))
  folders.push(folder)
  return folder
}
const open = (folder = newFolder(), given: OutsideFeedKeys | null = document()): OutsideFeeds => {
  const feeds = new OutsideFeeds({
    folder,
    windowMs: 300_000,
    openKey: (sealed) => sealed,
    log: makeLog('collector', { logLevel: 'silent' }),
  })
  if (given) feeds.set('o1', given)
  return feeds
}
const body = (entries: object[] | string) =>
  Buffer.from(typeof entries === 'string' ? entries : JSON.stringify({ entries }))
const entry = (change: object = {}, at = NOW) => ({
  cdn: 'polaris',
  place: 'country:JP',
  availability: 99,
  samples: 100,
  measuredAt: new Date(at).toISOString(),
  ...change,
})
const signed = (sent: Buffer, at = NOW, key = KEY) => {
  const timestamp = String(Math.floor(at / 1000))
  return {
    timestamp,
    signature: `v1=${crypto.createHmac('sha256', key).update(`${timestamp}.`).update(sent).digest('hex')}`,
  }
}
const post = (feeds: OutsideFeeds, entries: object[] | string, at = NOW) =>
  feeds.take(ID, signed(body(entries), at), body(entries), at)

test('what was signed rightly is taken once, and nothing else is', () => {
  const folder = newFolder()
  const feeds = open(folder)
  const sent = body([entry()])
  assert.equal(feeds.take(ID, signed(sent, NOW, 'another key'), sent, NOW).refused, 'bad-signature')
  assert.equal(feeds.take(ID, signed(sent), body([entry({ availability: 1 })]), NOW).refused, 'bad-signature')
  assert.equal(feeds.take(ID, { ...signed(sent), timestamp: '1' }, sent, NOW).refused, 'bad-signature')
  assert.equal(feeds.take(crypto.randomUUID(), signed(sent), sent, NOW).refused, 'bad-signature')
  assert.equal(feeds.take(ID, signed(sent, NOW - 301_000), sent, NOW).refused, 'outside-window')
  assert.equal(feeds.take(ID, signed(sent), sent, NOW).taken, 1)
  assert.equal(feeds.take(ID, signed(sent), sent, NOW + 1000).refused, 'repeated')
  feeds[Symbol.dispose]()
  const restarted = open(folder, null)
  assert.equal(restarted.take(ID, signed(sent), sent, NOW + 2000).refused, 'repeated', 'also after a restart')
  assert.equal(restarted.round('o1', null, NOW).cdns.get('polaris')?.get('country:JP')?.[0]?.availability, 99)
})

test('a document that is as it was is not written again', () => {
  const folder = newFolder()
  const feeds = open(folder)
  feeds[Symbol.dispose]()
  const file = path.join(folder, 'outside-feeds', 'feeds.json')
  const written = fs.statSync(file).ino
  feeds.set('o1', structuredClone(document()))
  feeds[Symbol.dispose]()
  assert.equal(fs.statSync(file).ino, written)
  feeds.set('o1', null)
  feeds[Symbol.dispose]()
  assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), [])
})

test('an old key is good until it ends', () => {
  const feeds = open(
    newFolder(),
    document({
      keys: [
        { sealed: 'new', until: null },
        { sealed: KEY, until: NOW + 1000 },
      ],
    }),
  )
  const sent = body([entry()])
  assert.equal(feeds.take(ID, signed(sent), sent, NOW).taken, 1)
  const next = body([entry({}, NOW + 2000)])
  assert.equal(feeds.take(ID, signed(next, NOW + 2000), next, NOW + 2000).refused, 'bad-signature')
})

test('a post of the wrong form says what is wrong, and counts nothing', () => {
  for (const wrong of [
    'not json',
    '{"entries":[]}',
    '[]',
    JSON.stringify({ entries: [entry()], more: 1 }),
    JSON.stringify({ entries: [entry({ price: 1 })] }),
    JSON.stringify({ entries: [entry({ availability: 101 })] }),
    JSON.stringify({ entries: [entry({ availability: undefined })] }),
    JSON.stringify({ entries: [entry({ samples: 1e9 })] }),
    JSON.stringify({ entries: [entry({ latencyMs: 0 })] }),
    JSON.stringify({ entries: [entry({ measuredAt: 'yesterday' })] }),
    ...['JP', 'world|AS1', 'country:JP|', 'country:jp', 'city:JP-13-Tokyo', 'country:JP|AS1|AS2', 'region:US-'].map(
      (place) => JSON.stringify({ entries: [entry({ place })] }),
    ),
  ]) {
    const feeds = open()
    const { refused, problem } = post(feeds, wrong)
    assert.equal(refused, 'wrong-form', wrong)
    assert.ok(problem, wrong)
    assert.equal(feeds.seen('o1', NOW)[0]?.state, 'silent')
  }
  assert.equal(post(open(), [entry(), entry({ availability: 1 })]).refused, 'contradicts-itself')
})

test('each entry has its verdict, and the last posts are told', () => {
  const feeds = open()
  const { taken, left } = post(feeds, [
    entry(),
    entry({ cdn: 'of-somebody-else' }),
    entry({ place: 'world' }, NOW - 301_000),
    entry({ place: 'country:DE' }, NOW + 60_000),
    entry({ place: 'region:US-CA|AS7922', availability: undefined, latencyMs: 20 }),
  ])
  assert.deepEqual(
    [taken, left],
    [
      2,
      [
        { entry: 1, reason: 'unknown-cdn' },
        { entry: 2, reason: 'too-old' },
        { entry: 3, reason: 'in-future' },
      ],
    ],
  )
  const [seen] = feeds.seen('o1', NOW)
  assert.deepEqual(
    [seen?.entries, seen?.samples, seen?.posts[0]?.verdicts],
    [2, 200, { taken: 2, 'unknown-cdn': 1, 'too-old': 1, 'in-future': 1 }],
  )
  assert.deepEqual(feeds.seen('o2', NOW), [], 'another organisation is told nothing')
  for (let index = 0; index < 30; index++) feeds.take(ID, signed(body('x'), NOW, 'wrong'), body('x'), NOW)
  assert.deepEqual(
    feeds.seen('o1', NOW)[0]?.posts.map(({ refused }) => refused),
    ['bad-signature', null],
    'who has no key pushes no post out of sight',
  )
})

test('a feed posts ten times at once and then once a second', () => {
  const feeds = open()
  const answers = Array.from({ length: 14 }, (_, index) => post(feeds, [entry({}, NOW - 14 + index)]).refused)
  assert.ok(answers.slice(0, 10).every((refused) => refused === null))
  assert.equal(answers.at(-1), 'too-many-requests')
})

const world = (availability: number): ScoresSnapshot => ({
  organizationId: 'o1',
  serial: 1,
  builtAt: NOW,
  lifetimeSeconds: 300,
  cdns: {
    polaris: {
      hardDown: false,
      hardDownSince: null,
      places: { 'country:JP': { rum: { samples: 100, availability, latencyMs: 20, newestAt: NOW } } },
    },
  },
})

test('a feed that stops, or contradicts, is left out and says so; it counts again when that is over', () => {
  const feeds = open()
  const states = (scores: ScoresSnapshot | null, at: number) => {
    const { cdns, leftOut } = feeds.round('o1', scores, at)
    return [cdns.size, leftOut.map(({ state, cdnId, place }) => `${state} ${cdnId} ${place}`).join()]
  }
  assert.deepEqual(states(null, NOW), [0, ''], 'nothing was posted yet, which is no incident')
  post(feeds, [entry({ availability: 10 })])
  assert.deepEqual(states(world(99), NOW), [0, 'contradicts polaris country:JP'])
  assert.deepEqual(states(world(10), NOW + 59_000), [0, 'contradicts polaris country:JP'])
  assert.deepEqual(states(world(10), NOW + 60_001), [1, ''])
  assert.deepEqual(states(world(10), NOW + 301_000), [0, 'stopped null null'])
  assert.equal(feeds.seen('o1', NOW + 301_000)[0]?.state, 'stopped')
})

test('a feed most of which has jumped is left out until it says so again', () => {
  const feeds = open()
  const say = (availability: number, at: number) =>
    post(feeds, [entry({ availability }, at), entry({ place: 'world' }, at)], at)
  say(99, NOW)
  const jumped = post(feeds, [entry({ availability: 5 }, NOW + 5000)], NOW + 5000)
  assert.deepEqual(jumped.left, [{ entry: 0, reason: 'jumped' }])
  assert.deepEqual(
    [
      ...(feeds
        .round('o1', null, NOW + 5000)
        .cdns.get('polaris')
        ?.keys() ?? []),
    ],
    ['world'],
  )
  post(feeds, [entry({ place: 'world', availability: 5 }, NOW + 6000)], NOW + 6000)
  assert.equal(feeds.round('o1', null, NOW + 6000).leftOut[0]?.state, 'jumped')
  post(
    feeds,
    [entry({ availability: 5 }, NOW + 20_000), entry({ place: 'world', availability: 5 }, NOW + 20_000)],
    NOW + 20_000,
  )
  assert.deepEqual(feeds.round('o1', null, NOW + 20_000).leftOut, [])
})

test('weight scales samples and share; a feed that is switched off is told and does not count', () => {
  const said = (change: Parameters<typeof document>[0]) => {
    const feeds = open(newFolder(), document(change))
    post(feeds, [entry()])
    const outside = feeds.round('o1', null, NOW)
    const { snapshot } = buildSnapshot({
      organizationId: 'o1',
      measured: undefined,
      health: [],
      outside,
      previous: null,
      lifetimeSeconds: 300,
      shortSeconds: 30,
      lots: 1,
      now: NOW,
    })
    return snapshot.cdns['polaris']?.places['country:JP']?.feed?.map(({ samples, share, off }) => [samples, share, off])
  }
  assert.deepEqual(said({}), [[100, 0.25, undefined]])
  assert.deepEqual(said({ weightPercent: 40 }), [[40, 0.1, undefined]])
  assert.deepEqual(said({ weightPercent: 0 }), undefined)
  assert.deepEqual(said({ enabled: false }), [[100, 0.25, true]])
})

test('a feed that is deleted is forgotten, with what it said', () => {
  const folder = newFolder()
  const feeds = open(folder)
  post(feeds, [entry()])
  feeds.set('o1', null)
  assert.equal(post(feeds, [entry({}, NOW + 1000)]).refused, 'bad-signature')
  assert.equal(feeds.round('o1', null, NOW).cdns.size, 0)
  feeds[Symbol.dispose]()
  assert.deepEqual(fs.readdirSync(path.join(folder, 'outside-feeds')), ['feeds.json'])
})

test('a damaged file costs what was said, and no start', () => {
  const folder = newFolder()
  const feeds = open(folder)
  post(feeds, [entry()])
  feeds[Symbol.dispose]()
  fs.writeFileSync(path.join(folder, 'outside-feeds', `said-${ID}.json`), '{"entries":[{')
  assert.equal(open(folder, null).seen('o1', NOW)[0]?.state, 'silent')
  fs.writeFileSync(path.join(folder, 'outside-feeds', 'feeds.json'), 'x')
  assert.deepEqual(open(folder, null).seen('o1', NOW), [])
})

const hasTool = async (tool: string) =>
  run(tool, ['--version']).then(
    () => true,
    () => false,
  )

test('the programs that the console shows post as they stand', async (t) => {
  const feeds = open()
  const handler = outsideFeedHandler(
    { outside: feeds, passOn: null, isCaller: () => false, metrics: collectorMetrics(() => ({})) },
    clientReader([]),
  )
  const server = http.createServer((request, response) => handler(request.url ?? '', request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feeds/${ID}/`
  const code = feedSnippets({ url, cdn: 'swiftlane' })
  const options = { env: { ...process.env, FEED_KEY: KEY } }
  for (const [language, tool, args] of [
    ['curl', 'bash', ['-c', code.curl]],
    ['node', process.execPath, ['--input-type=module', '-e', code.node]],
    ['python', 'python3', ['-c', code.python]],
  ] as const)
    await t.test(language, { skip: !(await hasTool(tool)) }, async () => {
      // Entries name whole seconds in two of them: the one before is forgotten, so that each is newer.
      feeds.set('o1', null)
      feeds.set('o1', document())
      const { stdout } = await run(tool, args, options)
      assert.match(stdout, /"taken":1,"left":\[\]/)
    })
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(65_537) })
  assert.deepEqual([large.status, await large.json()], [413, { error: 'too-large' }])
  assert.equal((await fetch(`${url}../../b/`, { method: 'POST', body: '{}' })).status, 401)
})

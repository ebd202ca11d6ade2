import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlerNews } from '@fairway/edge-lua'
import { loadConfig, OutgoingGate } from '@fairway/platform'
import { knowCrawlers, lookUpCrawler } from './crawlers.ts'
import { eventually, recordingLog } from './testing/edge-under-test.ts'
import { pointer, startResolver } from './testing/resolver.ts'

const gateAt = (resolver: string) =>
  new OutgoingGate({ config: loadConfig({ FAIRWAY_RESOLVER: resolver }), log: recordingLog() })

const BING = '157.55.39.1'
const NAME = 'msnbot-157-55-39-1.search.msn.com'
const cases: [title: string, agent: string, answers: Record<string, string[]>, answer: 'verified' | 'false'][] = [
  ['its name leads back', 'bingbot', { [pointer(BING)]: [NAME], [`${NAME} A`]: [BING] }, 'verified'],
  [
    'capital letters are the same name',
    'bingbot',
    { [pointer(BING)]: [NAME.toUpperCase()], [`${NAME} A`]: [BING] },
    'verified',
  ],
  [
    'one of its names and addresses does',
    'bingbot',
    { [pointer(BING)]: ['a.example', NAME], [`${NAME} A`]: ['157.55.39.2', BING] },
    'verified',
  ],
  ['it has no name', 'bingbot', {}, 'false'],
  ['its name leads elsewhere', 'bingbot', { [pointer(BING)]: [NAME], [`${NAME} A`]: ['157.55.39.2'] }, 'false'],
  ['its name leads nowhere', 'bingbot', { [pointer(BING)]: [NAME] }, 'false'],
  ['it is another’s crawler', 'googlebot', { [pointer(BING)]: [NAME], [`${NAME} A`]: [BING] }, 'false'],
  [
    'the domain stands in the middle',
    'bingbot',
    { [pointer(BING)]: [`search.msn.com.evil.example`], ['search.msn.com.evil.example A']: [BING] },
    'false',
  ],
  [
    'the domain is the end of a label',
    'bingbot',
    { [pointer(BING)]: ['evilsearch.msn.com'], ['evilsearch.msn.com A']: [BING] },
    'false',
  ],
]
for (const [title, agent, answers, answer] of cases)
  test(`a crawler is ${answer} when ${title}`, async () => {
    using resolver = await startResolver()
    Object.assign(resolver.answers, answers)
    assert.equal(await lookUpCrawler(gateAt(resolver.at), { address: BING, agent }), answer)
  })

test('an IPv6 address is compared as an address, however it is written', async () => {
  using resolver = await startResolver()
  const nibbles = '20010db8000000000000000000000001'.replace('20010db8', '2a001450')
  resolver.answers[`${nibbles.split('').toReversed().join('.')}.ip6.arpa PTR`] = ['crawl.googlebot.com']
  resolver.answers['crawl.googlebot.com AAAA'] = ['2a00:1450::1']
  const asked = { address: '2a00:1450:0:0:0:0:0:1', agent: 'googlebot' }
  assert.equal(await lookUpCrawler(gateAt(resolver.at), asked), 'verified')
})

test('names that the address’s owner has written are not asked for, however many; nor is anything of our own networks', async () => {
  using resolver = await startResolver()
  resolver.answers[pointer(BING)] = [
    ...Array.from({ length: 20 }, (_, i) => `victim${i}.example`),
    ...Array.from({ length: 20 }, (_, i) => `m${i}.search.msn.com`),
  ]
  assert.equal(await lookUpCrawler(gateAt(resolver.at), { address: BING, agent: 'bingbot' }), 'false')
  assert.equal(resolver.asked.filter((one) => one.includes('victim')).length, 0)
  assert.ok(resolver.asked.length <= 9, `asked ${resolver.asked.length}`)
  const before = resolver.asked.length
  for (const address of ['10.1.2.3', '127.0.0.1', 'fd00::1', 'none'])
    assert.equal(await lookUpCrawler(gateAt(resolver.at), { address, agent: 'bingbot' }), 'false')
  assert.equal(resolver.asked.length, before)
})

/** An nginx that asks what it is told to, and keeps what it hears. */
function fakeNginx(questions: string[]) {
  const heard: CrawlerNews['known'] = []
  const on: boolean[] = []
  return {
    heard,
    on,
    async crawlers(news: CrawlerNews) {
      on.push(news.on)
      heard.push(...news.known)
      return news.on ? questions.splice(0, 50) : []
    },
  }
}

test('a resolver that fails leaves a crawler unverified for a minute; a new nginx is told what is known without a question', async () => {
  using resolver = await startResolver()
  Object.assign(resolver.answers, { [pointer(BING)]: [NAME], [`${NAME} A`]: [BING], [pointer('157.55.39.9')]: 'away' })
  const questions = [`${BING} bingbot`, '157.55.39.9 bingbot']
  const nginx = fakeNginx(questions)
  using _ = knowCrawlers({ gate: gateAt(resolver.at), admin: nginx, log: recordingLog(), lookMs: 5 })
  await eventually(() => assert.equal(nginx.heard.length, 2))
  const answerOf = (address: string) => nginx.heard.find((one) => one.address === address)
  assert.deepEqual([answerOf(BING)?.answer, answerOf(BING)?.seconds], ['verified', 21_600])
  assert.deepEqual([answerOf('157.55.39.9')?.answer, answerOf('157.55.39.9')?.seconds], ['unknown', 60])
  const asked = resolver.asked.length
  questions.push(`${BING} bingbot`)
  await eventually(() => assert.equal(nginx.heard.length, 3))
  assert.equal(resolver.asked.length, asked)
})

test('a flood of names is no flood of questions', async () => {
  using resolver = await startResolver()
  const questions = Array.from({ length: 5_000 }, (_, i) => `157.55.${i >> 8}.${i & 255} bingbot`)
  const nginx = fakeNginx(questions)
  let now = 0
  using _ = knowCrawlers({ gate: gateAt(resolver.at), admin: nginx, log: recordingLog(), lookMs: 2, clock: () => now })
  await eventually(() => assert.equal(questions.length, 0))
  await eventually(() => assert.equal(nginx.heard.length, 10))
  assert.equal(resolver.asked.length, 10)
  now = 1_000
  await eventually(() => assert.equal(nginx.heard.length, 20))
  assert.equal(resolver.asked.length, 20)
})

test('where no resolver is, nginx is told that nobody looks, and again later that somebody does', async () => {
  const gone = await startResolver()
  gone[Symbol.dispose]()
  const nginx = fakeNginx([`${BING} bingbot`])
  let now = 0
  using _ = knowCrawlers({ gate: gateAt(gone.at), admin: nginx, log: recordingLog(), lookMs: 2, clock: () => now })
  await eventually(() => assert.equal(nginx.on.at(-1), false))
  now = 61_000
  await eventually(() => assert.equal(nginx.on.at(-1), true))
})

import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, describe, it } from 'node:test'
import {
  type EdgeUnderTest,
  NORTH,
  type Origin,
  SOUTH,
  simulatedCdn,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'

// Many visitors at once for what is not stored yet: one of them reaches the origin, and nobody waits for nothing.

let edge: EdgeUnderTest
let website: Origin
const asked = new Map<string, number>()
/** What the origin will say as soon as the test lets it. */
const answering: (() => void)[] = []
let headers: http.OutgoingHttpHeaders = {}
/** In place of an answer, where it is set. */
let failing: ((response: http.ServerResponse) => void) | null = null
before(async () => {
  edge = await startEdgeUnderTest()
  website = await startOrigin((request, response) => {
    const path = request.url ?? '/'
    asked.set(path, reached(path) + 1)
    answering.push(() => {
      if (failing) return failing(response)
      response.writeHead(200, headers)
      response.end(`answer to ${request.headers['x-who'] ?? 'all'} ${'x'.repeat(200_000)}`)
    })
  })
  await edge.publish(simulatedCdn('north', NORTH, 1, { mode: 'up' }))
  await edge.publish(simulatedCdn('south', SOUTH, 1, { mode: 'up' }))
  await edge.publish(
    siteOf('site', 1, [
      { origin: website.origin() },
      {
        host: 'tiered.example.test',
        origin: website.origin(),
        cache: { enabled: true, defaultTtlSeconds: 60, everything: true, tiered: true },
      },
    ]),
  )
})
after(async () => {
  await edge?.[Symbol.asyncDispose]()
  await website?.[Symbol.asyncDispose]()
})

const reached = (path: string) => asked.get(path) ?? 0
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds();) {
    assert.ok(Date.now() < end, 'it never came to that')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
/** All that wait at the origin are answered, until all requests are. */
async function letGo<T>(answers: Promise<T>[]): Promise<T[]> {
  const open = new Set(answers)
  for (const answer of answers) void answer.catch(() => null).then(() => open.delete(answer))
  while (open.size > 0) {
    for (const give of answering.splice(0)) give()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Promise.all(answers)
}

describe('twenty visitors at once', () => {
  for (const host of ['www.example.test', 'tiered.example.test'])
    it(`for a storable object of ${host} are one request to the origin`, async () => {
      headers = { 'cache-control': 'max-age=60' }
      const path = `/stored-${host}`
      const crowd = Array.from({ length: 20 }, (_, i) =>
        edge.get(host, path, host.startsWith('tiered') ? { at: [NORTH, SOUTH][i % 2] ?? NORTH } : {}),
      )
      await until(() => reached(path) > 0)
      // Those that are slow to come find it stored: not all of them, however busy the machine is.
      await new Promise((resolve) => setTimeout(resolve, 500))
      const answers = await letGo(crowd)
      assert.equal(reached(path), 1)
      for (const answer of answers) assert.equal(answer.text.length, 200_014)
      assert.ok(answers.some((answer) => String(answer.headers['cache-status']).endsWith('; collapsed')))
      assert.ok(answers.every((answer) => answer.headers['cache-control'] === 'max-age=60'))
    })

  it('of whom some come late, when it has just been stored, are one request too', async () => {
    headers = { 'cache-control': 'max-age=60' }
    for (let round = 0; round < 10; round++) {
      const path = `/late-${round}`
      const crowd = Array.from({ length: 20 }, () => edge.get('www.example.test', path))
      await letGo(crowd)
      assert.equal(reached(path), 1)
    }
  })

  it('for what nobody may store wait for its first head at most, and the next ones for nothing', async () => {
    headers = { 'cache-control': 'private' }
    const path = '/private'
    const crowd = (who: string) =>
      Array.from({ length: 20 }, (_, i) => edge.get('www.example.test', path, { headers: { 'x-who': `${who}${i}` } }))
    const first = await letGo(crowd('a'))
    assert.equal(reached(path), 20)
    for (const [i, answer] of first.entries()) assert.ok(answer.text.startsWith(`answer to a${i} `))
    // All of them are at the origin before any is answered.
    const second = crowd('b')
    await until(() => reached(path) === 40)
    await letGo(second)
  })

  it('of whom each is to get another answer get theirs', async () => {
    headers = { 'cache-control': 'max-age=60', vary: 'x-who' }
    const path = '/varied'
    const answers = await letGo(
      Array.from({ length: 6 }, (_, i) => edge.get('www.example.test', path, { headers: { 'x-who': `v${i}` } })),
    )
    for (const [i, answer] of answers.entries()) assert.ok(answer.text.startsWith(`answer to v${i} `))
  })

  it('of whom one signs in are one request and that one: it gets its own answer', async () => {
    headers = { 'cache-control': 'max-age=60' }
    const path = '/signed-in'
    const anonymous = edge.get('www.example.test', path, { headers: { 'x-who': 'anyone' } })
    await until(() => reached(path) === 1)
    const own = edge.get('www.example.test', path, { headers: { 'x-who': 'ann', authorization: 'Bearer ann' } })
    await until(() => reached(path) === 2)
    const [first, second] = await letGo([anonymous, own])
    assert.deepEqual([first?.text.slice(0, 16), second?.text.slice(0, 13)], ['answer to anyone', 'answer to ann'])
  })

  const FAILURES: [string, (response: http.ServerResponse) => void, string][] = [
    ['closes', (response) => response.destroy(), '502'],
    ['says 500', (response) => response.writeHead(500, { 'cache-control': 'max-age=60' }).end(), '500'],
    ['says 503', (response) => response.writeHead(503).end(), '503'],
    [
      'cuts what is to be kept',
      (response) => {
        response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': '100' })
        response.write('short', () => response.destroy())
      },
      'cut',
    ],
  ]
  for (const host of ['www.example.test', 'tiered.example.test'])
    for (const [how, fail, expected] of FAILURES)
      it(`of an origin of ${host} that ${how} all hear of it, and none is left without an end`, async () => {
        failing = fail
        const crowd = Array.from({ length: 8 }, () =>
          edge.get(host, `/fails-${host}-${how.replaceAll(' ', '-')}`).then(
            ({ status }) => String(status),
            // The client's own patience is over after 10 s: that would be another message.
            (error: Error) => (error.message === 'no answer within 10 s' ? error.message : 'cut'),
          ),
        )
        const ends = await letGo(crowd)
        failing = null
        assert.deepEqual([...new Set(ends)], [expected])
      })

  it('are all answered when the first one goes away', async () => {
    headers = { 'cache-control': 'max-age=60' }
    const path = '/left'
    const gone = http.get({
      host: edge.config.edgeHttp.host,
      port: edge.config.edgeHttp.port,
      path,
      headers: { host: 'www.example.test' },
    })
    gone.on('error', () => {})
    await until(() => reached(path) === 1)
    const others = Array.from({ length: 5 }, () => edge.get('www.example.test', path))
    gone.destroy()
    for (const answer of await letGo(others)) assert.equal(answer.status, 200)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type Answer,
  type EdgeUnderTest,
  type Origin,
  eventually,
  purgesOf,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'

// A part of what is not stored: only that part is fetched, in pieces that are stored.

const MB = 1_048_576
const TOTAL = 5 * MB + 100
const contentOf = (version: number) =>
  Buffer.from(Uint8Array.from({ length: TOTAL }, (_, i) => (i * 7 + (i >> 12) + version) % 251))
const bodies = [contentOf(0), contentOf(1)]
let edge: EdgeUnderTest
let website: Origin
/** What the origin does from now on. */
let origin = { version: 0, ranges: true, named: true }
const asked: string[] = []
let sent = 0

before(async () => {
  edge = await startEdgeUnderTest()
  website = await startOrigin((request, response) => {
    const body = bodies[origin.version] ?? Buffer.alloc(0)
    asked.push(request.headers.range ?? 'all')
    response.setHeader('cache-control', 'max-age=60')
    response.setHeader('content-type', 'video/mp4')
    if (origin.named) response.setHeader('etag', `"v${origin.version}"`)
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const start = from === '' ? TOTAL - Number(to) : Number(from)
    if (!origin.ranges || from === undefined) {
      sent += TOTAL
      return void response.end(body)
    }
    if (start >= TOTAL) {
      response.writeHead(416, { 'content-range': `bytes */${TOTAL}` })
      return void response.end()
    }
    const end = from === '' || to === '' ? TOTAL - 1 : Math.min(Number(to), TOTAL - 1)
    sent += end - start + 1
    response.writeHead(206, { 'content-range': `bytes ${start}-${end}/${TOTAL}`, 'content-length': end - start + 1 })
    response.end(body.subarray(start, end + 1))
  })
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

let paths = 0
function fresh(more: Partial<typeof origin> = {}): string {
  origin = { version: 0, ranges: true, named: true, ...more }
  asked.length = 0
  sent = 0
  return `/film-${paths++}.mp4`
}
const part = (path: string, range: string, host = 'www.example.test', more: Record<string, string> = {}) =>
  edge.get(host, path, { headers: { range: `bytes=${range}`, ...more } })
function isPart(answer: Answer, from: number, to: number, version = 0): void {
  assert.deepEqual([answer.status, answer.headers['content-range']], [206, `bytes ${from}-${to}/${TOTAL}`])
  assert.ok(answer.bytes.equals((bodies[version] ?? Buffer.alloc(0)).subarray(from, to + 1)), 'other bytes')
}

describe('a range of what is not stored', () => {
  for (const host of ['www.example.test', 'tiered.example.test']) {
    it(`of ${host}: one byte fetches one piece, and the next byte of it nothing`, async () => {
      const path = fresh()
      isPart(await part(path, '0-0', host), 0, 0)
      assert.equal(sent, MB)
      await eventually(async () => {
        const before = asked.length
        isPart(await part(path, '7-9', host), 7, 9)
        assert.equal(asked.length, before)
      })
    })

    it(`of ${host}: from the middle to the end, over all pieces, without what is before`, async () => {
      const path = fresh()
      const from = 2 * MB + 500
      isPart(await part(path, `${from}-`, host), from, TOTAL - 1)
      assert.deepEqual(
        asked,
        [2, 3, 4, 5].map((i) => `bytes=${i * MB}-${(i + 1) * MB - 1}`),
      )
    })
  }

  it('an origin that knows no ranges is asked for all once, which is stored', async () => {
    const path = fresh({ ranges: false })
    isPart(await part(path, '10-19'), 10, 19)
    await eventually(async () => {
      const again = await part(path, '20-29')
      assert.equal(again.headers['x-cache'], 'HIT')
      isPart(again, 20, 29)
    })
  })

  it('pieces of two versions are never put together', async () => {
    const path = fresh()
    isPart(await part(path, '0-9'), 0, 9)
    origin.version = 1
    // The first piece is still the old one, so this ends before the other version would begin.
    const cut = await part(path, `0-${MB + 9}`).then(
      (answer) => answer.bytes.length,
      () => 0,
    )
    assert.ok(cut <= MB)
    isPart(await part(path, `0-${MB + 9}`), 0, MB + 9, 1)
  })

  it('an object whose versions have no name is asked for as the visitor has', async () => {
    const path = fresh({ named: false })
    isPart(await part(path, `10-${MB + 9}`), 10, MB + 9)
    assert.equal(asked.at(-1), `bytes=10-${MB + 9}`)
  })

  it('the last bytes, several ranges, and a range after the end are the origin’s', async () => {
    const path = fresh()
    isPart(await part(path, '-10'), TOTAL - 10, TOTAL - 1)
    const beyond = await part(path, `${TOTAL + 5}-`)
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${TOTAL}`])
    // None of this is what others get.
    assert.equal((await edge.get('www.example.test', path)).bytes.length, TOTAL)
  })

  it('who has a part of another version gets all of this one', async () => {
    const path = fresh()
    const answer = await part(path, '10-19', 'www.example.test', { 'if-range': '"v7"' })
    assert.deepEqual([answer.status, answer.bytes.equals(bodies[0] ?? Buffer.alloc(0))], [200, true])
    isPart(await part(path, '10-19', 'www.example.test', { 'if-range': '"v0"' }), 10, 19)
  })

  it('is fetched anew after a purge', async () => {
    const path = fresh()
    isPart(await part(path, '0-9'), 0, 9)
    origin.version = 1
    await edge.publish(purgesOf('site', 2, [{ kind: 'url', value: path, at: Date.now(), soft: false }]))
    isPart(await part(path, '0-9'), 0, 9, 1)
  })
})

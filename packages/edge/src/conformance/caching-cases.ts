import assert from 'node:assert/strict'
import http from 'node:http'
import http2 from 'node:http2'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import {
  type Answer,
  type EdgeUnderTest,
  type GetOptions,
  eventually,
  type Origin,
  siteOf,
  startEdgeUnderTest,
  startOrigin,
} from '../testing/edge-under-test.ts'
import { besides, shieldOf, startRelay } from '../testing/relay-under-test.ts'

type Headers = Record<string, string | string[]>
type Said = { status?: number; headers?: Headers; body?: string; close?: boolean; noDate?: boolean }

/**
 * RFC 9110 and 9111 by their own text, over the real nginx: each case is a script for the origin and what visitors must
 * see. Origins over TLS are asked by another client of the edge, so the cases are for both.
 */
export function cachingCases(protocol: 'http' | 'https', tiered = false, relayed = false): void {
  let edge: EdgeUnderTest
  /** Speaks with the origin for it. */
  let relay: EdgeUnderTest | undefined
  let website: Origin
  /** What the origin answers, by path; the request's number counts from 0. */
  const scripts = new Map<string, (request: http.IncomingMessage, number: number) => Said>()
  const numbers = new Map<string, number>()

  before(async () => {
    if (relayed) relay = await startRelay()
    edge = relay ? await startEdgeUnderTest(undefined, undefined, besides(relay)) : await startEdgeUnderTest()
    website = await startOrigin((request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/'
      const number = numbers.get(path) ?? 0
      numbers.set(path, number + 1)
      const said = scripts.get(path)?.(request, number) ?? { status: 404 }
      if (said.close) return void response.destroy()
      if (said.noDate) response.sendDate = false
      for (const [name, value] of Object.entries(said.headers ?? {})) response.setHeader(name, value)
      response.statusCode = said.status ?? 200
      response.end(said.status === 304 || said.status === 204 ? undefined : (said.body ?? `answer ${number}`))
    }, protocol)
    const shield = relay ? { shield: shieldOf(relay) } : {}
    const site = siteOf('site', 1, [
      {
        origin: website.origin(),
        cache: { enabled: true, defaultTtlSeconds: 60, everything: true, tiered },
        compression: 'brotli',
        ...shield,
      },
      {
        host: 'plain.example.test',
        origin: website.origin(),
        cache: { enabled: true, defaultTtlSeconds: 60, tiered },
        compression: 'brotli',
        ...shield,
      },
    ])
    await relay?.publish(site)
    await edge.publish(site)
  })
  after(async () => {
    await edge?.[Symbol.asyncDispose]()
    await relay?.[Symbol.asyncDispose]()
    await website?.[Symbol.asyncDispose]()
  })

  let paths = 0
  function script(answer: (request: http.IncomingMessage, number: number) => Said, tail = ''): string {
    const path = `/case-${paths++}${tail}`
    scripts.set(path, answer)
    return path
  }
  const always = (headers: Headers, more: Omit<Said, 'headers'> = {}) => script(() => ({ headers, ...more }))
  const get = (target: string, options?: GetOptions): Promise<Answer> => edge.get('www.example.test', target, options)
  /** A domain whose owner has chosen nothing. */
  const getPlain = (target: string, options?: GetOptions): Promise<Answer> =>
    edge.get('plain.example.test', target, options)
  const cacheOf = ({ headers }: Answer) => headers['x-cache']
  const asked = (path: string) => numbers.get(path) ?? 0
  const date = (secondsFromNow: number) => new Date(Date.now() + secondsFromNow * 1000).toUTCString()

  /**
   * Twice the same request: was the second answered from the cache? nginx closes its file just after the visitor has
   * the last byte, so a third may be needed.
   */
  async function isReused(path: string, options?: GetOptions, ask = get): Promise<boolean> {
    await ask(path, options)
    for (let tries = 0; tries < 3; tries++) {
      const before = asked(path)
      await ask(path, options)
      if (asked(path) === before) return true
    }
    return false
  }

  async function overHttp2(path: string, content: string): Promise<string> {
    const session = http2.connect(`https://${edge.config.edgeHttps.host}:${edge.config.edgeHttps.port}`, {
      rejectUnauthorized: false,
      servername: 'www.example.test',
    })
    const stream = session.request(
      { ':path': path, ':authority': 'www.example.test', ':method': 'GET' },
      { endStream: false },
    )
    stream.end(content)
    const answer = await text(stream)
    session.close()
    return answer
  }

  /** Asks until it comes from the cache. */
  async function kept(path: string, options?: GetOptions): Promise<Answer> {
    return eventually(async () => {
      const answer = await get(path, options)
      assert.equal(cacheOf(answer), 'HIT')
      return answer
    })
  }

  describe('storing (RFC 9111 section 3)', () => {
    const CASES: [string, Headers, boolean][] = [
      ['max-age', { 'cache-control': 'max-age=60' }, true],
      ['s-maxage', { 'cache-control': 's-maxage=60' }, true],
      ['public with max-age', { 'cache-control': 'public, max-age=60' }, true],
      ['s-maxage over max-age=0', { 'cache-control': 'max-age=0, s-maxage=60' }, true],
      ['s-maxage=0 over max-age', { 'cache-control': 'max-age=60, s-maxage=0' }, false],
      ['max-age=0', { 'cache-control': 'max-age=0' }, false],
      ['no-store', { 'cache-control': 'no-store' }, false],
      ['no-store with max-age', { 'cache-control': 'max-age=60, no-store' }, false],
      ['no-cache', { 'cache-control': 'no-cache' }, false],
      ['no-cache with max-age', { 'cache-control': 'no-cache, max-age=60' }, false],
      ['no-cache with a field', { 'cache-control': 'no-cache="x-a", max-age=60' }, false],
      ['private', { 'cache-control': 'private' }, false],
      ['private with max-age', { 'cache-control': 'private, max-age=60' }, false],
      ['private with a field', { 'cache-control': 'private="x-a", max-age=60' }, false],
      ['capitals', { 'cache-control': 'MaX-aGe=60' }, true],
      ['capitals of no-store', { 'cache-control': 'NO-STORE, max-age=60' }, false],
      ['blanks around', { 'cache-control': '  max-age=60  ' }, true],
      ['a quoted number', { 'cache-control': 'max-age="60"' }, true],
      ['an unknown directive', { 'cache-control': 'community="UCI", max-age=60' }, true],
      ['an unknown directive that holds another', { 'cache-control': 'x="no-store", max-age=60' }, true],
      ['a name that begins alike', { 'cache-control': 'no-storefront, max-age=60' }, true],
      ['an empty list element', { 'cache-control': ', ,max-age=60,' }, true],
      ['max-age that is no number', { 'cache-control': 'max-age=a' }, false],
      ['max-age in single quotes', { 'cache-control': "max-age='60'" }, false],
      ['max-age with zeros before it', { 'cache-control': 'max-age=0060' }, true],
      ['max-age in a quoted string only', { 'cache-control': 'x="max-age=60", max-age=0' }, false],
      ['max-age with a sign', { 'cache-control': 'max-age=-60' }, false],
      ['max-age with a fraction', { 'cache-control': 'max-age=60.5' }, false],
      ['max-age without a value', { 'cache-control': 'max-age' }, false],
      ['private with a blank after its name', { 'cache-control': 'private ="x-a", max-age=60' }, false],
      [
        'CDN-Cache-Control with a blank beside the sign does not parse',
        { 'cdn-cache-control': 'max-age= 60', 'cache-control': 'no-store' },
        false,
      ],
      ['max-age beyond 2^31', { 'cache-control': 'max-age=2147483648' }, true],
      ['max-age beyond 2^64', { 'cache-control': 'max-age=99999999999999999999' }, true],
      ['two lines', { 'cache-control': ['max-age=60', 'public'] }, true],
      ['no-store on the second line', { 'cache-control': ['max-age=60', 'no-store'] }, false],
      ['the first of two max-age', { 'cache-control': 'max-age=60, max-age=0' }, true],
      ['immutable', { 'cache-control': 'max-age=60, immutable' }, true],
      ['must-revalidate', { 'cache-control': 'max-age=60, must-revalidate' }, true],
      ['proxy-revalidate', { 'cache-control': 'max-age=60, proxy-revalidate' }, true],
      ['no-transform', { 'cache-control': 'max-age=60, no-transform' }, true],
      ['Expires ahead', { expires: date(120) }, true],
      ['Expires now', { expires: date(0) }, false],
      ['Expires past', { expires: date(-120) }, false],
      ['Expires 0', { expires: '0' }, false],
      ['Expires in another zone', { expires: date(120).replace('GMT', 'AEST') }, false],
      ['Expires in UTC by another name', { expires: date(120).replace('GMT', 'UTC') }, false],
      ['Expires twice', { expires: [date(120), date(120)] }, false],
      ['must-understand beside no-store', { 'cache-control': 'no-store, must-understand, max-age=60' }, true],
      ['Expires that is no date', { expires: 'soon' }, false],
      ['Expires in RFC 850 form', { expires: 'Thursday, 18-Aug-50 02:01:18 GMT' }, true],
      ['Expires in asctime form', { expires: 'Thu Aug 18 02:01:18 2050' }, true],
      ['Expires beyond 2^31', { expires: 'Tue, 19 Jan 2038 14:14:08 GMT' }, true],
      ['Expires centuries ahead', { expires: 'Sun, 21 Nov 2286 04:46:39 GMT' }, true],
      ['Expires in other letters', { expires: 'THU, 18 AUG 2050 02:01:18 gmt' }, true],
      ['Expires with a year of two digits', { expires: 'Thu, 18 Aug 50 02:01:18 GMT' }, false],
      ['Expires without its comma', { expires: 'Thu 18 Aug 2050 02:01:18 GMT' }, false],
      ['Expires with two blanks', { expires: 'Thu, 18  Aug  2050 02:01:18 GMT' }, false],
      ['Expires with dashes', { expires: 'Thu, 18-Aug-2050 02:01:18 GMT' }, false],
      ['Expires with periods', { expires: 'Thu, 18 Aug 2050 02.01.18 GMT' }, false],
      ['Expires with an hour of one digit', { expires: 'Thu, 18 Aug 2050 2:01:18 GMT' }, false],
      ['max-age over Expires past', { 'cache-control': 'max-age=60', expires: date(-60) }, true],
      ['max-age=0 over Expires ahead', { 'cache-control': 'max-age=0', expires: date(60) }, false],
      ['Expires ahead of a Date past', { expires: date(-3000), date: date(-6000) }, true],
      ['an age within the lifetime', { 'cache-control': 'max-age=60', age: '50' }, true],
      ['an age beyond the lifetime', { 'cache-control': 'max-age=60', age: '61' }, false],
      ['an age that is none', { 'cache-control': 'max-age=60', age: 'old' }, true],
      ['an age with a fraction', { 'cache-control': 'max-age=60', age: '100.0' }, true],
      ['an age of 2^31', { 'cache-control': 'max-age=60', age: '2147483648' }, false],
      ['the first of two ages', { 'cache-control': 'max-age=60', age: '100, 0' }, false],
      ['the first of two lines with an age', { 'cache-control': 'max-age=60', age: ['0', '100'] }, true],
      ['a negative age', { 'cache-control': 'max-age=60', age: '-5' }, true],
      ['Pragma is for requests', { 'cache-control': 'max-age=60', pragma: 'no-cache' }, true],
      ['a cookie', { 'cache-control': 'max-age=60', 'set-cookie': 'a=1' }, false],
      ['Vary *', { 'cache-control': 'max-age=60', vary: '*' }, false],
      ['Vary * on a second line', { 'cache-control': 'max-age=60', vary: ['', '*'] }, false],
      ['Vary * among others', { 'cache-control': 'max-age=60', vary: 'accept, *' }, false],
      ['X-Accel-Expires is not ours', { 'cache-control': 'no-store', 'x-accel-expires': '60' }, false],
      ['an X-Fairway header is not ours', { 'cache-control': 'no-store', 'x-fairway-cc': 'max-age=60' }, false],
      ['Surrogate-Control is not followed', { 'cache-control': 'no-store', 'surrogate-control': 'max-age=60' }, false],
      ['CDN-Cache-Control (RFC 9213)', { 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' }, true],
      ['CDN-Cache-Control no-store', { 'cdn-cache-control': 'no-store', 'cache-control': 'max-age=60' }, false],
      ['CDN-Cache-Control private', { 'cdn-cache-control': 'private', 'cache-control': 'max-age=60' }, false],
      [
        'CDN-Cache-Control that does not parse',
        { 'cdn-cache-control': 'max-age=, &&', 'cache-control': 'max-age=60' },
        true,
      ],
      [
        'CDN-Cache-Control with capitals does not parse',
        { 'cdn-cache-control': 'No-Store', 'cache-control': 'max-age=60' },
        true,
      ],
      ['CDN-Cache-Control before Expires past', { 'cdn-cache-control': 'max-age=60', expires: date(-60) }, true],
      ['CDN-Cache-Control max-age=0', { 'cdn-cache-control': 'max-age=0', 'cache-control': 'max-age=60' }, false],
      [
        'CDN-Cache-Control with parameters',
        { 'cdn-cache-control': 'max-age=60;foo=bar', 'cache-control': 'no-store' },
        true,
      ],
      ['nothing at all: the domain decides', {}, true],
    ]
    for (const [what, headers, reused] of CASES)
      it(`${what}: ${reused ? 'reused' : 'fetched again'}`, async () => {
        assert.equal(await isReused(always(headers)), reused)
        // Whoever has chosen nothing gets the same wherever the origin has said something.
        const isSilent = Object.keys(headers).length === 0
        assert.equal(await isReused(always(headers), {}, getPlain), reused && !isSilent)
      })

    for (const status of [
      200, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 410, 414, 418, 451, 499, 500, 501,
      502, 503, 504, 505, 599,
    ]) {
      it(`status ${status} with an explicit lifetime is reused, as it was`, async () => {
        const path = always({ 'cache-control': 'max-age=60', 'x-a': 'b' }, { status })
        assert.ok(await isReused(path))
        const again = await get(path)
        assert.deepEqual([again.status, again.headers['x-a']], [status, 'b'])
      })
    }
    for (const [status, reused] of [
      [200, true],
      [203, true],
      [300, true],
      [301, true],
      [308, true],
      [404, true],
      [410, true],
      [302, false],
      [303, false],
      [307, false],
      [400, false],
      [403, false],
      [500, false],
      [502, false],
      [503, false],
    ] as const) {
      it(`status ${status} without a word: ${reused ? "the domain's lifetime" : 'not stored'}`, async () =>
        assert.equal(await isReused(always({}, { status })), reused))
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      it(`the answer to ${method} is not reused for GET`, async () => {
        const path = always({ 'cache-control': 'max-age=60' })
        await get(path, { method })
        assert.equal(cacheOf(await get(path)), 'MISS')
      })
    }
    for (const [how, headers] of [
      ['of a known length', { 'content-length': '3' }],
      ['in chunks', { 'transfer-encoding': 'chunked' }],
    ] as const) {
      it(`a GET with content ${how} reaches the origin, and what it says to that is nobody else's`, async () => {
        const path = script((request, number) => ({
          headers: { 'cache-control': 'max-age=60' },
          body: `${request.headers['content-length'] ?? request.headers['transfer-encoding'] ?? 'none'} ${number}`,
        }))
        assert.equal((await get(path, { body: 'x=1', headers })).text, '3 0')
        assert.equal((await get(path)).text, 'none 1')
        assert.ok(await isReused(path))
      })
    }
    it('the same over HTTP/2, where content comes without a word before it', async () => {
      const path = script((request) => ({
        headers: { 'cache-control': 'max-age=60' },
        body: request.headers['content-length'] ?? 'none',
      }))
      assert.equal(await overHttp2(path, 'x=1'), '3')
      assert.equal((await get(path, { tls: true })).text, 'none')
    })
    it('with Authorization nothing is stored and nothing stored is given', async () => {
      const path = always({ 'cache-control': 'max-age=60' })
      assert.equal(await isReused(path, { headers: { authorization: 'Basic eDp5' } }), false)
      assert.equal(cacheOf(await get(path)), 'MISS')
    })
    for (const word of ['public, max-age=60', 's-maxage=60', 'max-age=60, must-revalidate'])
      it(`with Authorization an answer that says ${word} is stored for others (RFC 9111 3.5)`, () =>
        // It is stored a moment after its last byte: who comes in between is given another one.
        eventually(async () => {
          const path = always({ 'cache-control': word })
          const answer = await get(path, { headers: { authorization: 'Basic eDp5' } })
          assert.equal(cacheOf(answer), 'BYPASS')
          assert.equal((await kept(path)).text, answer.text)
        }))
    it('status 299 with must-understand is not stored', async () =>
      assert.equal(await isReused(always({ 'cache-control': 'max-age=60, must-understand' }, { status: 299 })), false))
    it('a stored GET answers HEAD without a body', async () => {
      const path = always({ 'cache-control': 'max-age=60' }, { body: 'twelve bytes' })
      await kept(path)
      const head = await get(path, { method: 'HEAD' })
      assert.deepEqual([cacheOf(head), head.text, head.status], ['HIT', '', 200])
    })
    it('an answer that was cut is not stored', async () => {
      const path = script((_, number): Said =>
        number === 0
          ? { headers: { 'cache-control': 'max-age=60', 'content-length': '5000' }, body: 'short' }
          : { headers: { 'cache-control': 'max-age=60' }, body: 'whole' },
      )
      await get(path).catch(() => {})
      await eventually(async () => assert.equal((await get(path)).text, 'whole'))
    })
    it('addresses that differ in the query are different objects', async () => {
      const path = always({ 'cache-control': 'max-age=60' })
      await kept(`${path}?a=1`)
      assert.equal(cacheOf(await get(`${path}?a=2`)), 'MISS')
    })
  })

  describe('what is kept of a domain whose owner has chosen nothing', () => {
    const changed = (secondsAgo: number) => ({ 'last-modified': date(-secondsAgo) })
    const png = { 'content-type': 'image/png' }
    const html = { 'content-type': 'text/html' }
    const alice = { headers: { cookie: 'session=alice' } }
    const CASES: [string, string, Headers, GetOptions, number, boolean][] = [
      ['a picture', '.png', png, {}, 200, true],
      ['a picture for who has a cookie', '.png', png, alice, 200, false],
      ['a page', '', html, {}, 200, false],
      ['a page under the name of a picture', '.png', html, {}, 200, false],
      ['a picture without the name of one', '', png, {}, 200, false],
      ['a page with a word', '', { ...html, 'cache-control': 'max-age=60' }, {}, 200, true],
      ['a page with a word, for who has a cookie', '', { ...html, 'cache-control': 'max-age=60' }, alice, 200, true],
      ['a page that was changed a while ago', '', { ...html, ...changed(864_000) }, {}, 200, false],
      [
        'a page that was changed a while ago and is public',
        '',
        { ...html, ...changed(864_000), 'cache-control': 'public' },
        {},
        200,
        true,
      ],
      ['the same for who has a cookie', '', { ...html, ...changed(864_000) }, alice, 200, false],
      ['the same for who signs in', '', changed(864_000), { headers: { authorization: 'Basic eDp5' } }, 200, false],
      ...[203, 204, 300, 301, 404, 405, 410, 414, 501].map(
        (status) =>
          [
            `a picture with status ${status}, changed a while ago`,
            '.png',
            { ...png, ...changed(864_000) },
            {},
            status,
            true,
          ] as [string, string, Headers, GetOptions, number, boolean],
      ),
      ['status 502 that was', '', changed(864_000), {}, 502, false],
      ['status 201 that was', '', changed(864_000), {}, 201, false],
    ]
    for (const [what, tail, headers, options, status, reused] of CASES)
      it(`${what}: ${reused ? 'reused' : 'fetched again'}`, async () =>
        assert.equal(
          await isReused(
            script(() => ({ headers, status }), tail),
            options,
            getPlain,
          ),
          reused,
        ))
    it('a page that was changed a while ago is stored, and confirmed each time', async () => {
      const path = script((request) =>
        request.headers['if-modified-since'] === undefined
          ? { headers: { ...html, ...changed(864_000) }, body: 'a page' }
          : { status: 304 },
      )
      assert.equal((await getPlain(path)).text, 'a page')
      await eventually(async () => {
        const answer = await getPlain(path)
        assert.deepEqual([cacheOf(answer), answer.text], ['REVALIDATED', 'a page'])
      })
    })
    for (const [how, away] of [
      ['fails', { status: 503, body: 'broken' }],
      ['closes the connection', { close: true }],
    ] as [string, Said][])
      for (const [when, again] of [
        ['was confirmed', { status: 304 }],
        ['was fetched anew', { headers: { ...html, ...changed(864_000) }, body: 'a page' }],
      ] as [string, Said][])
        it(`such a page that ${when} is seen while the origin ${how}`, async () => {
          let isAway = false
          const path = script((request) =>
            isAway
              ? away
              : request.headers['if-modified-since'] === undefined
                ? { headers: { ...html, ...changed(864_000) }, body: 'a page' }
                : again,
          )
          await getPlain(path)
          await eventually(async () => assert.notEqual(cacheOf(await getPlain(path)), 'MISS'))
          isAway = true
          for (let i = 0; i < 2; i++) {
            const { status, text, headers } = await getPlain(path)
            assert.deepEqual([status, text], [200, 'a page'])
            assert.ok([headers['x-cache'], headers['x-cache-tier']].includes('STALE'))
          }
        })
    it('such a page that must be confirmed is not', async () => {
      let isAway = false
      const path = script((request) =>
        isAway
          ? { status: 503 }
          : request.headers['if-modified-since'] === undefined
            ? { headers: { ...html, ...changed(864_000), 'cache-control': 'must-revalidate' } }
            : { status: 304 },
      )
      await getPlain(path)
      await eventually(async () => assert.equal(cacheOf(await getPlain(path)), 'REVALIDATED'))
      isAway = true
      assert.ok((await getPlain(path)).status >= 500)
    })
    it("one visitor's page goes to nobody else", async () => {
      const path = script((request) => ({ headers: html, body: request.headers.cookie ?? '' }))
      for (const name of ['alice', 'bob'])
        assert.equal((await getPlain(path, { headers: { cookie: name } })).text, name)
    })
  })

  describe('age (section 5.1)', () => {
    it('is not claimed for what just came', async () =>
      assert.equal((await get(always({ 'cache-control': 'max-age=60' }))).headers['age'], undefined))
    for (const [given, least] of [
      ['0', 0],
      ['7', 7],
      ['59', 59],
      ['7, 20', 7],
    ] as const) {
      it(`goes on from ${given}`, async () => {
        const path = always({ 'cache-control': 'max-age=3600', age: given })
        const age = Number((await kept(path)).headers['age'])
        assert.ok(age >= least && age < least + 5, `${age}`)
      })
    }
    it('grows while the object lies there', async () => {
      const path = always({ 'cache-control': 'max-age=3600' })
      await get(path)
      await eventually(async () => assert.ok(Number((await get(path)).headers['age']) >= 1))
    })
    it('comes with the Date of the origin', async () => {
      const path = always({ 'cache-control': 'max-age=3600', date: date(-100) })
      const first = (await get(path)).headers['date']
      assert.equal((await get(path)).headers['date'], first)
      assert.ok(Date.parse(first ?? '') < Date.now() - 90_000)
    })
    it('a Date that is missing is added (RFC 9110 6.6.1)', async () => {
      const path = script(() => ({ headers: { 'cache-control': 'max-age=60' }, noDate: true }))
      assert.ok(Date.now() - Date.parse((await get(path)).headers['date'] ?? '') < 10_000)
    })
  })

  describe('Vary (section 4.1)', () => {
    const speaks = (header: string) =>
      script((request) => ({
        headers: { vary: header, 'cache-control': 'max-age=60' },
        body: String(request.headers[header.toLowerCase().split(',')[0] ?? ''] ?? 'none'),
      }))
    for (const header of ['accept', 'accept-language', 'x-custom', 'user-agent', 'origin', 'Accept-Language']) {
      it(`on ${header}: one object a value`, async () => {
        const path = speaks(header)
        const name = header.toLowerCase()
        assert.equal((await get(path, { headers: { [name]: 'one' } })).text, 'one')
        assert.equal((await get(path, { headers: { [name]: 'two' } })).text, 'two')
        const [one, two] = [
          await kept(path, { headers: { [name]: 'one' } }),
          await kept(path, { headers: { [name]: 'two' } }),
        ]
        assert.deepEqual([one.text, two.text], ['one', 'two'])
      })
    }
    it('on Accept-Language: in other letters and with blanks it is the same', async () => {
      const path = speaks('accept-language')
      await kept(path, { headers: { 'accept-language': 'en-US, de;q=0.5' } })
      assert.equal(cacheOf(await get(path, { headers: { 'accept-language': 'EN-us,De;q=0.5' } })), 'HIT')
    })
    it('absent is a value of its own', async () => {
      const path = speaks('x-absent')
      await kept(path)
      assert.equal(cacheOf(await get(path, { headers: { 'x-absent': 'a' } })), 'MISS')
      await kept(path)
    })
    it('two headers must both be the same', async () => {
      const path = script(() => ({ headers: { vary: 'x-a, x-b', 'cache-control': 'max-age=60' } }))
      await kept(path, { headers: { 'x-a': '1', 'x-b': '1' } })
      assert.equal(cacheOf(await get(path, { headers: { 'x-a': '1', 'x-b': '2' } })), 'MISS')
      await kept(path, { headers: { 'x-b': '1', 'x-a': '1' } })
    })
    it('a header that is not named does not matter', async () => {
      const path = speaks('x-named')
      await kept(path, { headers: { 'x-named': '1', 'x-other': '1' } })
      assert.equal(cacheOf(await get(path, { headers: { 'x-named': '1', 'x-other': '2' } })), 'HIT')
    })
    it('on Accept-Encoding visitors who accept the same share an object', async () => {
      const path = speaks('accept-encoding')
      await kept(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } })
      assert.equal(cacheOf(await get(path, { headers: { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' } })), 'HIT')
      assert.equal(cacheOf(await get(path, { headers: { 'accept-encoding': 'identity' } })), 'MISS')
    })
  })

  describe('conditions and ranges of visitors (RFC 9110 sections 13 and 14)', () => {
    const whole = () =>
      always(
        {
          'cache-control': 'max-age=60',
          etag: '"v1"',
          'last-modified': 'Tue, 01 Jan 2030 00:00:00 GMT',
          'content-type': 'application/octet-stream',
          'content-length': '10',
        },
        { body: '0123456789' },
      )
    const CASES: [string, Record<string, string>, number, string][] = [
      ['If-None-Match that fits', { 'if-none-match': '"v1"' }, 304, ''],
      ['weak If-None-Match that fits', { 'if-none-match': 'W/"v1"' }, 304, ''],
      ['If-None-Match among several', { 'if-none-match': '"a", "v1"' }, 304, ''],
      ['If-None-Match *', { 'if-none-match': '*' }, 304, ''],
      ['If-None-Match that does not', { 'if-none-match': '"v2"' }, 200, '0123456789'],
      ['If-Modified-Since the same', { 'if-modified-since': 'Tue, 01 Jan 2030 00:00:00 GMT' }, 304, ''],
      ['If-Modified-Since later', { 'if-modified-since': 'Wed, 01 Jan 2031 00:00:00 GMT' }, 304, ''],
      ['If-Modified-Since before', { 'if-modified-since': 'Mon, 01 Jan 2029 00:00:00 GMT' }, 200, '0123456789'],
      [
        'If-None-Match goes before If-Modified-Since',
        { 'if-none-match': '"v2"', 'if-modified-since': 'Tue, 01 Jan 2030 00:00:00 GMT' },
        200,
        '0123456789',
      ],
      [
        'If-None-Match that fits, whatever If-Modified-Since says',
        { 'if-none-match': '"v1"', 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
        304,
        '',
      ],
      ['If-Match that does not', { 'if-match': '"v2"' }, 412, ''],
      ['If-Unmodified-Since before', { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 412, ''],
      [
        'If-Match that fits, whatever If-Unmodified-Since says',
        { 'if-match': '"v1"', 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
        200,
        '0123456789',
      ],
      ['the first bytes', { range: 'bytes=0-3' }, 206, '0123'],
      ['from a byte on', { range: 'bytes=7-' }, 206, '789'],
      ['the last bytes', { range: 'bytes=-2' }, 206, '89'],
      ['beyond the end is cut', { range: 'bytes=8-100' }, 206, '89'],
      ['more last bytes than there are', { range: 'bytes=-100' }, 206, '0123456789'],
      ['after the end', { range: 'bytes=20-30' }, 416, ''],
      ['another unit is not understood', { range: 'lines=1-2' }, 200, '0123456789'],
      ['If-Range that fits', { range: 'bytes=0-0', 'if-range': '"v1"' }, 206, '0'],
      ['If-Range that does not', { range: 'bytes=0-0', 'if-range': '"v0"' }, 200, '0123456789'],
      ['If-Range by date', { range: 'bytes=0-0', 'if-range': 'Tue, 01 Jan 2030 00:00:00 GMT' }, 206, '0'],
    ]
    for (const [what, headers, status, body] of CASES) {
      it(`${what}: ${status}, without asking the origin`, async () => {
        const path = whole()
        await kept(path)
        const before = asked(path)
        const answer = await get(path, { headers })
        assert.deepEqual([answer.status, asked(path)], [status, before])
        if (status !== 416) assert.equal(answer.text, body)
        if (status === 206) assert.match(answer.headers['content-range'] ?? '', /^bytes \d-\d\/10$/)
        if (status === 304) assert.equal(answer.headers['etag'], '"v1"')
        if (status !== 412 && status !== 416) return
        // What is known of the object is not said of this answer, and nothing twice.
        assert.equal(answer.headers['cache-control'], 'no-store')
        assert.ok(!(answer.headers['x-served-by'] ?? '').includes(','))
        if (status === 416) assert.equal(answer.headers['content-range'], 'bytes */10')
      })
    }
    it('a 304 of what is compressed on its way says the same tag and Vary as the 200', async () => {
      const path = always(
        { 'cache-control': 'max-age=60', etag: '"v1"', 'content-type': 'text/plain' },
        { body: 'x'.repeat(1000) },
      )
      const gzip = { 'accept-encoding': 'gzip' }
      const whole = await kept(path, { headers: gzip })
      const answer = await get(path, { headers: { ...gzip, 'if-none-match': whole.headers['etag'] ?? '' } })
      assert.deepEqual(
        [answer.status, answer.headers['etag'], answer.headers['vary']],
        [304, whole.headers['etag'], whole.headers['vary']],
      )
      assert.equal(answer.headers['etag'], 'W/"v1"')
    })
    it('what is too small to be compressed varies by what the origin says only', async () => {
      const path = always({ 'cache-control': 'max-age=60', vary: 'x-a', 'content-type': 'text/plain' })
      const gzip = { 'accept-encoding': 'gzip' }
      for (const answer of [await get(path, { headers: gzip }), await kept(path)])
        assert.equal(answer.headers['vary'], 'x-a')
    })
    it('several ranges come as parts', async () => {
      const path = whole()
      await kept(path)
      const answer = await get(path, { headers: { range: 'bytes=0-1,8-9' } })
      assert.match(answer.headers['content-type'] ?? '', /^multipart\/byteranges/)
      assert.ok(answer.text.includes('01') && answer.text.includes('89'))
    })
    it('a range of what is not stored yet is cut from the whole, which is stored', async () => {
      const path = whole()
      const first = await get(path, { headers: { range: 'bytes=2-4' } })
      assert.deepEqual([first.status, first.text], [206, '234'])
      assert.equal((await kept(path)).text, '0123456789')
    })
    it('conditions on what goes past the cache reach the origin', async () => {
      const seen: http.IncomingHttpHeaders[] = []
      const path = script((request) => {
        seen.push(request.headers)
        return { headers: { 'cache-control': 'no-store' } }
      })
      await get(path, {
        method: 'PUT',
        body: 'x',
        headers: { 'if-match': '"v1"', 'if-unmodified-since': 'Tue, 01 Jan 2030 00:00:00 GMT' },
      })
      await get(path, { headers: { authorization: 'x', 'if-none-match': '"v1"', range: 'bytes=0-1' } })
      assert.deepEqual(
        [seen[0]?.['if-match'], seen[0]?.['if-unmodified-since'], seen[1]?.['if-none-match'], seen[1]?.range],
        ['"v1"', 'Tue, 01 Jan 2030 00:00:00 GMT', '"v1"', 'bytes=0-1'],
      )
    })
  })

  describe('invalidation (section 4.4)', () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'MKCOL', 'PROPFIND', 'M-SEARCH']) {
      for (const [status, gone] of [
        [200, true],
        [201, true],
        [204, true],
        [302, true],
        [303, true],
        [400, false],
        [404, false],
        [500, false],
      ] as const) {
        it(`${method} answered ${status} ${gone ? 'makes the stored answer old' : 'leaves it'}`, async () => {
          const path = script((request) =>
            request.method === 'GET' ? { headers: { 'cache-control': 'max-age=60' } } : { status },
          )
          await kept(path)
          await get(path, { method })
          assert.equal(cacheOf(await get(path)), gone ? 'MISS' : 'HIT')
        })
      }
    }
    for (const method of ['OPTIONS', 'HEAD']) {
      it(`${method} is safe`, async () => {
        const path = always({ 'cache-control': 'max-age=60' })
        await kept(path)
        await get(path, { method })
        assert.equal(cacheOf(await get(path)), 'HIT')
      })
    }
    for (const header of ['location', 'content-location']) {
      for (const [what, of, gone] of [
        ['a path', (path: string) => path, true],
        ['an address on the same host', (path: string) => `http://www.example.test${path}`, true],
        ['an address on another host', (path: string) => `http://other.example.test${path}`, false],
      ] as const) {
        it(`${header} with ${what}: ${gone ? 'old too' : 'untouched'}`, async () => {
          const other = always({ 'cache-control': 'max-age=60' })
          await kept(other)
          await get(
            script(() => ({ status: 201, headers: { [header]: of(other) } })),
            { method: 'POST' },
          )
          assert.equal(cacheOf(await get(other)), gone ? 'MISS' : 'HIT')
        })
      }
    }
    it('takes every query of the path along', async () => {
      const path = script((request) => (request.method === 'GET' ? { headers: { 'cache-control': 'max-age=60' } } : {}))
      await kept(`${path}?a=1`)
      await get(path, { method: 'POST' })
      assert.equal(cacheOf(await get(`${path}?a=1`)), 'MISS')
    })
  })

  describe('validation and stale answers (sections 4.2.4, 4.3; RFC 5861)', () => {
    type Stale = {
      what: string
      first: Said
      next: (request: http.IncomingMessage) => Said
      check: (answer: Answer, path: string) => void | Promise<void>
    }
    const fail = (status: number) => () => ({ status, body: 'broken' })
    const closed = () => ({ close: true })
    /** An old copy, from whichever cache, that says how old it is. */
    const stale = (answer: Answer) => {
      assert.deepEqual([answer.status, answer.text], [200, 'first'])
      const from = answer.headers['x-cache'] === 'STALE' ? 'x-cache' : 'x-cache-tier'
      assert.equal(answer.headers[from], 'STALE')
      assert.ok(Number(answer.headers['age']) >= 1, String(answer.headers['age']))
    }
    /** A page of the edge's own, with nothing of the copy that it stands for. */
    const refused = (answer: Answer) => {
      assert.deepEqual([answer.status, answer.headers['cache-control']], [504, 'no-store'])
      assert.match(answer.text, /^<!doctype html>/)
      for (const name of ['etag', 'age', 'x-fairway-at']) assert.equal(answer.headers[name], undefined, name)
    }
    const first = (cacheControl: string, more: Headers = {}): Said => ({
      headers: { 'cache-control': cacheControl, ...more },
      body: 'first',
    })
    const confirm =
      (more: Headers) =>
      (request: http.IncomingMessage): Said =>
        request.headers['if-none-match'] || request.headers['if-modified-since']
          ? { status: 304, headers: { etag: '"v1"', ...more } }
          : { status: 500, body: 'asked without a condition' }
    const FAILURES: [string, () => Said][] = [
      ['500', fail(500)],
      ['502', fail(502)],
      ['503', fail(503)],
      ['504', fail(504)],
      ['a closed connection', closed],
    ]
    const CASES: Stale[] = [
      ...FAILURES.flatMap(([how, next]): Stale[] => [
        {
          what: `${how}: the old copy, when the origin has not forbidden it`,
          first: first('max-age=1'),
          next,
          check: stale,
        },
        {
          what: `${how}: the old copy within stale-if-error`,
          first: first('max-age=1, stale-if-error=600'),
          next,
          check: stale,
        },
        {
          what: `${how}: never after must-revalidate`,
          first: first('max-age=1, must-revalidate'),
          next,
          check: refused,
        },
        {
          what: `${how}: never after proxy-revalidate`,
          first: first('max-age=1, proxy-revalidate'),
          next,
          check: refused,
        },
        {
          what: `${how}: never after s-maxage`,
          first: first('s-maxage=1'),
          next,
          check: refused,
        },
        {
          what: `${how}: never after stale-if-error=0`,
          first: first('max-age=1, stale-if-error=0'),
          next,
          check: refused,
        },
      ]),
      ...[400, 401, 403, 404, 410, 429].map((status): Stale => ({
        what: `${status} is an answer, not a failure`,
        first: first('max-age=1'),
        next: () => ({ status, body: 'no' }),
        check: (answer) => assert.deepEqual([answer.status, answer.text], [status, 'no']),
      })),
      {
        what: 'a new answer replaces the old one',
        first: first('max-age=1', { etag: '"v1"' }),
        next: () => ({ headers: { 'cache-control': 'max-age=60', etag: '"v2"' }, body: 'second' }),
        check: async (answer, path) =>
          assert.deepEqual([answer.text, cacheOf(answer), (await get(path)).text], ['second', 'EXPIRED', 'second']),
      },
      {
        what: 'a validator is sent, and 304 makes the old body fresh again',
        first: first('max-age=1', { etag: '"v1"' }),
        next: confirm({ 'cache-control': 'max-age=60' }),
        check: async (answer, path) => {
          assert.deepEqual([answer.status, answer.text, cacheOf(answer)], [200, 'first', 'REVALIDATED'])
          assert.equal((await kept(path)).text, 'first')
        },
      },
      {
        what: 'no-cache is stored, and asked again',
        first: first('no-cache', { etag: '"v1"' }),
        next: confirm({ 'cache-control': 'no-cache' }),
        check: async (answer, path) => {
          for (const seen of [answer, await get(path)])
            assert.deepEqual(
              [seen.status, seen.text, cacheOf(seen), seen.headers['x-accel-expires']],
              [200, 'first', 'REVALIDATED', undefined],
            )
        },
      },
      {
        what: 'no-cache is never served unasked',
        first: first('no-cache', { etag: '"v1"' }),
        next: fail(503),
        check: (answer) => assert.ok(answer.status >= 500),
      },
      {
        what: 'max-age=0 with a validator too',
        first: first('max-age=0', { etag: '"v1"' }),
        next: confirm({ 'cache-control': 'max-age=0' }),
        check: (answer) =>
          assert.deepEqual([answer.status, answer.text, cacheOf(answer)], [200, 'first', 'REVALIDATED']),
      },
      {
        what: 'Last-Modified is a validator too',
        first: first('max-age=1', { 'last-modified': 'Tue, 01 Jan 2019 00:00:00 GMT' }),
        next: confirm({ 'cache-control': 'max-age=60' }),
        check: (answer) => assert.deepEqual([answer.text, cacheOf(answer)], ['first', 'REVALIDATED']),
      },
      {
        what: "a 304's headers replace the stored ones",
        first: first('max-age=1', { etag: '"v1"', 'x-a': 'old', 'x-kept': 'yes' }),
        next: confirm({ 'cache-control': 'max-age=60', 'x-a': 'new', 'x-b': 'added' }),
        check: async (answer, path) => {
          const seen = ({ headers }: Answer) => ['x-a', 'x-b', 'x-kept', 'cache-control'].map((name) => headers[name])
          const wanted = ['new', 'added', 'yes', 'max-age=60']
          assert.deepEqual(seen(answer), wanted)
          // nginx writes the new head once the answer is on its way; another worker may look before that.
          await eventually(async () => assert.deepEqual(seen(await get(path)), wanted))
        },
      },
      {
        what: 'a 304 begins the age anew',
        first: first('max-age=101', { etag: '"v1"', age: '100' }),
        next: confirm({ 'cache-control': 'max-age=600' }),
        check: (_, path) => eventually(async () => assert.ok(Number((await get(path)).headers['age'] ?? 0) < 50)),
      },
      {
        what: "a 304 does not change the body's length or type",
        first: first('max-age=1', { etag: '"v1"', 'content-type': 'text/plain' }),
        next: confirm({ 'cache-control': 'max-age=60', 'content-type': 'text/html', 'content-length': '10' }),
        check: async (answer, path) => {
          for (const { headers, text } of [answer, await kept(path)])
            assert.deepEqual([headers['content-type'], headers['content-length'], text], ['text/plain', '5', 'first'])
        },
      },
      {
        what: 'without a validator no condition is made up',
        first: first('max-age=1'),
        next: (request) => ({ body: `${request.headers['if-none-match']} ${request.headers['if-modified-since']}` }),
        check: (answer) => assert.equal(answer.text, 'undefined undefined'),
      },
      {
        what: 'a 304 without a word on freshness leaves the stored lifetime in force, no longer one',
        first: first('max-age=1', { etag: '"v1"' }),
        next: confirm({}),
        check: async (answer, path) => {
          assert.deepEqual([answer.text, cacheOf(answer)], ['first', 'REVALIDATED'])
          await eventually(async () => assert.equal(cacheOf(await get(path)), 'REVALIDATED'))
        },
      },
      {
        what: 'stale-while-revalidate answers at once and fetches behind',
        first: first('max-age=1, stale-while-revalidate=600'),
        next: () => ({ headers: { 'cache-control': 'max-age=60' }, body: 'second' }),
        check: async (answer, path) => {
          stale(answer)
          await eventually(async () => assert.equal((await get(path)).text, 'second'))
        },
      },
      {
        what: 'stale-while-revalidate is not followed with must-revalidate',
        first: first('max-age=1, stale-while-revalidate=600, must-revalidate'),
        next: () => ({ headers: { 'cache-control': 'max-age=60' }, body: 'second' }),
        check: (answer) => assert.equal(answer.text, 'second'),
      },
      {
        what: 'CDN-Cache-Control has its own stale-while-revalidate',
        first: first('no-store', { 'cdn-cache-control': 'max-age=1, stale-while-revalidate=600' }),
        next: () => ({ body: 'second' }),
        check: stale,
      },
      {
        what: 'CDN-Cache-Control has its own must-revalidate',
        first: first('max-age=600', { 'cdn-cache-control': 'max-age=1, must-revalidate' }),
        next: fail(503),
        check: (answer) => assert.ok(answer.status >= 500),
      },
      {
        what: 'stale-while-revalidate of what has a validator: the old copy, never a refusal, and then the new one',
        first: first('max-age=1, stale-while-revalidate=600', { etag: '"v1"' }),
        next: () => ({ headers: { 'cache-control': 'max-age=60', etag: '"v2"' }, body: 'second' }),
        check: async (answer, path) => {
          stale(answer)
          assert.equal(answer.headers['x-accel-expires'], undefined)
          for (let text = 'first'; text === 'first';) {
            const again = await get(path)
            assert.equal(again.status, 200)
            ;({ text } = again)
          }
        },
      },
      {
        what: 'stale-while-revalidate that is confirmed is fresh again',
        first: first('max-age=1, stale-while-revalidate=600', { etag: '"v1"' }),
        next: confirm({ 'cache-control': 'max-age=60' }),
        check: async (answer, path) => {
          stale(answer)
          await eventually(async () => {
            const again = await get(path)
            assert.deepEqual([again.status, again.text], [200, 'first'])
            assert.equal(cacheOf(again), 'HIT')
          })
          const before = asked(path)
          for (let i = 0; i < 3; i++) assert.equal((await get(path)).text, 'first')
          assert.equal(asked(path), before)
        },
      },
      {
        what: 'an old copy that is being renewed lives no longer for that than stale-while-revalidate says',
        first: first('max-age=1, stale-while-revalidate=3', { etag: '"v1"' }),
        next: () => ({ headers: { 'cache-control': 'no-cache', etag: '"v2"' }, body: 'second' }),
        check: async (answer, path) => {
          const age = Number(answer.headers['age'] ?? 5)
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, 5 - age) * 1000))
          assert.equal((await get(path)).text, 'second')
        },
      },
      ...FAILURES.map(([how, next]): Stale => ({
        what: `${how}: the old copy of what has a validator, again and again, and never as a fresh one`,
        first: first('max-age=1', { etag: '"v1"' }),
        next,
        check: async (answer, path) => {
          stale(answer)
          for (let i = 0; i < 3; i++) {
            const before = asked(path)
            stale(await get(path))
            assert.ok(asked(path) > before)
          }
        },
      })),
      {
        what: 'a stale answer says its age',
        first: first('max-age=1', { age: '0' }),
        next: fail(503),
        check: (answer) => assert.ok(Number(answer.headers['age']) >= 1),
      },
    ]
    // All are stored first and judged when the time of all is over: so the table takes as long as one case.
    const made: { one: Stale; path: string }[] = []
    before(async () => {
      for (const one of CASES) {
        const path = script((request, number) => (number === 0 ? one.first : one.next(request)))
        made.push({ one, path })
        await get(path)
      }
      const clock = always({ 'cache-control': 'max-age=1' })
      await get(clock)
      await eventually(async () => assert.equal(cacheOf(await get(clock)), 'EXPIRED'))
      await get(clock)
      await eventually(async () => assert.equal(cacheOf(await get(clock)), 'EXPIRED'))
    })
    for (const [index, { what }] of CASES.entries()) {
      it(what, async () => {
        const { one, path } = made[index] ?? assert.fail()
        await one.check(await get(path), path)
      })
    }
  })

  describe('what passes through (RFC 9110 sections 7.6 and 5.1)', () => {
    const seenBy = async (headers: Record<string, string>, method = 'GET') => {
      let seen: http.IncomingHttpHeaders = {}
      await get(
        script((request) => {
          seen = request.headers
          return { headers: { 'cache-control': 'no-store' } }
        }),
        { headers, method },
      )
      return seen
    }
    it('what Connection names stops here, on the way in', async () =>
      assert.equal((await seenBy({ connection: 'close, X-Hop', 'x-hop': '1', 'x-stay': '2' }))['x-hop'], undefined))
    it('and on the way out', async () => {
      const { headers } = await get(
        always({ connection: 'x-hop', 'x-hop': '1', 'x-stay': '2', 'cache-control': 'no-store' }),
      )
      assert.deepEqual([headers['x-hop'], headers['x-stay']], [undefined, '2'])
    })
    it('what is for whoever stands before the origin is told to nobody, and stored for nobody', async () => {
      const names = [
        'proxy-authenticate',
        'proxy-authentication-info',
        'proxy-connection',
        'te',
        'upgrade',
        'keep-alive',
      ]
      const path = always({
        connection: 'upgrade',
        ...Object.fromEntries(names.map((name) => [name, 'x'])),
        'cache-control': 'max-age=60',
        'x-stay': '2',
      })
      for (const { headers } of [await get(path), await kept(path)]) {
        for (const name of names) assert.notEqual(headers[name], 'x', name)
        assert.equal(headers['x-stay'], '2')
      }
    })
    it('Connection cannot take Host or our own marks away', async () => {
      const seen = await seenBy({ connection: 'close, X-Forwarded-For, Host' })
      assert.ok(seen['x-forwarded-for'] && seen.host)
    })
    it('Via says who passed it on', async () =>
      assert.equal((await seenBy({ via: '1.0 before' }))['via'], '1.0 before, 1.1 fairway'))
    for (const name of [
      'x-fairway-host',
      'x-fairway-cdn',
      'x-fairway-tier-key',
      'x-fairway-reserve',
      'x-fairway-request',
      'x-fairway-visitor',
    ])
      it(`${name} of a visitor reaches nobody`, async () =>
        assert.equal((await seenBy({ [name]: 'forged' }))[name], undefined))
    for (const name of [
      'forwarded',
      'x-forwarded-port',
      'x-forwarded-prefix',
      'x-forwarded-scheme',
      'x-host',
      'x-original-url',
      'x-rewrite-url',
      'x-http-method-override',
    ])
      it(`${name} of a visitor cannot change what is stored for others`, async () =>
        assert.equal((await seenBy({ [name]: 'forged' }))[name], undefined))
    it('X-Forwarded-Host is the host that was asked', async () =>
      assert.notEqual((await seenBy({ 'x-forwarded-host': 'forged.test' }))['x-forwarded-host'], 'forged.test'))
    it('of a request that is not stored, another method may be said beside', async () =>
      assert.equal((await seenBy({ 'x-http-method-override': 'PATCH' }, 'POST'))['x-http-method-override'], 'PATCH'))
    for (const name of ['proxy', 'true-client-ip', 'cf-connecting-ip', 'x-forwarded-user', 'x-middleware-subrequest'])
      it(`${name} of a visitor reaches no origin`, async () =>
        assert.equal((await seenBy({ [name]: 'forged' }))[name], undefined))
    it('X-Real-IP is the address that has asked', async () =>
      assert.match(String((await seenBy({ 'x-real-ip': '192.0.2.1' }))['x-real-ip']), /^127\./))
    it('a target with a fragment is refused', async () => assert.equal((await get('/case-0#frag')).status, 400))
    it("another cache's words are not taken for ours, and Cache-Status says what was done (RFC 9211)", async () => {
      const path = always({ 'cache-control': 'max-age=60', 'x-cache': 'FAKE', 'x-served-by': 'another' })
      const first = await get(path)
      const again = await kept(path)
      assert.deepEqual(
        [first.headers['x-cache'], first.headers['x-served-by'], first.headers['cache-status']],
        ['MISS', 'edge/test-node', 'edge/test-node; fwd=uri-miss; stored'],
      )
      assert.equal(again.headers['cache-status'], 'edge/test-node; hit')
    })
    for (const [why, headers, options] of [
      ['no-store', { 'cache-control': 'no-store' }, {}],
      ['set-cookie', { 'set-cookie': 'a=1', 'cache-control': 'max-age=60' }, {}],
      ['vary', { vary: '*' }, {}],
      ['authorization', {}, { headers: { authorization: 'x' } }],
    ] as [string, Headers, GetOptions][])
      it(`Cache-Status says why nothing is kept: ${why}`, async () =>
        assert.match(
          String((await get(always(headers), options)).headers['cache-status']),
          new RegExp(`; detail=${why}$`),
        ))
    it('no server of ours is named', async () => {
      const own = await get(always({ 'cache-control': 'no-store' }))
      const page = await get('/%zz')
      assert.deepEqual([own.headers['server'], page.headers['server']], [undefined, undefined])
      assert.equal(page.headers['x-content-type-options'], 'nosniff')
      assert.equal((await get(always({ server: 'mine' }))).headers['server'], 'mine')
    })
    for (const name of ['x-fairway-born', 'x-fairway-at', 'x-fairway-id', 'x-fairway-cc'])
      it(`${name} is not shown to visitors`, async () =>
        assert.equal((await get(always({ 'cache-control': 'max-age=60' }))).headers[name], undefined))
    it("the origin's Cache-Control reaches the visitor as it was written", async () => {
      const path = always({ 'cache-control': 'Max-Age=60 , x="a, b"' })
      for (let i = 0; i < 2; i++) assert.equal((await get(path)).headers['cache-control'], 'Max-Age=60 , x="a, b"')
    })
    it('none is made up where the origin has none', async () =>
      assert.equal((await get(always({}))).headers['cache-control'], undefined))
    it('unknown headers and statuses pass', async () => {
      const answer = await get(always({ 'x-anything': 'at all', 'cache-control': 'no-store' }, { status: 299 }))
      assert.deepEqual([answer.status, answer.headers['x-anything']], [299, 'at all'])
    })
  })
}

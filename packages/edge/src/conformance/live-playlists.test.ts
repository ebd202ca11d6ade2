import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { type EdgeUnderTest, type Origin, siteOf, startEdgeUnderTest, startOrigin } from '../testing/edge-under-test.ts'

// Viewers who wait for the same moment of a live stream wait together, and nothing else of a query tells them apart.

const HOST = '0123456789abcdef.stream.localhost'
const LIST = '/33333333-3333-4333-8333-333333333333/180p.m3u8'

let edge: EdgeUnderTest
let origin: Origin
const held: { url: string; response: http.ServerResponse }[] = []
before(async () => {
  origin = await startOrigin((request, response) => {
    const url = request.url ?? ''
    if (url.includes('_HLS_msn=-')) return void response.writeHead(400, { 'cache-control': 'public, max-age=1' }).end()
    if (url.includes('_HLS_msn')) return void held.push({ url, response })
    response.writeHead(200, { 'cache-control': 'public, max-age=60' }).end(`plain ${url}`)
  })
  edge = await startEdgeUnderTest()
  await edge.publish(
    siteOf('stream:org-1', 1, [
      {
        host: HOST,
        origin: origin.origin(),
        cache: {
          enabled: true,
          defaultTtlSeconds: 0,
          honorOrigin: true,
          everything: true,
          ignoreQuery: true,
          deliveryDirectives: true,
        },
        signing: { on: false, keys: [] },
      },
    ]),
  )
})
after(async () => {
  await Promise.all([edge, origin].map((each) => each?.[Symbol.asyncDispose]()))
})

const asked = (part: string) => origin.asked.filter(({ url }) => url?.includes(part)).length
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !holds();) {
    assert.ok(Date.now() < end, 'it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const letGo = () => {
  for (const { url, response } of held.splice(0))
    response.writeHead(200, { 'cache-control': 'public, max-age=6' }).end(`playlist ${url}`)
}

test('a hundred viewers who wait for one part are one request to the origin, however they spell it', async () => {
  const spelled = [
    '?_HLS_msn=7&_HLS_part=2&_HLS_skip=YES',
    '?_HLS_skip=v2&_HLS_part=2&_HLS_msn=007',
    '?x=1&_HLS_msn=7&CMCD=sid%3D%22a%22&_HLS_part=2&_HLS_skip=YES',
  ]
  const crowd = Array.from({ length: 100 }, (_, i) => edge.get(HOST, `${LIST}${spelled[i % spelled.length]}`))
  await until(() => held.length > 0)
  // As long as a playlist is waited for at most.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  letGo()
  const wanted = `playlist ${LIST}?_HLS_msn=7&_HLS_part=2&_HLS_skip=YES`
  for (const { status, text } of await Promise.all(crowd)) assert.deepEqual([status, text], [200, wanted])
  assert.equal(asked('_HLS_msn=7'), 1)
  const late = await edge.get(HOST, `${LIST}${spelled[0]}`)
  assert.deepEqual([late.text, late.headers['x-cache']], [wanted, 'HIT'])
})

test('each moment is kept apart; nothing but a playlist’s own question counts', async () => {
  const both = [edge.get(HOST, `${LIST}?_HLS_msn=8&_HLS_part=0`), edge.get(HOST, `${LIST}?_HLS_msn=8&_HLS_part=1`)]
  await until(() => held.length === 2)
  letGo()
  const texts = (await Promise.all(both)).map(({ text }) => text)
  assert.deepEqual(texts, [`playlist ${LIST}?_HLS_msn=8&_HLS_part=0`, `playlist ${LIST}?_HLS_msn=8&_HLS_part=1`])
  for (const [target, cached] of [
    [`${LIST}?a=1`, 'MISS'],
    [`${LIST}?b=2`, 'HIT'],
    [`${LIST}?_HLS_skip=YES`, 'MISS'],
    ['/part.m4s?_HLS_part=1', 'MISS'],
    ['/part.m4s?_HLS_skip=YES', 'HIT'],
  ] as const)
    assert.equal((await edge.get(HOST, target)).headers['x-cache'], cached, target)
})

test('questions that no player asks are one address, and say so', async () => {
  const before = asked('_HLS_msn=-')
  for (const query of [
    '_HLS_msn=1000000000000000000',
    '_HLS_part=1',
    '_HLS_msn=1&_HLS_msn=2',
    '_HLS_msn=%31',
    '_HLS_msn=7&_HLS_skip=maybe',
  ])
    assert.equal((await edge.get(HOST, `${LIST}?${query}`)).status, 400, query)
  const reached = asked('_HLS_msn=-') - before
  assert.ok(reached >= 1 && reached < 5, `${reached}`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CloudfrontWorld, fitsResource, isForCloudfront, judgeCloudfront } from './cloudfront-policy.ts'
import { queriedPlaylist } from './queried-playlist.ts'

const world: CloudfrontWorld = {
  now: 1_000,
  decode: (text) => Buffer.from(text, 'base64').toString('latin1'),
  parse: (text) => {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  },
  hasKey: (id) => id === 'K1',
  verify: () => true,
}
const policy = (said: unknown) =>
  `https://a.test/x?Policy=${Buffer.from(JSON.stringify(said) ?? '')
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('=', '_')
    .replaceAll('/', '~')}&Signature=A&Key-Pair-Id=K1`
const of = (condition: unknown, resource: unknown = '*') => ({
  Statement: [{ Resource: resource, Condition: condition }],
})
const END = { DateLessThan: { 'AWS:EpochTime': 2_000 } }

test('a policy is read with every bound, and a condition that nobody knows refuses the address', () => {
  for (const [said, refusal] of [
    [of(END), ''],
    [{ Statement: [{ Condition: END }] }, ''],
    [of({ ...END, DateGreaterThan: { 'AWS:EpochTime': 1_000 } }), ''],
    [of({ ...END, DateGreaterThan: { 'AWS:EpochTime': 1_001 } }), 'not-yet-valid'],
    [of({ DateLessThan: { 'AWS:EpochTime': 1_000 } }), 'expired'],
    [of(END, 'https://a.test/?'), ''],
    [of(END, 'http*://a.test/*'), ''],
    [of(END, 'https://a.test/x/*'), 'cloudfront-resource'],
    [of({ ...END, IpAddress: { 'AWS:SourceIp': '192.0.2.0/24' } }), ''],
    [of({ ...END, IpAddress: { 'AWS:SourceIp': '198.51.100.0/24' } }), 'address-refused'],
    [of({ ...END, IpAddress: { 'AWS:SourceIp': '192.0.2.0/33' } }), 'cloudfront-policy'],
    [of({ ...END, Referrer: 'a.test' }), 'cloudfront-policy'],
    [of({}), 'cloudfront-policy'],
    [of({ DateLessThan: { 'AWS:EpochTime': '2000' } }), 'cloudfront-policy'],
    [of({ DateLessThan: { 'AWS:EpochTime': 1.5 } }), 'cloudfront-policy'],
    [of({ DateLessThan: { 'AWS:EpochTime': 4_102_444_800 } }), 'cloudfront-policy'],
    [of(END, ''), 'cloudfront-policy'],
    [of(END, 'x'.repeat(2_001)), 'cloudfront-policy'],
    [of([END]), 'cloudfront-policy'],
    [{ ...of(END), Version: '2012' }, 'cloudfront-policy'],
    [{ Statement: [...of(END).Statement, ...of(END).Statement] }, 'cloudfront-policy'],
    [null, 'cloudfront-policy'],
    [[], 'cloudfront-policy'],
  ] as const)
    assert.equal(
      judgeCloudfront({ url: policy(said), address: '192.0.2.9' }, world, []).refusal,
      refusal,
      JSON.stringify(said),
    )
})

test('parameters count once each, and as they are written', () => {
  for (const [url, isSigned] of [
    ['https://a.test/x?Key-Pair-Id=K1', true],
    ['https://a.test/x?key-pair-id=K1', false],
    ['https://a.test/x#?Key-Pair-Id=K1', false],
    ['https://a.test/x?token=a', false],
  ] as const)
    assert.equal(isForCloudfront(url), isSigned, url)
  const whole = policy(of(END))
  for (const url of [
    `${whole}&Policy=A`,
    `${whole}&Signature=A`,
    `${whole}&Key-Pair-Id=K1`,
    `${whole}&Expires=2000`,
    whole.replace(/Policy=[^&]*&/, ''),
    whole.replace('Signature=A&', ''),
  ])
    assert.equal(judgeCloudfront({ url, address: '' }, world, []).refusal, 'cloudfront-parameters', url)
})

test('whatever is sent for a policy, nothing is opened without a signature and nothing throws', () => {
  const closed = { ...world, verify: () => false }
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `https://a.test/?Key-Pair-Id=K1&${text}`),
        fc.jsonValue({ maxDepth: 3 }).map(policy),
      ),
      (url) => {
        assert.notEqual(judgeCloudfront({ url, address: '' }, closed, []).refusal, '')
      },
    ),
    { numRuns: 500 },
  )
})

test('a resource fits as its letters, stars and question marks say, however they are repeated', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 12 })
  const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  fc.assert(
    fc.property(texts, letters, (text, pattern) => {
      const expression = pattern.replaceAll('*', '[^]*').replaceAll('?', '[^]')
      assert.equal(fitsResource(text, pattern), new RegExp(`^${expression}$`).test(text))
    }),
    { numRuns: 2_000 },
  )
  assert.equal(fitsResource('a'.repeat(4_000), `${'*a'.repeat(900)}b`), false)
})

test('a playlist takes its query along to every address in it, and says what it needs of a player', () => {
  const query = 'Policy={$Policy}&Signature={$Signature}&Key-Pair-Id={$Key-Pair-Id}'
  assert.equal(
    queriedPlaylist(
      [
        '#EXTM3U',
        '#EXT-X-VERSION:9',
        '#EXT-X-MAP:URI="v1-1/init.mp4"',
        '#EXT-X-PART:DURATION=0.3,URI="v1-1/s1p1.m4s",INDEPENDENT=YES',
        '#EXT-X-RENDITION-REPORT:URI="v2.m3u8",LAST-MSN=4',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,NAME="URI=x",GROUP-ID="t",URI="t.m3u8?a=b"',
        '#EXTINF:2,',
        'v1-1/s1.m4s',
        '',
      ].join('\n'),
    ),
    [
      '#EXTM3U',
      '#EXT-X-VERSION:11',
      '#EXT-X-DEFINE:QUERYPARAM="Policy"',
      '#EXT-X-DEFINE:QUERYPARAM="Signature"',
      '#EXT-X-DEFINE:QUERYPARAM="Key-Pair-Id"',
      `#EXT-X-MAP:URI="v1-1/init.mp4?${query}"`,
      `#EXT-X-PART:DURATION=0.3,URI="v1-1/s1p1.m4s?${query}",INDEPENDENT=YES`,
      `#EXT-X-RENDITION-REPORT:URI="v2.m3u8?${query}",LAST-MSN=4`,
      `#EXT-X-MEDIA:TYPE=SUBTITLES,NAME="URI=x",GROUP-ID="t",URI="t.m3u8?a=b&${query}"`,
      '#EXTINF:2,',
      `v1-1/s1.m4s?${query}`,
      '',
    ].join('\n'),
  )
})

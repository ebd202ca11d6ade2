import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bestVariant, newSegments, originUrl, readOriginPlaylist } from './origin-playlist.ts'

const BASE = 'https://origin.example/live/main.m3u8?token=1'
const read = (...lines: string[]) => readOriginPlaylist(['#EXTM3U', ...lines, ''].join('\n'), BASE)
const media = (...lines: string[]) => read('#EXT-X-TARGETDURATION:4', ...lines)
const problem = (list: ReturnType<typeof read>) => (list.kind === 'refused' ? list.problem : list.kind)

test('a live playlist is read with numbers, breaks and initialization segments, addresses by where it came from', () => {
  const list = media(
    '#EXT-X-MEDIA-SEQUENCE:7',
    '#EXT-X-MAP:URI="init.mp4"',
    '#EXTINF:3.96,a title',
    'seg7.m4s?x=1#part',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-MAP:URI="/other/init.mp4"',
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z',
    '#EXTINF:4,',
    'https://cdn.example/seg8.m4s',
  )
  assert.deepEqual(list, {
    kind: 'media',
    targetSeconds: 4,
    hasEnded: false,
    segments: [
      {
        url: 'https://origin.example/live/seg7.m4s?x=1',
        number: 7,
        seconds: 3.96,
        mapUrl: 'https://origin.example/live/init.mp4',
        breaks: false,
      },
      {
        url: 'https://cdn.example/seg8.m4s',
        number: 8,
        seconds: 4,
        mapUrl: 'https://origin.example/other/init.mp4',
        breaks: true,
      },
    ],
  })
})

test('of several qualities the best up to 1080p is taken, and none whose sound lies elsewhere', () => {
  const variant = (bandwidth: number, size: string, uri: string, more = '') => [
    `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${size},CODECS="avc1.4d401f,mp4a.40.2"${more}`,
    uri,
  ]
  const chosen = (...lines: string[]) => {
    const list = read(...lines)
    return list.kind === 'main' ? bestVariant(list.variants)?.url : problem(list)
  }
  const all = [
    ...variant(9e6, '3840x2160', '4k'),
    ...variant(1e6, '640x360', 'low'),
    ...variant(3e6, '1920x1080', 'hd'),
  ]
  assert.equal(chosen(...all), 'https://origin.example/live/hd')
  assert.equal(chosen(...variant(9e6, '3840x2160', '4k')), 'https://origin.example/live/4k')
  const sound = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="sound.m3u8"'
  assert.equal(chosen(sound, ...variant(1e6, '640x360', 'low', ',AUDIO="a"')), 'origin-split')
  assert.equal(
    chosen(sound, ...variant(2e6, '1280x720', 'apart', ',AUDIO="a"'), ...variant(1e6, '640x360', 'low')),
    'https://origin.example/live/low',
  )
})

test('what leads elsewhere than over HTTP, asks for keys or names parts of files is refused', () => {
  for (const uri of [
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'ftp://origin.example/a.ts',
    'data:video/mp2t;base64,AA',
    'concat:a.ts|b.ts',
    'javascript:1',
    'http://user:word@origin.example/a.ts',
    'http://',
  ]) {
    assert.equal(problem(media('#EXTINF:4,', uri)), 'origin-playlist', uri)
    assert.equal(problem(media(`#EXT-X-MAP:URI="${uri}"`, '#EXTINF:4,', 'a.m4s')), 'origin-playlist', uri)
    assert.equal(problem(read('#EXT-X-STREAM-INF:BANDWIDTH=1', uri)), 'origin-playlist', uri)
  }
  for (const [lines, why] of [
    [['#EXT-X-KEY:METHOD=AES-128,URI="k"', '#EXTINF:4,', 'a.ts'], 'origin-encrypted'],
    [['#EXT-X-KEY:URI="k"', '#EXTINF:4,', 'a.ts'], 'origin-encrypted'],
    [['#EXT-X-KEY:METHOD=NONE', '#EXTINF:4,', 'a.ts'], 'media'],
    [['#EXTINF:4,', '#EXT-X-BYTERANGE:10@0', 'a.ts'], 'origin-split'],
    [['#EXT-X-MAP:URI="i.mp4",BYTERANGE="9@0"', '#EXTINF:4,', 'a.m4s'], 'origin-split'],
    [['#EXT-X-MAP:BYTE="9@0"', '#EXTINF:4,', 'a.m4s'], 'origin-playlist'],
    [['#EXTINF:61,', 'a.ts'], 'origin-playlist'],
    [['#EXTINF:-1,', 'a.ts'], 'origin-playlist'],
    [['#EXTINF:NaN,', 'a.ts'], 'origin-playlist'],
    [['#EXTINF:1e9,', 'a.ts'], 'origin-playlist'],
    [['a.ts'], 'origin-playlist'],
    [['#EXT-X-MEDIA-SEQUENCE:999999999999999', '#EXTINF:4,', 'a.ts'], 'origin-playlist'],
    [['#EXT-X-STREAM-INF:BANDWIDTH=1', 'nested.m3u8'], 'origin-playlist'],
  ] as const)
    assert.equal(problem(media(...lines)), why, lines.join(' '))
  assert.equal(problem(read('#EXTINF:4,', 'a.ts')), 'origin-playlist')
  assert.equal(problem(read('#EXT-X-TARGETDURATION:9999', '#EXTINF:4,', 'a.ts')), 'origin-playlist')
  assert.equal(problem(media('x'.repeat(5_000))), 'origin-playlist')
  assert.equal(problem(media(...Array.from({ length: 60_001 }, () => '#'))), 'origin-large')
  assert.equal(problem(readOriginPlaylist(`#EXTM3U\n${'x'.repeat(4 * 2 ** 20)}`, BASE)), 'origin-large')
  assert.equal(problem(readOriginPlaylist('<html>', BASE)), 'origin-playlist')
})

test('no text makes it fail, and every address that it answers is one of HTTP', () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '#EXTINF:2,',
      '#EXT-X-MAP:URI="i"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1',
      '#EXT-X-DISCONTINUITY',
      'a.ts',
    ),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const list = media(...lines)
      if (list.kind === 'refused') return
      const urls = list.kind === 'main' ? list.variants.map(({ url }) => url) : list.segments.map(({ url }) => url)
      for (const url of urls) assert.match(url, /^https?:\/\//)
    }),
  )
  assert.equal(originUrl('//inner/x', 'https://origin.example/'), 'https://inner/x')
})

test('one begins three segments before the end, takes each once, and again where an origin has begun anew', () => {
  const list = (from: number, count: number, hasEnded = false) => {
    const found = media(
      `#EXT-X-MEDIA-SEQUENCE:${from}`,
      ...Array.from({ length: count }, (_, index) => ['#EXTINF:4,', `${from + index}.ts`]).flat(),
      ...(hasEnded ? ['#EXT-X-ENDLIST'] : []),
    )
    assert.ok(found.kind === 'media')
    return found
  }
  const numbers = (...of: Parameters<typeof newSegments>) => newSegments(...of).map(({ number }) => number)
  assert.deepEqual(numbers(list(10, 6), null), [13, 14, 15])
  assert.deepEqual(numbers(list(10, 6), 14), [15])
  assert.deepEqual(numbers(list(10, 6), 15), [])
  assert.deepEqual(numbers(list(20, 3), 15), [20, 21, 22])
  assert.deepEqual(numbers(list(0, 4), 15), [1, 2, 3])
  assert.deepEqual(numbers(list(0, 4, true), null), [0, 1, 2, 3])
  assert.deepEqual(numbers(list(0, 0), 15), [])
  // As far behind as viewers wait for whoever was cut off it goes on; from further it begins anew at the end.
  assert.deepEqual(numbers(list(10, 10), 12), [13, 14, 15, 16, 17, 18, 19])
  assert.deepEqual(numbers(list(10, 40), 12), [47, 48, 49])
  assert.equal(numbers(list(10, 40, true), 12).length, 37)
})

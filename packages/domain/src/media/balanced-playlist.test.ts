import assert from 'node:assert/strict'
import { test } from 'node:test'
import HLS from 'hls-parser'
import { balancedPlaylist, isOfFile } from './balanced-playlist.ts'
import { masterPlaylist, textPlaylist, timedText } from './ladder.ts'

const variant = { width: 640, height: 360, fps: 30, codecs: 'avc1.64001e,mp4a.40.2' }
const VARIANTS = [
  { ...variant, uri: '360p-1/index.m3u8', peakBitrate: 900_000, averageBitrate: 700_000 },
  { ...variant, uri: '720p-1/index.m3u8', width: 1280, height: 720, peakBitrate: 2_900_000, averageBitrate: null },
]
const pathways = [
  { id: 'edge', host: 'k.stream.localhost', weight: 20 },
  { id: 'cdn.other.example', host: 'cdn.other.example', weight: 80 },
]
const made = (audio: string | null, isLive = false) =>
  balancedPlaylist(masterPlaylist(VARIANTS, audio, isLive), {
    pathways,
    serverUri: 'https://collector.example/steer/1?p=edge,cdn.other.example',
    folder: '/f/',
    scheme: '',
    port: ':8081',
  })

HLS.setOptions({ strictMode: true })

test('a strict parser finds each quality once on each pathway, with the sound of that pathway', () => {
  const list = HLS.parse(made('audio-1/index.m3u8'))
  assert.ok(list.isMasterPlaylist)
  assert.deepEqual(
    list.variants.map(({ uri, bandwidth, audio }) => [uri, bandwidth, audio[0]?.groupId, audio[0]?.uri]),
    [
      [
        '//k.stream.localhost:8081/f/360p-1/index.m3u8',
        900_000,
        'audio-edge',
        '//k.stream.localhost:8081/f/audio-1/index.m3u8',
      ],
      [
        '//k.stream.localhost:8081/f/720p-1/index.m3u8',
        2_900_000,
        'audio-edge',
        '//k.stream.localhost:8081/f/audio-1/index.m3u8',
      ],
      [
        '//cdn.other.example:8081/f/360p-1/index.m3u8',
        900_000,
        'audio-cdn.other.example',
        '//cdn.other.example:8081/f/audio-1/index.m3u8',
      ],
      [
        '//cdn.other.example:8081/f/720p-1/index.m3u8',
        2_900_000,
        'audio-cdn.other.example',
        '//cdn.other.example:8081/f/audio-1/index.m3u8',
      ],
    ],
  )
})

test('it says where players ask, begins with the heaviest, and keeps what else the playlist says', () => {
  const text = made(null)
  assert.match(text, /^#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=0\n/)
  assert.match(
    text,
    /\n#EXT-X-CONTENT-STEERING:SERVER-URI="https:\/\/collector\.example\/steer\/1\?p=edge,cdn\.other\.example",PATHWAY-ID="cdn\.other\.example"\n/,
  )
  assert.equal(text.match(/PATHWAY-ID="edge"/g)?.length, 2)
  assert.ok(HLS.parse(text).isMasterPlaylist)
})

test('playlists of files are told from live ones', () => {
  assert.equal(isOfFile(masterPlaylist(VARIANTS, null)), true)
  assert.equal(isOfFile(masterPlaylist(VARIANTS, null, true)), false)
  assert.ok(HLS.parse(made('audio-1/index.m3u8', true)).isMasterPlaylist)
})

test('captions are had from the pathway that is played, whatever they are called', () => {
  const texts = [
    {
      uri: 'text-1/index.m3u8',
      language: 'de',
      label: 'Deutsch, GROUP-ID=',
      kind: 'captions' as const,
      isDefault: true,
    },
    { uri: 'text-2/index.m3u8', language: 'en', label: 'Signs', kind: 'forced' as const, isDefault: false },
  ]
  const text = balancedPlaylist(masterPlaylist(VARIANTS, 'audio-1/index.m3u8', false, texts), {
    pathways,
    serverUri: 'https://collector.example/steer/1',
    folder: '/f/',
    scheme: '',
    port: ':8081',
  })
  const list = HLS.parse(text)
  assert.ok(list.isMasterPlaylist)
  assert.deepEqual(
    list.variants.map(({ subtitles, audio }) => [
      audio[0]?.groupId,
      ...subtitles.map(({ groupId, name, uri, isDefault, forced }) => [groupId, name, uri, isDefault, forced === true]),
    ]),
    ['k.stream.localhost', 'k.stream.localhost', 'cdn.other.example', 'cdn.other.example'].map((host) => {
      const id = host.startsWith('k.') ? 'edge' : host
      return [
        `audio-${id}`,
        [`text-${id}`, 'Deutsch, GROUP-ID=', `//${host}:8081/f/text-1/index.m3u8`, true, false],
        [`text-${id}`, 'Signs', `//${host}:8081/f/text-2/index.m3u8`, false, true],
      ]
    }),
  )
})

test('captions are one segment as long as the film, and a strict parser takes their playlist', () => {
  const list = HLS.parse(textPlaylist(3723.4567, 'text.vtt'))
  assert.ok(!list.isMasterPlaylist)
  assert.deepEqual(
    [list.targetDuration, list.endlist, list.segments.map(({ uri, duration }) => [uri, duration])],
    [3724, true, [['text.vtt', 3723.457]]],
  )
  assert.equal(timedText('WEBVTT\n\nx'), 'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\nx')
})

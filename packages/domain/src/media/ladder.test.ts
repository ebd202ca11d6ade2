import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ladderOf, masterPlaylist } from './ladder.ts'

const names = (width: number, height: number, fps: number | null = 30) =>
  ladderOf({ width, height, fps }).map((rung) => `${rung.width}x${rung.height}@${Math.round(rung.maxBitrate / 1000)}`)

test('a video is made in the sizes up to its own, cheapest first', () => {
  assert.deepEqual(names(1920, 1080), ['640x360@800', '854x480@1400', '1280x720@2800', '1920x1080@5000'])
  assert.deepEqual(names(1080, 1920), ['360x640@800', '480x854@1400', '720x1280@2800', '1080x1920@5000'])
  assert.deepEqual(names(320, 240), ['320x240@533'])
  assert.deepEqual(names(3840, 2160).at(-1), '3840x2160@16000')
  assert.deepEqual(names(1280, 720, 60), ['640x360@1200', '854x480@2100', '1280x720@4200'])
  // Between two rungs: its own size as well, when that is more than a little above the lower one.
  assert.deepEqual(names(1600, 900).at(-1), '1600x900@3913')
  assert.equal(names(1360, 768).length, 3)
})

test('no rendition is ever larger than its source, odd, or without a name of its own', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8192 }),
      fc.integer({ min: 2, max: 8192 }),
      fc.option(fc.double({ min: 1, max: 240, noNaN: true })),
      (width, height, fps) => {
        const ladder = ladderOf({ width, height, fps })
        assert.ok(ladder.length >= 1)
        assert.equal(new Set(ladder.map(({ name }) => name)).size, ladder.length)
        for (const rung of ladder) {
          assert.ok(rung.width <= width + 1 && rung.height <= height + 1)
          assert.ok(rung.width % 2 === 0 && rung.height % 2 === 0)
          assert.ok(rung.fps <= 60 && rung.maxBitrate > 0)
        }
      },
    ),
  )
})

test('a master playlist names every quality with its measures, and the one sound', () => {
  const variant = { uri: '360p-1/index.m3u8', width: 640, height: 360, fps: 30, codecs: 'avc1.64001e,mp4a.40.2' }
  const text = masterPlaylist([{ ...variant, peakBitrate: 900, averageBitrate: 700 }], 'audio-1/index.m3u8')
  assert.match(text, /^#EXTM3U\n/)
  assert.match(text, /TYPE=AUDIO,GROUP-ID="audio".*URI="audio-1\/index\.m3u8"/)
  assert.match(
    text,
    /BANDWIDTH=900,AVERAGE-BANDWIDTH=700,RESOLUTION=640x360,FRAME-RATE=30\.000,CODECS="avc1\.64001e,mp4a\.40\.2",AUDIO="audio"\n360p-1\/index\.m3u8\n$/,
  )
  assert.doesNotMatch(masterPlaylist([{ ...variant, peakBitrate: 900, averageBitrate: null }], null), /AUDIO|AVERAGE/)
})

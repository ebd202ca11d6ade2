import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type LiveSegment,
  emptyLivePlaylist,
  readLivePlaylist,
  renewed,
  withSegment,
  writeLivePlaylist,
} from './live-playlist.ts'

const segment = fc.record(
  {
    uri: fc.integer({ min: 0, max: 9_999_999 }).map((n) => `360p-1/s${n}.m4s`),
    map: fc.constantFrom('360p-1/init.mp4', '360p-2/init.mp4'),
    seconds: fc.integer({ min: 1, max: 2_000_000 }).map((n) => n / 100_000),
    at: fc.integer({ min: 0, max: 4e12 }),
    breaks: fc.boolean(),
  },
  { noNullPrototype: true },
)

test('a playlist is read as it was written, by whoever goes on with it', () => {
  fc.assert(
    fc.property(
      fc.array(segment, { maxLength: 30 }),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      (segments, sequence, breaksBefore, hasEnded) => {
        const list = { sequence, breaksBefore, targetSeconds: 20, segments, hasEnded }
        assert.deepEqual(readLivePlaylist(writeLivePlaylist(list)), list)
      },
    ),
  )
  fc.assert(fc.property(fc.string(), (text) => void readLivePlaylist(text)))
  assert.equal(readLivePlaylist('#EXTM3U\n'), null)
})

test('the window holds what it promises and little more, and numbers never go back', () => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 60 }), (all, window) => {
      let list = emptyLivePlaylist(20)
      const seen: LiveSegment[] = []
      for (const one of all) {
        const before = list
        list = withSegment(list, one, window)
        seen.push(one)
        assert.ok(list.sequence >= before.sequence && list.breaksBefore >= before.breaksBefore)
        assert.equal(list.sequence + list.segments.length, seen.length)
        assert.deepEqual(list.segments, seen.slice(list.sequence))
        assert.equal(list.breaksBefore, seen.slice(0, list.sequence).filter(({ breaks }) => breaks).length)
        const total = list.segments.reduce((sum, { seconds }) => sum + seconds, 0)
        const left = seen.slice(0, list.sequence).length
        assert.ok(left === 0 || total >= window || list.segments.length === 3)
      }
      assert.equal(renewed(list, 2).sequence, seen.length)
    }),
  )
})

test('what is kept of a long window says what its segments are, however it moved on', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('go on', 'go on', 'go on', 'break', 'another map', 'renew'), {
        minLength: 5,
        maxLength: 12,
      }),
      fc.integer({ min: 200, max: 900 }),
      (steps, windowSeconds) => {
        let list = emptyLivePlaylist(1)
        let [number, map] = [0, 'a/init.mp4']
        for (const step of steps) {
          if (step === 'renew') list = renewed(list, 1)
          if (step === 'another map') map = `${map}x`
          // Longer than a block together, so that some are whole and fall out of the window again.
          for (let index = 0; index < 150; index++) {
            const breaks = step === 'break' && index === 0
            const segment: LiveSegment = { uri: `s${number}.m4s`, map, seconds: 1, at: number * 1000, breaks }
            number++
            // One that goes on in another way from the same place.
            const other = withSegment(list, { ...segment, uri: 'other.m4s' }, windowSeconds)
            if (number % 256 < 2) assert.deepEqual(readLivePlaylist(writeLivePlaylist(other)), other)
            list = withSegment(list, segment, windowSeconds)
            if (index % 50 === 0) assert.deepEqual(readLivePlaylist(writeLivePlaylist(list)), list)
          }
        }
      },
    ),
    { numRuns: 25 },
  )
})

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

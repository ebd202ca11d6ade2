import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readLivePlaylist, writeLivePlaylist } from './live-playlist.ts'
import { type RecordedSegment, readRecorded, recordedLine, recordedPlaylists, recordingName } from './recording.ts'

const of = (rung: string, session: number, ...numbers: number[]): RecordedSegment[] =>
  numbers.map((number) => ({ rung, session, number, seconds: 1, at: session * 1e6 + number * 1000 }))

const shown = (segments: RecordedSegment[]) =>
  Object.fromEntries(
    [...recordedPlaylists(segments)].map(([rung, list]) => [
      rung,
      list.segments.map(({ uri, map, breaks }) => `${breaks ? '| ' : ''}${map}/${uri}`),
    ]),
  )

test('a recording holds what every quality has, with a discontinuity wherever something lies between', () => {
  assert.deepEqual(shown([...of('360p', 1, 0, 1), ...of('360p', 3, 0, 2)]), {
    '360p': ['i1.mp4/r1s0.m4s', 'i1.mp4/r1s1.m4s', '| i3.mp4/r3s0.m4s', '| i3.mp4/r3s2.m4s'],
  })
  // One quality was begun later, the other ended earlier.
  assert.deepEqual(shown([...of('360p', 1, 0, 1, 2), ...of('720p', 1, 1, 2, 3)]), {
    '360p': ['i1.mp4/r1s1.m4s', 'i1.mp4/r1s2.m4s'],
    '720p': ['i1.mp4/r1s1.m4s', 'i1.mp4/r1s2.m4s'],
  })
  assert.deepEqual(shown([...of('360p', 1, 0), ...of('720p', 2, 0)]), {})
  assert.deepEqual(shown([]), {})
})

const segment = fc.record(
  {
    rung: fc.constantFrom('180p', '360p', '720p'),
    session: fc.integer({ min: 1, max: 5 }),
    number: fc.integer({ min: 0, max: 40 }),
    seconds: fc.integer({ min: 1, max: 2_000_000 }).map((n) => n / 100_000),
    at: fc.integer({ min: 0, max: 4e12 }),
  },
  { noNullPrototype: true },
)

test('what was written down is read again, cut off anywhere it loses one line at most, and noise is nothing', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(segment, { selector: (s) => `${s.rung} ${s.session} ${s.number}` }),
      fc.nat(),
      (all, cut) => {
        const text = all.map(recordedLine).join('')
        assert.deepEqual(readRecorded(text), all)
        const part = text.slice(0, text.length === 0 ? 0 : cut % text.length)
        assert.deepEqual(readRecorded(part), all.slice(0, part.split('\n').length - 1))
        assert.deepEqual(readRecorded(text + text), all)
      },
    ),
  )
  fc.assert(fc.property(fc.string(), (text) => void readRecorded(text)))
  assert.deepEqual(readRecorded('../x 1 1 1.00000 5\n360p 1 1 0.00000 5\n360p -1 1 1.00000 5\n'), [])
})

test('its playlists are ended, equally long in every quality, and read by whoever reads live ones', () => {
  fc.assert(
    fc.property(fc.uniqueArray(segment, { selector: (s) => `${s.rung} ${s.session} ${s.number}` }), (all) => {
      const lists = [...recordedPlaylists(all).values()]
      assert.equal(
        new Set(lists.map((list) => list.segments.map(({ uri }) => uri).join())).size,
        Math.min(1, lists.length),
      )
      for (const list of lists) {
        assert.equal(list.segments[0]?.breaks, false)
        assert.ok(list.segments.every(({ seconds }) => Math.round(seconds) <= list.targetSeconds))
        assert.deepEqual(readLivePlaylist(writeLivePlaylist(list)), list)
      }
    }),
  )
})

test('a recording is called by its stream and its beginning', () => {
  const at = new Date('2026-03-04T05:06:07Z')
  assert.equal(recordingName('Harbour', at, 1), 'Harbour 2026-03-04 05.06.mp4')
  assert.equal(recordingName('Harbour', at, 2), 'Harbour 2026-03-04 05.06 (2).mp4')
})

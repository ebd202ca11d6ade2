import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LivePeriod, type LiveTrack, livePresentation } from './live-presentation.ts'

const START = Date.parse('2026-11-27T12:00:00.123Z')
const track = (more: Partial<LiveTrack> = {}): LiveTrack => ({
  part: '180p-3',
  timescale: 12_800,
  from: 51_200,
  number: 2,
  seconds: [2, 2, 2],
  ...more,
})
const quality = { width: 320, height: 180, fps: 25, codecs: 'avc1.64000d', peakBitrate: 500_000 }
const period = (more: Partial<LivePeriod> = {}): LivePeriod => ({
  session: 3,
  startMs: START,
  videos: [{ ...quality, track: track() }],
  audio: track({ timescale: 48_000, from: 192_512 }),
  ...more,
})
const made = (periods: readonly LivePeriod[], hasEnded = false): string => {
  const text = livePresentation({ periods, targetSeconds: 2, hasEnded, nowMs: START + 11_000 })
  assert.ok(text !== null)
  return text
}

test('a stream on air says its window by the time of day, when to look again, and what time it is', () => {
  const mpd = made([period()])
  const at = (START / 1000).toFixed(3)
  assert.match(
    mpd,
    / type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z" publishTime="2026-11-27T12:00:10\.123Z" /,
  )
  assert.match(
    mpd,
    / minimumUpdatePeriod="PT2\.000S" timeShiftBufferDepth="PT6\.000S" suggestedPresentationDelay="PT6\.000S"/,
  )
  assert.ok(mpd.includes(`  <Period id="s3" start="PT${at}S">\n`))
  assert.match(
    mpd,
    /initialization="180p-3\/initv\.mp4" media="180p-3\/v\$Number%07d\$\.m4s" startNumber="2">\n\s*<SegmentTimeline>\n\s*<S t="51200" d="25600" r="2"\/>/,
  )
  assert.match(
    mpd,
    /media="180p-3\/a\$Number%07d\$\.m4s" startNumber="2">\n\s*<SegmentTimeline>\n\s*<S t="192512" d="96000" r="2"\/>/,
  )
  assert.match(mpd, /<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2026-11-27T12:00:11\.123Z"\/>/)
})

test('an encoder that came back is another period, and the one before says how long it was', () => {
  const later = period({
    session: 4,
    startMs: START + 60_000,
    videos: [{ ...quality, track: track({ from: 0, number: 0 }) }],
  })
  const mpd = made([period(), later])
  assert.deepEqual(
    [...mpd.matchAll(/<Period id="(.*?)" start="PT(.*?)S"( duration="(.*?)")?>/g)].map(([, id, start, , length]) => [
      id,
      Number(start),
      length,
    ]),
    [
      ['s3', START / 1000, 'PT10.000S'],
      ['s4', START / 1000 + 60, undefined],
    ],
  )
  assert.match(mpd, / timeShiftBufferDepth="PT62\.000S"/)
})

test('one that has ended keeps its times and is looked at once; without a picture there is nothing', () => {
  const mpd = made([period()], true)
  assert.ok(mpd.includes(` type="static" mediaPresentationDuration="PT${(START / 1000 + 10).toFixed(3)}S"`))
  assert.ok(!mpd.includes('UTCTiming') && !mpd.includes('minimumUpdatePeriod'))
  assert.equal(
    livePresentation({ periods: [period({ videos: [] })], targetSeconds: 2, hasEnded: false, nowMs: 0 }),
    null,
  )
})

test('however segments are cut, the end of hours of them is right to the tick', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 300 }), (frames) => {
      const seconds = frames.map((count) => Number(((count * 1001) / 30_000).toFixed(5)))
      const mpd = made([
        period({ videos: [{ ...quality, track: track({ timescale: 30_000, seconds }) }], audio: null }),
      ])
      const ticks = [...mpd.matchAll(/<S(?: t="\d+")? d="(\d+)"(?: r="(\d+)")?\/>/g)].reduce(
        (sum, [, d, r]) => sum + Number(d) * (1 + Number(r ?? 0)),
        0,
      )
      const wanted = seconds.reduce((sum, one) => sum + one, 0) * 30_000
      assert.ok(Math.abs(ticks - wanted) <= 1)
    }),
  )
})

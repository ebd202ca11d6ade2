import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { balancedPresentation, enteredPresentation, queriedPresentation } from './balanced-presentation.ts'
import { type PresentedText, type PresentedVideo, mediaPresentation } from './media-presentation.ts'

const named = (seconds: readonly number[], from = 0) =>
  seconds.map((one, index) => ({ name: `s${String(from + index).padStart(5, '0')}.m4s`, seconds: one }))
const small: PresentedVideo = {
  part: '360p-1',
  codecs: 'avc1.64001e',
  peakBitrate: 900_000,
  timescale: 30_000,
  segments: named([4.004, 4.004, 2.002]),
  width: 640,
  height: 360,
  fps: 30_000 / 1001,
}
const large = { ...small, part: '720p-2', codecs: 'avc1.64001f', peakBitrate: 2_900_000, width: 1280, height: 720 }
const audio = {
  part: 'audio-1',
  codecs: 'mp4a.40.2',
  peakBitrate: 130_000,
  timescale: 48_000,
  segments: named([4.010667, 3.989333, 2.0]),
}
const german: PresentedText = {
  uri: 'text-1/text.vtt',
  language: 'de',
  label: 'Deutsch',
  kind: 'subtitles',
  isDefault: true,
  bytes: 500,
}
const made = (of: Partial<Parameters<typeof mediaPresentation>[0]> = {}): string => {
  const text = mediaPresentation({ videos: [small, large], audio, texts: [german], ...of })
  assert.ok(text !== null)
  return text
}
/** What players count: when each segment of a representation begins and how long it is, in ticks. */
const segmentsIn = (mpd: string, part: string) => {
  const [, body = ''] = new RegExp(`<Representation id="${part}"[^]*?<SegmentTimeline>([^]*?)</SegmentTimeline>`).exec(
    mpd,
  ) ?? ['']
  return [...body.matchAll(/<S(?: t="(\d+)")? d="(\d+)"(?: r="(\d+)")?\/>/g)].flatMap(([, , d, r]) =>
    Array.from({ length: 1 + Number(r ?? 0) }, () => Number(d)),
  )
}

test('each quality is told with its clock, its files by number, and durations as they are in the files', () => {
  const mpd = made()
  assert.match(
    mpd,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" /,
  )
  // As long as the longest of them; any segment comes in the time of one.
  assert.match(mpd, / mediaPresentationDuration="PT10\.010S" minBufferTime="PT4\.011S">/)
  assert.match(
    mpd,
    /<Representation id="360p-1" codecs="avc1\.64001e" bandwidth="900000" width="640" height="360" frameRate="30000\/1001" sar="1:1">/,
  )
  assert.match(
    mpd,
    /<SegmentTemplate timescale="30000" initialization="720p-2\/init\.mp4" media="720p-2\/s\$Number%05d\$\.m4s" startNumber="0">/,
  )
  assert.deepEqual(segmentsIn(mpd, '360p-1'), [120_120, 120_120, 60_060])
  assert.deepEqual(segmentsIn(mpd, 'audio-1'), [192_512, 191_488, 96_000])
  assert.match(mpd, /contentType="audio" mimeType="audio\/mp4"/)
  assert.match(mpd, /contentType="video" mimeType="video\/mp4" segmentAlignment="true" startWithSAP="1"/)
})

test('captions say their language, name and kind, and lie in one file', () => {
  const mpd = made({
    texts: [
      german,
      { ...german, uri: 'text-2/text.vtt', language: 'en', label: 'A & B', kind: 'captions', isDefault: false },
      { ...german, uri: 'text-3/text.vtt', kind: 'forced', isDefault: false },
    ],
  })
  const sets = [...mpd.matchAll(/<AdaptationSet id="\d" contentType="text"[^]*?<\/AdaptationSet>/g)].map(([set]) => set)
  assert.deepEqual(
    sets.map((set) => [
      / lang="([^"]*)"/.exec(set)?.[1],
      /<Label>(.*)<\/Label>/.exec(set)?.[1],
      [...set.matchAll(/<Role [^>]*value="([^"]*)"/g)].map(([, value]) => value).join(' '),
      /<BaseURL>(.*)<\/BaseURL>/.exec(set)?.[1],
    ]),
    [
      ['de', 'Deutsch', 'subtitle main', 'text-1/text.vtt'],
      ['en', 'A &#38; B', 'caption', 'text-2/text.vtt'],
      ['de', 'Deutsch', 'forced-subtitle', 'text-3/text.vtt'],
    ],
  )
})

test('rates of frames are whole, or fractions', () => {
  for (const [fps, said] of [
    [25, '25'],
    [29.97, '30000/1001'],
    [60_000 / 1001, '60000/1001'],
    [23.976, '24000/1001'],
    [12.5, '12500/1000'],
  ] as const)
    assert.match(made({ videos: [{ ...small, fps }] }), new RegExp(` frameRate="${said}" `), `${fps}`)
})

test('qualities whose segments begin at other times are not said to be aligned', () => {
  const odd = { ...large, segments: named([4, 4.008, 2.002]) }
  assert.match(made({ videos: [small, odd] }), /contentType="video" mimeType="video\/mp4" segmentAlignment="false"/)
})

test('what DASH cannot say is no presentation: no picture, gaps between numbers, picture and sound in one file', () => {
  const none = (videos: PresentedVideo[]) => mediaPresentation({ videos, audio, texts: [] })
  assert.equal(none([]), null)
  for (const names of [['s00000.m4s', 's00002.m4s'], ['r1s1.m4s'], ['s00000.m4s', 'x00001.m4s'], ['../00000.m4s'], []])
    assert.equal(none([{ ...small, segments: names.map((name) => ({ name, seconds: 4 })) }]), null, names.join())
  assert.equal(none([{ ...small, codecs: 'avc1.64001e,mp4a.40.2' }]), null)
})

test('whatever playlists say, no tick is lost or added, and names go on', () => {
  const timescale = fc.constantFrom(12_800, 30_000, 48_000, 90_000, 600_000)
  const ticks = fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(timescale, ticks, fc.integer({ min: 0, max: 99_990 }), (scale, all, from) => {
      // As ffmpeg writes them: a millionth of a second.
      const seconds = all.map((one) => Number((one / scale).toFixed(6)))
      const mpd = made({ videos: [{ ...small, timescale: scale, segments: named(seconds, from) }], audio: null })
      assert.deepEqual(segmentsIn(mpd, '360p-1'), all)
      assert.match(mpd, new RegExp(` startNumber="${from}">`))
    }),
  )
})

test('no name of a caption gets out of its place', () => {
  const count = (mpd: string) => mpd.split('<').length
  const plain = count(made())
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (label) => {
      const mpd = made({ texts: [{ ...german, label, language: label }] })
      assert.equal(count(mpd), plain)
      assert.ok(
        mpd.isWellFormed() && [...mpd].every((one) => one >= ' ' || one === '\n' || one === '\t' || one === '\r'),
      )
    }),
  )
})

const serverUri = 'https://collector.example/steer/1?p=edge,cdn.other.example&port=8081'
const pathways = [
  { id: 'edge', host: 'k.stream.localhost', weight: 20 },
  { id: 'cdn.other.example', host: 'cdn.other.example', weight: 80 },
]

test('a balanced presentation names each CDN, begins with the heaviest, and says where players ask', () => {
  const mpd = made()
  const balanced = balancedPresentation(mpd, { pathways, serverUri, folder: '/f/', scheme: 'http:', port: ':8081' })
  const head = `  <BaseURL serviceLocation="edge">http://k.stream.localhost:8081/f/</BaseURL>
  <BaseURL serviceLocation="cdn.other.example">http://cdn.other.example:8081/f/</BaseURL>
  <ContentSteering defaultServiceLocation="cdn.other.example" queryBeforeStart="false">https://collector.example/steer/1?p=edge,cdn.other.example&#38;port=8081</ContentSteering>
`
  assert.ok(balanced.includes(`>\n${head}  <Period `))
  assert.equal(balanced.replace(head, ''), mpd)
})

test('with signed addresses it stays relative, and names where it came from as what others are copies of', () => {
  const mpd = made()
  const entered = enteredPresentation(mpd, serverUri)
  const head = /  <BaseURL serviceLocation="\.">\.\/<\/BaseURL>\n  <ContentSteering defaultServiceLocation="\." .*\n/
  assert.match(entered, head)
  assert.equal(entered.replace(head, ''), mpd)
  assert.ok(!entered.includes('localhost'))
})

test('behind a CDN that reads the query, every set of files takes it along', () => {
  const queried = queriedPresentation(made())
  assert.equal(queried.match(/<AdaptationSet /g)?.length, 3)
  assert.equal(queried.match(/<UrlQueryInfo [^>]*queryTemplate="\$querypart\$" useMPDUrlQuery="true"\/>/g)?.length, 3)
})

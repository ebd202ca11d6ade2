import { STEREO, duration, frameRate, timeline } from './media-presentation.ts'

/** Segments of one track in a row: `v` or `a` before their number, as the origin gives the tracks of a segment apart. */
export type LiveTrack = {
  part: string
  /** Ticks a second, and that of the first segment. */ timescale: number
  from: number
  number: number
  /** Of each segment. */ seconds: readonly number[]
}
/** One quality, as the main playlist says it. */
export type LiveQuality = { width: number; height: number; fps: number; codecs: string; peakBitrate: number }
/** What an encoder sent without a break; `startMs` is when its clock was at 0, ms since 1970. */
export type LivePeriod = {
  session: number
  startMs: number
  videos: readonly (LiveQuality & { track: LiveTrack })[]
  audio: LiveTrack | null
}

const AUDIO_PEAK = 160_000
/** Segments between what comes in and what is played. */
const BEHIND = 3

/**
 * A Media Presentation Description of a live stream (ISO/IEC 23009-1), as it is at `nowMs`: one period for each time
 * that an encoder began, by the time of day, so that nothing moves when it is written again. One that has ended is
 * static, with the same times.
 */
export function livePresentation(of: {
  periods: readonly LivePeriod[]
  targetSeconds: number
  hasEnded: boolean
  nowMs: number
}): string | null {
  const periods = of.periods.filter(({ videos }) => videos.length > 0)
  const [first, last] = [periods[0], periods.at(-1)]
  if (!first || !last) return null
  const window = endOf(last) - beginOf(first)
  const target = duration(of.targetSeconds)
  const kind = of.hasEnded
    ? `type="static" mediaPresentationDuration="${duration(endOf(last))}"`
    : `type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z" publishTime="${iso(endOf(last) * 1000)}" minimumUpdatePeriod="${target}" timeShiftBufferDepth="${duration(window)}" suggestedPresentationDelay="${duration(of.targetSeconds * BEHIND)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${kind} profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="${target}">`,
    ...periods.flatMap((period) => [
      `  <Period id="s${period.session}" start="${duration(period.startMs / 1000)}"${period === last && !of.hasEnded ? '' : ` duration="${duration(endOf(period) - period.startMs / 1000)}"`}>`,
      '    <AdaptationSet id="1" contentType="video" mimeType="video/mp4" segmentAlignment="true" startWithSAP="1">',
      ...period.videos.flatMap(({ track, width, height, fps, codecs, peakBitrate }) => [
        `      <Representation id="${track.part}" codecs="${codecs}" bandwidth="${peakBitrate}" width="${width}" height="${height}" frameRate="${frameRate(fps)}" sar="1:1">`,
        ...template(track, 'v'),
      ]),
      '    </AdaptationSet>',
      ...(period.audio === null
        ? []
        : [
            '    <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1">',
            `      <Representation id="audio-${period.session}" codecs="mp4a.40.2" bandwidth="${AUDIO_PEAK}" audioSamplingRate="${period.audio.timescale}">`,
            ...STEREO,
            ...template(period.audio, 'a'),
            '    </AdaptationSet>',
          ]),
      '  </Period>',
    ]),
    ...(of.hasEnded ? [] : [`  <UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="${iso(of.nowMs)}"/>`]),
    '</MPD>',
    '',
  ].join('\n')
}

function template({ part, timescale, from, number, seconds }: LiveTrack, letter: 'v' | 'a'): string[] {
  // Ends are rounded and not lengths, so that hours of segments do not drift.
  let [at, begin] = [0, from]
  const ticks = seconds.map((one) => {
    at += one
    const end = from + Math.round(at * timescale)
    const length = Math.max(1, end - begin)
    begin = end
    return length
  })
  return [
    `        <SegmentTemplate timescale="${timescale}" initialization="${part}/init${letter}.mp4" media="${part}/${letter}$Number%07d$.m4s" startNumber="${number}">`,
    '          <SegmentTimeline>',
    ...timeline(ticks, from).map((line) => `            ${line}`),
    '          </SegmentTimeline>',
    '        </SegmentTemplate>',
    '      </Representation>',
  ]
}

/** Seconds since 1970. */
const beginOf = ({ startMs, videos }: LivePeriod): number =>
  startMs / 1000 + Math.min(...videos.map(({ track }) => track.from / track.timescale))
const endOf = ({ startMs, videos }: LivePeriod): number =>
  startMs / 1000 +
  Math.max(
    ...videos.map(({ track }) => track.from / track.timescale + track.seconds.reduce((sum, one) => sum + one, 0)),
  )
const iso = (ms: number): string => new Date(ms).toISOString()

import type { TextTrack } from './ladder.ts'

/** One quality, or the sound: what its media playlist says, and the clock of its initialization segment. */
export type PresentedTrack = {
  /** Folder with `init.mp4` and the segments, below that of the presentation. */ part: string
  codecs: string
  /** Bit/s that its segments never exceed. */ peakBitrate: number
  /** Ticks a second. */ timescale: number
  segments: readonly { name: string; seconds: number }[]
}
export type PresentedVideo = PresentedTrack & { width: number; height: number; fps: number }
/** Captions as one WebVTT file for the whole of the film; `uri` is that file. */
export type PresentedText = TextTrack & { bytes: number }

const NAME = /^([a-z]{1,10})(\d{5,9})\.m4s$/

/**
 * A static Media Presentation Description (ISO/IEC 23009-1) of the files that the playlists of a video name, with
 * relative addresses. Null where DASH cannot say it: without a picture, for segments that are not numbered one by one,
 * or that hold picture and sound together (two codecs), which players refuse.
 */
export function mediaPresentation(of: {
  videos: readonly PresentedVideo[]
  audio: PresentedTrack | null
  texts: readonly PresentedText[]
}): string | null {
  const tracks = [...of.videos, ...(of.audio === null ? [] : [of.audio])]
  const isAsked =
    of.videos.length > 0 && tracks.every((track) => !track.codecs.includes(',') && firstOf(track) !== null)
  if (!isAsked) return null
  const seconds = Math.max(...tracks.map((track) => sum(ticksOf(track)) / track.timescale))
  const longest = Math.max(...tracks.flatMap((track) => ticksOf(track).map((ticks) => ticks / track.timescale)))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011" mediaPresentationDuration="${duration(seconds)}" minBufferTime="${duration(longest)}">`,
    '  <Period id="1" start="PT0S">',
    `    <AdaptationSet id="1" contentType="video" mimeType="video/mp4" segmentAlignment="${areAligned(of.videos)}" startWithSAP="1">`,
    ...of.videos.flatMap((video) =>
      representation(
        video,
        ` width="${video.width}" height="${video.height}" frameRate="${frameRate(video.fps)}" sar="1:1"`,
      ),
    ),
    '    </AdaptationSet>',
    ...(of.audio === null
      ? []
      : [
          '    <AdaptationSet id="2" contentType="audio" mimeType="audio/mp4" segmentAlignment="true" startWithSAP="1">',
          ...representation(of.audio, ' audioSamplingRate="48000"', STEREO),
          '    </AdaptationSet>',
        ]),
    ...of.texts.flatMap((text, index) => textSet(text, 3 + index, seconds)),
    '  </Period>',
    '</MPD>',
    '',
  ].join('\n')
}

export const STEREO = [
  '        <AudioChannelConfiguration schemeIdUri="urn:mpeg:dash:23003:3:audio_channel_configuration:2011" value="2"/>',
]

function representation(track: PresentedTrack, more: string, inside: readonly string[] = []): string[] {
  const { part, codecs, peakBitrate, timescale } = track
  const { letters, digits, number } = firstOf(track) ?? { letters: '', digits: 5, number: 0 }
  const media = `${part}/${letters}$Number%0${digits}d$.m4s`
  return [
    `      <Representation id="${part}" codecs="${codecs}" bandwidth="${Math.max(1, Math.round(peakBitrate))}"${more}>`,
    ...inside,
    `        <SegmentTemplate timescale="${timescale}" initialization="${part}/init.mp4" media="${media}" startNumber="${number}">`,
    '          <SegmentTimeline>',
    ...timeline(ticksOf(track)).map((line) => `            ${line}`),
    '          </SegmentTimeline>',
    '        </SegmentTemplate>',
    '      </Representation>',
  ]
}

/** Of the first segment, where each of the others has the next number. */
function firstOf({ segments }: PresentedTrack): { letters: string; digits: number; number: number } | null {
  const [, letters = '', text = ''] = NAME.exec(segments[0]?.name ?? '') ?? []
  if (text === '') return null
  const [digits, number] = [text.length, Number(text)]
  const isNext = ({ name }: { name: string }, index: number) =>
    name === `${letters}${String(number + index).padStart(digits, '0')}.m4s`
  return segments.every(isNext) ? { letters, digits, number } : null
}

/** Playlists say a millionth of a second, so that ticks of a clock that is slower come out as they are in the file. */
const ticksOf = ({ segments, timescale }: PresentedTrack): number[] =>
  segments.map(({ seconds }) => Math.max(1, Math.round(seconds * timescale)))

/** Equal durations in a row are one line. */
export function timeline(ticks: readonly number[], from = 0): string[] {
  const runs: { ticks: number; count: number }[] = []
  for (const one of ticks) {
    const last = runs.at(-1)
    if (last?.ticks === one) last.count++
    else runs.push({ ticks: one, count: 1 })
  }
  return runs.map(
    ({ ticks: d, count }, index) =>
      `<S${index === 0 ? ` t="${from}"` : ''} d="${d}"${count > 1 ? ` r="${count - 1}"` : ''}/>`,
  )
}

/** Whether players may change between all of them at each segment. */
function areAligned(tracks: readonly PresentedTrack[]): boolean {
  const [first, ...others] = tracks.map((track) => ticksOf(track).map((ticks) => ticks / track.timescale))
  return others.every(
    (one) => one.length === first?.length && one.every((seconds, at) => Math.abs(seconds - (first[at] ?? 0)) < 0.001),
  )
}

const ROLES = { captions: 'caption', subtitles: 'subtitle', forced: 'forced-subtitle' } as const
const ROLE = 'urn:mpeg:dash:role:2011'

function textSet({ uri, language, label, kind, isDefault, bytes }: PresentedText, id: number, seconds: number) {
  const role = (value: string) => `      <Role schemeIdUri="${ROLE}" value="${value}"/>`
  return [
    `    <AdaptationSet id="${id}" contentType="text" mimeType="text/vtt" lang="${escaped(language)}">`,
    `      <Label>${escaped(label)}</Label>`,
    role(ROLES[kind]),
    ...(isDefault ? [role('main')] : []),
    `      <Representation id="text-${id}" bandwidth="${Math.max(1, Math.ceil((bytes * 8) / seconds))}">`,
    `        <BaseURL>${escaped(uri)}</BaseURL>`,
    '      </Representation>',
    '    </AdaptationSet>',
  ]
}

/** A fraction, since a rate of 30000/1001 is no number with an end. */
export function frameRate(fps: number): string {
  if (Math.abs(fps - Math.round(fps)) < 0.001) return `${Math.round(fps)}`
  const whole = Math.round(fps * 1.001)
  if (Math.abs((whole * 1000) / 1001 - fps) < 0.005) return `${whole * 1000}/1001`
  return `${Math.round(fps * 1000)}/1000`
}

export const duration = (seconds: number): string => `PT${(Math.ceil(seconds * 1000 - 1e-6) / 1000).toFixed(3)}S`
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/** What XML cannot hold is left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

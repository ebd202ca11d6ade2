import type { CaptionKind, VideoSource } from '@fairway/contract'

/** One quality to be made: even sizes, a cap in bit/s over a constant quality. */
export type Rung = { name: string; width: number; height: number; fps: number; maxBitrate: number }

/** Shorter side, and the cap at up to 30 frames a second. Constant quality stays below it where the picture allows. */
const RUNGS = [
  { short: 360, bitrate: 800_000 },
  { short: 480, bitrate: 1_400_000 },
  { short: 720, bitrate: 2_800_000 },
  { short: 1080, bitrate: 5_000_000 },
  { short: 1440, bitrate: 9_000_000 },
  { short: 2160, bitrate: 16_000_000 },
] as const
const MOST_FPS = 60
/** Motion above 30 frames a second costs about half as much again, not twice. */
const FAST = 1.5

/**
 * The qualities made of a video, cheapest first: never above the source, in its own shape, upright or lying. What is
 * smaller than every rung, or lies well above the highest that fits, is made in its own size, too.
 */
export function ladderOf(source: Pick<VideoSource, 'width' | 'height' | 'fps'>): Rung[] {
  const short = Math.min(source.width, source.height)
  const fps = Math.min(source.fps ?? 30, MOST_FPS)
  const factor = fps > 30 ? FAST : 1
  const sizes: { short: number; bitrate: number }[] = RUNGS.filter((rung) => rung.short <= short)
  const highest = sizes.at(-1)
  if (!highest) sizes.push({ short, bitrate: Math.max(150_000, Math.round((800_000 * short) / 360)) })
  else if (highest.short < 2160 && short / highest.short >= 1.2)
    sizes.push({ short, bitrate: Math.round(highest.bitrate * (short / highest.short) ** 1.5) })
  return sizes.map(({ short: side, bitrate }) => {
    const scale = side / short
    const [width, height] = [even(source.width * scale), even(source.height * scale)]
    return { name: `${Math.min(width, height)}p`, width, height, fps, maxBitrate: Math.round(bitrate * factor) }
  })
}

const even = (pixels: number): number => Math.max(2, Math.round(pixels / 2) * 2)

/** Work that a rendition is, in pixels; only compared with others of the same video. */
export const costOf = ({ width, height, fps }: Rung): number => width * height * fps

export type Variant = {
  uri: string
  width: number
  height: number
  fps: number
  codecs: string
  peakBitrate: number
  averageBitrate: number | null
}

/** Captions, by the playlist of their one file. */
export type TextTrack = { uri: string; language: string; label: string; kind: CaptionKind; isDefault: boolean }

/**
 * A multivariant playlist (RFC 8216 4.3.4). That of a file says where to start, since players begin at the end of a
 * playlist that still grows; a live one is begun there.
 */
export function masterPlaylist(
  variants: readonly Variant[],
  audioUri: string | null,
  isLive = false,
  texts: readonly TextTrack[] = [],
  chaptersUri: string | null = null,
): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  if (!isLive) lines.push('#EXT-X-START:TIME-OFFSET=0')
  if (chaptersUri !== null) lines.push(`#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",URI="${chaptersUri}"`)
  if (audioUri !== null)
    lines.push(`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="audio",DEFAULT=YES,AUTOSELECT=YES,URI="${audioUri}"`)
  lines.push(...texts.map(textTrack))
  for (const variant of variants) {
    const average = variant.averageBitrate === null ? '' : `,AVERAGE-BANDWIDTH=${variant.averageBitrate}`
    const audio = audioUri === null ? '' : ',AUDIO="audio"'
    const subtitles = texts.length === 0 ? '' : ',SUBTITLES="text"'
    lines.push(
      `#EXT-X-STREAM-INF:BANDWIDTH=${variant.peakBitrate}${average},RESOLUTION=${variant.width}x${variant.height},FRAME-RATE=${variant.fps.toFixed(3)},CODECS="${variant.codecs}"${audio}${subtitles}`,
      variant.uri,
    )
  }
  return `${lines.join('\n')}\n`
}

/** What says sounds, too, is told from what says words (RFC 8216 4.3.4.1). */
const HEARD =
  ',CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"'

const textTrack = ({ uri, language, label, kind, isDefault }: TextTrack): string =>
  `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="${label.replaceAll(/["\r\n]/g, '')}",LANGUAGE="${language}",DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES${kind === 'forced' ? ',FORCED=YES' : ''}${kind === 'captions' ? HEARD : ''},URI="${uri}"`

/** The media playlist of captions that are one file for the whole of the film. */
export const textPlaylist = (seconds: number, uri: string): string =>
  [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(seconds))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${seconds.toFixed(3)},`,
    uri,
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')

/** What every segment of captions says first: its times are those of the film (RFC 8216 3.5). */
export const timedText = (webvtt: string): string =>
  webvtt.replace(/^WEBVTT\n/, 'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n')

import fs from 'node:fs'
import path from 'node:path'
import type { VideoSource } from '@fairway/contract'
import { type Rung, imageFormat, spriteOf, tileAt } from '@fairway/domain'
import { type Kept, REST, forgetRest, join } from './kept.ts'
import { HOSTILE_INPUT, MediaFailure, hostilePicture, run, threads } from './run.ts'

export const SEGMENT_SECONDS = 4
const QUALITY = 23
const AUDIO_BITRATE = 128_000
/** Slowest that is waited for, as a multiple of the length; and what starting takes. */
const SLOWEST = 60
const LEAST_MS = 120_000
const PICTURE_MS = 20_000

/** One line of a command. */
const flags = (...words: string[]): string[] => words

export type Work = {
  file: string
  source: VideoSource
  folder: string
  signal: AbortSignal
  /** Share of it that is done, 0 to 1. */ progress: (share: number) => void
}

/** A quality in a folder of its own below the one that is worked in, and what an attempt before has left of it. */
export type Output = { rung: Rung; part: string; kept: Kept | null }

/**
 * Qualities as fMP4 HLS, all by one reading of the file; each begins where what was kept of it ends, with the very
 * pictures that would have followed. Their playlists grow while they are made.
 */
export async function encodeVideos({ outputs, ...work }: Work & { outputs: readonly Output[] }): Promise<void> {
  const missing = outputs.filter(({ kept }) => kept?.isWhole !== true)
  if (missing.length === 0) return
  const changed = new AbortController()
  const resumed = missing.flatMap(({ part, kept }) => (kept ? [{ folder: path.join(work.folder, part), kept }] : []))
  const joinAll = () => {
    if (!resumed.every(({ folder, kept }) => join(folder, kept))) changed.abort()
  }
  const from = Math.min(...missing.map(({ kept }) => kept?.seconds ?? 0))
  const ahead = Math.max(0, ...resumed.map(({ kept }) => kept.seconds))
  try {
    await encode(
      {
        ...work,
        signal: AbortSignal.any([work.signal, changed.signal]),
        progress: (share) => {
          try {
            joinAll()
          } catch {
            // A full disk is heard of at the end.
          }
          // ffmpeg counts from where the furthest of them begins.
          work.progress(Math.min(1, share + ahead / work.source.seconds))
        },
      },
      // Times are those of the file, and pictures before the first are there to be followed.
      from > 0 ? flags('-copyts', '-start_at_zero', '-noaccurate_seek', '-ss', Math.max(0, from - 1).toFixed(3)) : [],
      missing.flatMap(pictures),
    )
    joinAll()
  } catch (error) {
    if (!changed.signal.aborted || work.signal.aborted) throw error
  }
  for (const { folder } of resumed) forgetRest(folder)
  if (!changed.signal.aborted) return
  // ffmpeg is another one than it was: nothing of what it left fits.
  for (const { folder } of resumed) {
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { mode: 0o700 })
  }
  await encodeVideos({ ...work, outputs: missing.map((output) => ({ ...output, kept: null })) })
}

function pictures({ rung, part, kept }: Output): string[] {
  const { segments, seconds } = kept ?? { segments: 0, seconds: 0 }
  const first = Math.round(seconds * rung.fps)
  return [
    ...flags('-map', '0:V:0', '-an', '-sn', '-dn', '-threads', `${threads()}`),
    ...flags(
      '-vf',
      // Numbered from the beginning of the file, wherever reading begins.
      `fps=${rung.fps}:start_time=0,${first > 0 ? `trim=start_pts=${first},` : ''}scale=${rung.width}:${rung.height},setsar=1`,
    ),
    ...flags('-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p'),
    ...flags('-crf', `${QUALITY}`, '-maxrate', `${rung.maxBitrate}`, '-bufsize', `${rung.maxBitrate * 2}`),
    // A key frame wherever a segment begins, the same in every rendition. `t` counts from the first picture.
    ...flags('-sc_threshold', '0', '-force_key_frames'),
    first > 0
      ? `expr:gte(t+${(first / rung.fps + 1e-6).toFixed(9)},(n_forced+${segments})*${SEGMENT_SECONDS})`
      : `expr:gte(t,n_forced*${SEGMENT_SECONDS})`,
    ...(first > 0
      ? segmented(part, REST, ['-start_number', `${segments}`, '-hls_segment_options', 'movflags=+frag_discont'])
      : segmented(part)),
  ]
}

export async function encodeAudio({ part, ...work }: Work & { part: string }): Promise<void> {
  await encode(
    work,
    [],
    [
      ...flags('-map', '0:a:0', '-vn', '-sn', '-dn', '-threads', `${threads()}`),
      ...flags('-c:a', 'aac', '-b:a', `${AUDIO_BITRATE}`, '-ac', '2', '-ar', '48000'),
      ...segmented(part),
    ],
  )
}

/** How one output is written. */
const segmented = (
  part: string,
  { index, init }: { index: string; init: string } = { index: 'index.m3u8', init: 'init.mp4' },
  more: readonly string[] = [],
): string[] => [
  ...flags('-map_metadata', '-1', '-map_chapters', '-1', '-max_muxing_queue_size', '1024'),
  ...flags('-f', 'hls', '-hls_time', `${SEGMENT_SECONDS}`, '-hls_playlist_type', 'event', '-hls_list_size', '0'),
  ...flags('-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', init),
  ...flags('-hls_segment_filename', `${part}/s%05d.m4s`, '-hls_flags', 'independent_segments+temp_file'),
  ...more,
  `${part}/${index}`,
]

async function encode(
  { file, source, folder, signal, progress }: Work,
  from: readonly string[],
  outputs: readonly string[],
): Promise<void> {
  await run({
    program: 'ffmpeg',
    arguments: [
      ...flags('-v', 'error', '-nostdin', '-y', '-progress', 'pipe:1', ...from, ...HOSTILE_INPUT, '-i', file),
      ...outputs,
    ],
    folder,
    signal,
    withinMs: LEAST_MS + source.seconds * 1000 * SLOWEST,
    line: (line) => {
      const done = /^out_time_us=(\d+)$/.exec(line)?.[1]
      if (done !== undefined) progress(Math.min(1, Number(done) / 1e6 / source.seconds))
    },
  })
}

const POSTER = [
  ...flags('-frames:v', '1', '-vf', 'scale=w=1280:h=1280:force_original_aspect_ratio=decrease,format=yuvj420p'),
  ...flags('-map_metadata', '-1', '-q:v', '3', '-f', 'image2', '-update', '1', 'poster.jpg'),
]

/** A poster from a time of the film, in seconds; by itself from a tenth of the way in. */
export async function takePoster({
  file,
  source,
  folder,
  signal,
  at = null,
}: Pick<Work, 'file' | 'source' | 'folder' | 'signal'> & { at?: number | null }): Promise<void> {
  const seconds = (at ?? source.seconds / 10).toFixed(3)
  await run({
    program: 'ffmpeg',
    arguments: [
      ...flags('-v', 'error', '-nostdin', '-y', '-ss', seconds, ...HOSTILE_INPUT, '-i', file),
      ...flags('-map', '0:V:0', '-threads', `${threads()}`, ...POSTER),
    ],
    folder,
    signal,
    withinMs: LEAST_MS,
  })
}

/** A poster of a picture that somebody sent: drawn anew, so that nothing else of the file is passed on. */
export async function takePicture({
  picture,
  folder,
  signal,
}: Pick<Work, 'folder' | 'signal'> & { picture: Buffer }): Promise<void> {
  const format = imageFormat(picture)
  if (format === null) throw new MediaFailure('no picture')
  await run({
    program: 'ffmpeg',
    arguments: [
      ...flags('-v', 'error', '-y', ...hostilePicture(format), '-i', 'pipe:0', '-map', '0:v:0', '-an', ...POSTER),
    ],
    folder,
    signal,
    withinMs: PICTURE_MS,
    input: (to) => to.end(picture),
  })
}

/** So short that every frame may be decoded for its small pictures. */
const SHORT_SECONDS = 30

/** Small pictures in one file for scrubbing, and which part of it is which time (WebVTT). */
export async function takeSprite({ file, source, folder, signal }: Work): Promise<void> {
  const sprite = spriteOf(source)
  const { count, columns, width, height, everySeconds } = sprite
  await run({
    program: 'ffmpeg',
    arguments: [
      ...flags('-v', 'error', '-nostdin', '-y'),
      // Key frames alone are many times cheaper; in a short film they may be few.
      ...(source.seconds > SHORT_SECONDS ? flags('-skip_frame', 'nokey') : []),
      ...flags(...HOSTILE_INPUT, '-i', file, '-map', '0:V:0'),
      ...flags(
        '-vf',
        // Behind the last frame that was decoded the film goes on: its picture stands for the rest, not black.
        `fps=1/${everySeconds}:round=up,scale=${width}:${height},tpad=stop=${count}:stop_mode=clone,tile=${columns}x${Math.ceil(count / columns)}`,
        '-frames:v',
        '1',
        '-q:v',
        '5',
      ),
      ...flags('-threads', `${threads()}`, '-f', 'image2', '-update', '1', 'sprite.jpg'),
    ],
    folder,
    signal,
    withinMs: LEAST_MS + source.seconds * 1000,
  })
  const cues = Array.from({ length: count }, (_, index) => {
    const { x, y } = tileAt(sprite, index * everySeconds)
    return `${clock(index * everySeconds)} --> ${clock((index + 1) * everySeconds)}\nsprite.jpg#xywh=${x},${y},${width},${height}`
  })
  fs.writeFileSync(path.join(folder, 'sprite.vtt'), `WEBVTT\n\n${cues.join('\n\n')}\n`)
}

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23)

import type { Rung } from '@fairway/domain'
import type { Writable } from 'node:stream'
import { HOSTILE_PIPE, PIPED_MATROSKA, PIPED_MP4, PIPED_TS, run, threads } from '../ffmpeg/run.ts'

const QUALITY = 23
const AUDIO_BITRATE = 128_000
/** Segments that ffmpeg's own playlist holds: what is read from it in time is enough. */
const HELD_SEGMENTS = 20

/** What comes in by the pipe: what an encoder sends, as it comes; what is fetched comes in lumps, and is read in real time. */
export type LiveContainer = 'flv' | 'matroska' | 'mpegts' | 'mp4'
const INPUTS: Readonly<Record<LiveContainer, readonly string[]>> = {
  flv: ['-fflags', 'nobuffer', ...HOSTILE_PIPE],
  // `nobuffer` would throw away what is looked at first: the key frame that all else needs.
  matroska: PIPED_MATROSKA,
  mpegts: ['-re', ...PIPED_TS],
  mp4: ['-re', ...PIPED_MP4],
}

const flags = (...words: string[]): string[] => words

export type Transcoding = {
  folder: string
  container: LiveContainer
  /** Every session has folders of its own: what an edge has kept of one is never mixed with another. */
  session: number
  ladder: readonly Rung[]
  segmentSeconds: number
  /** What comes in is of the one quality already: it is cut, and not encoded again. */ isReady: boolean
  /** Takers of each quality's fragments, one frame each: with low latency segments are not ffmpeg's to make. */
  fragments: readonly ((chunk: Buffer) => void)[] | null
  signal: AbortSignal
  input: (to: Writable) => void
  /** Of the encoding; 1 is real time. */ speed: (speed: number) => void
}

export const partOf = ({ name }: Pick<Rung, 'name'>, session: number): string => `${name}-${session}`

const asSegments = (part: string, seconds: number): string[] => [
  ...flags('-f', 'hls', '-hls_time', `${seconds}`),
  ...flags('-hls_list_size', `${HELD_SEGMENTS}`, '-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', 'init.mp4'),
  ...flags('-hls_flags', 'independent_segments+temp_file'),
  ...flags('-hls_segment_filename', `${part}/s%07d.m4s`, `${part}/index.m3u8`),
]

/**
 * Sound that stops must not hold the picture back for ffmpeg's usual ten seconds. It may begin a second after it, which
 * is looked at first: with less time for that the muxer writes wrong times.
 */
const MOST_INTERLEAVED_US = 2_500_000
/** A fragment for each frame, by the shortest duration: `frag_every_frame` writes wrong times of sound (ffmpeg 5.1). */
const asFragments = (index: number): string[] => [
  ...flags('-f', 'mp4', '-movflags', '+empty_moov+default_base_moof+skip_trailer', '-frag_duration', '1'),
  ...flags('-flush_packets', '1', '-max_interleave_delta', `${MOST_INTERLEAVED_US}`, `pipe:${3 + index}`),
]

/** Encodes what comes in by the pipe in every quality side by side, until it ends. @throws MediaFailure */
export async function transcode(work: Transcoding): Promise<void> {
  const { ladder, folder, session, segmentSeconds, fragments, signal, input } = work
  const isLow = fragments !== null
  const fps = ladder[0]?.fps ?? 30
  const copies = ladder.map((_, index) => `[in${index}]`).join('')
  // An encoder that comes back with another size does not change the sizes of the stream.
  const sized = ladder.map(
    ({ width, height }, index) =>
      `[in${index}]scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,setsar=1[out${index}]`,
  )
  const every = Math.round(fps * segmentSeconds)
  const copied = ladder.flatMap((rung) => [
    ...flags('-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-c', 'copy'),
    ...asSegments(partOf(rung, session), segmentSeconds),
  ])
  const encoded = ladder.flatMap((rung, index) => [
    ...flags('-map', `[out${index}]`, '-map', '0:a:0?', '-map_metadata', '-1'),
    ...flags('-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p'),
    ...(isLow ? flags('-tune', 'zerolatency') : []),
    ...flags('-crf', `${QUALITY}`, '-maxrate', `${rung.maxBitrate}`, '-bufsize', `${rung.maxBitrate}`),
    ...flags('-g', `${every}`, '-keyint_min', `${every}`, '-sc_threshold', '0'),
    ...flags('-c:a', 'aac', '-b:a', `${AUDIO_BITRATE}`, '-ac', '2', '-ar', '48000', '-af', 'aresample=async=1'),
    ...flags('-threads', `${threads()}`),
    ...(isLow ? asFragments(index) : asSegments(partOf(rung, session), segmentSeconds)),
  ])
  await run({
    program: 'ffmpeg',
    arguments: [
      ...flags('-v', 'error', '-y', '-progress', 'pipe:1', '-analyzeduration', '1000000'),
      // Threads that each take a frame hold as many of them back.
      ...(isLow ? flags('-thread_type', 'slice') : []),
      ...flags(...INPUTS[work.container], '-i', 'pipe:0'),
      ...(work.isReady
        ? copied
        : [
            ...flags('-filter_complex', [`[0:v:0]fps=${fps},split=${ladder.length}${copies}`, ...sized].join(';')),
            ...encoded,
          ]),
    ],
    folder,
    signal,
    withinMs: null,
    input,
    outputs: fragments ?? [],
    line: (line) => {
      const speed = /^speed=\s*([\d.]+)x/.exec(line)?.[1]
      if (speed !== undefined) work.speed(Number(speed))
    },
  })
}

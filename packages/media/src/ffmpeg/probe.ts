import path from 'node:path'
import type { ErrorCode, VideoSource } from '@fairway/contract'
import { HOSTILE_INPUT, MediaFailure, run } from './run.ts'

const WITHIN_MS = 30_000
const MOST_STREAMS = 32
const MOST_PIXELS = 8192 * 4320
const MOST_SECONDS = 12 * 3600

/** A file that is not taken: the code, and why in words. */
export class Refused extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, why: string) {
    super(why)
    this.code = code
  }
}

type Stream = {
  codec_type?: string
  codec_name?: string
  width?: number
  height?: number
  avg_frame_rate?: string
  duration?: string
  disposition?: { attached_pic?: number }
  side_data_list?: { rotation?: number }[]
}

/**
 * What a file is. @throws Refused with 30010 when it cannot be read, 30011 when it is more than is worked on;
 * MediaFailure when it could not be looked at
 */
export async function probe(file: string, signal: AbortSignal): Promise<VideoSource> {
  const words = ['-v', 'error', ...HOSTILE_INPUT, '-show_format', '-show_streams', '-of', 'json', file]
  const text = await run({
    program: 'ffprobe',
    arguments: words,
    folder: path.dirname(file),
    signal,
    withinMs: WITHIN_MS,
    isSlowOurs: true,
  }).catch((error: unknown) => {
    if (error instanceof MediaFailure && !error.isOurs && !signal.aborted) throw new Refused(30010, error.said)
    throw error
  })
  // ffprobe's own output: its shape is known, every value in it is the file's.
  return sourceOf(JSON.parse(text) as { streams?: Stream[]; format?: { duration?: string } })
}

/** Exported for its test. */
export function sourceOf({
  streams = [],
  format = {},
}: {
  streams?: Stream[]
  format?: { duration?: string }
}): VideoSource {
  if (streams.length > MOST_STREAMS) throw new Refused(30011, `${streams.length} streams`)
  // A cover picture is a stream, too.
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1)
  const { width = 0, height = 0 } = video ?? {}
  const seconds = Number(format.duration ?? video?.duration)
  if (!video || width < 2 || height < 2) throw new Refused(30010, 'no video in it')
  if (!Number.isFinite(seconds) || seconds <= 0) throw new Refused(30010, 'no length')
  if (width * height > MOST_PIXELS) throw new Refused(30011, `${width}x${height}`)
  if (seconds > MOST_SECONDS) throw new Refused(30011, `${Math.round(seconds / 3600)} h`)
  const isTurned = Math.abs(video.side_data_list?.find(({ rotation }) => rotation)?.rotation ?? 0) % 180 === 90
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    fps: rateOf(video.avg_frame_rate),
    seconds,
    videoCodec: video.codec_name ?? 'unknown',
    audioCodec: streams.find((stream) => stream.codec_type === 'audio')?.codec_name ?? null,
  }
}

function rateOf(text = ''): number | null {
  const [above = 0, below = 1] = text.split('/').map(Number)
  const fps = above / below
  return Number.isFinite(fps) && fps >= 1 && fps <= 1000 ? fps : null
}

import fs from 'node:fs'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { LivePlaylist } from '@fairway/domain'
import { HOSTILE_INPUT, PIPED_MP4, PIPED_TS, run } from './run.ts'

const WITHIN_MS = 30 * 60_000
const flags = (...words: string[]): string[] => words

type Remux = {
  folder: string
  list: LivePlaylist
  signal: AbortSignal
  /** Where the file goes to. */ file: string
}

/**
 * One file of a recording's segments, encoded by nobody anew: each stretch between two breaks gets the time that follows
 * the one before it, so that what lies in between is cut out. @throws MediaFailure
 */
export async function remux({ folder, list, signal, file }: Remux): Promise<void> {
  const stretches: LivePlaylist['segments'][] = []
  for (const segment of list.segments) {
    if (segment.breaks || stretches.length === 0) stretches.push([])
    stretches.at(-1)?.push(segment)
  }
  const made: string[] = []
  try {
    let seconds = 0
    for (const [index, stretch] of stretches.entries()) {
      const name = `stretch${index}.ts`
      made.push(path.join(folder, name))
      const files = [stretch[0]?.map ?? '', ...stretch.map(({ uri }) => uri)].map((uri) => path.join(folder, uri))
      await run({
        program: 'ffmpeg',
        arguments: [
          ...flags('-v', 'error', '-y', ...PIPED_MP4, '-i', 'pipe:0', '-map', '0', '-c', 'copy'),
          ...flags('-output_ts_offset', seconds.toFixed(5), '-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts', name),
        ],
        folder,
        signal,
        withinMs: WITHIN_MS,
        input: feed(files),
      })
      seconds += stretch.reduce((sum, one) => sum + one.seconds, 0)
    }
    const whole = 'whole.mp4'
    await run({
      program: 'ffmpeg',
      arguments: [
        ...flags('-v', 'error', '-y', ...PIPED_TS, '-i', 'pipe:0', '-map', '0', '-c', 'copy', '-map_metadata', '-1'),
        ...flags('-movflags', '+faststart', '-f', 'mp4', whole),
      ],
      folder,
      signal,
      withinMs: WITHIN_MS,
      input: feed(made),
    })
    fs.renameSync(path.join(folder, whole), file)
  } finally {
    for (const one of made) fs.rmSync(one, { force: true })
  }
}

/** Files one after the other, no faster than they are read. */
const feed =
  (files: readonly string[]) =>
  (to: Writable): void => {
    const bytes = async function* () {
      for (const file of files) yield* fs.createReadStream(file)
    }
    // Who stopped reading says why by how it ended.
    pipeline(Readable.from(bytes()), to).catch(() => to.destroy())
  }

/**
 * One file of streams that lie in segments of their own, picture first, encoded by nobody anew. @throws MediaFailure
 */
export async function joinStreams({
  streams,
  folder,
  signal,
  file,
}: {
  /** For each, its initialization segment and what follows. */ streams: readonly (readonly string[])[]
  /** Empty, to work in. */ folder: string
  signal: AbortSignal
  file: string
}): Promise<void> {
  const names = streams.map((_, index) => `stream${index}.mp4`)
  for (const [index, files] of streams.entries()) {
    const to = fs.createWriteStream(path.join(folder, names[index] ?? ''))
    const bytes = async function* () {
      for (const one of files) yield* fs.createReadStream(one)
    }
    await pipeline(Readable.from(bytes()), to, { signal })
  }
  await run({
    program: 'ffmpeg',
    arguments: [
      ...flags('-v', 'error', '-nostdin', '-y'),
      ...names.flatMap((name) => [...HOSTILE_INPUT, '-i', name]),
      ...names.flatMap((_, index) => ['-map', `${index}:0`]),
      ...flags('-c', 'copy', '-map_metadata', '-1', '-movflags', '+faststart', '-f', 'mp4', 'whole.mp4'),
    ],
    folder,
    signal,
    withinMs: WITHIN_MS,
  })
  fs.renameSync(path.join(folder, 'whole.mp4'), file)
}

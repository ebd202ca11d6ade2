import fs from 'node:fs'
import path from 'node:path'
import {
  type LiveEdge,
  type LivePart,
  type LivePlaylist,
  type Rung,
  partFrames,
  trimmedParts,
  withSegment,
  writeLivePlaylist,
} from '@fairway/domain'
import { FragmentReader } from './fragments.ts'
import { Packager } from './packager.ts'
import type { Tail } from './tail.ts'
import { partOf } from './transcode.ts'

/** Replaced by one rename: nobody reads half of it. */
export function writeWhole(file: string, content: string | Buffer): void {
  fs.writeFileSync(`${file}.new`, content)
  fs.renameSync(`${file}.new`, file)
}

export const segmentName = (number: number): string => `s${String(number).padStart(7, '0')}.m4s`
const partName = (number: number, index: number): string => `s${String(number).padStart(7, '0')}p${index}.m4s`

type Place = {
  folder: string
  session: number
  rung: Rung
  segmentSeconds: number
  /** It may be changed meanwhile. */ windowSeconds: () => number
  tail: Tail
  list: LivePlaylist
  /** When the session began on the clock, ms: the first quality to know says so for all. */
  began: (at: number) => number
  finished: (list: LivePlaylist, segment: { name: string; seconds: number; at: number }) => void
}

/** One quality of a session with low latency: fragments become parts, parts become segments, both are told at once. */
export function startParted(place: Place): Packager {
  const { folder, session, rung, tail } = place
  const part = partOf(rung, session)
  const frames = partFrames(rung.fps, place.segmentSeconds)
  const map = `${part}/init.mp4`
  let { list } = place
  const before = list.segments.at(-1)
  const least = before === undefined ? 0 : before.at + before.seconds * 1000
  let finished: LiveEdge['finished'] = []
  let parts: LivePart[] = []
  // No clock that is set back makes a time that was before.
  const timeOf = (part: { at: number; seconds: number }): number =>
    Math.max(least, place.began(Date.now() - part.seconds * 1000)) + part.at * 1000
  let openAt = 0
  const tell = (number: number) => {
    if (list.segments.length === 0) return
    const open = { map, at: openAt, breaks: number === 0 && before !== undefined, parts: [...parts] }
    const edge: LiveEdge = {
      partSeconds: frames.perPart / rung.fps,
      partCount: Math.ceil(frames.perSegment / frames.perPart),
      finished,
      open,
      hint: `${part}/${partName(number, parts.length)}`,
    }
    tail.move(rung.name, { list, edge })
  }
  return new Packager(
    { fps: rung.fps, frames },
    {
      init: (bytes) => writeWhole(path.join(folder, map), bytes),
      part: ({ segment, index, bytes, seconds, isIndependent, isLast, at }) => {
        const uri = `${part}/${partName(segment, index)}`
        writeWhole(path.join(folder, uri), bytes)
        if (index === 0) openAt = timeOf({ at, seconds })
        parts.push({ uri, seconds, isIndependent })
        // Behind the last one comes another segment: what is told then names the right part to come.
        if (!isLast) tell(segment)
      },
      segment: ({ number, bytes, seconds }) => {
        const name = segmentName(number)
        writeWhole(path.join(folder, part, name), bytes)
        const breaks = number === 0 && before !== undefined
        list = withSegment(list, { uri: `${part}/${name}`, map, seconds, at: openAt, breaks }, place.windowSeconds())
        finished = trimmedParts([...finished, parts], list)
        parts = []
        place.finished(list, { name, seconds, at: openAt })
        tell(number + 1)
      },
    },
  )
}

/**
 * A segment whose parts were told of when the process before this one died: viewers who have some of it find the same
 * under its number. Null when there is none.
 */
export function withHalfSegment(folder: string, rung: Rung, list: LivePlaylist, window: number): LivePlaylist | null {
  const last = list.segments.at(-1)
  if (list.hasEnded || last === undefined) return null
  const sessions = fs
    .readdirSync(folder)
    .flatMap((name) => (name.startsWith(`${rung.name}-`) ? [Number(name.slice(rung.name.length + 1))] : []))
    .filter(Number.isSafeInteger)
  const part = partOf(rung, Math.max(...sessions, 0))
  const names = fs.existsSync(path.join(folder, part)) ? fs.readdirSync(path.join(folder, part)) : []
  const number = Math.max(-1, ...names.map((name) => Number(/^s(\d+)p0\.m4s$/.exec(name)?.[1] ?? -1)))
  const name = segmentName(number)
  const map = `${part}/init.mp4`
  if (number < 0 || list.segments.some(({ uri }) => uri === `${part}/${name}`) || !names.includes('init.mp4'))
    return null
  const pieces: Buffer[] = []
  while (names.includes(partName(number, pieces.length)))
    pieces.push(fs.readFileSync(path.join(folder, part, partName(number, pieces.length))))
  const bytes = Buffer.concat(pieces)
  const seconds = videoSeconds(fs.readFileSync(path.join(folder, map)), bytes)
  if (!(seconds > 0)) return null
  writeWhole(path.join(folder, part, name), bytes)
  const breaks = last.map !== map
  const segment = { uri: `${part}/${name}`, map, seconds, at: last.at + last.seconds * 1000, breaks }
  const made = withSegment(list, segment, window)
  writeWhole(path.join(folder, `${rung.name}.m3u8`), writeLivePlaylist(made))
  return made
}

function videoSeconds(init: Buffer, bytes: Buffer): number {
  let [video, scale, ticks] = [0, 1, 0]
  const reader = new FragmentReader({
    init: (_, tracks) => {
      for (const { id, isVideo, timescale } of tracks) if (isVideo) [video, scale] = [id, timescale]
    },
    samples: (samples) => {
      for (const { track, duration } of samples) if (track === video) ticks += duration
    },
  })
  try {
    reader.push(init)
    reader.push(bytes)
  } catch {
    return 0
  }
  return ticks / scale
}

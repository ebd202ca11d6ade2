import fs from 'node:fs'
import path from 'node:path'
import {
  type RecordedSegment,
  type Rung,
  readRecorded,
  recordedLine,
  recordedMap,
  recordedName,
  recordedPlaylists,
  writeLivePlaylist,
} from '@fairway/domain'
import { type Made, codecsOf } from '../ffmpeg/measure.ts'

/** Uploads stop at this much, too; a live stream goes on writing below it. */
const FREE_BYTES = 2 * 2 ** 30
/** The one file that is made of it in the end, beside the segments, and room to write that in. */
const FILE_FACTOR = 2
/** What ffmpeg may write into one file is bounded, and so is what one wants to wait for. */
const MOST_BYTES = 3 * 2 ** 30
const MOST_SECONDS = 4 * 3600

const JOURNAL = 'recorded.txt'
/** Folder of a quality, as the first attempt to encode it would have made. */
const partOf = (rung: string): string => `${rung}-1`

/** What became of it: qualities with what they are, best last, and how much of it there is. */
export type Sealed = { renditions: (Rung & { made: Made })[]; hasAudio: boolean; seconds: number; bytes: number }

/**
 * Segments of a broadcast that are kept when viewers cannot go back to them any more: links beside the live ones, in the
 * folder of the video to be, and a line for each. Whoever opens it again goes on where it stopped.
 */
export class Recording {
  readonly id: string
  readonly folder: string
  #segments: RecordedSegment[]
  /** Why nothing more is kept. */
  #end: '' | 'disk-full' | 'long' = ''

  constructor(id: string, folder: string) {
    this.id = id
    this.folder = folder
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const journal = path.join(folder, JOURNAL)
    const written = fs.existsSync(journal) ? readRecorded(fs.readFileSync(journal, 'utf8')) : []
    this.#segments = written.filter((segment) => {
      const file = path.join(folder, partOf(segment.rung), recordedName(segment))
      const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
      this.#count(segment.rung, size)
      return size > 0
    })
    // A line that was cut off must not become one with the next.
    if (written.length > 0) fs.writeFileSync(journal, this.#segments.map(recordedLine).join(''))
  }

  #bytes = new Map<string, number>()
  #count(rung: string, bytes: number): void {
    this.#bytes.set(rung, (this.#bytes.get(rung) ?? 0) + bytes)
  }

  get end(): '' | 'disk-full' | 'long' {
    return this.#end
  }

  /** Bytes of the best quality, and its seconds: what the video will be. */
  get size(): { seconds: number; bytes: number } {
    const bytes = Math.max(0, ...this.#bytes.values())
    const rung = [...this.#bytes].find(([, one]) => one === bytes)?.[0]
    const seconds = this.#segments.reduce((sum, one) => sum + (one.rung === rung ? one.seconds : 0), 0)
    return { seconds, bytes }
  }

  /** Keeps a segment that has been written whole. A disk that is full ends the recording, never the broadcast. */
  take(segment: RecordedSegment, { file, map }: { file: string; map: string }): void {
    if (this.#end !== '') return
    const { rung } = segment
    try {
      const { bavail, bsize } = fs.statfsSync(this.folder)
      const { seconds, bytes } = this.size
      if (bavail * bsize < FREE_BYTES + bytes * FILE_FACTOR) this.#end = 'disk-full'
      else if (bytes > MOST_BYTES || seconds > MOST_SECONDS) this.#end = 'long'
      if (this.#end !== '') return
      const part = path.join(this.folder, partOf(rung))
      fs.mkdirSync(part, { recursive: true, mode: 0o700 })
      link(map, path.join(part, recordedMap(segment.session)))
      const kept = path.join(part, recordedName(segment))
      link(file, kept)
      fs.appendFileSync(path.join(this.folder, JOURNAL), recordedLine(segment))
      this.#count(rung, fs.statSync(kept).size)
    } catch (error) {
      if (codeOf(error) !== 'ENOSPC' && codeOf(error) !== 'EDQUOT') throw error
      this.#end = 'disk-full'
      return
    }
    this.#segments.push(segment)
  }

  /** Its playlists, and what they hold; null when there is nothing. May be done again by whoever comes after. */
  seal(ladder: readonly Rung[]): Sealed | null {
    const lists = recordedPlaylists(this.#segments)
    const rungs = ladder.filter(({ name }) => lists.has(name))
    if (rungs.length === 0) return null
    let hasAudio = false
    const renditions = rungs.map((rung) => {
      const list = lists.get(rung.name)
      const folder = path.join(this.folder, partOf(rung.name))
      const sizes = (list?.segments ?? []).map(({ uri, seconds }) => ({
        bits: fs.statSync(path.join(folder, uri)).size * 8,
        seconds,
      }))
      const [bits, seconds] = [sum(sizes.map((one) => one.bits)), sum(sizes.map((one) => one.seconds))]
      const init = fs.readFileSync(path.join(folder, list?.segments[0]?.map ?? ''))
      hasAudio = init.includes('mp4a')
      if (list) fs.writeFileSync(path.join(folder, 'index.m3u8'), writeLivePlaylist(list))
      const made = {
        codecs: `${codecsOf(init)}${hasAudio ? ',mp4a.40.2' : ''}`,
        peakBitrate: Math.round(Math.max(...sizes.map((one) => one.bits / one.seconds))),
        averageBitrate: Math.round(bits / seconds),
      }
      return { rendition: { ...rung, made }, seconds, bytes: bits / 8 }
    })
    const best = renditions.at(-1)
    return {
      renditions: renditions.map(({ rendition }) => rendition),
      hasAudio,
      seconds: best?.seconds ?? 0,
      bytes: best?.bytes ?? 0,
    }
  }

  discard(): void {
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)

/** A second name for a file; one that has it already stays. */
function link(from: string, to: string): void {
  try {
    fs.linkSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

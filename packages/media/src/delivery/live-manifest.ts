import fs from 'node:fs'
import path from 'node:path'
import {
  type LivePeriod,
  type LiveQuality,
  type LiveSegment,
  type LiveTrack,
  livePresentation,
  readLivePlaylist,
} from '@fairway/domain'
import { beginApart, initApart, segmentApart } from '../live/fragments.ts'
import type { Tail } from '../live/tail.ts'

const VARIANT =
  /#EXT-X-STREAM-INF:BANDWIDTH=(\d+).*RESOLUTION=(\d+)x(\d+),FRAME-RATE=([\d.]+),CODECS="([^",]+)(,[^"]+)?".*\n(\w+)\.m3u8/g
const SEGMENT = /\/s(\d{7,9})\.m4s$/
/** `v` is the picture and `a` the sound of what HLS has in one file. */
const APART = /^(\w{1,20}-\d{1,8})\/(?:([va])(\d{7,9})\.m4s|init([va])\.mp4)$/

/** However many edges ask, hours of a window are read once a second. `doneAt`: null while it is made. */
const FOR_MS = 1_000
const MOST_ANSWERS = 1_000
type Answer = { doneAt: number | null; text: Promise<string | null> }
const answers = new Map<string, Answer>()
/** An encoder that fails all the time begins thousands of periods: players are told of the newest. */
const MOST_PERIODS = 200

/**
 * A live stream by DASH, from the playlists that stand there for HLS; null where there is none. Players of DASH take
 * picture and sound apart only, so each segment has an address for either. Up to a second old.
 */
export function liveManifest(folder: string, tail: Tail | undefined): Promise<string | null> {
  const known = answers.get(folder)
  if (known && (known.doneAt === null || performance.now() - known.doneAt < FOR_MS)) return known.text
  const answer: Answer = { doneAt: null, text: made(folder, tail, Date.now()) }
  const ended = () => void (answer.doneAt = performance.now())
  void answer.text.then(ended, ended)
  remember(answers, folder, answer, MOST_ANSWERS)
  return answer.text
}

async function made(folder: string, tail: Tail | undefined, nowMs: number): Promise<string | null> {
  const master = await read(path.join(folder, 'master.m3u8'))
  const periods = new Map<string, LivePeriod & { videos: (LiveQuality & { track: LiveTrack })[] }>()
  let [targetSeconds, hasEnded] = [0, true]
  for (const [, peak, width, height, fps, codecs = '', sound, rung = ''] of (master ?? '').matchAll(VARIANT)) {
    // A window of hours is not read again while it is in memory.
    const list = tail?.list(rung) ?? readLivePlaylist((await read(path.join(folder, `${rung}.m3u8`))) ?? '')
    if (!list) continue
    targetSeconds = Math.max(targetSeconds, list.targetSeconds)
    hasEnded &&= list.hasEnded
    const quality = {
      width: Number(width),
      height: Number(height),
      fps: Number(fps),
      codecs,
      peakBitrate: Number(peak),
    }
    for (const [map, segments] of [...Map.groupBy(list.segments, ({ map }) => map)].slice(-MOST_PERIODS)) {
      const begins = await beginsOf(folder, map, segments[0]?.uri ?? '')
      const part = map.slice(0, map.indexOf('/'))
      const session = part.slice(part.lastIndexOf('-') + 1)
      if (!begins?.video) continue
      const track = (segment: number, { timescale, at }: Begin): LiveTrack => ({
        part,
        timescale,
        from: at,
        number: Number(SEGMENT.exec(segments[segment]?.uri ?? '')?.[1]),
        seconds: segments.slice(segment).map((one) => one.seconds),
      })
      const known = periods.get(session)
      const period = known ?? {
        session: Number(session),
        startMs: startOf(
          path.join(folder, session),
          (segments[0]?.at ?? 0) - (begins.video.at * 1000) / begins.video.timescale,
        ),
        videos: [],
        // The sound of all qualities is the same.
        audio: sound === undefined ? null : await heard(folder, segments, track),
      }
      period.videos.push({ ...quality, track: track(0, begins.video) })
      periods.set(session, period)
    }
  }
  return livePresentation({ periods: [...periods.values()], targetSeconds, hasEnded, nowMs })
}

/** A file of one track of a live stream; null for another name, and for what is not there. */
export async function apartOf(folder: string, name: string): Promise<Buffer | null> {
  const [, part, letter, number, initLetter] = APART.exec(name) ?? []
  if (part === undefined) return null
  const init = await bytes(path.join(folder, part, 'init.mp4'))
  if (init === null) return null
  if (initLetter !== undefined) return initApart(init, initLetter === 'v')
  const segment = await bytes(path.join(folder, part, `s${number}.m4s`))
  return segment && segmentApart(init, segment, letter === 'v')
}

/** Sound may begin later than the picture: from the first segment that has some. */
async function heard(
  folder: string,
  segments: readonly LiveSegment[],
  track: (segment: number, begin: Begin) => LiveTrack,
): Promise<LiveTrack | null> {
  for (const [index, { map, uri }] of segments.slice(0, MOST_SILENT).entries()) {
    const begins = await beginsOf(folder, map, uri)
    if (begins?.audio) return track(index, begins.audio)
  }
  return null
}

type Begin = { timescale: number; at: number }
type Begins = { video: Begin | null; audio: Begin | null }
const MOST_SILENT = 10
/** More than all windows together name: what is read of a period once is not read again while it can be played. */
const MOST_KNOWN = 50_000
const begun = new Map<string, Begins>()
const starts = new Map<string, number>()

/** What a segment is called never holds anything else. */
async function beginsOf(folder: string, map: string, uri: string): Promise<Begins | null> {
  const file = path.join(folder, uri)
  const known = begun.get(file)
  if (known) {
    remember(begun, file, known, MOST_KNOWN)
    return known
  }
  const [init, segment] = await Promise.all([bytes(path.join(folder, map)), bytes(file)])
  if (init === null || segment === null) return null
  const found = { video: beginApart(init, segment, true), audio: beginApart(init, segment, false) }
  remember(begun, file, found, MOST_KNOWN)
  return found
}

/** Times in playlists are whole milliseconds: what was told of a period once is told again. */
function startOf(name: string, ms: number): number {
  const known = starts.get(name)
  // A clock that jumped is believed.
  const start = known !== undefined && Math.abs(known - ms) < 1_000 ? known : Math.round(ms)
  remember(starts, name, start, MOST_KNOWN)
  return start
}

function remember<T>(known: Map<string, T>, name: string, value: T, most: number): void {
  known.delete(name)
  known.set(name, value)
  for (const oldest of known.keys()) {
    if (known.size <= most) break
    known.delete(oldest)
  }
}

const read = (file: string): Promise<string | null> => fs.promises.readFile(file, 'utf8').catch(() => null)
const bytes = (file: string): Promise<Buffer | null> => fs.promises.readFile(file).catch(() => null)

import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { LIVE_PROBLEMS } from '@fairway/contract'
import {
  MOST_PLAYLIST_BYTES,
  type OriginProblem,
  type OriginSegment,
  bestVariant,
  newSegments,
  originUrl,
  readOriginPlaylist,
} from '@fairway/domain'
import { type OutgoingGate, OutgoingRefusal } from '@fairway/platform'
import { Refused, probe } from '../ffmpeg/probe.ts'
import { MediaFailure } from '../ffmpeg/run.ts'
import type { Feed, Pulled } from './broadcast.ts'

const PLAYLIST_MS = 10_000
const SEGMENT_MS = 30_000
const MOST_SEGMENT_BYTES = 32 * 2 ** 20
const MOST_MAP_BYTES = 2 ** 20
const MOST_REDIRECTS = 3
const LEAST_RELOAD_MS = 1_000
const ENDED_RELOAD_MS = 15_000
const RETRY_MS = 5_000
const TAKEN_AT_ONCE = 3
/** An origin that brings nothing new for three of its segments, and so long at least, is lost. */
const LEAST_SILENT_MS = 10_000
const TS_SYNC = 0x47

/** Why nothing comes from an origin: one of `LIVE_PROBLEMS`, or the words of the program that looked at it. */
class PullProblem extends Error {}

type PullPlace = {
  organizationId: string
  url: string
  gate: OutgoingGate
  /** Of the stream. */ folder: string
  /** Why it may not begin now; null when it may. */
  obstacle: () => (typeof LIVE_PROBLEMS)[number] | null
  /** A first segment may be fetched and looked at, until that is called; null while too many others are. */
  enter: () => Disposable | null
  /** Or why not now. */
  begin: (pulled: Pulled) => Promise<Feed | (typeof LIVE_PROBLEMS)[number]>
  problem: (problem: string) => void
}

/**
 * Fetches a live playlist from an origin that the owner named, and feeds its segments to the encoder: every address goes
 * through the gate, and what reads the bytes opens none. One segment at a time, as fast as it is encoded.
 */
export class Pull {
  readonly #place: PullPlace
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  readonly #stopped: Promise<void>
  #feed: Feed | null = null
  /** What was taken last. */
  #last: OriginSegment | null = null

  constructor(place: PullPlace) {
    this.#place = place
    this.#stopped = new Promise((resolve) =>
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const problem = await this.#follow().catch(problemOf)
      if (this.#stop.signal.aborted) return
      await this.#endFeed()
      this.#place.problem(problem)
      await this.#pause(RETRY_MS)
    }
  }

  /** As long as something comes. */
  async #follow(): Promise<string> {
    this.#checkObstacle()
    const url = await this.#mediaUrl()
    let newsAt = performance.now()
    let silentMs = LEAST_SILENT_MS
    for (;;) {
      this.#stop.signal.throwIfAborted()
      const found = await this.#playlist(url).catch((error: unknown) => {
        // One answer that does not come is no reason to begin anew.
        if (error instanceof PullProblem && error.message !== 'origin-silent') throw error
        if (performance.now() - newsAt > silentMs) throw error
        return null
      })
      if (found === null) {
        await this.#pause(LEAST_RELOAD_MS)
        continue
      }
      const { list } = found
      // A main playlist that names another one leads on without end.
      if (list.kind !== 'media') throw new PullProblem('origin-playlist')
      silentMs = Math.max(LEAST_SILENT_MS, list.targetSeconds * 3_000)
      const fresh = newSegments(list, this.#last?.number ?? null)
      for (const segment of fresh.slice(0, TAKEN_AT_ONCE)) {
        await this.#take(segment)
        newsAt = performance.now()
      }
      // They take as long as they last: what is new by then is another question.
      if (fresh.length > TAKEN_AT_ONCE) continue
      const isSilent = fresh.length === 0 && performance.now() - newsAt > silentMs
      if (isSilent || list.hasEnded) await this.#endFeed()
      if (isSilent && !list.hasEnded) this.#place.problem('origin-silent')
      await this.#pause(list.hasEnded ? ENDED_RELOAD_MS : Math.max(LEAST_RELOAD_MS, list.targetSeconds * 500))
    }
  }

  /** Of the best quality, when there are several. */
  async #mediaUrl(): Promise<string> {
    const { url, list } = await this.#playlist(this.#place.url)
    if (list.kind === 'media') return url
    const best = bestVariant(list.variants)
    if (!best) throw new PullProblem('origin-playlist')
    return best.url
  }

  async #playlist(from: string) {
    const { url, body } = await this.#get(from, MOST_PLAYLIST_BYTES, PLAYLIST_MS)
    const list = readOriginPlaylist(body.toString('utf8'), url)
    if (list.kind === 'refused') throw new PullProblem(list.problem)
    return { url, list }
  }

  /** Nothing is fetched for what could not go on air. */
  #checkObstacle(): void {
    const obstacle = this.#feed === null ? this.#place.obstacle() : null
    if (obstacle !== null) throw new PullProblem(obstacle)
  }

  /** Segments to begin with are held whole beside those of streams on air: a few at a time. */
  async #turn(): Promise<Disposable | null> {
    for (;;) {
      this.#stop.signal.throwIfAborted()
      this.#checkObstacle()
      const turn = this.#feed === null ? this.#place.enter() : null
      if (turn !== null || this.#feed !== null) return turn
      await this.#pause(LEAST_RELOAD_MS)
    }
  }

  async #take(segment: OriginSegment): Promise<void> {
    using turn = await this.#turn()
    const before = this.#last
    const body = await this.#piece(segment.url, MOST_SEGMENT_BYTES, SEGMENT_MS)
    this.#last = segment
    // One that is gone is left out: what comes next begins anew.
    if (body === null) return void (await this.#endFeed())
    const isSame = before?.mapUrl === segment.mapUrl && before.number + 1 === segment.number && !segment.breaks
    if (!isSame) await this.#endFeed()
    if (this.#feed && (await this.#write(this.#feed, body, segment.seconds))) return
    await this.#endFeed()
    const map = segment.mapUrl === null ? null : await this.#piece(segment.mapUrl, MOST_MAP_BYTES, PLAYLIST_MS)
    if (segment.mapUrl !== null && map === null) throw new PullProblem('origin-silent')
    if (map === null && body[0] !== TS_SYNC) throw new PullProblem('origin-playlist')
    const first = map === null ? body : Buffer.concat([map, body])
    const feed = await this.#place.begin(await this.#look(first, map === null ? 'mpegts' : 'mp4'))
    if (typeof feed === 'string') throw new PullProblem(feed)
    this.#feed = feed
    // It is on air, and is read in real time.
    turn?.[Symbol.dispose]()
    await this.#write(feed, first, segment.seconds)
  }

  /** As fast as it is encoded; who is to stop does not wait for that. */
  async #write(feed: Feed, bytes: Buffer, seconds: number): Promise<boolean> {
    return Promise.race([feed.write(bytes, seconds), this.#stopped.then(() => false)])
  }

  /** Null when it is not there, after two tries. */
  async #piece(url: string, mostBytes: number, withinMs: number): Promise<Buffer | null> {
    for (const isLast of [false, true]) {
      try {
        return (await this.#get(url, mostBytes, withinMs)).body
      } catch (error) {
        this.#stop.signal.throwIfAborted()
        if (!(error instanceof PullProblem) || error.message !== 'origin-silent') throw error
        if (!isLast) await this.#pause(LEAST_RELOAD_MS)
      }
    }
    return null
  }

  /** Size and rate of the picture, looked at in the cage that uploads are looked at in. */
  async #look(bytes: Buffer, container: Pulled['container']): Promise<Pulled> {
    const file = path.join(this.#place.folder, 'pulled.bin')
    fs.writeFileSync(file, bytes)
    try {
      const { width, height, fps, audioCodec } = await probe(file, this.#stop.signal)
      return { container, width, height, fps, hasAudio: audioCodec !== null }
    } catch (error) {
      if (error instanceof Refused || error instanceof MediaFailure)
        throw new PullProblem(error.message, { cause: error })
      throw error
    } finally {
      fs.rmSync(file, { force: true })
    }
  }

  /** Each redirect is a request of its own, so that its answer is read by where it came from. */
  async #get(from: string, mostBytes: number, timeoutMs: number): Promise<{ url: string; body: Buffer }> {
    const { gate, organizationId } = this.#place
    let url = from
    for (let hop = 0; ; hop++) {
      const answer = await gate
        .exchange(
          { organizationId, purpose: 'live-origin' },
          {
            url: new URL(url),
            timeoutMs,
            mostBytes,
            signal: this.#stop.signal,
            headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Fairway' },
          },
        )
        .catch((error: unknown) => {
          throw new PullProblem(problemOf(error), { cause: error })
        })
      const { location } = answer.headers
      if (answer.status < 301 || answer.status > 308 || answer.status === 304 || location === undefined) {
        if (answer.status !== 200) throw new PullProblem('origin-silent')
        return { url, body: answer.body }
      }
      const next = originUrl(location, url)
      if (next === null || hop >= MOST_REDIRECTS) throw new PullProblem('origin-playlist')
      url = next
    }
  }

  async #endFeed(): Promise<void> {
    const feed = this.#feed
    this.#feed = null
    if (feed) await Promise.race([feed.end(), this.#stopped])
  }

  async #pause(ms: number): Promise<void> {
    await setTimeout(ms, undefined, { signal: this.#stop.signal }).catch(() => {})
  }
}

const LARGE: OriginProblem = 'origin-large'

function problemOf(error: unknown): string {
  if (error instanceof PullProblem) return error.message
  if (error instanceof OutgoingRefusal) return error.reason === 'too-many' ? 'origin-silent' : 'origin-address'
  return error instanceof Error && error.message.startsWith('the answer is longer') ? LARGE : 'origin-silent'
}

import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { LiveInput } from '@fairway/contract'
import {
  GRACE_SECONDS,
  type LivePlaylist,
  type Rung,
  emptyLivePlaylist,
  isWaitedFor,
  liveLadder,
  masterPlaylist,
  readLivePlaylist,
  renewed,
  segmentSecondsOf,
  wholeEdge,
  withSegment,
  writeLivePlaylist,
} from '@fairway/domain'
import { codecsOf, segmentsOf } from '../ffmpeg/measure.ts'
import { MediaFailure, lastWords } from '../ffmpeg/run.ts'
import { type Said, type Wrapping, asFlv, saidIn, soundOf } from './flv.ts'
import { InputMeter } from './input-meter.ts'
import { asMatroska } from './matroska.ts'
import { type PictureCodec, pictureOf } from './rtmp/picture.ts'
import { Pace } from './pace.ts'
import { AUDIO, DATA, type Publisher, type Sink, VIDEO } from './rtmp/publisher.ts'
import type { Packager } from './packager.ts'
import { segmentName, startParted, withHalfSegment, writeWhole } from './parted.ts'
import type { Recording } from './recording.ts'
import type { LiveRow } from './store.ts'
import type { Tail } from './tail.ts'
import { type LiveContainer, partOf, transcode } from './transcode.ts'

const LOOK_MS = 100
/** Waited for when an encoder says nothing of its picture. */
const UNSAID: Said = { width: 1280, height: 720, fps: 30 }
/** Messages that are held until there is a picture to begin with. */
const MOST_EARLY = 500
const MOST_EARLY_BYTES = 16 << 20
const AUDIO_PEAK = 160_000
/** What each message counts for at least, so that those whose clock stands still are no faster than time either. */
const LEAST_FRAME_MS = 4
const LEAST_OTHER_MS = 2
/** What no playlist names any more is kept so long for who is in the middle of it. */
const KEPT_MS = 60_000

/** Who sends, as far as it matters here; with Opus, which FLV has not, all is given to ffmpeg as Matroska. */
export type Source = Pick<Publisher, 'close' | 'resume'> & { isOpus?: boolean }
/** What is known of what is fetched. */
export type Pulled = Said & { container: 'mpegts' | 'mp4'; hasAudio: boolean }
/** Where fetched bytes go to. False when nobody takes them any more. */
export type Feed = { write(bytes: Buffer, seconds: number): Promise<boolean>; end(): Promise<void> }

/** A test picture of ours: with key frames so far apart where it has the one quality already, else null. */
type Test = { readyKeySeconds: number | null }

type Session = {
  number: number
  publisher: Source
  container: LiveContainer
  /** Null for an encoder, which is measured. */ pulled: (Pulled & { bitrate: number | null }) | null
  stop: AbortController
  done: Promise<void>
  speed: number | null
  test: Test | null
}

/**
 * One stream: what an encoder sends becomes segments, and they become playlists with a window. The playlists on disk
 * are its memory, so that another process goes on where this one stopped.
 */
export class Broadcast {
  readonly folder: string
  #row: LiveRow
  #ladder: readonly Rung[]
  #lists = new Map<string, LivePlaylist>()
  #session: Session | null = null
  /** The session before, which is encoded to its end. */
  #ending: Promise<void> | null = null
  /** Counts who came to send: of those that wait for a session to end, only the last may. */
  #turn = 0
  #isOver = false
  #meter = new InputMeter()
  #said: Said | null = null
  #state: LiveInput['state'] | null = null
  #since = Date.now()
  #problem = ''
  #isPlayable = false
  #recording: Recording | null = null

  readonly #tail: Tail

  constructor(folder: string, row: LiveRow, tail: Tail) {
    this.folder = folder
    this.#row = row
    this.#tail = tail
    this.#ladder = row.renditions
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const rung of this.#ladder) {
      const file = path.join(folder, `${rung.name}.m3u8`)
      const list = fs.existsSync(file) ? readLivePlaylist(fs.readFileSync(file, 'utf8')) : null
      if (list) this.#lists.set(rung.name, withHalfSegment(folder, rung, list, row.rewind_seconds) ?? list)
    }
    this.#isPlayable = fs.existsSync(path.join(folder, 'master.m3u8'))
    if (row.input) {
      this.#state = row.input.state === 'live' ? 'lost' : row.input.state
      this.#since = row.input.state === 'live' ? Date.now() : Date.parse(row.input.since)
    }
  }

  get ladder(): readonly Rung[] {
    return this.#ladder
  }
  get organizationId(): string {
    return this.#row.organization_id
  }
  /** An encoder sends, or is about to, or has just been put aside. */
  get isTaken(): boolean {
    return this.#session !== null || this.#ending !== null
  }
  /** It was ended for good, and was not switched on since. */
  get isOver(): boolean {
    return this.#isOver
  }
  get isPlayable(): boolean {
    return this.#isPlayable
  }
  /** It is on air, or was a moment ago, and is wanted to be kept. */
  get isToBeRecorded(): boolean {
    return this.#row.is_on && this.#row.is_recorded && (this.#state === 'live' || this.#state === 'lost')
  }

  get recording(): Recording | null {
    return this.#recording
  }
  /** What is finished from now on goes there, too. */
  record(recording: Recording | null): void {
    this.#recording = recording
  }

  /** Nobody may send now, and why; who looks at the stream is told. */
  refuse(problem: string): void {
    if (this.#state === null) this.#become('ended')
    this.#problem = problem
  }

  /** Where what this encoder sends goes to, in a session of this number. One that still sends is put aside. */
  async begin(number: number, publisher: Source, test: Test | null = null): Promise<Sink> {
    const session = await this.#open(number, publisher, null, test)
    const pipe: { to: Writable | null; isFull: boolean } = { to: null, isFull: false }
    const early: { type: number; time: number; body: Buffer }[] = []
    let earlyBytes = 0
    let begun: { codec: PictureCodec; wrapping: Wrapping } | null = null
    const paces = { picture: new Pace(), sound: new Pace(Infinity), frames: new Pace(), others: new Pace() }
    const counted = { frames: 0, others: 0 }
    let isHeld = false
    const mayGoOn = () => {
      if (!isHeld && !pipe.isFull) publisher.resume()
    }
    /** Until the clock is where the encoder's is; false when there was no need. */
    const hold = (ms: number): boolean => {
      if (ms === 0 || isHeld) return isHeld
      isHeld = true
      setTimeout(() => {
        isHeld = false
        if (this.#session === session) mayGoOn()
      }, ms).unref()
      return true
    }
    const send = (bytes: Buffer): boolean => {
      if (bytes.length === 0 || pipe.to === null || pipe.to.writableEnded || pipe.to.destroyed) return true
      const hasRoom = pipe.to.write(bytes)
      if (!hasRoom && !pipe.isFull) {
        pipe.isFull = true
        pipe.to.once('drain', () => {
          pipe.isFull = false
          mayGoOn()
        })
      }
      return hasRoom
    }
    const start = (codec: PictureCodec) => {
      const isFlv = codec === 'avc1' && publisher.isOpus !== true
      const wrapping = isFlv ? asFlv() : asMatroska(this.#said ?? UNSAID)
      begun = { codec, wrapping }
      session.container = isFlv ? 'flv' : 'matroska'
      this.#renew()
      session.done = this.#encode(session, (to) => (pipe.to = to))
      for (const { type, time, body } of early.splice(0)) send(wrapping.take(type, time, body))
    }
    return {
      tag: (type, time, body) => {
        if (this.#session !== session) return true
        const now = performance.now()
        const picture = type === VIDEO ? pictureOf(body) : null
        const isFrame = picture?.kind === 'frame'
        const count = isFrame
          ? paces.frames.take((counted.frames += LEAST_FRAME_MS), now)
          : paces.others.take((counted.others += LEAST_OTHER_MS), now)
        const isMuch = hold(count)
        if (type === DATA) {
          this.#said ??= saidIn(body)
          return !isMuch
        }
        if (type === VIDEO && picture === null) {
          if (this.#problem === '') this.refuse('video-codec')
          return !isMuch
        }
        const sound = type === AUDIO ? soundOf(body) : null
        if (type === AUDIO && sound?.codec !== (publisher.isOpus === true ? 'opus' : 'aac')) {
          this.#problem ||= 'audio-codec'
          return !isMuch
        }
        if (picture?.kind === 'other') return !isMuch
        // Whose clock has jumped is put out, and comes back behind a discontinuity.
        const pace = isFrame ? paces.picture : sound?.isHeader === false ? paces.sound : null
        const isEarly = hold(pace?.take(time, now) ?? 0)
        this.#meter.note(type, time, body, Date.now())
        if (begun !== null) {
          if (picture && picture.codec !== begun.codec) throw new Error('its codec has changed')
          return send(begun.wrapping.take(type, time, body)) && !isEarly
        }
        early.push({ type, time, body })
        earlyBytes += body.length
        if (earlyBytes > MOST_EARLY_BYTES) throw new Error('too much before a picture begins')
        if (picture?.kind !== 'header') return early.length < MOST_EARLY
        start(picture.codec)
        return true
      },
      gone: () => {
        pipe.to?.end()
        if (begun === null && this.#session === session) this.#session = null
      },
    }
  }

  async #open(number: number, publisher: Source, pulled: Pulled | null, test: Test | null = null): Promise<Session> {
    const turn = ++this.#turn
    await this.#endSession()
    if (this.#isOver || turn !== this.#turn) throw new Error('another one sends by now, or nobody may')
    const session: Session = {
      number,
      publisher,
      container: pulled?.container ?? 'flv',
      pulled: pulled && { ...pulled, bitrate: null },
      stop: new AbortController(),
      done: Promise.resolve(),
      speed: null,
      test,
    }
    this.#session = session
    this.#meter = new InputMeter()
    this.#said = pulled
    this.#problem = ''
    return session
  }

  /** Where what is fetched goes to, in a session of this number. */
  async beginPulled(number: number, pulled: Pulled): Promise<Feed> {
    // Who fetches learns by what it writes that nobody takes it any more.
    const session = await this.#open(number, { close: () => {}, resume: () => {} }, pulled)
    this.#renew()
    const pipe: { to: Writable | null } = { to: null }
    session.done = this.#encode(session, (to) => (pipe.to = to))
    return {
      write: async (bytes, seconds) => {
        const { to } = pipe
        if (to === null || to.destroyed || to.writableEnded || this.#session !== session) return false
        if (session.pulled && seconds > 0) session.pulled.bitrate = Math.round((bytes.length * 8) / seconds)
        if (to.write(bytes)) return true
        // It is read in real time: no more is fetched than that.
        await Promise.race([once(to, 'drain').catch(() => {}), session.done.catch(() => {})])
        return this.#session === session
      },
      // What was written is encoded to its end.
      end: async () => {
        pipe.to?.end()
        await session.done.catch(() => {})
      },
    }
  }

  /** A new broadcast takes its sizes from what comes in; one that goes on keeps them. */
  #renew(): void {
    const target = this.#segmentSeconds()
    // The longest that a segment may be never changes in a playlist.
    const isOther = [...this.#lists.values()].some(({ targetSeconds }) => targetSeconds !== target)
    if (this.#state !== 'lost' || this.#lists.size === 0 || isOther) {
      const { width, height, fps } = this.#said ?? UNSAID
      this.#ladder = liveLadder({
        width: width ?? UNSAID.width ?? 0,
        height: height ?? UNSAID.height ?? 0,
        fps: fps ?? UNSAID.fps,
      })
      this.#lists = new Map(
        this.#ladder.map(({ name }) => {
          const old = this.#lists.get(name)
          return [name, old ? renewed(old, target) : emptyLivePlaylist(target)]
        }),
      )
      this.#tail.forget()
    }
    this.#become('live')
  }

  #segmentSeconds(): number {
    return segmentSecondsOf(this.#row.latency, this.#row.key_frame_seconds)
  }

  /** Segments begin with its key frames. */
  #isReady({ test }: Session): boolean {
    const seconds = test?.readyKeySeconds ?? null
    return seconds !== null && this.#ladder.length === 1 && this.#segmentSeconds() % seconds === 0
  }

  /** Until nothing comes any more. A disk that takes nothing ends this broadcast, and neither others nor the role. */
  async #encode(session: Session, input: (to: Writable) => void): Promise<void> {
    await this.#segments(session, input).catch((error: unknown) => {
      this.#problem ||= error instanceof Error ? lastWords(error.message, this.folder) : 'ended'
    })
    this.#tail.rest()
    if (this.#session === session) {
      this.#session = null
      session.publisher.close()
      this.#become('lost')
    }
  }

  async #segments(session: Session, input: (to: Writable) => void): Promise<void> {
    const { number, stop } = session
    for (const rung of this.#ladder)
      fs.mkdirSync(path.join(this.folder, partOf(rung, number)), { recursive: true, mode: 0o700 })
    const packagers = this.#row.latency === 'low' ? this.#packagers(number) : null
    const encoding = transcode({
      folder: this.folder,
      session: number,
      container: session.container,
      ladder: this.#ladder,
      segmentSeconds: this.#segmentSeconds(),
      isReady: packagers === null && this.#isReady(session),
      fragments: packagers && packagers.map((packager) => (chunk) => packager.push(chunk)),
      signal: stop.signal,
      input,
      speed: (speed) => (session.speed = speed),
    }).catch((error: unknown) => {
      if (!(error instanceof MediaFailure)) throw error
      if (!stop.signal.aborted) this.#problem = error.said
    })
    const taken = new Map<string, number>()
    const clock: { began: number | null } = { began: null }
    const over = new AbortController()
    void encoding.finally(() => over.abort()).catch(() => {})
    if (packagers !== null) {
      await encoding
      return this.#finishParts(packagers)
    }
    try {
      while (!over.signal.aborted) {
        this.#collect(number, taken, clock, this.#leastSegments())
        await wait(LOOK_MS)
      }
      await encoding
      this.#collect(number, taken, clock, 1)
    } finally {
      stop.abort()
      await encoding.catch(() => {})
    }
  }

  /** Of what has come the last part and segment are made; a full disk takes them, and no more. */
  #finishParts(packagers: readonly Packager[]): void {
    try {
      for (const packager of packagers) packager.finish()
    } catch (error) {
      this.#problem ||= error instanceof Error ? lastWords(error.message, this.folder) : 'ended'
    }
  }

  /** With low latency what is made is told of as it comes. */
  #packagers(number: number): Packager[] {
    const taken = new Set<string>()
    let began: number | null = null
    return this.#ladder.map((rung) =>
      startParted({
        folder: this.folder,
        session: number,
        rung,
        segmentSeconds: this.#segmentSeconds(),
        windowSeconds: () => this.#row.rewind_seconds,
        tail: this.#tail,
        list: this.#lists.get(rung.name) ?? emptyLivePlaylist(this.#segmentSeconds()),
        began: (at) => (began ??= at),
        finished: (list, { name, seconds, at }) => {
          this.#keep({ rung: rung.name, session: number, part: partOf(rung, number), name, seconds, at })
          this.#lists.set(rung.name, list)
          this.#write(`${rung.name}.m3u8`, writeLivePlaylist(list))
          taken.add(rung.name)
          if (taken.size === this.#ladder.length && !this.#isPlayable) this.#writeMaster(number)
        },
      }),
    )
  }

  /**
   * A player that began with one segment would have the next one as the first runs out: any delay would be seen, for as
   * long as it plays. Long segments are waited for by nobody, and a second one would only come late.
   */
  #leastSegments(): number {
    return isWaitedFor(this.#segmentSeconds()) ? 2 : 1
  }

  /**
   * Takes what ffmpeg has finished into the playlists. The first quality to begin says for all when that was. Viewers
   * are let in once each quality has `least` segments.
   */
  #collect(number: number, taken: Map<string, number>, clock: { began: number | null }, least: number): void {
    for (const rung of this.#ladder) {
      const part = partOf(rung, number)
      const own = path.join(this.folder, part, 'index.m3u8')
      const text = fs.existsSync(own) ? fs.readFileSync(own, 'utf8') : ''
      const begins = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1] ?? 0)
      const found = segmentsOf(text)
      const next = taken.get(rung.name) ?? 0
      let list = this.#lists.get(rung.name)
      if (!list || begins + found.length <= next) continue
      for (const [index, { name, seconds }] of found.entries()) {
        if (begins + index < next) continue
        const before = list.segments.at(-1)
        const breaks = begins + index === 0 && before !== undefined
        const end = before === undefined ? 0 : before.at + before.seconds * 1000
        const isFirst = breaks || before === undefined
        if (isFirst) clock.began ??= Date.now() - seconds * 1000
        list = withSegment(
          list,
          {
            uri: `${part}/${name}`,
            map: `${part}/init.mp4`,
            seconds,
            // No clock that is set back makes a time that was before.
            at: isFirst ? Math.max(end, clock.began ?? 0) : end,
            breaks,
          },
          this.#row.rewind_seconds,
        )
        this.#keep({
          rung: rung.name,
          session: number,
          part,
          name,
          seconds,
          at: list.segments.at(-1)?.at ?? Date.now(),
        })
      }
      taken.set(rung.name, begins + found.length)
      this.#lists.set(rung.name, list)
      this.#write(`${rung.name}.m3u8`, writeLivePlaylist(list))
      if (isWaitedFor(list.targetSeconds)) {
        const edge = wholeEdge(`${part}/init.mp4`, `${part}/${segmentName(begins + found.length)}`)
        this.#tail.move(rung.name, { list, edge })
      }
    }
    const isThere = ({ name }: Rung) => (this.#lists.get(name)?.segments.length ?? 0) >= least
    if (taken.size === this.#ladder.length && !this.#isPlayable && this.#ladder.every(isThere))
      this.#writeMaster(number)
  }

  #keep(of: { rung: string; session: number; part: string; name: string; seconds: number; at: number }): void {
    const { rung, session, part, name, seconds, at } = of
    const number = Number(/^s(\d+)\./.exec(name)?.[1])
    this.#recording?.take(
      { rung, session, number, seconds, at },
      { file: path.join(this.folder, part, name), map: path.join(this.folder, part, 'init.mp4') },
    )
  }

  #writeMaster(number: number): void {
    const variants = this.#ladder.map((rung) => {
      const init = fs.readFileSync(path.join(this.folder, partOf(rung, number), 'init.mp4'))
      return {
        uri: `${rung.name}.m3u8`,
        ...rung,
        codecs: `${codecsOf(init)}${init.includes('mp4a') ? ',mp4a.40.2' : ''}`,
        peakBitrate: rung.maxBitrate + AUDIO_PEAK,
        averageBitrate: null,
      }
    })
    this.#write('master.m3u8', masterPlaylist(variants, null, true))
    this.#isPlayable = true
  }

  #write(name: string, text: string): void {
    writeWhole(path.join(this.folder, name), text)
  }

  #become(state: LiveInput['state']): void {
    // A broadcast with other sizes has another main playlist.
    if (state === 'live' && this.#state !== 'lost') this.#isPlayable = false
    this.#state = state
    this.#since = Date.now()
  }

  /** Once a second: what stayed away has ended, and what nobody can ask for any more is removed. */
  look(now: number): void {
    if (this.#state === 'lost' && this.#session === null && now - this.#since > GRACE_SECONDS * 1000) this.#finish()
    if (now - this.#sweptAt > KEPT_MS / 2) this.#sweep(now)
  }

  #finish(): void {
    this.#become('ended')
    // What comes after is another broadcast, maybe of other sizes.
    this.#recording = null
    this.#tail.forget()
    for (const [name, list] of this.#lists) {
      const ended = { ...list, hasEnded: true }
      this.#lists.set(name, ended)
      this.#write(`${name}.m3u8`, writeLivePlaylist(ended))
    }
  }

  #sweptAt = 0
  #sweep(now: number): void {
    this.#sweptAt = now
    const named = new Set(
      [...this.#lists.values()].flatMap(({ segments }) => segments.flatMap(({ uri, map }) => [uri, map])),
    )
    for (const part of fs.readdirSync(this.folder)) {
      const number = Number(/^\w+-(\d+)$/.exec(part)?.[1] ?? Number.NaN)
      if (Number.isNaN(number)) continue
      const folder = path.join(this.folder, part)
      const left = fs.readdirSync(folder).filter((name) => {
        const file = path.join(folder, name)
        if (named.has(`${part}/${name}`) || number === this.#session?.number) {
          // Of the session of now, only segments that have left the window go.
          if (named.has(`${part}/${name}`) || !name.endsWith('.m4s')) return true
        }
        if (now - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < KEPT_MS) return true
        fs.rmSync(file, { force: true })
        return false
      })
      // That of the session of now is empty until the encoding begins.
      if (left.length === 0 && number !== this.#session?.number) fs.rmSync(folder, { recursive: true, force: true })
    }
  }

  async #endSession(): Promise<void> {
    const session = this.#session
    if (session) {
      this.#session = null
      session.publisher.close()
      session.stop.abort()
      this.#ending = session.done
        .catch(() => {})
        .then(() => {
          this.#ending = null
          this.#become('lost')
        })
    }
    await this.#ending
  }

  /** Who sends, or waits to, is cut off; `isOver` ends the stream for its viewers, too: nobody may send after that. */
  async end(isOver: boolean): Promise<void> {
    this.#isOver ||= isOver
    this.#turn++
    await this.#endSession()
    if (isOver && this.#isOver) this.#finishOnce()
  }
  #finishOnce(): void {
    if (this.#state !== null && this.#state !== 'ended') this.#finish()
  }

  /** Forgets the window of a broadcast that has ended, whose folder goes. False while there is another one. */
  empty(): boolean {
    if (this.isTaken || this.#state !== 'ended') return false
    this.#lists.clear()
    this.#isPlayable = false
    this.#tail.forget()
    return true
  }

  /** A test picture is over at once: nobody waits for it to come back. */
  async endTest(): Promise<void> {
    if (!this.#session?.test) return
    await this.#endSession()
    if (this.#session === null) this.#finishOnce()
  }

  /** What is wanted of it has changed. */
  update(row: LiveRow): void {
    // Read before a change that is known here, as by who asked to begin some seconds ago.
    if (row.revision < this.#row.revision) return
    // Switched on again, and not what was read before it was switched off.
    if (row.is_on && row.revision > this.#row.revision) this.#isOver = false
    const isOtherKey = row.key_hash !== this.#row.key_hash || row.origin_url !== this.#row.origin_url
    this.#row = row
    if (!isOtherKey) return
    this.#turn++
    void this.#endSession()
  }

  input(now: number): LiveInput | null {
    if (this.#state === null) return null
    const isLive = this.#state === 'live'
    const pulled = this.#session?.pulled ?? null
    const measured =
      pulled === null
        ? this.#meter.facts(now)
        : { ...pulled, keyFrameSeconds: null, droppedPercent: null, audioDriftMs: null }
    return {
      state: this.#state,
      since: new Date(this.#since).toISOString(),
      bitrate: isLive ? measured.bitrate : null,
      fps: isLive ? measured.fps : null,
      keyFrameSeconds: isLive ? measured.keyFrameSeconds : null,
      hasAudio: isLive ? measured.hasAudio : null,
      droppedPercent: isLive ? measured.droppedPercent : null,
      audioDriftMs: isLive ? measured.audioDriftMs : null,
      width: this.#said?.width ?? null,
      height: this.#said?.height ?? null,
      speed: isLive ? (this.#session?.speed ?? null) : null,
      problem: this.#problem,
      isTest: (this.#session?.test ?? null) !== null,
    }
  }
}

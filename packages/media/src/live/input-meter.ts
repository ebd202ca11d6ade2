import { pictureOf } from './rtmp/picture.ts'
import { AUDIO, VIDEO } from './rtmp/publisher.ts'

const WINDOW_MS = 5_000
const FORGET_MS = 500
/** Clocks drift apart slowly; a gap of sound is told of for so long. */
const DRIFT_WINDOW_MS = 300_000
const DRIFT_STEP_MS = 1_000
const LEAST_DRIFT_WINDOW_MS = 10_000
/** Fewer gaps between frames say nothing of what is usual. */
const LEAST_GAPS = 10

/** Measures what an encoder sends over the last seconds. */
export class InputMeter {
  #arrived: { at: number; bytes: number; isFrame: boolean; time: number }[] = []
  #keyAt: number | null = null
  #distance: number | null = null
  #hasAudio = false
  #since: number | null = null
  #frame: { samples: number; rate: number } | null = null
  #samples = 0
  /** Now and then: when sound came by its own clock, and how many samples had come before. */
  #sound: { time: number; samples: number }[] = []
  #soundNow: { time: number; samples: number } | null = null

  note(type: number, time: number, body: Buffer, now: number): void {
    this.#since ??= now
    if (type === AUDIO) this.#hear(time, body)
    const picture = type === VIDEO ? pictureOf(body) : null
    const isFrame = picture?.kind === 'frame'
    this.#arrived.push({ at: now, bytes: body.length, isFrame, time })
    if (picture?.kind === 'frame' && picture.isKey) {
      if (this.#keyAt !== null && time > this.#keyAt) this.#distance = (time - this.#keyAt) / 1000
      this.#keyAt = time
    }
    this.#forget(now)
  }

  /** In one step, and not at each message: to move an array of many takes its time. */
  #forget(now: number): void {
    if ((this.#arrived[0]?.at ?? now) >= now - WINDOW_MS - FORGET_MS) return
    this.#arrived.splice(
      0,
      this.#arrived.findIndex(({ at }) => at >= now - WINDOW_MS),
    )
  }

  #hear(time: number, body: Buffer): void {
    this.#hasAudio = true
    if (body[1] === 0) this.#frame = aacFrame(body.subarray(2))
    if (body[1] !== 1 || this.#frame === null) return
    const last = this.#sound.at(-1)
    // A clock that begins anew is no drift.
    if (this.#soundNow !== null && Math.abs(time - this.#soundNow.time) > WINDOW_MS) this.#sound = []
    this.#soundNow = { time, samples: this.#samples }
    if (last === undefined || this.#sound.length === 0 || time - last.time >= DRIFT_STEP_MS)
      this.#sound.push(this.#soundNow)
    while ((this.#sound[0]?.time ?? time) < time - DRIFT_WINDOW_MS) this.#sound.shift()
    this.#samples += this.#frame.samples
  }

  /** Null where it has not been measured long enough. */
  facts(now: number): {
    bitrate: number | null
    fps: number | null
    keyFrameSeconds: number | null
    hasAudio: boolean | null
    droppedPercent: number | null
    audioDriftMs: number | null
  } {
    const lasts = this.#since === null ? 0 : Math.min(WINDOW_MS, now - this.#since)
    const newest = this.#arrived.at(-1)?.at ?? now
    const arrived = this.#arrived.filter(({ at }) => at >= newest - WINDOW_MS)
    const times = arrived.filter(({ isFrame }) => isFrame).map(({ time }) => time)
    const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
    return {
      bitrate: lasts < 2_000 ? null : Math.round((arrived.reduce((sum, { bytes }) => sum + bytes, 0) * 8_000) / lasts),
      fps: span < 1_000 ? null : Math.round(((times.length - 1) * 10_000) / span) / 10,
      keyFrameSeconds: this.#distance,
      hasAudio: lasts < 3_000 ? (this.#hasAudio ? true : null) : this.#hasAudio,
      droppedPercent: droppedOf(times),
      audioDriftMs: this.#driftMs(),
    }
  }

  #driftMs(): number | null {
    const [first, last] = [this.#sound[0], this.#soundNow]
    if (!first || last === null || this.#frame === null || last.time - first.time < LEAST_DRIFT_WINDOW_MS) return null
    return Math.round(last.time - first.time - ((last.samples - first.samples) * 1000) / this.#frame.rate)
  }
}

/** Percent of frames that are missing between those that came, where the usual distance is that of most. */
function droppedOf(times: readonly number[]): number | null {
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  if (gaps.length < LEAST_GAPS) return null
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0
  if (usual <= 0) return null
  const missing = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / usual) - 1), 0)
  return Math.round((missing * 1000) / (missing + times.length)) / 10
}

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
const AAC_LC = 2

/** Samples of a frame, and how many of them a second has, of an AudioSpecificConfig (ISO 14496-3, 1.6.2.1); null: unknown. */
function aacFrame(config: Buffer): { samples: number; rate: number } | null {
  if (config.length < 2) return null
  const bits = config.readUInt16BE(0)
  const rate = RATES[(bits >> 7) & 15]
  if (rate === undefined) return null
  // `frameLengthFlag`, which stands elsewhere with other object types; they have 1024.
  const isShort = bits >> 11 === AAC_LC && (bits & 4) !== 0
  return { samples: isShort ? 960 : 1024, rate }
}

import { FragmentReader, type Sample, type Track, fragmentOf, isKey } from './fragments.ts'

export type MadePart = {
  segment: number
  index: number
  bytes: Buffer
  seconds: number
  isIndependent: boolean
  /** Its segment comes next. */ isLast: boolean
  /** Seconds since the first frame. */ at: number
}
export type MadeSegment = { number: number; bytes: Buffer; seconds: number; at: number }
type Packaged = {
  init: (bytes: Buffer) => void
  part: (part: MadePart) => void
  segment: (segment: MadeSegment) => void
}

/** In samples, of what ffmpeg's AAC makes. */
const AUDIO_FRAME = 1024
/** Sound that has not come when the picture is so many frames further does not hold it up. */
const MOST_WAITED = 5

/**
 * Makes parts of a fixed number of frames, and segments of parts, out of the fragments of one frame each that ffmpeg
 * writes: where they begin and how long they are is then known to the frame, which ffmpeg's own muxers do not promise.
 */
export class Packager {
  readonly #out: Packaged
  readonly #frames: { perPart: number; perSegment: number }
  readonly #fps: number
  readonly #reader: FragmentReader
  #tracks: Track[] = []
  #video: Sample[] = []
  #audio: Sample[] = []
  #begun = new Set<number>()
  #first: number | null = null
  #number = 0
  #parts: MadePart[] = []
  #framesIn = 0
  #sequence = 0

  constructor(of: { fps: number; frames: { perPart: number; perSegment: number } }, out: Packaged) {
    this.#fps = of.fps
    this.#frames = of.frames
    this.#out = out
    this.#reader = new FragmentReader({
      init: (bytes, tracks) => {
        this.#tracks = tracks
        out.init(bytes)
      },
      samples: (samples) => {
        for (const sample of samples) this.#queue(sample)
        while (this.#cut()) continue
      },
    })
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk)
  }

  /** What there is becomes the last part, and the last segment. */
  finish(): void {
    if (this.#video.length > 0) this.#part(this.#video.splice(0), this.#audio.splice(0), true)
    if (this.#parts.length > 0) this.#segment()
  }

  #queue(sample: Sample): void {
    const track = this.#tracks.find(({ id }) => id === sample.track)
    if (!track) return
    // A track's first sample is stretched to the beginning of the other's.
    const usual = track.isVideo ? Math.round(track.timescale / this.#fps) : AUDIO_FRAME
    if (!this.#begun.has(track.id) && sample.duration > usual) {
      sample.at += sample.duration - usual
      sample.duration = usual
    }
    this.#begun.add(track.id)
    if (track.isVideo) this.#video.push(sample)
    else this.#audio.push(sample)
  }

  #scale(isVideo: boolean): number {
    return this.#tracks.find((track) => track.isVideo === isVideo)?.timescale ?? 1
  }

  #cut(): boolean {
    const [first] = this.#video
    if (!first) return false
    const { perPart, perSegment } = this.#frames
    // A key frame before its time begins a segment all the same: what plays from there on needs nothing before it.
    const early = this.#video.findIndex((sample, index) => isKey(sample) && index + this.#framesIn > 0)
    const planned = Math.min(perPart, perSegment - this.#framesIn)
    const isEarly = early >= 0 && early < planned
    if (isEarly && early === 0) {
      this.#segment()
      return true
    }
    const wanted = isEarly ? early : planned
    const last = this.#video[wanted - 1]
    if (!last) return false
    const end = (last.at + last.duration) / this.#scale(true)
    const scale = this.#scale(false)
    const heard = this.#audio.at(-1)
    const hasAudio = this.#tracks.some(({ isVideo }) => !isVideo)
    const isHeard = !hasAudio || (heard !== undefined && (heard.at + heard.duration) / scale >= end)
    if (!isHeard && this.#video.length < wanted + MOST_WAITED) return false
    const beyond = this.#audio.findIndex(({ at }) => at / scale >= end)
    const isLast = isEarly || this.#framesIn + wanted >= perSegment
    this.#part(this.#video.splice(0, wanted), this.#audio.splice(0, beyond < 0 ? this.#audio.length : beyond), isLast)
    if (isLast) this.#segment()
    return true
  }

  #part(video: Sample[], audio: Sample[], isLast: boolean): void {
    const scale = this.#scale(true)
    const [first] = video
    if (!first) return
    this.#first ??= first.at
    const part: MadePart = {
      segment: this.#number,
      index: this.#parts.length,
      bytes: fragmentOf(++this.#sequence, audio.length > 0 ? [video, audio] : [video]),
      seconds: video.reduce((sum, { duration }) => sum + duration, 0) / scale,
      isIndependent: isKey(first),
      isLast,
      at: (first.at - this.#first) / scale,
    }
    this.#parts.push(part)
    this.#framesIn += video.length
    this.#out.part(part)
  }

  #segment(): void {
    const parts = this.#parts
    this.#parts = []
    this.#framesIn = 0
    this.#out.segment({
      number: this.#number++,
      bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
      // As playlists say it.
      seconds: Math.round(parts.reduce((sum, { seconds }) => sum + seconds, 0) * 1e5) / 1e5,
      at: parts[0]?.at ?? 0,
    })
  }
}

import fs from 'node:fs'
import path from 'node:path'
import { run, threads } from '../ffmpeg/run.ts'
import { AUDIO, DATA, type Sink, VIDEO } from './rtmp/publisher.ts'

const PICTURES = {
  /** Bars with a running clock. */
  bars: { size: '640x360', fps: 25, bitrate: '500k', source: 'testsrc2=size=640x360:rate=25', isReady: false },
  /** What the demo shows day and night: small, few frames, and as viewers get it, so that it is only cut. */
  waves: {
    size: '320x180',
    fps: 10,
    bitrate: '150k',
    source: 'gradients=size=320x180:rate=10:speed=0.02:c0=0x1d4ed8:c1=0x0891b2:c2=0x7c3aed:c3=0x0f766e',
    isReady: true,
  },
} as const
export type TestPicture = keyof typeof PICTURES

/** 3,000 frames of AAC at 48 kHz: sound and picture end at the same time, so that one round joins the next. */
const SECONDS = 64
const SOUND_FRAMES = 3_000
const SOUND_FRAME_MS = (1024 * 1000) / 48_000
const SOUND = 'sine=frequency=220:sample_rate=48000,tremolo=f=0.4:d=0.8,volume=0.2'
const KEY_SECONDS = 2
const WITHIN_MS = 120_000

type Tag = { type: number; time: number; body: Buffer }
/** What an encoder sends first, and a round of what comes after it again and again. */
export type Tape = { head: Tag[]; round: Tag[]; tickMs: number; readyKeySeconds: number | null }

/** Made once for an installation, and kept: to send it costs next to nothing. @throws MediaFailure */
export async function tapeOf(home: string, picture: TestPicture, signal: AbortSignal): Promise<Tape> {
  const { fps, source, bitrate, isReady } = PICTURES[picture]
  const folder = path.join(home, 'media', 'test-pictures')
  const file = path.join(folder, `${picture}.flv`)
  if (!fs.existsSync(file)) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const words = `-v error -y -f lavfi -i ${source} -f lavfi -i ${SOUND} -t ${SECONDS + 1} -c:v libx264 -preset veryfast -bf 0 -b:v ${bitrate} -g ${fps * KEY_SECONDS} -keyint_min ${fps * KEY_SECONDS} -sc_threshold 0 -pix_fmt yuv420p -c:a aac -b:a 64k -ar 48000 -ac 2 -threads ${threads()} -f flv ${picture}.new`
    await run({ program: 'ffmpeg', arguments: words.split(' '), folder, signal, withinMs: WITHIN_MS })
    fs.renameSync(path.join(folder, `${picture}.new`), file)
  }
  return { ...tapeIn(await fs.promises.readFile(file), fps), readyKeySeconds: isReady ? KEY_SECONDS : null }
}

const FLV_START = 13
const TAG_HEADER = 11

/** Times are given anew: those of the file begin a little apart, and are rounded. */
function tapeIn(flv: Buffer, fps: number): Omit<Tape, 'readyKeySeconds'> {
  const head: Tag[] = []
  const round: Tag[] = []
  let [frames, sounds] = [0, 0]
  for (let at = FLV_START; at + TAG_HEADER < flv.length;) {
    const [type, size] = [flv.readUInt8(at), flv.readUIntBE(at + 1, 3)]
    const body = flv.subarray(at + TAG_HEADER, at + TAG_HEADER + size)
    at += TAG_HEADER + size + 4
    if (type === DATA || body[1] === 0) head.push({ type, time: 0, body })
    else if (type === VIDEO && body[1] === 1 && frames < SECONDS * fps)
      round.push({ type, time: Math.round((frames++ * 1000) / fps), body })
    else if (type === AUDIO && sounds < SOUND_FRAMES)
      round.push({ type, time: Math.round(sounds++ * SOUND_FRAME_MS), body })
  }
  return { head, round: round.toSorted((a, b) => a.time - b.time), tickMs: 1000 / fps }
}

/** Plays a tape into a stream as an encoder would, in real time, until it is closed. */
export class TestEncoder {
  readonly #tape: Tape
  readonly #closed: () => void
  #timer: NodeJS.Timeout | undefined
  #isFull = false
  #isOver = false

  constructor(tape: Tape, closed: () => void) {
    this.#tape = tape
    this.#closed = closed
  }

  get isOver(): boolean {
    return this.#isOver
  }

  play(sink: Sink): void {
    if (this.#isOver) return
    const { head, round, tickMs } = this.#tape
    for (const { type, time, body } of head) sink.tag(type, time, body)
    const began = performance.now()
    let [index, past] = [0, 0]
    const send = () => {
      const now = performance.now() - began
      while (!this.#isFull && !this.#isOver) {
        const tag = round[index]
        if (tag === undefined || past + tag.time > now) return
        // Of 32 bits, as RTMP has them.
        if (!sink.tag(tag.type, (past + tag.time) % 2 ** 32, tag.body)) this.#isFull = true
        if (++index === round.length) [index, past] = [0, past + SECONDS * 1000]
      }
    }
    this.#timer = setInterval(() => {
      try {
        send()
      } catch {
        // As when an encoder is put out.
        sink.gone()
        this.close()
      }
    }, tickMs)
  }

  resume(): void {
    this.#isFull = false
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#timer)
    this.#closed()
  }
}

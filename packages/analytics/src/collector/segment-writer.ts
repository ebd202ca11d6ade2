import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type SpoolSegment, nameSegment } from './spool-segments.ts'

/** Appends of this long share one write: what a client waits at most for its answer, besides the disk. */
const COMMIT_MS = 4
/**
 * An open segment is closed after this long when the store keeps up; while it does not, the segment grows. Each is a
 * part that the store makes and merges, which is most of what an idle store does.
 */
const SEAL_MS = 800
const SEAL_ANYWAY_MS = 5000
const SEGMENT_BYTES = 4 << 20

type Append = { lines: string; resolve: () => void; reject: (error: unknown) => void }

/** Writes lines into segment files, many appends to one write, and hands over each file when it is closed. */
export class SegmentWriter {
  readonly #folder: string
  readonly #onSealed: (segment: SpoolSegment) => void
  readonly #isBehind: () => boolean
  #open: (SpoolSegment & { fd: number }) | null = null
  /** By the clock that never jumps, unlike the time in the name. */
  #openedAt = 0
  #pending: Append[] = []
  #commitTimer: NodeJS.Timeout | null = null
  #sealTimer: NodeJS.Timeout | null = null

  /** @param isBehind whether closed segments still wait: then small ones are not made */
  constructor({
    folder,
    onSealed,
    isBehind,
  }: {
    folder: string
    onSealed: (segment: SpoolSegment) => void
    isBehind: () => boolean
  }) {
    this.#folder = folder
    this.#onSealed = onSealed
    this.#isBehind = isBehind
  }

  get openBytes(): number {
    return this.#open?.bytes ?? 0
  }

  /** Resolves when the lines are in the file. @throws the disk's error */
  append(lines: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ lines, resolve, reject })
      this.#commitTimer ??= setTimeout(() => this.#commit(), COMMIT_MS)
    })
  }

  /** Writes what is pending and closes the open segment. */
  finish(): void {
    this.#commit()
    this.#seal()
  }

  #commit(): void {
    if (this.#commitTimer) clearTimeout(this.#commitTimer)
    this.#commitTimer = null
    const batch = this.#pending
    this.#pending = []
    if (batch.length === 0) return
    try {
      this.#open ??= this.#begin()
      writeWhole(this.#open, Buffer.from(batch.map((one) => one.lines).join(''), 'utf8'))
      for (const one of batch) one.resolve()
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
    if (this.openBytes >= SEGMENT_BYTES) this.#seal()
    else this.#sealTimer ??= setTimeout(() => this.#sealWhenDue(), SEAL_MS)
  }

  #begin(): SpoolSegment & { fd: number } {
    const begunAt = Date.now()
    this.#openedAt = performance.now()
    const file = path.join(this.#folder, nameSegment(begunAt, crypto.randomBytes(6).toString('hex')))
    return { file, begunAt, bytes: 0, fd: fs.openSync(file, 'wx') }
  }

  #sealWhenDue(): void {
    this.#sealTimer = null
    if (!this.#isBehind() || !this.#open || performance.now() - this.#openedAt > SEAL_ANYWAY_MS) this.#seal()
    else this.#sealTimer = setTimeout(() => this.#sealWhenDue(), SEAL_MS)
  }

  #seal(): void {
    if (this.#sealTimer) clearTimeout(this.#sealTimer)
    this.#sealTimer = null
    if (!this.#open) return
    const { fd, ...segment } = this.#open
    this.#open = null
    fs.closeSync(fd)
    if (segment.bytes > 0) this.#onSealed(segment)
    else fs.rmSync(segment.file, { force: true })
  }
}

/** A full disk may take a part: the file is cut back to whole lines, so the next batch does not continue a torn one. */
function writeWhole(segment: { fd: number; bytes: number }, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length;)
      at += fs.writeSync(segment.fd, bytes, at, bytes.length - at, segment.bytes + at)
    segment.bytes += bytes.length
  } catch (error) {
    fs.ftruncateSync(segment.fd, segment.bytes)
    throw error
  }
}

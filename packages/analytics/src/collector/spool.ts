import crypto from 'node:crypto'
import fs from 'node:fs'
import { SegmentShipper, type ShipperOptions } from './segment-shipper.ts'
import { SegmentWriter } from './segment-writer.ts'
import { batchName, withName } from './spool-batches.ts'
import { listSegments } from './spool-segments.ts'

/** Rows were not taken; the spool has told why, once. */
export class NotTaken extends Error {}

/** No more rows are taken: the store has been away for so long that its share of the disk is used up. */
export class SpoolFull extends NotTaken {}

export type Spool = AsyncDisposable & {
  /**
   * Takes lines of JSON, each with its newline. Resolves when they are in the file: from then on they survive the death
   * of this process. @throws NotTaken
   * @param batch what the sender calls them: under one name they count once, whichever collectors took them
   */
  append(lines: string, batch?: string): Promise<void>
  /** For whoever has rows for other spools beside it. @throws SpoolFull */
  expectRoom(): void
  state(): {
    waitingBytes: number
    segments: number
    storedRows: number
    refusedSegments: number
    /** Batches that another collector had brought to the store before. */
    repeatedBatches: number
    /** Why the last rows were not taken; null when they were. */ problem: string | null
  }
}

const LIMIT_BYTES = 2 ** 31
/** No more is taken than what the disk has room for. */
const NO_ROOM = 'the disk is nearly full'

/**
 * Rows on their way to one table: written to a segment file first, then inserted segment by segment and removed. A
 * segment carries its own token, so one that was inserted just before a crash is not
 * inserted twice by the next start. With `isShared`, batches that another collector took too are left out there. Memory holds only the appends of a few milliseconds and the segment under way.
 */
export function openSpool({
  limitBytes = LIMIT_BYTES,
  hasRoom = () => true,
  ...options
}: ShipperOptions & { limitBytes?: number; hasRoom?: () => boolean }): Spool {
  fs.mkdirSync(options.folder, { recursive: true })
  const shipper = new SegmentShipper(options, listSegments(options.folder))
  const writer = new SegmentWriter({
    folder: options.folder,
    onSealed: (segment) => shipper.add(segment),
    isBehind: () => shipper.waiting > 0,
  })
  const waitingBytes = () => shipper.counts.waitingBytes + writer.openBytes
  let stopped = false
  let problem: string | null = null
  // Rows come by the thousand: a disk that is full is told once, not with each of them.
  const note = (found: string | null) => {
    if (found !== null && problem === null)
      options.log.error({ event: 'spool.not-taken', table: options.table, why: found })
    if (found === null && problem !== null) options.log.info({ event: 'spool.taken-again', table: options.table })
    problem = found
  }
  const obstacle = () => {
    if (!hasRoom()) return NO_ROOM
    return stopped || waitingBytes() >= limitBytes ? `${options.table}: too much waits for the store` : null
  }
  const expectRoom = () => {
    const found = obstacle()
    if (found === null) return
    note(found)
    throw new SpoolFull(found)
  }
  return {
    expectRoom,
    async append(lines, batch) {
      if (lines === '') return
      expectRoom()
      try {
        await writer.append(options.isShared ? withName(lines, batchName(batch ?? crypto.randomUUID())) : lines)
        note(null)
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        note(why)
        throw error instanceof NotTaken ? error : new NotTaken(why, { cause: error })
      }
    },
    state: () => ({
      ...shipper.counts,
      waitingBytes: waitingBytes(),
      segments: shipper.waiting + (writer.openBytes > 0 ? 1 : 0),
      problem,
    }),
    async [Symbol.asyncDispose]() {
      stopped = true
      writer.finish()
      await shipper.stop()
    },
  }
}

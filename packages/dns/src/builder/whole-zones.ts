import { WholeZone } from '../segment/whole-zone.ts'
import { type SegmentFiles, readSegment } from '../store/segment-files.ts'

/** Of so many names in all it is held in memory what lies beside what; of the others it is made again. */
const MOST_HELD_NAMES = 2_000_000

/** With its file. */
export type HeldWhole = { file: string; whole: WholeZone }

/** What zones were last compiled to as a whole, for those whose changes come as patches. */
export class WholeZones {
  readonly #segments: SegmentFiles
  /** In the order of their last use. */
  readonly #held = new Map<string, HeldWhole>()
  #names = 0

  constructor(segments: SegmentFiles) {
    this.#segments = segments
  }

  /** Null where it is not on disk, or damaged. */
  async of(zoneId: string): Promise<HeldWhole | null> {
    const held = this.#held.get(zoneId) ?? (await this.#read(zoneId))
    this.forget(zoneId)
    if (!held) return null
    this.#held.set(zoneId, held)
    this.#names += held.whole.size
    for (const other of this.#held.keys()) {
      if (this.#names <= MOST_HELD_NAMES || this.#held.size === 1) break
      this.forget(other)
    }
    return held
  }

  /** It was compiled anew, or is gone. */
  forget(zoneId: string): void {
    this.#names -= this.#held.get(zoneId)?.whole.size ?? 0
    this.#held.delete(zoneId)
  }

  async #read(zoneId: string): Promise<HeldWhole | null> {
    const file = this.#segments.whole(zoneId)
    if (file === null) return null
    return readSegment(file).then(
      (segment) => ({ file, whole: new WholeZone(segment) }),
      () => null,
    )
  }
}

import type { Segment } from '../segment/segment.ts'
import { isMapped } from '../store/mapped-file.ts'
import { comparedBytes, serialOf } from './zone-records.ts'

const VERSIONS = 12
const BYTES_PER_ZONE = 8 << 20

/**
 * Versions of zones that were served until lately, so that secondaries get what has changed and not everything. Large
 * zones keep fewer, where it is not their overlays alone that change, or where files are read and not mapped: each
 * version has a whole of its own in memory then.
 */
export class FormerVersions {
  readonly #byZone = new Map<string, Segment[]>()
  /** Zones whose present version is another one than was served under its serial before, by when that was built. */
  readonly #signedAnew = new Map<string, number>()

  /** `present` takes the place of `former`. */
  keep(former: Segment, present: Segment): void {
    const { zoneId } = former
    const isSigned = former.keys.length + present.keys.length > 0
    if (serialOf(former) === serialOf(present)) {
      // Who has the serial has either form of it, and of the one before nothing tells what that lacks.
      if (isSigned) {
        this.forget(zoneId)
        this.#signedAnew.set(zoneId, present.builtAt)
      }
      return
    }
    const isKept = this.#signedAnew.get(zoneId) !== former.builtAt
    this.#signedAnew.delete(zoneId)
    let bytes = 0
    const kept = [...(isKept ? [former] : []), ...(this.#byZone.get(zoneId) ?? [])]
      .slice(0, VERSIONS)
      .filter(
        (one) => (bytes += isMapped(one.bytes) ? comparedBytes(one, present) : one.bytes.length) <= BYTES_PER_ZONE,
      )
    if (kept.length > 0) this.#byZone.set(zoneId, kept)
    else this.#byZone.delete(zoneId)
  }

  forget(zoneId: string | undefined): void {
    if (zoneId === undefined) return
    this.#byZone.delete(zoneId)
    this.#signedAnew.delete(zoneId)
  }

  /** The newest with a serial. */
  find(zoneId: string, serial: number): Segment | undefined {
    return this.#byZone.get(zoneId)?.find((segment) => serialOf(segment) === serial)
  }
}

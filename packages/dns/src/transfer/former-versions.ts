import type { Segment } from '../segment/segment.ts'
import { serialOf } from './zone-records.ts'

const VERSIONS = 12
const BYTES_PER_ZONE = 8 << 20

/**
 * Versions of zones that were served until lately, so that secondaries get what has changed and not everything. Large
 * zones keep fewer.
 */
export class FormerVersions {
  readonly #byZone = new Map<string, Segment[]>()

  keep(segment: Segment): void {
    const kept = [segment, ...(this.#byZone.get(segment.zoneId) ?? [])].slice(0, VERSIONS)
    let bytes = 0
    this.#byZone.set(
      segment.zoneId,
      kept.filter((one) => (bytes += one.bytes.length) <= BYTES_PER_ZONE),
    )
  }

  forget(zoneId: string | undefined): void {
    if (zoneId !== undefined) this.#byZone.delete(zoneId)
  }

  /** The newest with a serial: a zone that was signed anew has the one it had. */
  find(zoneId: string, serial: number): Segment | undefined {
    return this.#byZone.get(zoneId)?.find((segment) => serialOf(segment) === serial)
  }
}

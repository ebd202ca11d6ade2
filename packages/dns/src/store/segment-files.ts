import fs from 'node:fs'
import path from 'node:path'
import { type CheckedWhole, Segment, SegmentError, overlayBehind } from '../segment/segment.ts'
import { safeFileName, writeWhole } from './files.ts'
import { mapFile, mapTwo } from './mapped-file.ts'

export type Damaged = (file: string, error: unknown) => void

/** The newest, and the one before, which serves when the newest turns out damaged. */
const KEPT = 2

/** `whole`: of an overlay, when the segment was built that it belongs to; null for a segment. */
type Kept = { file: string; builtAt: number; whole: number | null }

/**
 * Segments on disk, one file each: `<zone>.<version>.<built at>.seg`, and overlays of large ones,
 * `<zone>.<version>.<built at>.<its whole's>.overlay`. The folder has one writer.
 */
export class SegmentFiles {
  readonly #folder: string
  /** By the zone's part of the name, newest first. */
  readonly #byZone: Map<string, Kept[]>

  constructor(folder: string) {
    this.#folder = folder
    const found = fs.readdirSync(folder).flatMap((name) => {
      const [, zone = '', builtAt, whole] =
        /^(.+)\.-?\d+\.(\d+)\.seg$/.exec(name) ?? /^(.+)\.-?\d+\.(\d+)\.(\d+)\.overlay$/.exec(name) ?? []
      if (builtAt === undefined) return []
      const file = path.join(folder, name)
      return [{ file, zone, builtAt: Number(builtAt), whole: whole === undefined ? null : Number(whole) }]
    })
    this.#byZone = Map.groupBy(
      found.sort((a, b) => b.builtAt - a.builtAt),
      ({ zone }) => zone,
    )
  }

  /** Writes a zone's newest segment and answers its path. */
  async write(zoneId: string, version: number, builtAt: number, segment: Uint8Array): Promise<string> {
    return this.#write(zoneId, `${version}.${builtAt}.seg`, { builtAt, whole: null }, segment)
  }

  /** The same for an overlay of the segment that was built at `whole`. */
  async writeOverlay(
    zoneId: string,
    { version, builtAt, whole }: { version: number; builtAt: number; whole: number },
    overlay: Uint8Array,
  ): Promise<string> {
    return this.#write(zoneId, `${version}.${builtAt}.${whole}.overlay`, { builtAt, whole }, overlay)
  }

  async #write(zoneId: string, ending: string, kept: Omit<Kept, 'file'>, bytes: Uint8Array): Promise<string> {
    const zone = safeFileName(zoneId)
    const file = path.join(this.#folder, `${zone}.${ending}`)
    await writeWhole(file, bytes)
    this.#byZone.set(zone, [{ file, ...kept }, ...(this.#byZone.get(zone) ?? [])])
    return file
  }

  /** Path of the newest segment of a zone that is whole; null for none. */
  whole(zoneId: string): string | null {
    return this.#byZone.get(safeFileName(zoneId))?.find(({ whole }) => whole === null)?.file ?? null
  }

  /** The newest overlay of a zone with the segment under it; null where the newest of all is no overlay. */
  overlay(zoneId: string): { file: string; whole: string } | null {
    const files = this.#byZone.get(safeFileName(zoneId)) ?? []
    const [newest] = files
    const whole = newest?.whole === null ? undefined : files.find(({ builtAt }) => builtAt === newest?.whole)
    return newest && whole ? { file: newest.file, whole: whole.file } : null
  }

  /** Removes what a zone does not need any more. */
  async prune(zoneId: string): Promise<void> {
    const files = this.#byZone.get(safeFileName(zoneId)) ?? []
    const wholes = new Set(files.slice(0, KEPT).map(({ whole }) => whole))
    for (const { file, builtAt } of files.slice(KEPT)) if (!wholes.has(builtAt)) await this.remove(zoneId, file)
  }

  /** Removes one of a zone's segments, or all. */
  async remove(zoneId: string, only?: string): Promise<void> {
    const zone = safeFileName(zoneId)
    const files = this.#byZone.get(zone) ?? []
    const going = only === undefined ? files.map(({ file }) => file) : [only]
    for (const file of going) await fs.promises.rm(file, { force: true })
    const left = files.filter(({ file }) => !going.includes(file))
    if (left.length > 0) this.#byZone.set(zone, left)
    else this.#byZone.delete(zone)
  }

  /** The newest whole segment of every zone; damaged ones are told and passed over. */
  *readAll(damaged: Damaged): Generator<Segment> {
    for (const files of this.#byZone.values()) {
      // At a start, when nothing else waits: a turn of the event loop for each of thousands of files would cost more
      // than the files.
      const newest = firstWhole(files, damaged)
      if (newest) yield newest
    }
  }
}

/** @throws SegmentError when the file is damaged */
export async function readSegment(file: string): Promise<Segment> {
  return Segment.open(mapFile(file))
}

/** The segment of `whole` under an overlay; see `Segment.openOver`. @throws SegmentError when either is damaged */
export async function readOverlay(
  { file, whole }: { file: string; whole: string },
  known: CheckedWhole | undefined,
): Promise<Segment> {
  const { bytes, firstBytes, secondAt } = mapTwo({ first: whole, second: file }, overlayBehind)
  return Segment.openOver(bytes, firstBytes, secondAt, known)
}

function firstWhole(files: readonly Kept[], damaged: Damaged): Segment | null {
  for (const { file, whole } of files) {
    try {
      if (whole === null) return Segment.openNow(mapFile(file))
      const under = files.find(({ builtAt }) => builtAt === whole)
      if (!under) throw new SegmentError('the segment of the overlay is not there')
      const { bytes, firstBytes, secondAt } = mapTwo({ first: under.file, second: file }, overlayBehind)
      return Segment.openOverNow(bytes, firstBytes, secondAt)
    } catch (error) {
      damaged(file, error)
    }
  }
  return null
}

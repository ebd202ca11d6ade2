import fs from 'node:fs'
import path from 'node:path'
import { Segment } from '../segment/segment.ts'
import { safeFileName, writeWhole } from './files.ts'
import { mapFile } from './mapped-file.ts'

export type Damaged = (file: string, error: unknown) => void

/** The newest, and the one before, which serves when the newest turns out damaged. */
const KEPT = 2

/** Segments on disk, one file each: `<zone>.<version>.<built at>.seg`. The folder has one writer. */
export class SegmentFiles {
  readonly #folder: string
  /** Paths by the zone's part of the name, newest first. */
  readonly #byZone: Map<string, string[]>

  constructor(folder: string) {
    this.#folder = folder
    const found = fs.readdirSync(folder).flatMap((name) => {
      const match = /^(.+)\.-?\d+\.(\d+)\.seg$/.exec(name)
      return match ? [{ file: path.join(folder, name), zone: match[1] ?? '', builtAt: Number(match[2]) }] : []
    })
    const newestFirst = found.sort((a, b) => b.builtAt - a.builtAt)
    this.#byZone = new Map(
      [...Map.groupBy(newestFirst, ({ zone }) => zone)].map(([zone, files]) => [zone, files.map(({ file }) => file)]),
    )
  }

  /** Writes a zone's newest segment and answers its path. */
  async write(zoneId: string, version: number, builtAt: number, segment: Uint8Array): Promise<string> {
    const zone = safeFileName(zoneId)
    const file = path.join(this.#folder, `${zone}.${version}.${builtAt}.seg`)
    await writeWhole(file, segment)
    this.#byZone.set(zone, [file, ...(this.#byZone.get(zone) ?? [])])
    return file
  }

  /** Removes what a zone does not need any more. */
  async prune(zoneId: string): Promise<void> {
    for (const file of this.#byZone.get(safeFileName(zoneId))?.slice(KEPT) ?? []) await this.remove(zoneId, file)
  }

  /** Removes one of a zone's segments, or all. */
  async remove(zoneId: string, only?: string): Promise<void> {
    const zone = safeFileName(zoneId)
    const files = this.#byZone.get(zone) ?? []
    const going = only === undefined ? files : [only]
    for (const file of going) await fs.promises.rm(file, { force: true })
    const left = files.filter((file) => !going.includes(file))
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

function firstWhole(files: readonly string[], damaged: Damaged): Segment | null {
  for (const file of files) {
    try {
      return Segment.openNow(mapFile(file))
    } catch (error) {
      damaged(file, error)
    }
  }
  return null
}

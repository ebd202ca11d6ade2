import fs from 'node:fs'
import path from 'node:path'

export type SpoolSegment = { file: string; begunAt: number; bytes: number }

const NAME = /^(\d{13})-([0-9a-f]{12})\.ndjson$/

export const nameSegment = (begunAt: number, unique: string): string =>
  `${String(begunAt).padStart(13, '0')}-${unique}.ndjson`

/** Segments that an earlier process left, oldest first. */
export function listSegments(folder: string): SpoolSegment[] {
  return fs
    .readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const begunAt = NAME.exec(name)?.[1]
      const file = path.join(folder, name)
      return begunAt === undefined ? [] : [{ file, begunAt: Number(begunAt), bytes: fs.statSync(file).size }]
    })
}

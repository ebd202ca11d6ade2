import fs from 'node:fs'
import path from 'node:path'
import { BackupError, type Config, diskMarks, diskOf, isS3Place, nearestFolder, sharesDisk } from '@fairway/platform'

/** What is made now takes no room from what is served; asked again while it is written. */
export type Room = {
  /** @throws NoRoom as soon as what can wait has to stop */
  check(): void
}

/** Nothing is wrong with a backup or its place but that there is no room. */
export class NoRoom extends BackupError {}

/** More than what is expected. */
const SPARE = 1.3
const FRESH_MS = 200
const MB = 2 ** 20
const NONE: Room = { check() {} }

type Settings = Pick<Config, 'home' | 'diskScarceMb' | 'diskFullMb'>

/**
 * Room in a folder for so many bytes, beside what has to stay free where it is the disk of the home; in a bucket there
 * is always.
 * @param what begins the sentence: `The proof`
 * @throws NoRoom with what is needed
 */
export function roomIn(config: Settings, folder: string, what: string, bytes: number): Room {
  if (isS3Place(folder)) return NONE
  const at = nearestFolder(folder)
  const isHomes = sharesDisk(at, config.home)
  const disk = diskOf(at)
  const { scarceBytes } = diskMarks(config, disk.totalBytes)
  const needed = Math.ceil(bytes * SPARE) + (isHomes ? scarceBytes : 0)
  if (disk.freeBytes < needed)
    throw new NoRoom(
      `${what} needs ${inMb(needed)} on the disk that holds ${folder}${isHomes ? ', with what has to stay free there' : ''}, and ${inMb(disk.freeBytes)} are left.`,
    )
  if (!isHomes) return NONE
  let readAt = performance.now()
  return {
    check() {
      if (performance.now() - readAt < FRESH_MS) return
      readAt = performance.now()
      const { freeBytes } = diskOf(at)
      if (freeBytes < scarceBytes)
        throw new NoRoom(
          `${what} was given up: ${inMb(freeBytes)} are left on the disk that holds ${folder}, and ${inMb(scarceBytes)} have to stay free there (FAIRWAY_DISK_SCARCE_MB).`,
        )
    },
  }
}

const inMb = (bytes: number): string => `${Math.ceil(bytes / MB)} MB`

/** What the engines of a home have on its disk; what goes meanwhile counts for nothing. */
function engineBytes(home: string): number {
  let sum = 0
  for (const folder of ['database', 'store'].map((name) => path.join(home, name)).filter((one) => fs.existsSync(one)))
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) sum += sizeOf(path.join(entry.parentPath, entry.name))
  return sum
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Rows and files are packed to less than that of what engines have on their disk. */
const PACKED = 0.5

/** What a first backup of a home may take. */
export const firstBytes = (home: string): number => engineBytes(home) * PACKED

import fs from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'
import { missingReserve } from './disk-reserve.ts'

export type Disk = { freeBytes: number; totalBytes: number }

/** Room for whoever is no superuser on the disk that holds a folder. @throws the system's error */
export function diskOf(folder: string): Disk {
  const { bavail, blocks, bsize } = fs.statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** The folder, or the nearest above that is there: on its disk the other one will be. */
export function nearestFolder(folder: string): string {
  let at = path.resolve(folder)
  while (!fs.existsSync(at) && at !== path.dirname(at)) at = path.dirname(at)
  return at
}

/** Whether what is written into one folder takes room from the other. */
export const sharesDisk = (one: string, other: string): boolean =>
  fs.statSync(nearestFolder(one)).dev === fs.statSync(nearestFolder(other)).dev

const MB = 2 ** 20
const LOW = { share: 0.15, bytes: 2 * 2 ** 30 }
/** What is freed and filled again around a mark is one story and not many. */
const AGAIN = 1.15

/** Little is left: time to act, before anything has to stop. `wasLow` asks for a bit more before it is over. */
export function isDiskLow(disk: Disk, wasLow = false): boolean {
  const times = wasLow ? AGAIN : 1
  return disk.freeBytes < LOW.bytes * times || disk.freeBytes < disk.totalBytes * LOW.share * times
}

/**
 * `scarce`: what can wait or be done without stops: uploads, new recordings, samples, logs of requests. `full`: changes
 * are refused too, so that what was accepted still gets to where it is served.
 */
export type DiskLevel = 'enough' | 'scarce' | 'full'

export type DiskMarks = { scarceBytes: number; fullBytes: number }

/** The marks of the settings, each at most the one before it; nobody is stopped before having been told. */
export function diskMarks(
  { diskScarceMb, diskFullMb }: Pick<Config, 'diskScarceMb' | 'diskFullMb'>,
  totalBytes: number,
): DiskMarks {
  const scarceBytes = Math.min(diskScarceMb * MB, Math.max(LOW.bytes, totalBytes * LOW.share))
  return { scarceBytes, fullBytes: Math.min(diskFullMb * MB, scarceBytes) }
}

/**
 * How full it is, given how full it was. A mark that was passed is over when a bit more is free again, and on top of
 * that what the reserve lacks: it is filled up first.
 */
export function diskLevel(freeBytes: number, marks: DiskMarks, was: DiskLevel, lackingBytes = 0): DiskLevel {
  const isBelow = (mark: number, wasBelow: boolean) => freeBytes < (wasBelow ? mark * AGAIN + lackingBytes : mark)
  if (isBelow(marks.fullBytes, was === 'full')) return 'full'
  return isBelow(marks.scarceBytes, was !== 'enough') ? 'scarce' : 'enough'
}

export type DiskGauge = {
  /** How full the disk of the home is now. One that cannot be asked stops nothing. */
  level(): DiskLevel
  /** Null while it cannot be asked. */
  disk(): Disk | null
}

/** What has to be free for a video of so many bytes: it, what is made of it, and something for everything else. */
export const roomForVideo = (bytes: number): number => bytes * 2 + 2 * 2 ** 30

/** Of the disk, for what one organisation has that is not done: more would be taken from everybody. */
export const PENDING_SHARE = 0.25

type GaugeSettings = Pick<Config, 'home' | 'diskScarceMb' | 'diskFullMb' | 'diskReserveMb'>

/** Asked with each change and each beacon, and the system seldom. */
const FRESH_MS = 200

/** Watches the disk of the home by the marks of the settings. */
export function diskGauge(config: GaugeSettings): DiskGauge {
  let [level, disk, readAt]: [DiskLevel, Disk | null, number] = ['enough', null, Number.NEGATIVE_INFINITY]
  const read = () => {
    if (performance.now() - readAt < FRESH_MS) return
    readAt = performance.now()
    try {
      disk = diskOf(config.home)
      const lacking = level === 'enough' ? 0 : missingReserve(config)
      level = diskLevel(disk.freeBytes, diskMarks(config, disk.totalBytes), level, lacking)
    } catch {
      ;[level, disk] = ['enough', null]
    }
  }
  return {
    level: () => (read(), level),
    disk: () => (read(), disk),
  }
}

/** What a role says of itself while its disk is nearly full; null while it is not. */
export function saidOfDisk(gauge: DiskGauge): string | null {
  const [level, disk] = [gauge.level(), gauge.disk()]
  if (level === 'enough' || disk === null) return null
  const left = `${Math.floor(disk.freeBytes / MB)} MB are left on the disk`
  return level === 'scarce' ? `${left}: what can wait is refused` : `${left}: changes are refused too`
}

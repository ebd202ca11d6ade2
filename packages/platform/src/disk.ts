import fs from 'node:fs'

export type Disk = { freeBytes: number; totalBytes: number }

/** Room for whoever is no superuser on the disk that holds a folder. @throws the system's error */
export function diskOf(folder: string): Disk {
  const { bavail, blocks, bsize } = fs.statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

const LOW = { share: 0.15, bytes: 2 * 2 ** 30 }
/** What is freed and filled again around a mark is one story and not many. */
const AGAIN = 1.15

/** Little is left: time to act, before anything has to stop. `wasLow` asks for a bit more before it is over. */
export function isDiskLow({ freeBytes, totalBytes }: Disk, wasLow = false): boolean {
  const times = wasLow ? AGAIN : 1
  return freeBytes < LOW.bytes * times || freeBytes < totalBytes * LOW.share * times
}

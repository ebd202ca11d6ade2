import fs from 'node:fs'
import type { DiskGauge } from '@fairway/platform'

const LOOK_MS = 1_000

/** Keeps a file there while the disk is nearly full, by which nginx takes small requests only. */
export function keepScarceSign(disk: DiskGauge, file: string): Disposable {
  const look = () => {
    try {
      if (disk.level() === 'enough') return fs.rmSync(file, { force: true })
      fs.closeSync(fs.openSync(file, 'a', 0o644))
    } catch {
      // Not even a name fits on the disk, or nobody may write to it: nginx's own writing fails then.
    }
  }
  look()
  const timer = setInterval(look, LOOK_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

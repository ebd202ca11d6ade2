import fs from 'node:fs'
import os from 'node:os'

export type Memory = { availableBytes: number; totalBytes: number }

/** Memory of this machine; available is what may still be taken, caches that would be given back included. */
export function memoryOfMachine(): Memory {
  const text = fs.existsSync('/proc/meminfo') ? fs.readFileSync('/proc/meminfo', 'utf8') : ''
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1]
  return {
    availableBytes: kilobytes === undefined ? os.freemem() : Number(kilobytes) * 1024,
    totalBytes: os.totalmem(),
  }
}

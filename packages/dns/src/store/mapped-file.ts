import fs from 'node:fs'
import { type Libc, loadLibc } from '@fairway/platform/lean'

const PROT_READ = 1
const MAP_PRIVATE_POPULATE = 0x8002
const MAP_FAILED = 2n ** 64n - 1n

/**
 * Linux lets a process have 65,530 of them (vm.max_map_count), those of its heap among them; without any left it dies.
 * Files beyond that are read.
 */
const MOST_MAPPINGS = 30_000
let mappings = 0

/** A mapping outlives every view of it, and not for long. */
const unmapped = new FinalizationRegistry<{ libc: Libc; address: bigint; bytes: bigint }>(
  ({ libc, address, bytes }) => {
    mappings--
    libc.munmap(address, bytes)
  },
)

/**
 * The bytes of a file that is never written again, to be read only: where it can be, as they lie in the system's cache,
 * so that nothing is copied and all processes
 * that answer share them. A file that is taken away stays for as long as its bytes are used.
 */
export function mapFile(file: string, libc = loadLibc(), mostMappings = MOST_MAPPINGS): Uint8Array<ArrayBuffer> {
  if (libc === null || mappings >= mostMappings) return fs.readFileSync(file)
  const fd = fs.openSync(file, 'r')
  try {
    const bytes = fs.fstatSync(fd).size
    const length = BigInt(bytes)
    // An empty file has nothing to map.
    const address = bytes === 0 ? MAP_FAILED : libc.mmap(0n, length, PROT_READ, MAP_PRIVATE_POPULATE, fd, 0n)
    if (address === MAP_FAILED) return fs.readFileSync(fd)
    const buffer = libc.bufferAt(address, bytes)
    mappings++
    unmapped.register(buffer, { libc, address, bytes: length })
    return new Uint8Array(buffer)
  } finally {
    fs.closeSync(fd)
  }
}

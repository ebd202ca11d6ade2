import fs from 'node:fs'
import { type Libc, loadLibc } from '@fairway/platform/lean'

const PROT_READ = 1
const MAP_PRIVATE_POPULATE = 0x8002
const MAP_PRIVATE_ANONYMOUS = 0x22
const MAP_FIXED = 0x10
const MAP_FAILED = 2n ** 64n - 1n

/**
 * Linux lets a process have 65,530 of them (vm.max_map_count), those of its heap among them; without any left it dies.
 * Files beyond that are read.
 */
const MOST_MAPPINGS = 30_000
let mappings = 0
const mapped = new WeakSet<ArrayBufferLike>()

/** Whether bytes lie in the system's cache, and not in memory of this process. */
export const isMapped = ({ buffer }: Uint8Array): boolean => mapped.has(buffer)

/** A mapping outlives every view of it, and not for long. */
const unmapped = new FinalizationRegistry<{ libc: Libc; address: bigint; bytes: bigint; count: number }>(
  ({ libc, address, bytes, count }) => {
    mappings -= count
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
    mapped.add(buffer)
    unmapped.register(buffer, { libc, address, bytes: length, count: 1 })
    return new Uint8Array(buffer)
  } finally {
    fs.closeSync(fd)
  }
}

/** With what lies between them. */
const MAPPINGS_OF_TWO = 3

/**
 * The bytes of two such files as one, the second from `at(bytes of the first)` on, which is a multiple of every page
 * size; zeros stand between them.
 */
export function mapTwo(
  files: { first: string; second: string },
  at: (bytes: number) => number,
  libc = loadLibc(),
  mostMappings = MOST_MAPPINGS,
): { bytes: Uint8Array<ArrayBuffer>; firstBytes: number; secondAt: number } {
  const fds = [fs.openSync(files.first, 'r')]
  try {
    fds.push(fs.openSync(files.second, 'r'))
    const [first = 0, second = 0] = fds
    const [firstBytes, secondBytes] = [fs.fstatSync(first).size, fs.fstatSync(second).size]
    const secondAt = at(firstBytes)
    const whole = { firstBytes, secondAt }
    const canBe = libc !== null && mappings < mostMappings && firstBytes > 0 && secondBytes > 0
    const buffer = canBe ? mappedTwo(libc, { first, firstBytes, second, secondBytes, secondAt }) : null
    if (buffer) return { ...whole, bytes: new Uint8Array(buffer) }
    const bytes = new Uint8Array(secondAt + secondBytes)
    fs.readSync(first, bytes, 0, firstBytes, 0)
    fs.readSync(second, bytes, secondAt, secondBytes, 0)
    return { ...whole, bytes }
  } finally {
    for (const fd of fds) fs.closeSync(fd)
  }
}

function mappedTwo(
  libc: Libc,
  {
    first,
    firstBytes,
    second,
    secondBytes,
    secondAt,
  }: { first: number; firstBytes: number; second: number; secondBytes: number; secondAt: number },
): ArrayBuffer | null {
  const bytes = secondAt + secondBytes
  // The place for both is had first, so that nothing else stands where the second has to.
  const address = libc.mmap(0n, BigInt(bytes), PROT_READ, MAP_PRIVATE_ANONYMOUS, -1, 0n)
  if (address === MAP_FAILED) return null
  const put = (fd: number, at: number, size: number): boolean =>
    libc.mmap(address + BigInt(at), BigInt(size), PROT_READ, MAP_PRIVATE_POPULATE | MAP_FIXED, fd, 0n) !== MAP_FAILED
  if (!put(first, 0, firstBytes) || !put(second, secondAt, secondBytes)) {
    libc.munmap(address, BigInt(bytes))
    return null
  }
  const buffer = libc.bufferAt(address, bytes)
  mappings += MAPPINGS_OF_TWO
  mapped.add(buffer)
  unmapped.register(buffer, { libc, address, bytes: BigInt(bytes), count: MAPPINGS_OF_TWO })
  return buffer
}

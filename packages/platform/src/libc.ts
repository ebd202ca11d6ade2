/**
 * The calls of the C library that Node has no word for. Addresses are numbers: whoever passes one keeps its memory
 * alive.
 */
export type Libc = {
  socket(domain: number, type: number, protocol: number): number
  setsockopt(fd: number, level: number, name: number, value: bigint, bytes: number): number
  bind(fd: number, address: bigint, bytes: number): number
  listen(fd: number, backlog: number): number
  getsockname(fd: number, address: bigint, bytes: bigint): number
  close(fd: number): number
  recvmmsg(fd: number, headers: bigint, count: number, flags: number, timeout: bigint): number
  sendmmsg(fd: number, headers: bigint, count: number, flags: number): number
  sendto(fd: number, bytes: bigint, count: bigint, flags: number, address: bigint, addressBytes: number): bigint
  usleep(microseconds: number): number
  mmap(address: bigint, bytes: bigint, protection: number, flags: number, fd: number, offset: bigint): bigint
  munmap(address: bigint, bytes: bigint): number
  /** Where a buffer's memory stands; good for as long as the buffer is referred to. */
  addressOf(buffer: ArrayBuffer): bigint
  /** The memory at an address as it is; whoever asks sees to it that it stays. */
  bufferAt(address: bigint, bytes: number): ArrayBuffer
}

const I32 = 'i32'
const I64 = 'i64'
const U32 = 'u32'
const U64 = 'u64'

let loaded: Libc | null | undefined

/**
 * Null where this Node or this machine has it not: the layouts and numbers used with it are those of 64-bit Linux on
 * x64 and arm64.
 */
export function loadLibc(): Libc | null {
  loaded ??= process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64') ? load() : null
  return loaded
}

function load(): Libc | null {
  try {
    const ffi = process.getBuiltinModule('node:ffi')
    // Never closed: the functions are used for as long as the process lives.
    const { functions } = ffi.dlopen(null, {
      socket: { arguments: [I32, I32, I32], return: I32 },
      setsockopt: { arguments: [I32, I32, I32, U64, U32], return: I32 },
      bind: { arguments: [I32, U64, U32], return: I32 },
      listen: { arguments: [I32, I32], return: I32 },
      getsockname: { arguments: [I32, U64, U64], return: I32 },
      close: { arguments: [I32], return: I32 },
      recvmmsg: { arguments: [I32, U64, U32, I32, U64], return: I32 },
      sendmmsg: { arguments: [I32, U64, U32, I32], return: I32 },
      sendto: { arguments: [I32, U64, U64, I32, U64, U32], return: I64 },
      usleep: { arguments: [U32], return: I32 },
      mmap: { arguments: [U64, U64, I32, I32, I32, I64], return: U64 },
      munmap: { arguments: [U64, U64], return: I32 },
    })
    return {
      ...functions,
      addressOf: (buffer) => ffi.getRawPointer(buffer),
      bufferAt: (address, bytes) => ffi.toArrayBuffer(address, bytes, false),
    }
  } catch {
    return null
  }
}

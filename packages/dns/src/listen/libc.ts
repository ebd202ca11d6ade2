import { isIPv6 } from 'node:net'
import type { HostPort } from '@fairway/platform'
import { parseAddress, type Family } from '../wire/address.ts'

/** The calls of the C library that `dgram` has no word for. Addresses are numbers: whoever passes one keeps its memory alive. */
export type Libc = {
  socket(domain: number, type: number, protocol: number): number
  setsockopt(fd: number, level: number, name: number, value: bigint, bytes: number): number
  bind(fd: number, address: bigint, bytes: number): number
  close(fd: number): number
  recvmmsg(fd: number, headers: bigint, count: number, flags: number, timeout: bigint): number
  sendmmsg(fd: number, headers: bigint, count: number, flags: number): number
  /** Where a buffer's memory stands; good for as long as the buffer is referred to. */
  addressOf(buffer: ArrayBuffer): bigint
}

export const MSG_DONTWAIT = 0x40
/** Room for a `sockaddr_in6`, aligned. */
export const SOCKADDR_BYTES = 32
const SOCKADDR = { 4: { family: 2, bytes: 16, addressAt: 4 }, 6: { family: 10, bytes: 28, addressAt: 8 } } as const
const SOCK_DGRAM_CLOEXEC = 0x80002
const SOL_SOCKET = 1
const SO_REUSEPORT = 15
const I32 = 'i32'
const U32 = 'u32'
const U64 = 'u64'

let loaded: Libc | null | undefined

/** Null where this Node or this machine has it not: the layouts and numbers used here are those of 64-bit Linux on x64 and arm64. */
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
      close: { arguments: [I32], return: I32 },
      recvmmsg: { arguments: [I32, U64, U32, I32, U64], return: I32 },
      sendmmsg: { arguments: [I32, U64, U32, I32], return: I32 },
    })
    return { ...functions, addressOf: (buffer) => ffi.getRawPointer(buffer) }
  } catch {
    return null
  }
}

/** Bytes of the socket address of a family, and where the address stands in them. */
export const sockaddrForm = (family: Family): { bytes: number; addressAt: number } => SOCKADDR[family]

/** Writes a socket address at `at`; false when `host` is not one that can be written as numbers alone. */
export function writeSockaddr(into: Uint8Array, at: number, family: Family, { host, port }: HostPort): boolean {
  const form = SOCKADDR[family]
  into.fill(0, at, at + SOCKADDR_BYTES)
  into[at] = form.family
  into[at + 2] = port >> 8
  into[at + 3] = port & 255
  return !host.includes('%') && parseAddress(host, into.subarray(at + form.addressAt, at + form.addressAt + 16)) === family
}

export const portIn = (bytes: Uint8Array, at: number): number => ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)

/** A UDP socket bound to the address, with `reusePort` beside others that are so too, or -1; why it cannot be had is for `dgram` to say, which tries the same. */
export function openUdpSocket(libc: Libc, at: HostPort, reusePort: boolean): number {
  const family = isIPv6(at.host) ? 6 : 4
  const address = new Uint8Array(SOCKADDR_BYTES)
  if (!writeSockaddr(address, 0, family, at)) return -1
  const fd = libc.socket(SOCKADDR[family].family, SOCK_DGRAM_CLOEXEC, 0)
  if (fd < 0) return -1
  const on = new Int32Array([1])
  const shared = !reusePort || libc.setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, libc.addressOf(on.buffer), on.byteLength) === 0
  if (shared && libc.bind(fd, libc.addressOf(address.buffer), SOCKADDR[family].bytes) === 0) return fd
  libc.close(fd)
  return -1
}

import { isIPv6 } from 'node:net'
import type { HostPort } from '@fairway/platform'
import type { Libc } from '@fairway/platform/lean'
import { parseAddress, type Family } from '../wire/address.ts'

export const MSG_DONTWAIT = 0x40
/** Room for a `sockaddr_in6`, aligned. */
export const SOCKADDR_BYTES = 32
const SOCKADDR = { 4: { family: 2, bytes: 16, addressAt: 4 }, 6: { family: 10, bytes: 28, addressAt: 8 } } as const
const SOCK_DGRAM_CLOEXEC = 0x80002
const SOL_SOCKET = 1
const SO_REUSEPORT = 15
/** Level and name of `IP_MTU_DISCOVER` and `IPV6_MTU_DISCOVER`. */
const MTU_DISCOVER = { 4: { level: 0, name: 10 }, 6: { level: 41, name: 23 } } as const
/**
 * Never in fragments, whatever a message says of the path: fragments can be forged, and so can such messages. Answers
 * fit the smallest path (RFC 9715 3.1).
 */
const PMTUDISC_PROBE = 3

/** Bytes of the socket address of a family, and where the address stands in them. */
export const sockaddrForm = (family: Family): { bytes: number; addressAt: number } => SOCKADDR[family]

/** Writes a socket address at `at`; false when `host` is not one that can be written as numbers alone. */
export function writeSockaddr(into: Uint8Array, at: number, family: Family, { host, port }: HostPort): boolean {
  const form = SOCKADDR[family]
  into.fill(0, at, at + SOCKADDR_BYTES)
  into[at] = form.family
  into[at + 2] = port >> 8
  into[at + 3] = port & 255
  return (
    !host.includes('%') && parseAddress(host, into.subarray(at + form.addressAt, at + form.addressAt + 16)) === family
  )
}

export const portIn = (bytes: Uint8Array, at: number): number => ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)

/**
 * A UDP socket bound to the address, with `reusePort` beside others that are so too, or -1; why it cannot be had is for
 * `dgram` to say, which tries the same.
 */
export function openUdpSocket(libc: Libc, at: HostPort, reusePort: boolean): number {
  const family = isIPv6(at.host) ? 6 : 4
  const address = new Uint8Array(SOCKADDR_BYTES)
  if (!writeSockaddr(address, 0, family, at)) return -1
  const fd = libc.socket(SOCKADDR[family].family, SOCK_DGRAM_CLOEXEC, 0)
  if (fd < 0) return -1
  const set = (level: number, name: number, value: number) => {
    const word = new Int32Array([value])
    return libc.setsockopt(fd, level, name, libc.addressOf(word.buffer), word.byteLength) === 0
  }
  const discover = MTU_DISCOVER[family]
  set(discover.level, discover.name, PMTUDISC_PROBE)
  const shared = !reusePort || set(SOL_SOCKET, SO_REUSEPORT, 1)
  if (shared && libc.bind(fd, libc.addressOf(address.buffer), SOCKADDR[family].bytes) === 0) return fd
  libc.close(fd)
  return -1
}

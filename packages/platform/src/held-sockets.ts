import { isIPv6 } from 'node:net'
import { tryTcp } from './free-address.ts'
import type { HostPort } from './host-port.ts'
import { type Libc, loadLibc } from './libc.ts'

/**
 * Sockets that outlive the processes which use them, by address (`127.0.0.1 8080`): file descriptors of this process,
 * handed down from the one that keeps them.
 */
export type HeldSockets = Readonly<Record<string, number>>

/** The socket that is held for an address, or null: then it is opened as usual. */
export function heldSocket(held: HeldSockets, at: HostPort): number | null {
  return held[heldKey(at)] ?? null
}

/** What `listen` of a server is given: the socket that is held, else the address. */
export function listenAt(held: HeldSockets, at: HostPort): HostPort & { fd?: number } {
  const fd = heldSocket(held, at)
  return fd === null ? { ...at } : { ...at, fd }
}

export const heldKey = ({ host, port }: HostPort): string => `${host} ${port}`

// Close on exec. Streams do not block: of several that are woken for one connection all but one find none, and nginx
// takes what it inherits as it is.
const SOCK = { stream: 0x80801, datagram: 0x80002 } as const
const [SOL_SOCKET, SO_REUSEADDR, SO_REUSEPORT] = [1, 2, 15]
/** The system's own limit bounds it. */
const BACKLOG = 4096

/** A socket that is nobody's yet, or null where this system has no words for it. */
export function newSocket(kind: keyof typeof SOCK, { host }: HostPort): number | null {
  const fd = loadLibc()?.socket(isIPv6(host) ? 10 : 2, SOCK[kind], 0) ?? -1
  return fd < 0 ? null : fd
}

/**
 * Gives a new socket its address; one for streams is then listened to, and connections wait in it until somebody takes
 * them. `shared` beside other sockets of the same user that are so too. False when it cannot be had.
 */
export function bindSocket(fd: number, kind: keyof typeof SOCK, at: HostPort, shared = false): boolean {
  const libc = loadLibc()
  const address = socketAddress(at)
  if (!libc || !address) return false
  if (kind === 'stream') setOption(libc, fd, SO_REUSEADDR)
  if (shared) setOption(libc, fd, SO_REUSEPORT)
  if (libc.bind(fd, libc.addressOf(address.buffer), address.byteLength) !== 0) return false
  return kind === 'datagram' || libc.listen(fd, BACKLOG) === 0
}

/** Whether a socket has been given an address, by whoever shares it. */
export function isBound(fd: number): boolean {
  const libc = loadLibc()
  if (!libc) return false
  const [address, bytes] = [new Uint8Array(32), new Int32Array([32])]
  const failed = libc.getsockname(fd, libc.addressOf(address.buffer), libc.addressOf(bytes.buffer)) !== 0
  // The port, in network order.
  return !failed && (address[2] !== 0 || address[3] !== 0)
}

export function closeSocket(fd: number): void {
  loadLibc()?.close(fd)
}

/**
 * Listens on an address without taking what comes. Null where this system has no words for it.
 * @throws NodeJS.ErrnoException when the address cannot be had
 */
export async function openHeldListener(at: HostPort): Promise<number | null> {
  const { error } = await tryTcp(at)
  if (error) throw error
  const fd = newSocket('stream', at)
  if (fd === null || bindSocket(fd, 'stream', at)) return fd
  closeSocket(fd)
  return null
}

function setOption(libc: Libc, fd: number, name: number): void {
  const on = new Int32Array([1])
  libc.setsockopt(fd, SOL_SOCKET, name, libc.addressOf(on.buffer), on.byteLength)
}

/** `sockaddr_in` or `sockaddr_in6` of an address in numbers; null of any other, and of one with a zone. */
function socketAddress({ host, port }: HostPort): Uint8Array<ArrayBuffer> | null {
  const parts = isIPv6(host) ? groupsOf(host) : host.split('.').map(Number)
  if (!parts || parts.some((part) => !Number.isInteger(part))) return null
  if (parts.length === 4) return Uint8Array.from([2, 0, port >> 8, port & 255, ...parts, 0, 0, 0, 0, 0, 0, 0, 0])
  return Uint8Array.from([
    10,
    0,
    port >> 8,
    port & 255,
    0,
    0,
    0,
    0,
    ...parts.flatMap((g) => [g >> 8, g & 255]),
    0,
    0,
    0,
    0,
  ])
}

/** The eight groups of an IPv6 address, as URL writes it: without dots, zeroes left out once at most. */
function groupsOf(host: string): number[] | null {
  if (host.includes('%')) return null
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return numbers(head)
  const [first, last] = [numbers(head), numbers(tail)]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last]
}

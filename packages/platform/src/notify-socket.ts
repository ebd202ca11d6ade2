import { closeSocket } from './held-sockets.ts'
import { loadLibc } from './libc.ts'

const AF_UNIX = 1
// Close on exec, and never waits: whoever listens has had its chance.
const SOCK_DGRAM = 0x80802
/** `sockaddr_un`: a family and up to 108 bytes of path. */
const MOST_PATH = 107

/**
 * Sends a line of state to systemd (sd_notify): one datagram to a socket of the file system, or of the abstract names
 * that begin with `@`. False when it did not get there, or this system has no words for it.
 */
export function notifySocket(socket: string, state: string): boolean {
  const libc = loadLibc()
  const name = Buffer.from(socket)
  if (!libc || name.length === 0 || name.length > MOST_PATH || !/^[/@]/.test(socket)) return false
  const isAbstract = name[0] === 0x40
  if (isAbstract) name[0] = 0
  // A path ends with a zero byte, an abstract name with its length.
  const address = Uint8Array.from([AF_UNIX, 0, ...name, ...(isAbstract ? [] : [0])])
  const bytes = Uint8Array.from(Buffer.from(state))
  const fd = libc.socket(AF_UNIX, SOCK_DGRAM, 0)
  if (fd < 0) return false
  try {
    const sent = libc.sendto(
      fd,
      libc.addressOf(bytes.buffer),
      BigInt(bytes.byteLength),
      0,
      libc.addressOf(address.buffer),
      address.byteLength,
    )
    return Number(sent) === bytes.byteLength
  } finally {
    closeSocket(fd)
  }
}

import tls from 'node:tls'
import { EDGE } from './edge-under-test.ts'

/** Types and flags of frames (RFC 9113 6). */
export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, continuation: 9 } as const
export const FLAG = { endStream: 1, endHeaders: 4 } as const

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A field that is not kept, without Huffman's code (RFC 7541 6.2.2); the name by its number or in letters. */
export function field(name: number | string, value: string): Buffer {
  const said = Buffer.from(value, 'latin1')
  const start = typeof name === 'number' ? Buffer.from([name]) : Buffer.concat([Buffer.from([0]), text(name)])
  return Buffer.concat([start, lengthOf(said.length), said])
}

/** `:method: GET`, `:scheme: https` by their numbers, then host and path. */
export const getFields = (host: string, path: string): Buffer =>
  Buffer.concat([Buffer.from([0x82, 0x87]), field(1, host), field(4, path)])

const text = (name: string): Buffer => Buffer.concat([lengthOf(name.length), Buffer.from(name, 'latin1')])

/** An integer with a prefix of seven bits (RFC 7541 5.1). */
function lengthOf(value: number): Buffer {
  if (value < 127) return Buffer.from([value])
  const bytes = [127]
  let rest = value - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

export type RawHttp2 = { write(bytes: Buffer): boolean; closed: Promise<void>; end(): void; isOpen(): boolean }

/** A connection that has greeted, and says whatever it is told to; what comes back is only read away. */
export async function connectHttp2(port: number, servername: string): Promise<RawHttp2> {
  const socket = tls.connect({ host: EDGE, port, servername, ALPNProtocols: ['h2'], rejectUnauthorized: false })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  socket.resume()
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(FRAME.settings, 0, 0)]))
  return {
    write: (bytes) => socket.writable && socket.write(bytes),
    closed,
    end: () => socket.destroy(),
    isOpen: () => !socket.destroyed,
  }
}
